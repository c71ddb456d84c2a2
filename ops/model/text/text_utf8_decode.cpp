// model.text_utf8_decode: bits become bytes, bytes UTF-8, and the JSON in it texts again.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "noema/backend.h"
#include "ops/common/bits.h"
#include "ops/common/media/codec_timing.h"
#include "ops/common/media/payload_account.h"
#include "ops/common/media/text_batch.h"
#include "ops/model/text/text.h"

namespace noema::model {
namespace {

/// The bytes that the metadata say were sent, out of the bits that arrived (which padding may have lengthened).
Result<std::string> payload_of(const Call& call, std::span<const Bit> bits) {
  const Value& metadata = call.metadata("bits");
  NOEMA_TRY(const std::uint64_t bit_count, ops::count_or(metadata, "payload_bit_count", bits.size(), "bits"));
  std::string bytes = media::bytes_of(bits.first(std::min<std::uint64_t>(bit_count, bits.size())));
  NOEMA_TRY(const std::uint64_t byte_count, ops::count_or(metadata, "payload_byte_count", bytes.size(), "bits"));
  if (byte_count < bytes.size()) bytes.resize(byte_count);
  return bytes;
}

/// What stands for a payload that can't be read: all its characters as the first text, so that nothing received is
/// hidden, under the ids that the receiver knows beside the bits.
std::vector<media::TextExample> stand_in(const Value& metadata, std::string text) {
  std::vector<media::TextExample> examples;
  if (const Value* ids = metadata.find("sample_ids"); ids != nullptr && ids->is_array()) {
    for (const Value& id : ids->items()) {
      if (id.is_string()) examples.push_back({id.string(), {}});
    }
  }
  if (examples.empty()) examples.push_back({"decoded_0", {}});
  examples.front().text = std::move(text);
  return examples;
}

std::string dataset_of(const Value& metadata) {
  for (const std::string_view key : {"source_dataset", "dataset"}) {
    if (const Value* name = metadata.find(key); name != nullptr && name->is_string()) return name->string();
  }
  return "unknown";
}

Result<void> decode(Call& call) {
  NOEMA_TRY(const Array array, media::payload_bits(call, "bits"));
  Value metadata = ops::loaded_bits(call.metadata("bits"), call.kind("bits"), array.size(), call.backend());
  const media::StageClock total;
  NOEMA_TRY(const std::string bytes, payload_of(call, array.span<Bit>()));
  const media::StageClock stage;
  const std::string text = media::utf8_with_replacement(bytes);
  auto examples = media::read_text_payload(text);
  const double decoded = stage.seconds();
  const bool failed = !examples;
  if (failed) {
    if (call.text("on_error") == "fail") {
      return refuse_input("bits", code::kernel_failed, "the payload can't be decoded: " + examples.error().message,
                          "on_error: replace passes on what was received instead");
    }
    examples = stand_in(metadata, text);
  }

  Value::Items rows, ids;
  for (const media::TextExample& example : *examples) {
    rows.push_back(Value::object({{"id", example.id}, {"text", example.text}}));
    ids.emplace_back(example.id);
  }
  // They were about the array of bits; a document has none.
  for (const std::string_view key : {"array", "arrays", "dtype", "shape"}) metadata.erase(key);
  metadata.set("codec", "text_utf8_json");
  metadata.set("source", "text_utf8_decode");
  metadata.set("split", "decoded");
  metadata.set("on_error", call.parameter("on_error"));
  metadata.set("text_count", rows.size());
  metadata.set("decoded_ids", Value(std::move(ids)));
  metadata.set("decode_success", !failed);
  metadata.set("byte_stream_data_plane_backend", ops::data_plane_backend(call.backend()));
  const std::string dataset = dataset_of(metadata);
  media::CodecTiming timing("decoder", "native");
  timing.add("payload_decode", decoded);
  timing.add("total", total.seconds());
  call.emit_document("texts", media::text_batch(dataset, "decoded", std::move(rows)), std::move(metadata));
  call.metric("text.decode_error", failed ? 1.0 : 0.0);
  call.step_metadata("codec_timing", timing.value());
  return {};
}

}  // namespace

void add_text_utf8_decode(KernelList& kernels) { kernels.add("model.text_utf8_decode", "cpp", "default", decode); }

}  // namespace noema::model
