// The boundary contracts for what is no array: metric values, stored files, rate accounting.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <vector>

#include "core/text.h"
#include "kernels/boundary.h"

namespace noema::kernels {
namespace {

Error refusal(std::string message, std::string hint = {}) {
  return Error{code::input_invalid, {}, std::move(message), std::move(hint), {}};
}

Error joined_refusals(std::vector<Error> errors) {
  Error first = std::move(errors.front());
  first.also.assign(std::make_move_iterator(errors.begin() + 1), std::make_move_iterator(errors.end()));
  return first;
}

std::optional<double> number_in(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace

Result<double> check_metric(std::string_view name, const Value& value, Sign sign) {
  std::optional<double> number;
  if (value.is_numeric()) number = value.number();
  if (value.is_string()) number = number_in(value.string());
  if (!number) {
    return refusal(fmt::format("metric.scalar: {} is {}; a number is needed", shown(name),
                               value.is_string()    ? fmt::format("the text {}", shown(value.string()))
                               : value.is_boolean() ? "a boolean"
                               : value.is_null()    ? "null"
                               : value.is_array()   ? "a list"
                                                    : "an object"));
  }
  if (!std::isfinite(*number)) {
    return refusal(fmt::format("metric.scalar: {} is {}; a metric is finite", shown(name), *number));
  }
  if (sign == Sign::not_negative && *number < 0.0) {
    return refusal(fmt::format("metric.scalar: {} is {}; it can't be negative", shown(name), *number));
  }
  return *number;
}

Result<Value> check_file(const FileFacts& facts) {
  if (!facts.regular) {
    return Error{
        code::io_read, {}, fmt::format("artifact.file: no regular file at {}", shown(facts.path, 200)), {}, {}};
  }
  std::vector<Error> errors;
  if (facts.expected_kind && *facts.expected_kind != facts.kind) {
    errors.push_back(refusal(fmt::format("artifact.file: {} has the kind {}; {} was expected", shown(facts.path, 200),
                                         shown(facts.kind), shown(*facts.expected_kind))));
  }
  if (facts.recorded_sha256 && *facts.recorded_sha256 != facts.sha256) {
    errors.push_back(refusal(fmt::format("artifact.file: the SHA-256 of {} is {}; recorded is {}",
                                         shown(facts.path, 200), facts.sha256, shown(*facts.recorded_sha256)),
                             "the file was changed after it was recorded"));
  }
  if (!errors.empty()) return joined_refusals(std::move(errors));
  std::vector<std::string> keys;
  if (facts.metadata.is_object()) {
    for (const auto& [key, value] : facts.metadata.members()) keys.push_back(key);
  }
  std::ranges::sort(keys);
  return Value::object({{"boundary_contract", "artifact.file"},
                        {"kind", facts.kind},
                        {"path", facts.path},
                        {"sha256", facts.sha256},
                        {"metadata_keys", Value(keys)}});
}

Result<Value> check_npz(std::string_view path, std::span<const NamedArray> arrays,
                        std::span<const std::string_view> required) {
  std::vector<Error> errors;
  if (!path.ends_with(".npz")) {
    errors.push_back(refusal(fmt::format("{} does not end in .npz", shown(path, 200))));
  }
  std::vector<std::string> present;
  for (const NamedArray& named : arrays) present.push_back(named.name);
  for (const std::string_view name : required) {
    if (std::ranges::find(present, name) != present.end()) continue;
    errors.push_back(
        refusal(fmt::format("the array {} is missing; there {} {}", shown(name), present.size() == 1 ? "is" : "are",
                            present.empty() ? "none" : joined(present, ", "))));
  }
  if (!errors.empty()) return joined_refusals(std::move(errors));
  Value described = Value::object();
  for (const auto& [name, array] : arrays) {
    described.set(name, Value::object({{"dtype", dtype_name(array.dtype())}, {"shape", shape_value(array.shape())}}));
  }
  return described;
}

bool is_accounting_unit(std::string_view unit) {
  constexpr std::string_view units[] = {"bits", "bytes", "symbols", "channel_uses", "pixels", "samples", "seconds"};
  return std::ranges::find(units, unit) != std::end(units);
}

Result<void> check_amount(std::string_view name, double amount, std::string_view unit, Quantity quantity) {
  if (!is_accounting_unit(unit)) {
    return refusal(
        fmt::format("{} has the unit {}; allowed are bits, bytes, symbols, channel_uses, pixels, samples "
                    "and seconds",
                    shown(name), shown(unit)));
  }
  if (!std::isfinite(amount) || amount < 0.0) {
    return refusal(fmt::format("{} is {} {}; an amount is finite and not negative", shown(name), amount, unit));
  }
  if (quantity == Quantity::whole && amount != std::floor(amount)) {
    return refusal(fmt::format("{} is {} {}; it counts whole {}", shown(name), amount, unit, unit),
                   "declare it continuous if parts of one make sense");
  }
  return {};
}

Result<double> bits_per_pixel(double bits, double pixels, std::optional<double> recorded) {
  NOEMA_CHECK(check_amount("the bit count", bits, "bits", Quantity::continuous));
  if (!(pixels > 0.0) || !std::isfinite(pixels)) {
    return refusal(fmt::format("the pixel count is {}; a rate needs more than 0 pixels", pixels));
  }
  const double rate = bits / pixels;
  if (recorded && !(std::abs(*recorded - rate) <= 1e-9)) {
    return refusal(fmt::format("the recorded rate is {} bits a pixel; {} bits over {} pixels give {}", *recorded, bits,
                               pixels, rate));
  }
  return rate;
}

}  // namespace noema::kernels
