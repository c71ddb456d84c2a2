// source.random_bits: fair bits from NumPy's legacy generator, one 32-bit output a bit.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "kernels/mt19937.h"
#include "ops/common/bits.h"
#include "ops/source/source.h"

namespace noema::source {
namespace {

constexpr std::uint64_t most_bits = std::uint64_t{1} << 40;

class RandomBits final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    bits_ = call.count("bit_count");
    batch_ = call.count("batch_size");
    if (bits_ > most_bits / batch_) {
      return refuse_parameter("bit_count", code::parameter_out_of_range,
                              "bit_count is " + std::to_string(bits_) + " and batch_size " + std::to_string(batch_) +
                                  "; their product may be at most " + std::to_string(most_bits),
                              "lower one of the two");
    }
    seed_ = call.seed("random_bits");
    generator_.emplace(seed_);
    call.open_output("bits", "bits", DType::u8, total(), metadata(call));
    return {};
  }

  Result<void> work(Call& call) override {
    const std::uint64_t count = std::min(call.chunk(), total() - call.committed("bits"));
    if (count == 0) return {};
    generator_->random_bits(call.reserve<Bit>("bits", count));
    call.commit("bits", count);
    return {};
  }

  Result<void> close(Call& call) override {
    call.count_metric("source.bit_count", total());
    call.count_metric("source.example_count", batch_);
    call.count_metric("source.transport_block_size_bits", bits_);
    call.count_metric("source.transport_block_count", batch_);
    call.count_metric("channel.payload_bit_count", total());
    return {};
  }

 private:
  std::uint64_t total() const { return bits_ * batch_; }

  Value metadata(const Call& call) const {
    Value made = Value::object({{"dataset", "synthetic_random_bits"},
                                {"split", "fixed_seed"},
                                {"source", "synthetic"},
                                {"generator", "numpy.random.RandomState.randint"},
                                {"seed", seed_},
                                {"batch_size", batch_},
                                {"bit_count_per_example", bits_},
                                {"example_count", batch_},
                                {"transport_block_size_bits", bits_},
                                {"transport_block_count", batch_},
                                {"capture_record_count", batch_},
                                {"capture_record_shape", Value(Value::Items{Value(bits_)})},
                                {"payload_bit_count", total()}});
    ops::declare_bits(made, "payload", total(), call.backend());
    return made;
  }

  std::uint64_t bits_ = 0;   ///< of one example
  std::uint64_t batch_ = 0;  ///< examples
  std::uint64_t seed_ = 0;
  std::optional<kernels::Mt19937> generator_;
};

}  // namespace

void add_random_bits(KernelList& kernels) { kernels.add_stream<RandomBits>("source.random_bits", "cpp", "default"); }

}  // namespace noema::source
