// channel.identity_encoder: the code of rate one; bits pass unchanged and are accounted for as coded.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/channel.h"
#include "ops/channel/coding.h"
#include "ops/common/bit_writer.h"
#include "ops/common/checks.h"

namespace noema::channel {
namespace {

constexpr RepeatingCode identity{"identity", 1};

class IdentityEncoder final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, "bits", DType::u8));
    NOEMA_TRY(Value opening, coded_metadata(call, identity));
    call.open_output("coded_bits", "bits", DType::u8, call.length("bits"), std::move(opening));
    return {};
  }

  Result<void> work(Call& call) override {
    NOEMA_CHECK(ops::relay_bits(call, "bits", "coded_bits", call.length("bits")));
    return {};
  }

  Result<void> close(Call& call) override {
    NOEMA_TRY(Value metadata, coded_metadata(call, identity));
    emit_coded_metrics(call, metadata);
    call.close_output("coded_bits", std::move(metadata));
    return {};
  }
};

}  // namespace

void add_identity_encoder(KernelList& kernels) {
  kernels.add_stream<IdentityEncoder>("channel.identity_encoder", "cpp", "default");
}

}  // namespace noema::channel
