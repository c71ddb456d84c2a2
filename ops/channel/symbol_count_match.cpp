// channel.symbol_count_match: as many symbols must come out of a channel as went in.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/boundary.h"
#include "ops/channel/channel.h"
#include "ops/common/checks.h"
#include "ops/common/labels.h"

namespace noema::channel {
namespace {

class SymbolCountMatch final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    for (const std::string_view port : {"reference", "candidate"}) {
      NOEMA_CHECK(ops::check_dtype(call, port, DType::c64));
    }
    const std::uint64_t reference = call.length("reference");
    const std::uint64_t candidate = call.length("candidate");
    if (reference == candidate) return {};
    return refuse_input("candidate", code::input_invalid,
                        "the reference has " + std::to_string(reference) + " symbols and the candidate " +
                            std::to_string(candidate) + "; equal counts are allowed",
                        "compare two points of the chain between which no symbol is added or dropped");
  }

  Result<void> work(Call& call) override {
    for (const std::string_view port : {"reference", "candidate"}) {
      for (auto symbols = call.peek<Complex>(port); !symbols.empty(); symbols = call.peek<Complex>(port)) {
        call.consume(port, symbols.size());
      }
    }
    return {};
  }

  Result<void> close(Call& call) override {
    const std::uint64_t count = call.length("reference");
    const Value boundary = kernels::symbols_metadata("channel.symbols", "complex", {count});
    call.emit_report("report", Value::object({{"schema_version", 1},
                                              {"metric_family", "symbol_count_match"},
                                              {"label", call.text("label")},
                                              {"reference_symbol_count", count},
                                              {"candidate_symbol_count", count},
                                              {"length_delta", 0},
                                              {"reference_fixed_point", fixed_point(call, "reference")},
                                              {"candidate_fixed_point", fixed_point(call, "candidate")},
                                              {"canonical_dtype", "complex64"},
                                              {"symbol_storage", boundary.at("storage")}}));
    const std::string labelled = "channel.fixed." + ops::metric_label(call.text("label"));
    call.metric(labelled + ".symbol_count_match", 1.0);
    call.count_metric(labelled + ".reference_symbol_count", count);
    call.count_metric(labelled + ".candidate_symbol_count", count);
    call.signed_count_metric(labelled + ".length_delta", 0);
    return {};
  }

 private:
  /// Label of the boundary that an input passed last, or null.
  static Value fixed_point(const Call& call, std::string_view port) {
    const Value* label = call.metadata(port).find("fixed_point_label");
    return label == nullptr ? Value() : *label;
  }
};

}  // namespace

void add_symbol_count_match(KernelList& kernels) {
  kernels.add_stream<SymbolCountMatch>("channel.symbol_count_match", "cpp", "default");
}

}  // namespace noema::channel
