// metrics.image_reconstruction: errors, PSNR and MS-SSIM between pairs of pictures, over their true areas.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/text.h"
#include "noema/backend.h"
#include "ops/common/media/image_batch.h"
#include "ops/common/media/image_quality.h"
#include "ops/common/media/item_streams.h"
#include "ops/common/media/parallel.h"
#include "ops/common/media/preview_picture.h"
#include "ops/metrics/metrics.h"

namespace noema::metrics {
namespace {

/// The two batches, checked to be comparable.
struct Pair {
  Array reference, reconstruction;
  std::vector<media::PictureArea> areas;
  std::vector<std::string> ids;  ///< empty when neither declares any
  double range = 0.0;
};

/// Ids of a batch: the first of three keys that is there, repeated where the batch repeats its pictures.
Result<std::vector<std::string>> declared_ids(const Call& call, std::string_view port, std::uint64_t count) {
  const Value& metadata = call.metadata(port);
  for (const std::string key : {"sample_ids", "image_ids", "ids"}) {
    const Value* list = metadata.find(key);
    if (list == nullptr || list->is_null()) continue;
    const auto refuse = [&](std::string message) {
      return refuse_input(port, code::input_metadata, "metadata '" + key + "' " + std::move(message));
    };
    if (!list->is_array() || list->size() == 0) return refuse("is not a list of ids");
    const Value* repeats = metadata.find("repeat_count");
    const auto copies = repeats == nullptr ? std::optional<std::int64_t>(1) : repeats->int64();
    const bool tiled = copies && *copies > 1 && static_cast<std::uint64_t>(*copies) * list->size() == count;
    if (list->size() != count && !tiled) {
      return refuse("names " + std::to_string(list->size()) + " pictures; there are " + std::to_string(count));
    }
    std::vector<std::string> ids;
    for (std::uint64_t i = 0; i < count; ++i) {
      const Value& id = (*list)[i % list->size()];
      if (!id.is_string()) return refuse("holds an id that is not a text");
      ids.push_back(id.string());
    }
    return ids;
  }
  return std::vector<std::string>();
}

Result<void> pair_ids(const Call& call, Pair& pair) {
  const std::uint64_t count = pair.reference.shape()[0];
  NOEMA_TRY(pair.ids, declared_ids(call, "reference", count));
  NOEMA_TRY(const std::vector<std::string> others, declared_ids(call, "reconstruction", count));
  if (pair.ids.empty() != others.empty()) {
    return refuse_input(others.empty() ? "reconstruction" : "reference", code::input_metadata,
                        "one input names its pictures and the other does not",
                        "pass the metadata of the source on, or leave ids out of both");
  }
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (pair.ids[i] == others[i]) continue;
    return refuse_input(
        "reconstruction", code::input_metadata,
        "picture " + std::to_string(i) + " is " + shown(others[i]) + "; its reference is " + shown(pair.ids[i]));
  }
  return {};
}

template <class T>
Result<void> check_samples(const Array& images, const Pair& pair, std::string_view port) {
  const std::span<const T> samples = images.span<T>();
  for (std::size_t i = 0; i < pair.areas.size(); ++i) {
    const media::PictureArea& area = pair.areas[i];
    for (std::uint64_t y = 0; y < area.height; ++y) {
      for (const T sample : samples.subspan(area.offset + y * area.stride, area.row_length())) {
        const auto value = static_cast<double>(sample);
        if (value >= 0.0 && value <= pair.range) continue;  // false for NaN
        return refuse_input(port, code::input_invalid,
                            "picture " + std::to_string(i) + " holds the sample " + std::to_string(value) + "; 0 to " +
                                std::to_string(pair.range) + " is allowed",
                            "data_range states the range of the samples");
      }
    }
  }
  return {};
}

Result<Pair> read_pair(const Call& call) {
  Pair pair;
  NOEMA_TRY(pair.reference, media::image_array(call, "reference", true));
  NOEMA_TRY(pair.reconstruction, media::image_array(call, "reconstruction", true));
  if (pair.reference.dtype() != pair.reconstruction.dtype()) {
    return refuse_input("reconstruction", code::input_invalid,
                        "samples are " + std::string(dtype_name(pair.reconstruction.dtype())) +
                            "; those of the reference are " + std::string(dtype_name(pair.reference.dtype())));
  }
  if (pair.reference.shape() != pair.reconstruction.shape()) {
    return refuse_input("reconstruction", code::input_invalid, "the batch has another shape than the reference");
  }
  NOEMA_TRY(pair.areas, media::picture_areas(pair.reference, call.metadata("reference"), "reference"));
  NOEMA_TRY(const auto others,
            media::picture_areas(pair.reconstruction, call.metadata("reconstruction"), "reconstruction"));
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (others[i].height == pair.areas[i].height && others[i].width == pair.areas[i].width) continue;
    return refuse_input("reconstruction", code::input_invalid,
                        "picture " + std::to_string(i) + " is " + std::to_string(others[i].height) + " x " +
                            std::to_string(others[i].width) + "; its reference is " +
                            std::to_string(pair.areas[i].height) + " x " + std::to_string(pair.areas[i].width));
  }
  NOEMA_CHECK(pair_ids(call, pair));
  const bool bytes = pair.reference.dtype() == DType::u8;
  const double asked = call.number("data_range");
  pair.range = asked > 0.0 ? asked : (bytes ? 255.0 : 1.0);
  for (const auto& [images, port] :
       {std::pair{&pair.reference, "reference"}, {&pair.reconstruction, "reconstruction"}}) {
    if (bytes && pair.range >= 255.0) break;  // any byte is within
    NOEMA_CHECK(bytes ? check_samples<std::uint8_t>(*images, pair, port) : check_samples<float>(*images, pair, port));
  }
  return pair;
}

/// Scores of one picture.
struct Scores {
  media::PixelErrors errors;
  double psnr_db = 0.0;
  bool perfect = false;
  std::optional<double> ms_ssim;
};

template <class T>
Scores score(const Pair& pair, const media::PictureArea& area, double cap_db) {
  const std::span<const T> a = pair.reference.span<T>(), b = pair.reconstruction.span<T>();
  Scores scores;
  scores.errors = media::pixel_errors(a, b, area);
  scores.perfect = scores.errors.mse == 0.0;
  scores.psnr_db = scores.perfect ? cap_db : media::psnr_db(pair.range, scores.errors.mse);
  if (std::min(area.height, area.width) >= media::ms_ssim_min_side)
    scores.ms_ssim = media::ms_ssim(a, b, area, pair.range);
  return scores;
}

double cap_of(const Call& call, const Pair& pair) {
  std::uint64_t most = 0;
  for (const media::PictureArea& area : pair.areas) most = std::max(most, area.samples());
  const double step = pair.reference.dtype() == DType::u8 ? 1.0 : double{std::numeric_limits<float>::denorm_min()};
  return media::psnr_cap_db(call.number("psnr_cap_db"), pair.range, step, most);
}

/// Which pictures the receiver had: neither lost by the link nor replaced by the decoder. Nothing when nobody says.
Result<std::optional<std::vector<bool>>> delivered_pictures(const Value& metadata, std::size_t count) {
  NOEMA_TRY(const auto outage, media::outage_flags(metadata, count, "reconstruction"));
  const Value* success = metadata.find("source_item_decode_success");
  const bool decoded_known = success != nullptr && success->is_array() && success->size() == count;
  if (!outage && !decoded_known) return std::optional<std::vector<bool>>();
  std::vector<bool> delivered(count, true);
  for (std::size_t i = 0; i < count; ++i) {
    const bool failed = decoded_known && (*success)[i].is_boolean() && !(*success)[i].boolean();
    delivered[i] = !failed && !(outage && (*outage)[i]);
  }
  return std::optional(std::move(delivered));
}

/// Sums over the batch, in its order.
class Summary {
 public:
  void add(const Scores& scores, std::optional<bool> delivered) {
    ++count_;
    mse_ += scores.errors.mse;
    mae_ += scores.errors.mae;
    psnr_ += scores.psnr_db;
    perfect_ += scores.perfect ? 1 : 0;
    if (scores.ms_ssim) {
      ms_ssim_ += *scores.ms_ssim;
      ++eligible_;
    }
    if (!delivered) return;
    delivery_known_ = true;
    if (!*delivered) return;
    delivered_psnr_ += scores.psnr_db;
    ++delivered_;
  }

  /// Emits all metrics and returns them as an object.
  Value emit(Call& call) const {
    Value values = Value::object();
    const auto real = [&](std::string_view name, double value) {
      values.set(name, value);
      call.metric(name, value);
    };
    const auto whole = [&](std::string_view name, std::uint64_t value) {
      values.set(name, value);
      call.count_metric(name, value);
    };
    real("quality.mse", mse_ / as_double(count_));
    real("quality.mae", mae_ / as_double(count_));
    real("quality.psnr_db", psnr_ / as_double(count_));
    real("quality.perfect_reconstruction_fraction", as_double(perfect_) / as_double(count_));
    if (eligible_ > 0) real("quality.ms_ssim", ms_ssim_ / as_double(eligible_));
    whole("quality.ms_ssim.total_image_count", count_);
    whole("quality.ms_ssim.eligible_image_count", eligible_);
    whole("quality.ms_ssim.evaluated_image_count", eligible_);
    real("quality.ms_ssim.evaluated_fraction_of_total", as_double(eligible_) / as_double(count_));
    if (eligible_ > 0) real("quality.ms_ssim.evaluated_fraction_of_eligible", 1.0);
    if (delivery_known_) whole("quality.delivered_image_count", delivered_);
    if (delivered_ > 0) real("quality.delivered_psnr_db", delivered_psnr_ / as_double(delivered_));
    return values;
  }

  Value coverage() const {
    return Value::object({{"total_image_count", count_},
                          {"eligible_image_count", eligible_},
                          {"evaluated_image_count", eligible_},
                          {"evaluated_fraction_of_total", as_double(eligible_) / as_double(count_)},
                          {"evaluated_fraction_of_eligible", eligible_ > 0 ? Value(1.0) : Value()},
                          {"min_dimension", media::ms_ssim_min_side}});
  }

 private:
  static double as_double(std::uint64_t count) { return static_cast<double>(count); }

  std::uint64_t count_ = 0, perfect_ = 0, eligible_ = 0, delivered_ = 0;
  double mse_ = 0.0, mae_ = 0.0, psnr_ = 0.0, ms_ssim_ = 0.0, delivered_psnr_ = 0.0;
  bool delivery_known_ = false;
};

Value row_of(std::size_t index, const Pair& pair, const Scores& scores, std::optional<bool> delivered) {
  Value row = Value::object({{"index", index},
                             {"id", pair.ids.empty() ? Value() : Value(pair.ids[index])},
                             {"shape", shape_value(pair.areas[index].shape())},
                             {"mse", scores.errors.mse},
                             {"mae", scores.errors.mae},
                             {"psnr_db", scores.psnr_db},
                             {"perfect_reconstruction", scores.perfect},
                             {"ms_ssim_eligible", scores.ms_ssim.has_value()},
                             {"ms_ssim_status", scores.ms_ssim ? "evaluated" : "ineligible_min_dimension_below_161"}});
  if (scores.ms_ssim) row.set("ms_ssim", *scores.ms_ssim);
  if (delivered) row.set("delivered", *delivered);
  return row;
}

Result<Value> previews_of(const Call& call, const Pair& pair) {
  const auto count = std::min<std::size_t>(call.count("preview_count"), pair.areas.size());
  const auto side = static_cast<std::uint32_t>(call.count("preview_size"));
  Value::Items previews;
  for (std::size_t i = 0; i < count; ++i) {
    NOEMA_TRY(const media::Preview reference, media::preview_of(pair.reference, pair.areas[i], pair.range, side));
    NOEMA_TRY(const media::Preview reconstruction,
              media::preview_of(pair.reconstruction, pair.areas[i], pair.range, side));
    previews.push_back(Value::object({{"index", i},
                                      {"id", pair.ids.empty() ? Value() : Value(pair.ids[i])},
                                      {"height", reference.height},
                                      {"width", reference.width},
                                      {"reference", reference.data_uri},
                                      {"reconstruction", reconstruction.data_uri}}));
  }
  return Value(std::move(previews));
}

Result<void> compare(Call& call) {
  NOEMA_TRY(const Pair pair, read_pair(call));
  NOEMA_TRY(const auto delivered, delivered_pictures(call.metadata("reconstruction"), pair.areas.size()));
  const double cap_db = cap_of(call, pair);
  const bool bytes = pair.reference.dtype() == DType::u8;
  std::vector<Scores> scores(pair.areas.size());
  NOEMA_CHECK(media::for_each_item(call, "scoring", "image", scores.size(), [&](std::size_t i) -> Result<void> {
    scores[i] = bytes ? score<std::uint8_t>(pair, pair.areas[i], cap_db) : score<float>(pair, pair.areas[i], cap_db);
    return {};
  }));

  Summary summary;
  Value::Items rows;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::optional<bool> arrived = delivered ? std::optional<bool>((*delivered)[i]) : std::nullopt;
    summary.add(scores[i], arrived);
    rows.push_back(row_of(i, pair, scores[i], arrived));
  }
  Value report = Value::object(
      {{"schema_version", 2},
       {"metric_family", "image_reconstruction"},
       {"num_examples", scores.size()},
       {"metrics", summary.emit(call)},
       {"per_example", Value(std::move(rows))},
       {"ms_ssim_coverage", summary.coverage()},
       {"metadata",
        Value::object({{"dtype", dtype_name(pair.reference.dtype())},
                       {"data_range", pair.range},
                       {"psnr_cap_db", cap_db},
                       {"requested_psnr_cap_db", call.number("psnr_cap_db")},
                       {"preview_count", call.parameter("preview_count")},
                       {"preview_size", call.parameter("preview_size")},
                       {"pairing", pair.ids.empty() ? "exact_positional_no_ids" : "declared_id_and_order"}})}});
  if (call.count("preview_count") > 0) {
    NOEMA_TRY(Value previews, previews_of(call, pair));
    report.set("previews", std::move(previews));
  }
  call.emit_report("report", report);
  return {};
}

}  // namespace

void add_image_reconstruction(KernelList& kernels) {
  kernels.add("metrics.image_reconstruction", "cpp", "default", compare);
}

}  // namespace noema::metrics
