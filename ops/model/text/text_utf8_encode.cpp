// model.text_utf8_encode: a batch of texts as canonical JSON, written out bit by bit.
// SPDX-License-Identifier: Apache-2.0
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

Value metadata_of(const Call& call, const std::vector<media::TextExample>& examples, std::uint64_t bytes) {
  Value metadata = call.metadata("texts");
  Value::Items ids;
  for (const media::TextExample& example : examples) ids.emplace_back(example.id);
  const Value* dataset = call.artifact("texts").document->find("dataset");
  metadata.set("codec", "text_utf8_json");
  metadata.set("source_dataset", dataset == nullptr ? Value() : *dataset);
  metadata.set("text_count", examples.size());
  metadata.set("sample_ids", Value(std::move(ids)));
  metadata.set("payload_format", call.parameter("payload_format"));
  metadata.set("payload_bit_count", 8 * bytes);
  metadata.set("payload_byte_count", bytes);
  metadata.set("payload_coder", "canonical_json");
  metadata.set("payload_coder_algorithm", "none");
  metadata.set("payload_coder_label", "Canonical JSON in UTF-8");
  metadata.set("payload_coder_lossless", true);
  metadata.set("entropy_coded", false);
  metadata.set("source_bit_storage", "packed_bytes");
  metadata.set("byte_count", bytes);
  metadata.set("byte_stream_data_plane_backend", ops::data_plane_backend(call.backend()));
  ops::declare_bits(metadata, "payload", 8 * bytes, call.backend());
  return metadata;
}

Result<void> encode(Call& call) {
  NOEMA_TRY(const std::vector<media::TextExample> examples, media::text_examples(call, "texts"));
  const media::StageClock total;
  const std::string payload = media::text_payload(examples);
  const double coded = total.seconds();
  NOEMA_TRY(Array bits, media::bits_of(payload));

  media::CodecTiming timing("encoder", "native");
  timing.add("payload_encode", coded);
  timing.add("total", total.seconds());
  call.emit("bits", {{"bits", std::move(bits)}}, metadata_of(call, examples, payload.size()));
  call.count_metric("codec.bit_count", 8 * payload.size());
  call.count_metric("codec.bytes", payload.size());
  call.count_metric("channel.payload_bit_count", 8 * payload.size());
  call.step_metadata("codec_timing", timing.value());
  return {};
}

}  // namespace

void add_text_utf8_encode(KernelList& kernels) { kernels.add("model.text_utf8_encode", "cpp", "default", encode); }

}  // namespace noema::model
