// Verification: rates per pixel, computed again from the bit counts beside them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "evidence/verify_parts.h"

namespace noema::evidence {
namespace {

using Names = std::vector<std::string>;

struct Boundary {
  const char* label;
  Names bits;
  Names rates;
};

const std::array<Boundary, 5>& boundaries() {
  static const std::array<Boundary, 5> known{
      {{"native_codec", {"codec.native_bit_count"}, {"rate.native_codec_bpp"}},
       {"serialized_payload",
        {"codec.serialized_payload_bit_count", "channel.payload_bit_count"},
        {"rate.serialized_payload_bpp", "rate.payload_bpp"}},
       {"framed", {"channel.framed_bit_count"}, {"rate.framed_bpp"}},
       {"coded", {"channel.coded_bit_count"}, {"rate.coded_bpp"}},
       {"transmitted_padded", {"channel.transmitted_bit_count"}, {"rate.padded_bpp"}}}};
  return known;
}

const Names transmitted_bits{"tx_bit_boundary.channel.fixed.modulator_input.bit_count",
                             "channel.fixed.modulator_input.bit_count",
                             "channel.transmitted_bit_count",
                             "channel.coded_bit_count",
                             "modulator.channel.transmitted_bit_count",
                             "codec.bit_count"};
const Names old_rates{"rate_bpp", "rate.bpp", "quality.rate_bpp"};
const Names pixel_counts{"source_pixels", "source_pixel_count", "image.source_pixel_count"};

/// Metrics under the names that a reader looks them up by.
struct Metrics {
  std::vector<std::pair<std::string, Value>> all;

  void add(std::string name, const Value& value) { all.emplace_back(std::move(name), value); }

  /// The first of several keys that is there: under its own name, or at the end of a longer one.
  std::optional<Value> first(const Names& keys) const {
    for (const std::string& key : keys) {
      const auto exact = std::ranges::find(all, key, &std::pair<std::string, Value>::first);
      if (exact != all.end()) return exact->second;
      const auto longer =
          std::ranges::find_if(all, [&](const auto& metric) { return metric.first.ends_with("." + key); });
      if (longer != all.end()) return longer->second;
    }
    return std::nullopt;
  }
  std::optional<Value> ending(const Names& ends) const {
    const auto found = std::ranges::find_if(all, [&](const auto& metric) {
      return std::ranges::any_of(ends, [&](const std::string& end) { return metric.first.ends_with(end); });
    });
    return found == all.end() ? std::nullopt : std::optional(found->second);
  }
};

std::optional<double> axes_product(std::span<const Value> axes) {
  double product = 1;
  for (const Value& axis : axes) {
    const auto length = axis.int64();
    if (!length || *length < 0) return std::nullopt;
    product *= static_cast<double>(*length);
  }
  return product;
}

std::optional<double> pixels_of_shape(const Value& shape) {
  const std::span<const Value> axes(items_of(shape));
  if (axes.size() == 4) return axes_product(axes.first(3));
  if (axes.size() != 3) return std::nullopt;
  const bool channels_last = axes[2] == Value(1) || axes[2] == Value(3) || axes[2] == Value(4);
  return axes_product(axes.first(channels_last ? 2 : 3));
}

class Rates {
 public:
  Rates(const Documents& documents, Findings& findings) : documents_(documents), findings_(findings) {
    for (const auto& [name, value] : members_of(member(documents.summary, "metrics"))) run_.add(name, value);
    for (const Value& step : items_of(member(documents.summary, "steps"))) {
      Metrics own;
      const std::string id = text_of(step, "id");
      for (const auto& [name, value] : members_of(member(step, "metrics"))) {
        own.add(name, value);
        const bool taken = std::ranges::find(run_.all, name, &std::pair<std::string, Value>::first) != run_.all.end();
        if (!taken) run_.add(name, value);
        run_.add("steps." + id + "." + name, value);
      }
      steps_.push_back(std::move(own));
    }
  }

  void check() {
    if (!is_image_run()) {
      findings_.pass("accounting.rate_bpp", summary_file, "not applicable: no pictures, no rate per pixel");
      return;
    }
    pixels_ = find_pixels();
    bool named = false;
    for (const Boundary& boundary : boundaries()) named |= check_boundary(boundary);
    check_old_rate(named);
  }

 private:
  bool is_image_run() const {
    const Value& research = member(member(documents_.recipe, "metadata"), "research");
    if (text_of(member(research, "task"), "id") == "image_reconstruction") return true;
    return std::ranges::any_of(items_of(member(documents_.recipe, "steps")), [](const Value& step) {
      const std::string operation = text_of(step, "op");
      return operation == "source.image_dataset" || operation.starts_with("metrics.image_reconstruction");
    });
  }

  std::optional<double> find_pixels() const {
    if (const auto stated = run_.first(pixel_counts); stated && stated->is_numeric()) return stated->number();
    const Value* source = nullptr;
    std::size_t sources = 0;
    for (const Value& record : items_of(member(documents_.manifest, "artifacts"))) {
      if (text_of(record, "kind") != "image.batch.numpy") continue;
      if (text_of(record, "step_id") == "data") {
        source = &record;
        sources = 1;
        break;
      }
      if (is_source(text_of(record, "step_id"))) {
        source = &record;
        ++sources;
      }
    }
    if (source == nullptr || sources != 1) return std::nullopt;
    // Pictures of different sizes are stored padded: their own sizes count.
    const Value sizes = documents_.unfolded(member(member(*source, "metadata"), "original_shapes"));
    if (!sizes.is_array() || sizes.size() == 0) return pixels_of_shape(member(*source, "shape"));
    double total = 0;
    for (const Value& size : sizes.items()) {
      const auto pixels = pixels_of_shape(size);
      if (!pixels) return std::nullopt;
      total += *pixels;
    }
    return total;
  }

  bool is_source(const std::string& id) const {
    return std::ranges::any_of(items_of(member(documents_.recipe, "steps")), [&](const Value& step) {
      return text_of(step, "id") == id && text_of(step, "op").starts_with("source.");
    });
  }

  /// Bits and rate of one place, or nothing when one of the two is missing.
  bool compare(const std::string& id, const std::optional<Value>& bits, const std::optional<Value>& rate) {
    if (!bits || !rate) return false;
    const auto usable = [](const Value& value) {
      return value.is_numeric() && std::isfinite(value.number()) && value.number() >= 0;
    };
    if (!findings_.expect(
            usable(*bits) && usable(*rate), "accounting.metric_values", summary_file, "bits and rate are numbers",
            "bits (" + brief(*bits) + ") and rate (" + brief(*rate) + ") must be numbers that are not negative")) {
      return true;
    }
    // Less than one pixel is no count, and could make the quotient infinite.
    if (!pixels_ || !std::isfinite(*pixels_) || *pixels_ < 1) {
      findings_.warning(id, summary_file,
                        "the number of source pixels is unknown, so the rate can't be computed again");
      return true;
    }
    const double expected = bits->number() / *pixels_;
    const double tolerance = std::max(1e-6, 1e-4 * std::abs(rate->number()));
    const Value details =
        Value::object({{"bits", *bits}, {"pixels", *pixels_}, {"stated", *rate}, {"computed", expected}});
    findings_.expect(std::abs(expected - rate->number()) <= tolerance, id, summary_file,
                     "the rate per pixel follows from its bits",
                     "the rate per pixel is " + brief(*rate) + "; its bits give " + brief(expected), details);
    return true;
  }

  bool check_boundary(const Boundary& boundary) {
    const std::string id = std::string("accounting.") + boundary.label + "_bpp";
    bool compared = false;
    // A step that states both is compared with itself: branches of a recipe have different counts.
    for (const Metrics& step : steps_) compared |= compare(id, step.first(boundary.bits), step.first(boundary.rates));
    return compared || compare(id, run_.first(boundary.bits), run_.first(boundary.rates));
  }

  void check_old_rate(bool named) {
    auto rate = run_.first(old_rates);
    if (!rate) rate = run_.ending({".rate_bpp", ".bpp"});
    if (!rate && named) return;
    if (!compare("accounting.rate_bpp", run_.first(transmitted_bits), rate) && !named) {
      findings_.warning("accounting.rate_bpp", summary_file,
                        "a run on pictures that states no rate per pixel with its bits");
    }
  }

  const Documents& documents_;
  Findings& findings_;
  Metrics run_;
  std::vector<Metrics> steps_;
  std::optional<double> pixels_;
};

}  // namespace

void check_rates(const Documents& documents, Findings& findings) { Rates(documents, findings).check(); }

}  // namespace noema::evidence
