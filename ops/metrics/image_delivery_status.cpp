// metrics.image_delivery_status: how many of the pictures that were sent arrived, with all of them in the denominator.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include "kernels/finite.h"
#include "noema/backend.h"
#include "ops/common/items.h"
#include "ops/common/media/image_batch.h"
#include "ops/common/media/item_streams.h"
#include "ops/metrics/metrics.h"

namespace noema::metrics {
namespace {

Result<void> check_finite(const Array& images) {
  if (images.dtype() != DType::f32) return {};
  const std::span<const float> samples = images.span<float>();
  const std::size_t bad = kernels::first_not_finite(samples);
  if (bad == samples.size()) return {};
  return refuse_input("images", code::input_invalid,
                      "sample " + std::to_string(bad) + " of the images is not a finite number");
}

Result<void> count(Call& call) {
  NOEMA_TRY(const Array images, media::image_array(call, "images", true));
  NOEMA_CHECK(check_finite(images));
  const std::uint64_t total = images.shape()[0];
  const Value& metadata = call.metadata("images");
  NOEMA_TRY(const auto flags, media::outage_flags(metadata, total, "images"));
  const ops::ItemNames names = ops::codec_item_names(metadata, total);

  std::uint64_t failed = 0;
  Value::Items rows, outage;
  for (std::uint64_t i = 0; i < total; ++i) {
    const bool lost = flags && (*flags)[i];
    failed += lost ? 1 : 0;
    outage.emplace_back(lost ? 1 : 0);
    rows.push_back(Value::object({{"index", i}, {"id", names.names[i]}, {"delivered", !lost}}));
  }
  const double outage_rate = static_cast<double>(failed) / static_cast<double>(total);
  const double success_rate = static_cast<double>(total - failed) / static_cast<double>(total);
  call.count_metric("channel.source_item_count", total);
  call.count_metric("channel.failed_source_item_count", failed);
  call.metric("channel.source_item_success_rate", success_rate);
  call.metric("channel.outage_rate", outage_rate);
  call.emit_report("report",
                   Value::object({{"schema_version", 1},
                                  {"metric_family", "image_delivery_status"},
                                  {"num_examples", total},
                                  {"metrics", Value::object({{"channel.source_item_count", total},
                                                             {"channel.failed_source_item_count", failed},
                                                             {"channel.source_item_success_rate", success_rate},
                                                             {"channel.outage_rate", outage_rate}})},
                                  {"per_example", Value(std::move(rows))},
                                  {"source_item_outage", Value(std::move(outage))},
                                  {"source_item_outage_declared", flags.has_value()},
                                  {"denominator", "all_attempted_source_items"},
                                  {"on_decode_failure", call.parameter("on_decode_failure")},
                                  {"metadata", Value::object()}}));
  return {};
}

}  // namespace

void add_image_delivery_status(KernelList& kernels) {
  kernels.add("metrics.image_delivery_status", "cpp", "default", count);
}

}  // namespace noema::metrics
