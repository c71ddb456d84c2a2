// noema/value.h: Value.
// SPDX-License-Identifier: Apache-2.0
#include "noema/value.h"

#include <algorithm>
#include <charconv>

#include "noema/error.h"

namespace noema {

Value::Value(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(INT64_MAX)) {
    data_ = static_cast<std::int64_t>(value);
  } else {
    data_ = Big{std::to_string(value)};
  }
}

Value::Value(Items items) : data_(std::make_shared<Items>(std::move(items))) {}

Value Value::object() {
  Value made;
  made.data_ = std::make_shared<Members>();
  return made;
}

Value Value::object(std::initializer_list<Member> members) {
  Value made = object();
  for (const Member& member : members) made.set(member.first, member.second);
  return made;
}

Value Value::integer_text(std::string_view decimal) {
  std::int64_t small = 0;
  const auto [end, failure] = std::from_chars(decimal.data(), decimal.data() + decimal.size(), small);
  Value made;
  if (failure == std::errc{} && end == decimal.data() + decimal.size()) {
    made.data_ = small;
  } else {
    made.data_ = Big{std::string(decimal)};
  }
  return made;
}

Value::Kind Value::kind() const noexcept {
  switch (data_.index()) {
    case 0:
      return Kind::null;
    case 1:
      return Kind::boolean;
    case 2:
    case 3:
      return Kind::integer;
    case 4:
      return Kind::number;
    case 5:
      return Kind::string;
    case 6:
      return Kind::array;
    default:
      return Kind::object;
  }
}

bool Value::boolean() const {
  NOEMA_ASSERT(is_boolean(), "the value is not a boolean");
  return std::get<bool>(data_);
}

std::int64_t Value::integer() const {
  NOEMA_ASSERT(std::holds_alternative<std::int64_t>(data_), "the value is not an integer of 64 bits");
  return std::get<std::int64_t>(data_);
}

std::optional<std::int64_t> Value::int64() const {
  if (const auto* small = std::get_if<std::int64_t>(&data_)) return *small;
  return std::nullopt;
}

std::string Value::integer_text() const {
  if (const auto* big = std::get_if<Big>(&data_)) return big->decimal;
  return std::to_string(integer());
}

double Value::number() const {
  if (const auto* number = std::get_if<double>(&data_)) return *number;
  if (const auto* big = std::get_if<Big>(&data_)) {
    double parsed = 0;
    std::from_chars(big->decimal.data(), big->decimal.data() + big->decimal.size(), parsed);
    return parsed;
  }
  return static_cast<double>(integer());
}

const std::string& Value::string() const {
  NOEMA_ASSERT(is_string(), "the value is not a string");
  return std::get<std::string>(data_);
}

const Value::Items& Value::items() const {
  NOEMA_ASSERT(is_array(), "the value is not an array");
  return *std::get<ItemsPtr>(data_);
}

const Value::Members& Value::members() const {
  NOEMA_ASSERT(is_object(), "the value is not an object");
  return *std::get<MembersPtr>(data_);
}

std::size_t Value::size() const {
  if (is_array()) return items().size();
  if (is_object()) return members().size();
  return 0;
}

const Value* Value::find(std::string_view key) const {
  const auto* members = std::get_if<MembersPtr>(&data_);
  if (members == nullptr) return nullptr;
  const auto found = std::ranges::find(**members, key, &Member::first);
  return found == (*members)->end() ? nullptr : &found->second;
}

const Value& Value::at(std::string_view key) const {
  const Value* found = find(key);
  NOEMA_ASSERT(found != nullptr, "the object has no such member");
  return *found;
}

Value::Members& Value::own_members() {
  if (is_null()) data_ = std::make_shared<Members>();
  NOEMA_ASSERT(is_object(), "the value is not an object");
  auto& shared = std::get<MembersPtr>(data_);
  if (shared.use_count() > 1) shared = std::make_shared<Members>(*shared);
  return *shared;
}

Value::Items& Value::own_items() {
  if (is_null()) data_ = std::make_shared<Items>();
  NOEMA_ASSERT(is_array(), "the value is not an array");
  auto& shared = std::get<ItemsPtr>(data_);
  if (shared.use_count() > 1) shared = std::make_shared<Items>(*shared);
  return *shared;
}

Value& Value::edit(std::string_view key) {
  Members& members = own_members();
  const auto found = std::ranges::find(members, key, &Member::first);
  if (found != members.end()) return found->second;
  return members.emplace_back(std::string(key), Value{}).second;
}

Value& Value::set(std::string_view key, Value value) {
  edit(key) = std::move(value);
  return *this;
}

void Value::append(std::string key, Value value) { own_members().emplace_back(std::move(key), std::move(value)); }

Value& Value::edit(std::size_t index) { return own_items().at(index); }

bool Value::erase(std::string_view key) {
  if (find(key) == nullptr) return false;
  Members& members = own_members();
  members.erase(std::ranges::find(members, key, &Member::first));
  return true;
}

void Value::push(Value item) { own_items().push_back(std::move(item)); }

const void* Value::identity() const noexcept {
  if (const auto* items = std::get_if<ItemsPtr>(&data_)) return items->get();
  if (const auto* members = std::get_if<MembersPtr>(&data_)) return members->get();
  return nullptr;
}

bool operator==(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.is_object()) {
    if (a.identity() == b.identity()) return true;
    if (a.size() != b.size()) return false;
    return std::ranges::all_of(a.members(), [&](const Value::Member& member) {
      const Value* other = b.find(member.first);
      return other != nullptr && *other == member.second;
    });
  }
  if (a.is_array()) return a.identity() == b.identity() || a.items() == b.items();
  return a.data_ == b.data_;
}

}  // namespace noema
