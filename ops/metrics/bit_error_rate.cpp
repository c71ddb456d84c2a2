// metrics.bit_error_rate: the share of bits that differ between two streams of equal length.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/bits.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"
#include "ops/common/labels.h"
#include "ops/metrics/metrics.h"

namespace noema::metrics {
namespace {

class BitErrorRate final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, "reference", DType::u8));
    NOEMA_CHECK(ops::check_dtype(call, "candidate", DType::u8));
    const std::uint64_t reference = call.length("reference");
    const std::uint64_t candidate = call.length("candidate");
    if (reference != candidate) {
      return refuse_input("candidate", code::input_invalid,
                          "the reference has " + std::to_string(reference) + " bits and the candidate " +
                              std::to_string(candidate) + "; equal lengths are allowed",
                          "compare points of the chain that hold the same bits, or use metrics.block_error_rate, "
                          "which counts missing bits as errors");
    }
    if (reference == 0) {
      return refuse_input("reference", code::input_invalid, "there are no bits to compare",
                          "an error rate needs at least one bit");
    }
    return {};
  }

  Result<void> work(Call& call) override {
    for (;;) {
      const std::span<const Bit> reference = call.peek<Bit>("reference");
      const std::span<const Bit> candidate = call.peek<Bit>("candidate");
      const std::size_t count = std::min(reference.size(), candidate.size());
      if (count == 0) return {};
      NOEMA_CHECK(ops::check_bits(call, "reference", reference.first(count)));
      NOEMA_CHECK(ops::check_bits(call, "candidate", candidate.first(count)));
      errors_ += kernels::count_differences(reference.first(count), candidate.first(count));
      call.consume("reference", count);
      call.consume("candidate", count);
    }
  }

  Result<void> close(Call& call) override {
    const std::uint64_t bits = call.length("reference");
    const double rate = static_cast<double>(errors_) / static_cast<double>(bits);
    call.emit_report("report", Value::object({{"schema_version", 1},
                                              {"metric_family", "bit_error_rate"},
                                              {"label", call.text("label")},
                                              {"ber", rate},
                                              {"error_count", errors_},
                                              {"compare_bit_count", bits},
                                              {"reference_bit_count", bits},
                                              {"candidate_bit_count", bits},
                                              {"length_delta", 0},
                                              {"reference_bit_role", bit_role(call, "reference")},
                                              {"candidate_bit_role", bit_role(call, "candidate")},
                                              {"data_plane_backend", ops::data_plane_backend(call.backend())}}));
    const std::string labelled = "channel." + ops::spaces_only_label(call.text("label"));
    call.metric(labelled + ".ber", rate);
    call.count_metric(labelled + ".error_count", errors_);
    call.count_metric(labelled + ".compare_bit_count", bits);
    return {};
  }

 private:
  static Value bit_role(const Call& call, std::string_view port) {
    const Value* role = call.metadata(port).find("bit_role");
    return role == nullptr ? Value() : *role;
  }

  std::uint64_t errors_ = 0;
};

}  // namespace

void add_bit_error_rate(KernelList& kernels) {
  kernels.add_stream<BitErrorRate>("metrics.bit_error_rate", "cpp", "default");
}

}  // namespace noema::metrics
