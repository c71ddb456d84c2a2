// channel.bit_boundary: a checkpoint at which bits are verified, counted and named.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <utility>

#include "ops/channel/channel.h"
#include "ops/common/bit_writer.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"
#include "ops/common/items.h"
#include "ops/common/labels.h"

namespace noema::channel {
namespace {

class BitBoundary final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, port, DType::u8));
    const std::uint64_t count = call.length(port);
    const std::uint64_t expected = call.count("expected_bit_count");
    if (expected != 0 && expected != count) {
      return refuse_input(port, code::input_invalid,
                          std::to_string(count) + " bits reached the boundary '" + call.text("label") + "', but " +
                              std::to_string(expected) + " are expected",
                          "correct expected_bit_count, or set it to 0 to accept any number");
    }
    NOEMA_TRY(Value opening, declared(call));
    call.open_output(port, "bits", DType::u8, count, std::move(opening));
    return {};
  }

  Result<void> work(Call& call) override {
    NOEMA_CHECK(ops::relay_bits(call, port, port, call.length(port)));
    return {};
  }

  Result<void> close(Call& call) override {
    NOEMA_TRY(Value metadata, declared(call));
    call.close_output(port, std::move(metadata));
    const std::uint64_t count = call.length(port);
    const std::uint64_t bytes = ops::packed_byte_count(count);
    const std::string labelled = "channel.fixed." + ops::metric_label(call.text("label"));
    call.count_metric(labelled + ".bit_count", count);
    call.count_metric(labelled + ".byte_count", bytes);
    call.metric(labelled + ".bits_per_element", 1.0);
    call.metric(labelled + ".dtype_uint8", 1.0);
    call.count_metric("channel.fixed.bit_count", count);
    call.count_metric("channel.fixed.byte_count", bytes);
    return {};
  }

 private:
  static constexpr std::string_view port = "bits";

  static Result<Value> declared(const Call& call) {
    const std::uint64_t count = call.length(port);
    const std::string& label = call.text("label");
    const std::string& role = call.text("role");
    Value metadata = ops::loaded_bits(call.metadata(port), call.kind(port), count, call.backend());
    NOEMA_CHECK(ops::record_layout(metadata, count, port));
    // Bytes of items are a fact about the payload, and behind a boundary the bits may be coded or framed.
    metadata.erase("source_item_payload_byte_counts");
    ops::declare_bits(metadata, role, count, call.backend());
    metadata.set("boundary_contract", "channel.bits");
    metadata.set("fixed_point", true);
    metadata.set("fixed_point_label", label);
    metadata.set("fixed_point_bit_count", count);
    metadata.set("fixed_point_byte_count", ops::packed_byte_count(count));
    metadata.set("fixed_point_dtype", "uint8");
    if (const std::uint64_t expected = call.count("expected_bit_count"); expected != 0) {
      metadata.set("fixed_point_expected_bit_count", expected);
    }
    NOEMA_CHECK(
        ops::append_fixed_point(metadata,
                                Value::object({{"label", label},
                                               {"role", role},
                                               {"bit_count", count},
                                               {"byte_count", ops::packed_byte_count(count)},
                                               {"dtype", "uint8"},
                                               {"storage", "unpacked_uint8"},
                                               {"data_plane_backend", ops::data_plane_backend(call.backend())}}),
                                port));
    return metadata;
  }
};

}  // namespace

void add_bit_boundary(KernelList& kernels) {
  kernels.add_stream<BitBoundary>("channel.bit_boundary", "cpp", "default");
}

}  // namespace noema::channel
