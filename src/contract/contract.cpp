// noema/contract.h: looking things up in a contract.
// SPDX-License-Identifier: Apache-2.0
#include "noema/contract.h"

#include <algorithm>

#include "core/text.h"

namespace noema {
namespace {

template <class Item>
const Item* named(const std::vector<Item>& items, std::string_view name, std::string Item::*key) {
  const auto found = std::ranges::find(items, name, key);
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

const std::string* Selector::backend_of(std::string_view value) const {
  const auto found = std::ranges::find(mapping, value, &std::pair<std::string, std::string>::first);
  return found == mapping.end() ? nullptr : &found->second;
}

bool Selector::is_automatic(std::string_view value) const {
  return std::ranges::find(automatic_values, value) != automatic_values.end();
}

const InputPort* Contract::input(std::string_view port) const { return named(inputs, port, &InputPort::name); }
const OutputPort* Contract::output(std::string_view port) const { return named(outputs, port, &OutputPort::name); }
const Parameter* Contract::parameter(std::string_view wanted) const {
  return named(parameters, wanted, &Parameter::name);
}
const Selector* Contract::selector(std::string_view wanted) const {
  return named(selectors, wanted, &Selector::parameter);
}

const Selector* Contract::primary_selector() const {
  const auto found = std::ranges::find(selectors, true, &Selector::primary);
  return found == selectors.end() ? nullptr : &*found;
}

Result<const Contract*> Catalog::get(std::string_view id) const {
  if (const Contract* contract = find(id)) return contract;
  std::string hint = did_you_mean(id, ids());
  if (hint.empty()) hint = "`noema ops list` names them all";
  return Error{code::operation_unknown, {}, "there is no operation " + shown(id), std::move(hint), {}};
}

std::string operation_stem(std::string_view id) {
  const std::size_t dot = id.find('.');
  std::string stem(dot == std::string_view::npos ? id : id.substr(dot + 1));
  std::ranges::replace(stem, '.', '_');
  return stem;
}

}  // namespace noema
