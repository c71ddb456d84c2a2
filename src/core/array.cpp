// noema/value.h: Array and Artifact.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>

#include "noema/error.h"
#include "noema/value.h"

namespace noema {
namespace {

struct DTypeFacts {
  std::size_t size;
  std::string_view name;
};
constexpr std::array<DTypeFacts, 13> facts{{{1, "bool"},
                                            {1, "uint8"},
                                            {1, "int8"},
                                            {2, "uint16"},
                                            {2, "int16"},
                                            {4, "uint32"},
                                            {4, "int32"},
                                            {8, "uint64"},
                                            {8, "int64"},
                                            {4, "float32"},
                                            {8, "float64"},
                                            {8, "complex64"},
                                            {16, "complex128"}}};
constexpr std::align_val_t alignment{64};

}  // namespace

std::size_t item_size(DType dtype) { return facts.at(static_cast<std::size_t>(dtype)).size; }
std::string_view dtype_name(DType dtype) { return facts.at(static_cast<std::size_t>(dtype)).name; }

std::optional<std::uint64_t> element_count(const Shape& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t axis : shape) {
    if (__builtin_mul_overflow(count, axis, &count) || count > static_cast<std::uint64_t>(INT64_MAX))
      return std::nullopt;
  }
  return count;
}

Value shape_value(const Shape& shape) {
  Value axes = Value::array();
  for (const std::uint64_t axis : shape) axes.push(axis);
  return axes;
}

Array Array::make(DType dtype, Shape shape) {
  const auto count = element_count(shape);
  std::uint64_t bytes = 0;
  NOEMA_ASSERT(count && !__builtin_mul_overflow(*count, item_size(dtype), &bytes), "the array's size overflows");
  void* memory = ::operator new(std::max<std::uint64_t>(bytes, 1), alignment);
  Array made;
  made.dtype_ = dtype;
  made.shape_ = std::move(shape);
  made.size_ = *count;
  made.owner_ = std::shared_ptr<const void>(memory, [](void* held) { ::operator delete(held, alignment); });
  made.data_ = memory;
  made.writable_ = true;
  return made;
}

Array Array::view(DType dtype, Shape shape, std::shared_ptr<const void> owner, const void* data) {
  Array made;
  const auto count = element_count(shape);
  NOEMA_ASSERT(count.has_value(), "the array's size overflows");
  made.dtype_ = dtype;
  made.shape_ = std::move(shape);
  made.size_ = *count;
  made.owner_ = std::move(owner);
  made.data_ = data;
  return made;
}

std::span<const std::byte> Array::bytes() const {
  return {static_cast<const std::byte*>(data_), size_ * item_size(dtype_)};
}

Array Array::reshaped(Shape shape) const {
  NOEMA_ASSERT(element_count(shape) == size_, "the new shape holds another number of elements");
  Array made = *this;
  made.shape_ = std::move(shape);
  return made;
}

const void* Array::checked(DType asked) const {
  NOEMA_ASSERT(asked == dtype_, "the array holds another type of element");
  return data_;
}

void* Array::checked_edit(DType asked) {
  NOEMA_ASSERT(asked == dtype_, "the array holds another type of element");
  NOEMA_ASSERT(writable_ && owner_.use_count() == 1, "the array's content is shared");
  return const_cast<void*>(data_);
}

const Array* Artifact::array(std::string_view name) const {
  const auto found = std::ranges::find(arrays, name, &NamedArray::name);
  return found == arrays.end() ? nullptr : &found->array;
}

}  // namespace noema
