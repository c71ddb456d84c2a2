// Writing NPZ artifacts as a stream: the file is never seeked, so it can be hashed while it is written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/sink.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema {

enum class Compression { stored, deflated };

/// Writes arrays, then the metadata, into a sink. Same arrays and metadata, same bytes, however they were cut into
/// pieces (deflated ones: for one zlib). Stored content starts at multiples of 64 bytes, so that readers can map it.
/// One thread at a time; the sink must outlive the writer.
class NpzWriter {
 public:
  explicit NpzWriter(ByteSink& sink, Compression compression = Compression::stored);
  ~NpzWriter();
  NpzWriter(NpzWriter&&) noexcept;
  NpzWriter& operator=(NpzWriter&&) noexcept;

  /// Starts an array; `name` becomes the member `<name>.npy`.
  Result<void> begin_array(std::string_view name, DType dtype, const Shape& shape);
  /// The next bytes of its content in row-major order, in pieces of any size.
  Result<void> append(std::span<const std::byte> bytes);
  /// Ends the array. Fewer or more bytes than the shape asks for are an error.
  Result<void> end_array();
  Result<void> add_array(std::string_view name, const Array& array);
  /// Writes the member `metadata_json.npy` and the directory. The sink is the caller's to finish.
  Result<void> finish(const Value& metadata);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace noema
