// channel.symbol_boundary: a checkpoint at which symbols are verified, counted and named.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <utility>

#include "kernels/boundary.h"
#include "ops/channel/channel.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"
#include "ops/common/items.h"
#include "ops/common/labels.h"

namespace noema::channel {
namespace {

class SymbolBoundary final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, port, DType::c64));
    const std::uint64_t count = call.length(port);
    const std::uint64_t expected = call.count("expected_symbol_count");
    if (expected != 0 && expected != count) {
      return refuse_input(port, code::input_invalid,
                          std::to_string(count) + " symbols reached the boundary '" + call.text("label") + "', but " +
                              std::to_string(expected) + " are expected",
                          "correct expected_symbol_count, or set it to 0 to accept any number");
    }
    NOEMA_TRY(Value opening, declared(call));
    call.open_output(port, "symbols", DType::c64, count, std::move(opening));
    return {};
  }

  Result<void> work(Call& call) override {
    for (;;) {
      const std::span<const Complex> symbols = call.peek<Complex>(port);
      if (symbols.empty()) return {};
      NOEMA_CHECK(ops::check_symbols(call, port, symbols));
      call.forward(port, port, symbols.size());
    }
  }

  Result<void> close(Call& call) override {
    NOEMA_TRY(Value metadata, declared(call));
    call.close_output(port, std::move(metadata));
    const std::uint64_t count = call.length(port);
    const std::string labelled = "channel.fixed." + ops::metric_label(call.text("label"));
    call.count_metric(labelled + ".symbol_count", count);
    call.count_metric(labelled + ".channel_use_count", count);
    call.metric(labelled + ".dtype_complex64", 1.0);
    call.count_metric("channel.fixed.symbol_count", count);
    call.count_metric("channel.channel_use_count", count);
    return {};
  }

 private:
  static constexpr std::string_view port = "symbols";

  static Result<Value> declared(const Call& call) {
    const std::uint64_t count = call.length(port);
    Value metadata = call.metadata(port);
    NOEMA_CHECK(ops::record_layout(metadata, count, port));
    const Value boundary = kernels::symbols_metadata("channel.symbols", "complex", {count});
    for (const auto& [key, value] : boundary.members()) metadata.set(key, value);
    metadata.set("symbol_role", call.text("role"));
    metadata.set("symbol_storage", boundary.at("storage"));
    metadata.set("fixed_point", true);
    metadata.set("fixed_point_label", call.text("label"));
    metadata.set("fixed_point_symbol_count", count);
    metadata.set("fixed_point_channel_use_count", count);
    metadata.set("fixed_point_dtype", "complex64");
    if (const std::uint64_t expected = call.count("expected_symbol_count"); expected != 0) {
      metadata.set("fixed_point_expected_symbol_count", expected);
    }
    NOEMA_CHECK(ops::append_fixed_point(metadata,
                                        Value::object({{"label", call.text("label")},
                                                       {"role", call.text("role")},
                                                       {"symbol_count", count},
                                                       {"channel_use_count", count},
                                                       {"dtype", "complex64"},
                                                       {"storage", boundary.at("storage")}}),
                                        port));
    return metadata;
  }
};

}  // namespace

void add_symbol_boundary(KernelList& kernels) {
  kernels.add_stream<SymbolBoundary>("channel.symbol_boundary", "cpp", "default");
}

}  // namespace noema::channel
