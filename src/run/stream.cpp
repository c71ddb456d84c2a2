// SPDX-License-Identifier: Apache-2.0
#include "run/stream.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "noema/error.h"

namespace noema {
namespace {

constexpr std::align_val_t alignment{64};
constexpr std::size_t most_kept = 64;

}  // namespace

BlockPool::Shelf::~Shelf() {
  for (const auto& [bytes, memory] : free) ::operator delete(memory, alignment);
}

std::shared_ptr<std::byte> BlockPool::take(std::uint64_t bytes) {
  const std::uint64_t size = std::bit_ceil(std::max<std::uint64_t>(bytes, 4096));
  std::byte* memory = nullptr;
  {
    const std::scoped_lock lock(shelf_->mutex);
    const auto found = std::ranges::find(shelf_->free, size, &std::pair<std::uint64_t, std::byte*>::first);
    if (found != shelf_->free.end()) {
      memory = found->second;
      shelf_->free.erase(found);
    }
  }
  if (memory == nullptr) memory = static_cast<std::byte*>(::operator new(size, alignment));
  return {memory, [shelf = shelf_, size](std::byte* held) {
            const std::scoped_lock lock(shelf->mutex);
            if (shelf->free.size() < most_kept) {
              shelf->free.emplace_back(size, held);
            } else {
              ::operator delete(held, alignment);
            }
          }};
}

void InputQueue::push(Segment segment) {
  if (segment.count == 0) return;
  received_ += segment.count;
  NOEMA_ASSERT(received_ <= length_, "a stream is longer than it was declared");
  segments_.push_back(std::move(segment));
}

void InputQueue::join(std::uint64_t count) {
  const std::shared_ptr<std::byte> memory(static_cast<std::byte*>(::operator new(count* item_, alignment)),
                                          [](std::byte* held) { ::operator delete(held, alignment); });
  std::uint64_t filled = 0;
  while (filled < count) {
    Segment& front = segments_.front();
    const std::uint64_t taken = std::min(front.count, count - filled);
    std::memcpy(memory.get() + filled * item_, front.data, taken * item_);
    filled += taken;
    front.data += taken * item_;
    front.count -= taken;
    if (front.count == 0) segments_.pop_front();
  }
  segments_.push_front({memory, memory.get(), count});
}

Segment InputQueue::peek(std::uint64_t multiple) {
  NOEMA_ASSERT(multiple > 0, "peek needs a positive multiple");
  wanted_ = multiple;
  if (segments_.empty()) return {};
  const bool ended = received_ == length_;
  if (segments_.front().count < multiple && segments_.size() > 1) {
    if (queued() >= multiple || ended) join(std::min(multiple, queued()));
  }
  Segment front = segments_.front();
  const bool tail = ended && segments_.size() == 1;
  if (!tail) front.count -= front.count % multiple;
  return front;
}

void InputQueue::consume(std::uint64_t count) {
  NOEMA_ASSERT(count <= queued(), "a kernel consumed more than has arrived");
  consumed_ += count;
  while (count > 0) {
    Segment& front = segments_.front();
    const std::uint64_t taken = std::min(front.count, count);
    front.data += taken * item_;
    front.count -= taken;
    count -= taken;
    if (front.count == 0) segments_.pop_front();
  }
}

}  // namespace noema
