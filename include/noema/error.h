// How Noema reports failure: one Error type, returned in a Result and never thrown across a module.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace noema {

/// A stable, dotted name of a kind of failure, such as `parameter.out_of_range`. Points at static text.
struct Code {
  std::string_view text;
  friend bool operator==(const Code&, const Code&) = default;
};

/// The codes that more than one module uses. A code used by one module alone is declared there.
namespace code {
inline constexpr Code io_read{"io.read"};                  ///< a file can't be opened or read
inline constexpr Code io_write{"io.write"};                ///< a file can't be written, or the disk is full
inline constexpr Code io_path{"io.path"};                  ///< a path is unsafe or leaves its root
inline constexpr Code document_syntax{"document.syntax"};  ///< text is not well-formed JSON or YAML
inline constexpr Code document_limit{"document.limit"};    ///< too large, too deep or too many nodes
inline constexpr Code document_duplicate_key{"document.duplicate_key"};  ///< one mapping names a key twice
inline constexpr Code document_value{"document.value"};                  ///< a value that JSON can't carry
inline constexpr Code array_format{"array.format"};            ///< an NPY or NPZ file is damaged or unsupported
inline constexpr Code contract_invalid{"contract.invalid"};    ///< an operation contract breaks its own rules
inline constexpr Code operation_unknown{"operation.unknown"};  ///< no operation of this id
inline constexpr Code operation_planned{"operation.planned"};  ///< the operation has no kernel yet
inline constexpr Code parameter_unknown{"parameter.unknown"};  ///< the operation has no such parameter
inline constexpr Code parameter_missing{"parameter.missing"};  ///< a required parameter is absent
inline constexpr Code parameter_type{"parameter.type"};        ///< wrong JSON type
inline constexpr Code parameter_choice{"parameter.choice"};    ///< not one of the allowed values
inline constexpr Code parameter_out_of_range{"parameter.out_of_range"};  ///< outside the declared bounds
inline constexpr Code parameter_inactive{"parameter.inactive"};          ///< has no effect under the other parameters
inline constexpr Code parameter_conflict{"parameter.conflict"};          ///< parameters that contradict each other
inline constexpr Code input_invalid{"input.invalid"};                    ///< an artifact's content breaks its contract
inline constexpr Code input_metadata{"input.metadata"};                  ///< an artifact lacks or contradicts metadata
inline constexpr Code kernel_failed{"kernel.failed"};                    ///< a kernel can't do what it was asked
inline constexpr Code backend_unavailable{"backend.unavailable"};  ///< the backend that the plan names is not here
inline constexpr Code canceled{"run.canceled"};                    ///< the user stopped the run
}  // namespace code

/// Where something went wrong. Every part may be empty.
struct Place {
  std::string path;         ///< place in the document, such as `steps.encode.params.factor`
  std::string file;         ///< the file, as the user named it
  int line = 0;             ///< 1-based; 0 when unknown
  int column = 0;           ///< 1-based, in code points; 0 when unknown
  std::string source_line;  ///< the text of that line, for the caret
};

/// One failure, with what a user needs to mend it.
struct Error {
  Code code;
  Place at;
  std::string message;      ///< what is wrong, with the offending value and what was allowed
  std::string hint;         ///< what to do next; may be empty
  std::vector<Error> also;  ///< further, independent errors found in the same pass, in document order
};

/// A value or an Error; the vocabulary of std::expected.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit on purpose

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose

  bool has_value() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

/// Stops the program: for bugs only, never for user input.
[[noreturn]] inline void assertion_failed(const char* condition, const char* why, const char* file, int line) {
  std::fprintf(stderr, "noema: internal error at %s:%d: %s (%s)\n", file, line, why, condition);
  std::abort();
}

}  // namespace noema

#define NOEMA_ASSERT(condition, why) \
  ((condition) ? static_cast<void>(0) : ::noema::assertion_failed(#condition, why, __FILE__, __LINE__))

#define NOEMA_CONCAT_(a, b) a##b
#define NOEMA_CONCAT(a, b) NOEMA_CONCAT_(a, b)

/// `NOEMA_TRY(const int n, parse(text));` declares n, or returns the error from the enclosing function.
#define NOEMA_TRY(declaration, ...) NOEMA_TRY_(NOEMA_CONCAT(noema_result_, __LINE__), declaration, __VA_ARGS__)
#define NOEMA_TRY_(result, declaration, ...)     \
  auto result = (__VA_ARGS__);                   \
  if (!result) return std::move(result).error(); \
  declaration = *std::move(result)

/// `NOEMA_CHECK(write(file));` returns the error from the enclosing function, if there is one.
#define NOEMA_CHECK(...)                                                                             \
  do {                                                                                               \
    if (auto noema_checked = (__VA_ARGS__); !noema_checked) return std::move(noema_checked).error(); \
  } while (false)
