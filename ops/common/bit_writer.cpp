// ops/common/bit_writer.h: bits on their way to an output.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/bit_writer.h"

#include <cstring>

#include "ops/common/checks.h"

namespace noema::ops {

std::span<Bit> BitWriter::room(std::uint64_t wanted) {
  if (block_.empty()) {
    const std::uint64_t size = std::min(std::max(call_.chunk(), smallest_block), left_);
    NOEMA_ASSERT(size > 0, "a kernel writes more bits than it declared");
    block_ = call_.reserve<Bit>(output_, size);
    filled_ = 0;
  }
  return block_.subspan(filled_, std::min<std::uint64_t>(wanted, block_.size() - filled_));
}

void BitWriter::advance(std::uint64_t count) {
  filled_ += count;
  left_ -= count;
  if (filled_ == block_.size()) flush();
}

void BitWriter::write(std::span<const Bit> bits) {
  while (!bits.empty()) {
    const std::span<Bit> free = room(bits.size());
    std::memcpy(free.data(), bits.data(), free.size());
    bits = bits.subspan(free.size());
    advance(free.size());
  }
}

void BitWriter::fill(Bit bit, std::uint64_t count) {
  while (count > 0) {
    const std::span<Bit> free = room(count);
    std::memset(free.data(), bit, free.size());
    count -= free.size();
    advance(free.size());
  }
}

void BitWriter::flush() {
  if (filled_ > 0) call_.commit(output_, filled_);
  block_ = {};
  filled_ = 0;
}

Result<std::uint64_t> relay_bits(Call& call, std::string_view input, std::string_view output, std::uint64_t limit) {
  std::uint64_t passed = 0;
  while (passed < limit) {
    const std::span<const Bit> arrived = call.peek<Bit>(input);
    if (arrived.empty()) break;
    const std::uint64_t count = std::min<std::uint64_t>(arrived.size(), limit - passed);
    NOEMA_CHECK(check_bits(call, input, arrived.first(count)));
    call.forward(input, output, count);
    passed += count;
  }
  return passed;
}

Result<void> drop_bits(Call& call, std::string_view input) {
  for (;;) {
    const std::span<const Bit> arrived = call.peek<Bit>(input);
    if (arrived.empty()) return {};
    NOEMA_CHECK(check_bits(call, input, arrived));
    call.consume(input, arrived.size());
  }
}

}  // namespace noema::ops
