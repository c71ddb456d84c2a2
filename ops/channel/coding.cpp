// ops/channel/coding.h: metadata of coded and decoded streams.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/coding.h"

#include <optional>
#include <string>
#include <utility>

#include "ops/common/bits.h"
#include "ops/common/items.h"

namespace noema::channel {

Result<std::uint64_t> coded_bit_count(const Call& call, const RepeatingCode& code) {
  const std::uint64_t bits = call.length("bits");
  if (bits > static_cast<std::uint64_t>(INT64_MAX) / code.factor) {
    return refuse_parameter("factor", code::parameter_out_of_range,
                            "factor is " + std::to_string(code.factor) + ": " + std::to_string(bits) +
                                " bits that often are more than 63 bits can count",
                            "use a smaller factor or fewer bits");
  }
  return bits * code.factor;
}

Result<Value> coded_metadata(const Call& call, const RepeatingCode& code) {
  constexpr std::string_view port = "bits";
  const std::uint64_t bits = call.length(port);
  NOEMA_TRY(const std::uint64_t coded, coded_bit_count(call, code));
  const double rate = 1.0 / static_cast<double>(code.factor);

  Value metadata = ops::loaded_bits(call.metadata(port), call.kind(port), bits, call.backend());
  NOEMA_TRY(const std::uint64_t payload, ops::count_or(metadata, "payload_bit_count", bits, port));
  NOEMA_TRY(const std::optional<ops::ItemCounts> items, ops::item_bit_counts(metadata, bits, port));
  NOEMA_TRY(const std::uint64_t pixels, ops::total_pixels(metadata, port));
  NOEMA_CHECK(ops::rewrite_record_layout(metadata, bits, coded, port));

  ops::declare_bits(metadata, "coded", coded, call.backend());
  metadata.set("payload_bit_count", payload);
  metadata.set("coded_bit_count", coded);
  metadata.set("coding_scheme", code.scheme);
  metadata.set("channel_code_input_bit_count", bits);
  metadata.set("channel_code_output_bit_count", coded);
  metadata.set("code_rate", rate);
  NOEMA_CHECK(ops::append_coding_history(
      metadata,
      Value::object(
          {{"scheme", code.scheme}, {"input_bit_count", bits}, {"output_bit_count", coded}, {"code_rate", rate}}),
      port));
  if (items) {
    ops::ItemCounts coded_items = *items;
    for (std::uint64_t& count : coded_items) count *= code.factor;
    metadata.set("source_item_coded_bit_counts", coded_items);
  }
  if (pixels > 0) metadata.set("rate_coded_bpp", static_cast<double>(coded) / static_cast<double>(pixels));
  return metadata;
}

void emit_coded_metrics(Call& call, const Value& metadata) {
  const auto count = [&](std::string_view key) { return static_cast<std::uint64_t>(metadata.at(key).integer()); };
  call.metric("channel.code_rate", metadata.at("code_rate").number());
  call.count_metric("channel.payload_bit_count", count("payload_bit_count"));
  call.count_metric("channel.channel_code_input_bit_count", count("channel_code_input_bit_count"));
  call.count_metric("channel.coded_bit_count", count("coded_bit_count"));
  if (const Value* rate = metadata.find("rate_coded_bpp")) call.metric("rate.coded_bpp", rate->number());
}

Result<Value> decoded_metadata(const Call& call, const RepeatingCode& code, std::uint64_t decoded_bit_count) {
  constexpr std::string_view port = "coded_bits";
  const std::uint64_t received = call.length(port);
  Value metadata = ops::loaded_bits(call.metadata(port), call.kind(port), received, call.backend());
  NOEMA_TRY(const std::optional<ops::RecordLayout> records, ops::record_layout(metadata, received, port));
  if (records && decoded_bit_count * code.factor != received) {
    return ops::metadata_error(
        port,
        "metadata divides the " + std::to_string(received) + " received bits into capture records, but only " +
            std::to_string(decoded_bit_count * code.factor) +
            " of them belong to the code, so the last record would be cut",
        "remove capture_record_count and capture_record_shape, or let the code fill the records");
  }
  NOEMA_CHECK(ops::rewrite_record_layout(metadata, received, decoded_bit_count, port));
  ops::declare_bits(metadata, "payload", decoded_bit_count, call.backend());
  metadata.set("decoded_bit_count", decoded_bit_count);
  metadata.set("channel_decoder", code.scheme);
  return metadata;
}

}  // namespace noema::channel
