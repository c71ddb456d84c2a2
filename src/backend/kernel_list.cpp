// noema/backend.h: KernelList.
// SPDX-License-Identifier: Apache-2.0
#include "noema/backend.h"

namespace noema {
namespace {

std::string key(std::string_view operation, std::string_view backend, std::string_view implementation) {
  return std::string(operation) + "/" + std::string(backend) + "/" + std::string(implementation);
}

}  // namespace

void KernelList::insert(std::string_view operation, std::string_view backend, std::string_view implementation,
                        Kernel kernel) {
  const bool fresh = kernels_.emplace(key(operation, backend, implementation), std::move(kernel)).second;
  NOEMA_ASSERT(fresh, "a kernel is listed twice");
}

void KernelList::add(std::string_view operation, std::string_view backend, std::string_view implementation,
                     std::function<Result<void>(Call&)> whole) {
  insert(operation, backend, implementation, Kernel{std::move(whole), {}, {}});
}

const Kernel* KernelList::find(std::string_view operation, std::string_view backend,
                               std::string_view implementation) const {
  const auto found = kernels_.find(key(operation, backend, implementation));
  return found == kernels_.end() ? nullptr : &found->second;
}

std::vector<std::string> KernelList::names() const {
  std::vector<std::string> names;
  for (const auto& [name, kernel] : kernels_) names.push_back(name);
  return names;
}

}  // namespace noema
