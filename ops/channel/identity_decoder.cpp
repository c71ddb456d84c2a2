// channel.identity_decoder: keeps the bits that the encoder was given and drops what was padded behind them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ops/channel/channel.h"
#include "ops/channel/coding.h"
#include "ops/common/bit_writer.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"

namespace noema::channel {
namespace {

constexpr std::string_view port = "coded_bits";
constexpr RepeatingCode identity{"identity", 1};

/// Bits that entered the encoder, as far as the metadata tells: its own count, else the last entry of the coding
/// history, else the whole stream.
Result<std::uint64_t> encoder_input_bits(const Call& call) {
  const Value& metadata = call.metadata(port);
  const Value* history = metadata.find("coding_history");
  const bool has_history = history != nullptr && history->is_array() && history->size() > 0;
  std::uint64_t fallback = call.length(port);
  if (has_history) {
    NOEMA_TRY(fallback, ops::count_or(history->items().back(), "input_bit_count", fallback, port));
  }
  return ops::count_or(metadata, "channel_code_input_bit_count", fallback, port);
}

class IdentityDecoder final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, port, DType::u8));
    NOEMA_TRY(const std::uint64_t encoded, encoder_input_bits(call));
    kept_ = std::min(encoded, call.length(port));
    NOEMA_TRY(Value opening, decoded_metadata(call, identity, kept_));
    call.open_output("bits", "bits", DType::u8, kept_, std::move(opening));
    return {};
  }

  Result<void> work(Call& call) override {
    NOEMA_CHECK(ops::relay_bits(call, port, "bits", kept_ - call.committed("bits")));
    if (call.committed("bits") == kept_) NOEMA_CHECK(ops::drop_bits(call, port));
    return {};
  }

  Result<void> close(Call& call) override {
    NOEMA_TRY(Value metadata, decoded_metadata(call, identity, kept_));
    call.close_output("bits", std::move(metadata));
    call.count_metric("channel.decoded_bit_count", kept_);
    return {};
  }

 private:
  std::uint64_t kept_ = 0;
};

}  // namespace

void add_identity_decoder(KernelList& kernels) {
  kernels.add_stream<IdentityDecoder>("channel.identity_decoder", "cpp", "default");
}

}  // namespace noema::channel
