// channel.identity_link: the channel is off and bits arrive as they were sent.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string_view>
#include <utility>

#include "ops/channel/channel.h"
#include "ops/common/bit_writer.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"
#include "ops/common/items.h"

namespace noema::channel {
namespace {

class IdentityLink final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, port, DType::u8));
    NOEMA_TRY(Value opening, declared(call));
    call.open_output(port, "bits", DType::u8, call.length(port), std::move(opening));
    return {};
  }

  Result<void> work(Call& call) override {
    NOEMA_CHECK(ops::relay_bits(call, port, port, call.length(port)));
    return {};
  }

  Result<void> close(Call& call) override {
    NOEMA_TRY(Value metadata, declared(call));
    call.close_output(port, std::move(metadata));
    call.count_metric("channel.identity_link.bit_count", call.length(port));
    call.count_metric("channel.identity_link.byte_count", ops::packed_byte_count(call.length(port)));
    call.metric("channel.disabled", 1.0);
    return {};
  }

 private:
  static constexpr std::string_view port = "bits";

  static Result<Value> declared(const Call& call) {
    const std::uint64_t count = call.length(port);
    Value metadata = ops::loaded_bits(call.metadata(port), call.kind(port), count, call.backend());
    NOEMA_CHECK(ops::record_layout(metadata, count, port));
    const Value* role = metadata.find("bit_role");
    const std::string kept = role != nullptr && role->is_string() ? role->string() : "channel";
    ops::declare_bits(metadata, kept, count, call.backend());
    metadata.set("channel_mode", "disabled_identity");
    metadata.set("identity_channel", true);
    metadata.set("identity_channel_label", call.text("label"));
    return metadata;
  }
};

}  // namespace

void add_identity_link(KernelList& kernels) {
  kernels.add_stream<IdentityLink>("channel.identity_link", "cpp", "default");
}

}  // namespace noema::channel
