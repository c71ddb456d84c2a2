// metrics.block_error_rate: the share of blocks in which two streams differ in any bit or in length.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/bits.h"
#include "ops/common/bit_writer.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"
#include "ops/common/labels.h"
#include "ops/metrics/metrics.h"

namespace noema::metrics {
namespace {

class BlockErrorRate final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    block_ = call.count("block_size");
    for (const std::string_view port : {"reference", "candidate"}) {
      NOEMA_CHECK(ops::check_dtype(call, port, DType::u8));
      if (call.length(port) == 0) {
        return refuse_input(port, code::input_invalid, "there are no bits to compare",
                            "an error rate needs at least one bit");
      }
    }
    const auto [shorter, longer] = std::minmax({call.length("reference"), call.length("candidate")});
    blocks_ = longer / block_ + (longer % block_ != 0 ? 1 : 0);
    // From the block in which the shorter stream ends, the slices differ in length. Streams of one length have none.
    comparable_ = shorter == longer ? blocks_ : shorter / block_;
    left_ = std::min(shorter, comparable_ == blocks_ ? shorter : comparable_ * block_);
    return {};
  }

  Result<void> work(Call& call) override {
    while (left_ > 0) {
      const std::span<const Bit> reference = call.peek<Bit>("reference");
      const std::span<const Bit> candidate = call.peek<Bit>("candidate");
      const auto count =
          static_cast<std::size_t>(std::min({std::uint64_t{reference.size()}, std::uint64_t{candidate.size()}, left_}));
      if (count == 0) return {};
      NOEMA_CHECK(ops::check_bits(call, "reference", reference.first(count)));
      NOEMA_CHECK(ops::check_bits(call, "candidate", candidate.first(count)));
      compare(reference.first(count), candidate.first(count));
      call.consume("reference", count);
      call.consume("candidate", count);
      left_ -= count;
    }
    NOEMA_CHECK(ops::drop_bits(call, "reference"));
    return ops::drop_bits(call, "candidate");
  }

  Result<void> close(Call& call) override {
    const std::uint64_t wrong = wrong_ + (blocks_ - comparable_);
    const double rate = static_cast<double>(wrong) / static_cast<double>(blocks_);
    const std::uint64_t reference = call.length("reference");
    const std::uint64_t candidate = call.length("candidate");
    call.emit_report("report", Value::object({{"schema_version", 1},
                                              {"metric_family", "block_error_rate"},
                                              {"label", call.text("label")},
                                              {"bler", rate},
                                              {"block_error_count", wrong},
                                              {"block_count", blocks_},
                                              {"block_size", block_},
                                              {"reference_bit_count", reference},
                                              {"candidate_bit_count", candidate},
                                              {"length_delta", static_cast<std::int64_t>(candidate - reference)},
                                              {"reference_bit_role", bit_role(call, "reference")},
                                              {"candidate_bit_role", bit_role(call, "candidate")},
                                              {"data_plane_backend", ops::data_plane_backend(call.backend())}}));
    const std::string labelled = "channel." + ops::spaces_only_label(call.text("label"));
    call.metric(labelled + ".bler", rate);
    call.count_metric(labelled + ".block_error_count", wrong);
    call.count_metric(labelled + ".block_count", blocks_);
    call.count_metric(labelled + ".block_size", block_);
    return {};
  }

 private:
  static Value bit_role(const Call& call, std::string_view port) {
    const Value* role = call.metadata(port).find("bit_role");
    return role == nullptr ? Value() : *role;
  }

  /// Jumps from difference to difference: a block is wrong from its first one on, so its rest needs no look.
  void compare(std::span<const Bit> reference, std::span<const Bit> candidate) {
    std::uint64_t at = 0;  // within this piece
    while (at < reference.size()) {
      if (skip_ > 0) {
        const std::uint64_t skipped = std::min<std::uint64_t>(skip_, reference.size() - at);
        advance(skipped);
        skip_ -= skipped;
        at += skipped;
        continue;
      }
      const std::uint64_t equal = kernels::first_difference(reference.subspan(at), candidate.subspan(at));
      advance(equal);
      at += equal;
      if (at == reference.size()) return;
      ++wrong_;
      skip_ = block_ - in_block_;
    }
  }

  void advance(std::uint64_t bits) { in_block_ = (in_block_ + bits % block_) % block_; }

  std::uint64_t block_ = 1;
  std::uint64_t blocks_ = 0;      ///< of the longer stream
  std::uint64_t comparable_ = 0;  ///< leading blocks of equal length in both streams
  std::uint64_t left_ = 0;        ///< bits of them still to compare
  std::uint64_t wrong_ = 0;       ///< of them
  std::uint64_t in_block_ = 0;    ///< position within the block under way
  std::uint64_t skip_ = 0;        ///< rest of a block that is known to be wrong
};

}  // namespace

void add_block_error_rate(KernelList& kernels) {
  kernels.add_stream<BlockErrorRate>("metrics.block_error_rate", "cpp", "default");
}

}  // namespace noema::metrics
