// ops/channel/accounting_kernel.h: the kernel behind the resource accounting.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/accounting_kernel.h"

#include <string>
#include <utility>

#include "ops/channel/accounting.h"
#include "ops/common/checks.h"

namespace noema::channel {
namespace {

constexpr std::string_view bit_ports[] = {"payload_bits", "framed_bits", "coded_bits"};

Result<Value> report_of(const Call& call, std::string_view profile) {
  return account({call.length("payload_bits"), call.length("framed_bits"), call.length("coded_bits"),
                  call.length("symbols"), call.count("pilot_symbol_count"), call.count("physical_header_symbol_count"),
                  call.count("total_channel_use_count"), call.metadata("payload_bits"), call.metadata("framed_bits"),
                  call.metadata("coded_bits"), call.metadata("symbols")},
                 profile);
}

template <class T>
void pass(Call& call, std::string_view port) {
  for (auto arrived = call.peek<T>(port); !arrived.empty(); arrived = call.peek<T>(port)) {
    call.consume(port, arrived.size());
  }
}

void emit_metrics(Call& call, const Value& report) {
  using Pair = std::pair<std::string_view, std::string_view>;
  for (const auto& [metric, key] :
       {Pair{"codec.native_bit_count", "native_codec_bit_count"},
        Pair{"codec.safe_serialization_wrapper_bit_count", "safe_serialization_wrapper_bit_count"},
        Pair{"channel.payload_bit_count", "serialized_payload_bit_count"},
        Pair{"channel.framing_overhead_bit_count", "framing_header_crc_padding_bit_count"},
        Pair{"channel.framed_bit_count", "framed_bit_count"},
        Pair{"channel.fec_overhead_bit_count", "fec_rate_matching_overhead_bit_count"},
        Pair{"channel.coded_bit_count", "coded_bit_count"},
        Pair{"channel.modulation_padding_bit_count", "modulation_padding_bit_count"},
        Pair{"channel.transmitted_bit_count", "modulator_capacity_bit_count"},
        Pair{"channel.data_symbol_count", "data_symbol_count"},
        Pair{"channel.pilot_symbol_count", "pilot_symbol_count"},
        Pair{"channel.physical_header_symbol_count", "physical_header_symbol_count"},
        Pair{"channel.grid_padding_symbol_count", "grid_padding_symbol_count"},
        Pair{"channel.channel_use_count", "total_channel_use_count"},
        Pair{"channel.total_channel_use_count", "total_channel_use_count"}}) {
    call.count_metric(metric, static_cast<std::uint64_t>(report.at(key).integer()));
  }
  for (const auto& [metric, key] :
       {Pair{"rate.native_codec_bpp", "native_codec_bpp"},
        Pair{"rate.serialized_payload_bpp", "serialized_payload_bpp"}, Pair{"rate.framed_bpp", "framed_bpp"},
        Pair{"rate.coded_bpp", "coded_bpp"}, Pair{"rate.padded_bpp", "padded_bpp"},
        Pair{"channel.uses_per_pixel", "channel_uses_per_pixel"},
        Pair{"channel.max_source_item_uses_per_pixel", "max_source_item_uses_per_pixel"}}) {
    if (!report.at(key).is_null()) call.metric(metric, report.at(key).number());
  }
}

}  // namespace

Result<void> AccountingKernel::open(Call& call) {
  for (const std::string_view port : bit_ports) NOEMA_CHECK(ops::check_dtype(call, port, DType::u8));
  NOEMA_CHECK(ops::check_dtype(call, "symbols", DType::c64));
  // What can't add up is refused before anything runs; the final report waits for the complete metadata.
  NOEMA_CHECK(report_of(call, profile_));
  return {};
}

Result<void> AccountingKernel::work(Call& call) {
  for (const std::string_view port : bit_ports) pass<Bit>(call, port);
  pass<Complex>(call, "symbols");
  return {};
}

Result<void> AccountingKernel::close(Call& call) {
  NOEMA_TRY(const Value report, report_of(call, profile_));
  emit_metrics(call, report);
  call.emit_report("report", report);
  return {};
}

}  // namespace noema::channel
