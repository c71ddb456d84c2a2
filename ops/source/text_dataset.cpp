// source.text_dataset: a handful of short English sentences, each about something that is sent to be understood.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/digest.h"
#include "core/text.h"
#include "noema/backend.h"
#include "ops/common/media/text_batch.h"
#include "ops/source/source.h"

namespace noema::source {
namespace {

struct Sentence {
  std::string_view id, text;
};

constexpr std::array sentences{
    Sentence{"weather_report", "The coastal station sends tomorrow's storm forecast over a weak radio link."},
    Sentence{"robot_instruction", "Robot, walk to the blue valve and report whether it is open."},
    Sentence{"medical_note", "The patient reports a tight chest after climbing two flights of stairs."},
    Sentence{"traffic_alert", "The northbound lane is closed just before the old river bridge."},
    Sentence{"sensor_summary", "Temperature stayed constant while humidity kept rising during the whole experiment."},
};

Result<std::vector<Sentence>> chosen(const Call& call) {
  std::vector<std::string> known;
  for (const Sentence& sentence : sentences) known.emplace_back(sentence.id);
  std::vector<Sentence> picked;
  for (const std::string& part : split(call.text("sample_ids"), ',')) {
    const std::string_view id = trimmed(part);
    const auto found = std::ranges::find(sentences, id, &Sentence::id);
    if (found == sentences.end()) {
      return refuse_parameter("sample_ids", code::parameter_choice,
                              "sample_ids names " + shown(id) + "; " + joined(known, ", ") + " are allowed",
                              did_you_mean(id, known));
    }
    if (std::ranges::find(picked, id, &Sentence::id) != picked.end()) {
      return refuse_parameter("sample_ids", code::parameter_choice, "sample_ids names " + shown(id) + " twice",
                              "repeat_count repeats the whole batch");
    }
    picked.push_back(*found);
  }
  return picked;
}

Result<void> produce(Call& call) {
  NOEMA_TRY(const std::vector<Sentence> picked, chosen(call));
  const std::uint64_t repeats = call.count("repeat_count");
  Value::Items examples, ids, base_ids;
  for (const Sentence& sentence : picked) base_ids.emplace_back(sentence.id);
  for (std::uint64_t repeat = 1; repeat <= repeats; ++repeat) {
    for (const Sentence& sentence : picked) {
      const std::string id = std::string(sentence.id) + (repeats > 1 ? "_r" + std::to_string(repeat) : std::string());
      Value example = Value::object({{"id", id}, {"text", sentence.text}});
      if (repeats > 1) example.set("base_id", sentence.id).set("repeat_index", repeat);
      examples.push_back(std::move(example));
      ids.emplace_back(id);
    }
  }
  const std::uint64_t count = examples.size();
  const Value document = media::text_batch(call.text("dataset"), "builtin", std::move(examples));
  call.emit_document("texts", document,
                     Value::object({{"source", "builtin_text"},
                                    {"dataset", call.text("dataset")},
                                    {"split", "builtin"},
                                    {"sample_ids", Value(std::move(ids))},
                                    {"base_sample_ids", Value(std::move(base_ids))},
                                    {"repeat_count", repeats},
                                    {"text_count", count},
                                    {"text_batch_sha256", sha256_of(document)}}));
  call.count_metric("text.dataset.sample_count", count);
  return {};
}

}  // namespace

void add_text_dataset(KernelList& kernels) { kernels.add("source.text_dataset", "cpp", "default", produce); }

}  // namespace noema::source
