// Batches of texts (text_batch.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/text_batch.h"

#include "core/json.h"
#include "core/text.h"

namespace noema::media {
namespace {

Error invalid(std::string message) {
  return Error{code::input_invalid, {}, "the text payload " + std::move(message), {}, {}};
}

/// Bytes that may follow in a character after `lead` and `seen` bytes of it: the ranges that keep out overlong forms,
/// surrogates and what lies beyond U+10FFFF.
bool continues(unsigned char lead, std::size_t seen, unsigned char byte) {
  unsigned char low = 0x80, high = 0xBF;
  if (seen == 1) {
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  }
  return byte >= low && byte <= high;
}

std::size_t length_from(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

}  // namespace

Result<std::vector<TextExample>> text_examples(const Call& call, std::string_view port) {
  const auto refuse = [&](std::string message) { return refuse_input(port, code::input_invalid, std::move(message)); };
  const std::optional<Value>& document = call.artifact(port).document;
  const Value* examples = document ? document->find("examples") : nullptr;
  if (examples == nullptr || !examples->is_array()) return refuse("the text batch has no list `examples`");
  std::vector<TextExample> texts;
  texts.reserve(examples->size());
  for (const Value& example : examples->items()) {
    const Value* id = example.find("id");
    const Value* text = example.find("text");
    const std::string which = "example " + std::to_string(texts.size());
    if (id == nullptr || !id->is_string() || id->string().empty()) {
      return refuse(which + " has no `id`, or one that is not a text of at least one character");
    }
    if (text == nullptr || !text->is_string()) {
      return refuse(which + " (" + shown(id->string()) + ") has no `text`, or one that is not a text");
    }
    if (!is_utf8(id->string()) || !is_utf8(text->string())) return refuse(which + " is not UTF-8");
    texts.push_back({id->string(), text->string()});
  }
  return texts;
}

Value text_batch(std::string_view dataset, std::string_view split, Value::Items examples) {
  return Value::object({{"schema_version", 1},
                        {"kind", "text.batch"},
                        {"dataset", dataset},
                        {"split", split},
                        {"examples", Value(std::move(examples))}});
}

std::string text_payload(const std::vector<TextExample>& examples) {
  Value::Items ids, texts;
  for (const TextExample& example : examples) {
    ids.emplace_back(example.id);
    texts.emplace_back(example.text);
  }
  return canonical_json(Value::object({{"ids", Value(std::move(ids))},
                                       {"payload_format", "json_utf8"},
                                       {"schema_version", 1},
                                       {"texts", Value(std::move(texts))}}));
}

Result<std::vector<TextExample>> read_text_payload(std::string_view payload) {
  // The payload lies in memory already; its own length bounds what it can hold.
  const JsonLimits limits{payload.size(), 256, payload.size() + 1};
  NOEMA_TRY(const Value document, parse_json(payload, "text payload", limits));
  const Value* texts = document.find("texts");
  if (texts == nullptr || !texts->is_array()) return invalid("has no list `texts`");
  const Value* ids = document.find("ids");
  if (ids != nullptr && (!ids->is_array() || ids->size() > texts->size())) {
    return invalid("has `ids` that are not a list of at most one id for each text");
  }
  std::vector<TextExample> examples;
  examples.reserve(texts->size());
  for (const Value& text : texts->items()) {
    const std::size_t index = examples.size();
    if (!text.is_string()) return invalid("has a text " + std::to_string(index) + " that is not a text");
    std::string id = "decoded_" + std::to_string(index);
    if (ids != nullptr && index < ids->size()) {
      if (!(*ids)[index].is_string()) return invalid("has an id " + std::to_string(index) + " that is not a text");
      id = (*ids)[index].string();
    }
    examples.push_back({std::move(id), text.string()});
  }
  return examples;
}

std::string utf8_with_replacement(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const std::size_t length = length_from(lead);
    std::size_t seen = 1;
    while (seen < length && i + seen < bytes.size() &&
           continues(lead, seen, static_cast<unsigned char>(bytes[i + seen]))) {
      ++seen;
    }
    if (seen == length) {
      text += bytes.substr(i, length);
    } else {
      text += "\xEF\xBF\xBD";
    }
    i += seen;
  }
  return text;
}

}  // namespace noema::media
