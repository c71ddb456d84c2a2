// channel.bit_count_match: as many bits must come out of a channel as went in.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <string_view>

#include "ops/channel/channel.h"
#include "ops/common/bit_writer.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"
#include "ops/common/labels.h"

namespace noema::channel {
namespace {

class BitCountMatch final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, "reference", DType::u8));
    NOEMA_CHECK(ops::check_dtype(call, "candidate", DType::u8));
    const std::uint64_t reference = call.length("reference");
    const std::uint64_t candidate = call.length("candidate");
    if (reference == candidate) return {};
    return refuse_input("candidate", code::input_invalid,
                        "the reference has " + std::to_string(reference) + " bits and the candidate " +
                            std::to_string(candidate) + "; equal counts are allowed",
                        "compare two points of the chain between which no bit is added or dropped");
  }

  Result<void> work(Call& call) override {
    NOEMA_CHECK(ops::drop_bits(call, "reference"));
    return ops::drop_bits(call, "candidate");
  }

  Result<void> close(Call& call) override {
    const std::uint64_t count = call.length("reference");
    call.emit_report("report", Value::object({{"schema_version", 1},
                                              {"metric_family", "bit_count_match"},
                                              {"label", call.text("label")},
                                              {"reference_bit_count", count},
                                              {"candidate_bit_count", count},
                                              {"length_delta", 0},
                                              {"reference_fixed_point", fixed_point(call, "reference")},
                                              {"candidate_fixed_point", fixed_point(call, "candidate")},
                                              {"canonical_dtype", "uint8"},
                                              {"bit_storage", "unpacked_uint8"},
                                              {"data_plane_backend", ops::data_plane_backend(call.backend())}}));
    const std::string labelled = "channel.fixed." + ops::metric_label(call.text("label"));
    call.metric(labelled + ".bit_count_match", 1.0);
    call.count_metric(labelled + ".reference_bit_count", count);
    call.count_metric(labelled + ".candidate_bit_count", count);
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

void add_bit_count_match(KernelList& kernels) {
  kernels.add_stream<BitCountMatch>("channel.bit_count_match", "cpp", "default");
}

}  // namespace noema::channel
