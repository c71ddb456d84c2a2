// The chunks that flow between stream kernels: shared blocks of elements, and the queue at each input.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "noema/value.h"

namespace noema {

/// `count` elements somewhere in memory that `owner` keeps alive.
struct Segment {
  std::shared_ptr<const void> owner;
  const std::byte* data = nullptr;
  std::uint64_t count = 0;
};

/// Hands out memory for chunks and takes it back when its last reader is done, so that a long run touches the same
/// few pages again and again. Safe to use from several threads; blocks may outlive the pool.
class BlockPool {
 public:
  std::shared_ptr<std::byte> take(std::uint64_t bytes);

 private:
  struct Shelf {
    std::mutex mutex;
    std::vector<std::pair<std::uint64_t, std::byte*>> free;
    ~Shelf();
  };
  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

/// What has arrived at one input and was not consumed yet.
class InputQueue {
 public:
  InputQueue(DType dtype, std::uint64_t length) : item_(item_size(dtype)), dtype_(dtype), length_(length) {}

  DType dtype() const { return dtype_; }
  std::uint64_t length() const { return length_; }  ///< of the whole stream, in elements
  std::uint64_t received() const { return received_; }
  std::uint64_t consumed() const { return consumed_; }
  std::uint64_t queued() const { return received_ - consumed_; }
  std::uint64_t wanted() const { return wanted_; }  ///< the `multiple` of the last peek
  bool finished() const { return consumed_ == length_; }

  void push(Segment segment);
  /// See Call::peek.
  Segment peek(std::uint64_t multiple);
  void consume(std::uint64_t count);

 private:
  void join(std::uint64_t count);
  std::deque<Segment> segments_;
  std::size_t item_;
  DType dtype_;
  std::uint64_t length_;
  std::uint64_t received_ = 0;
  std::uint64_t consumed_ = 0;
  std::uint64_t wanted_ = 1;
};

}  // namespace noema
