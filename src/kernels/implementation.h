// One version of a kernel, with its name: the rows of the arrays through which tests and benchmarks walk.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string_view>

namespace noema::kernels {

inline bool always_available() { return true; }

/// The first row of an array of these is the definition; every other must give the same bytes.
template <class Function>
struct Implementation {
  std::string_view name;
  Function function;
  bool (*available)() = always_available;  ///< whether this CPU can run it
};

template <class Function>
std::ostream& operator<<(std::ostream& out, const Implementation<Function>& implementation) {
  return out << implementation.name;
}

}  // namespace noema::kernels
