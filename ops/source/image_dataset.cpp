// source.image_dataset: real pictures from the Kodak set, a pinned manifest or a folder, as one batch with the whole
// story of every picture in its metadata.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "core/digest.h"
#include "core/text.h"
#include "noema/backend.h"
#include "ops/common/media/image_batch.h"
#include "ops/common/media/kodak.h"
#include "ops/common/media/parallel.h"
#include "ops/common/media/picture.h"
#include "ops/source/image_selection.h"
#include "ops/source/image_transform.h"
#include "ops/source/source.h"

namespace noema::source {
namespace {

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

/// A picture that was read.
struct LoadedImage {
  media::Picture picture;  ///< after the transform
  media::PictureFacts facts;
  std::uint32_t stored_height = 0, stored_width = 0;
  std::uint64_t file_bytes = 0;
  std::string file_sha256;
  std::string identity;  ///< of the picture after the transform

  Shape shape() const { return {picture.height, picture.width, 3}; }
};

/// Refuses a link that leads out of the data folder. (A manifest allows no links at all, and was asked already.)
Result<void> check_link(const Call& call, const SelectedImage& image) {
  if (!call.text("manifest_path").empty()) return {};
  const std::string& folder = call.text("dataset_dir");
  auto confined =
      check_confined(call.resolve(folder.empty() ? "." : folder), call.resolve(image.path), image.path, "dataset_dir");
  // A missing file is left to the reader, which says more about it.
  if (!confined && confined.error().code == code::io_path) return confined;
  return {};
}

Result<FileContent> read_checked(Call& call, const SelectedImage& image) {
  NOEMA_CHECK(check_link(call, image));
  const bool pinned = call.text("manifest_path").empty() && image.bytes.has_value();
  auto content = call.read_file(image.path, largest_file);
  if (!content) {
    Error error = std::move(content).error();
    error.at.path = "params.dataset_dir";
    if (pinned) {
      error.message += "; " + image.filename + " of " + std::to_string(*image.bytes) + " bytes with SHA-256 " +
                       *image.sha256 + " is needed";
      error.hint = media::kodak_hint;
    }
    return error;
  }
  const bool wrong_size = image.bytes && content->bytes.size() != *image.bytes;
  if (wrong_size || (image.sha256 && content->sha256 != *image.sha256)) {
    return refuse_parameter(
        "dataset_dir", code::input_invalid,
        "file " + shown(image.path, 300) + " has " + std::to_string(content->bytes.size()) + " bytes and SHA-256 " +
            content->sha256 + "; " + *image.sha256 +
            (image.bytes ? " of " + std::to_string(*image.bytes) + " bytes" : std::string()) + " was expected",
        pinned ? std::string(media::kodak_hint) : "the file is not the one that the manifest describes");
  }
  return content;
}

Result<LoadedImage> load(const FileContent& file, const ImageTransform& transform) {
  NOEMA_TRY(media::DecodedPicture decoded, media::decode_picture(file.bytes, file.path));
  LoadedImage loaded;
  loaded.facts = decoded.facts;
  loaded.stored_height = decoded.picture.height;
  loaded.stored_width = decoded.picture.width;
  loaded.file_bytes = file.bytes.size();
  loaded.file_sha256 = file.sha256;
  NOEMA_TRY(loaded.picture, transform.apply(std::move(decoded.picture), file.path));
  loaded.identity = media::tensor_identity(DType::u8, loaded.shape(), std::as_bytes(std::span(loaded.picture.rgb)));
  return loaded;
}

/// Reads a few files at a time and decodes them side by side.
Result<std::vector<LoadedImage>> load_all(Call& call, const ImageSelection& selection,
                                          const ImageTransform& transform) {
  const std::size_t count = selection.images.size();
  const auto batch = static_cast<std::size_t>(std::max(call.threads(), 1)) * 2;
  std::vector<LoadedImage> loaded(count);
  for (std::size_t begin = 0; begin < count; begin += batch) {
    const std::size_t end = std::min(count, begin + batch);
    std::vector<FileContent> files;
    for (std::size_t i = begin; i < end; ++i) {
      NOEMA_TRY(FileContent file, read_checked(call, selection.images[i]));
      files.push_back(std::move(file));
    }
    NOEMA_CHECK(media::for_each_item(call.threads(), files.size(), [&](std::size_t i) -> Result<void> {
      auto image = load(files[i], transform);
      if (!image) {
        image.error().at.path = "params.dataset_dir";
        return std::move(image).error();
      }
      loaded[begin + i] = *std::move(image);
      return {};
    }));
    NOEMA_CHECK(call.progress("data", end, count, "image"));
  }
  return loaded;
}

std::string_view alpha_treatment(const media::PictureFacts& facts) {
  if (!facts.alpha) return "none";
  return facts.format == "png" ? "composited_onto_white" : "dropped";
}

Value record_of(const SelectedImage& image, const LoadedImage& loaded) {
  return Value::object({{"sample_id", image.sample_id},
                        {"filename", image.filename},
                        {"path", image.filename},
                        {"size_bytes", loaded.file_bytes},
                        {"sha256", loaded.file_sha256},
                        {"expected_sha256", image.sha256 ? Value(*image.sha256) : Value()},
                        {"source_url", image.source_url},
                        {"format", loaded.facts.format},
                        {"stored_height", loaded.stored_height},
                        {"stored_width", loaded.stored_width},
                        {"stored_colour", loaded.facts.colour},
                        {"stored_bit_depth", loaded.facts.bit_depth},
                        {"alpha", alpha_treatment(loaded.facts)},
                        {"icc_profile", loaded.facts.icc_profile ? "present_not_applied" : "absent"},
                        {"exif_orientation", loaded.facts.exif_orientation},
                        {"decoder_warning_count", loaded.facts.warnings}});
}

/// The batch's pictures one by one, repeats included.
struct ItemLists {
  Value::Items items, ordered, item_ids, source_ids, group_ids;
};

ItemLists list_items(const ImageSelection& selection, const std::vector<LoadedImage>& loaded, std::uint64_t repeats,
                     const std::string& transform_fingerprint) {
  ItemLists lists;
  for (std::uint64_t repeat = 0; repeat < repeats; ++repeat) {
    for (std::size_t i = 0; i < loaded.size(); ++i) {
      const SelectedImage& image = selection.images[i];
      const std::string item_id = image.sample_id + "#repeat-" + std::to_string(repeat);
      const std::uint64_t order = lists.items.size();
      const Value shape = shape_value(loaded[i].shape());
      lists.item_ids.emplace_back(item_id);
      lists.source_ids.emplace_back(image.source_id);
      lists.group_ids.emplace_back(image.group_id);
      lists.ordered.push_back(Value::object({{"order_index", order},
                                             {"item_id", item_id},
                                             {"post_transform_sha256", loaded[i].identity},
                                             {"post_transform_shape", shape},
                                             {"post_transform_dtype", "uint8"}}));
      lists.items.push_back(Value::object({{"order_index", order},
                                           {"base_order_index", i},
                                           {"repeat_index", repeat},
                                           {"item_id", item_id},
                                           {"sample_id", image.sample_id},
                                           {"source_id", image.source_id},
                                           {"group_id", image.group_id},
                                           {"ancestry_ids", image.ancestry_ids},
                                           {"source_sha256", image.source_sha256.value_or(loaded[i].file_sha256)},
                                           {"file_sha256", loaded[i].file_sha256},
                                           {"transform", image.transform},
                                           {"transform_fingerprint_sha256", sha256_of(image.transform)},
                                           {"operation_transform_fingerprint_sha256", transform_fingerprint},
                                           {"post_transform_sha256", loaded[i].identity},
                                           {"post_transform_shape", shape},
                                           {"post_transform_dtype", "uint8"}}));
    }
  }
  return lists;
}

Value metadata_of(const Call& call, const ImageSelection& selection, const std::vector<LoadedImage>& loaded,
                  const ImageTransform& transform, const media::StackedPictures& batch) {
  const std::uint64_t repeats = call.count("repeat_count");
  Value::Items ids, files, records;
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    ids.emplace_back(selection.images[i].sample_id);
    files.emplace_back(selection.images[i].filename);
    records.push_back(record_of(selection.images[i], loaded[i]));
  }
  const Value file_records(std::move(records)), image_ids(std::move(ids));
  // Without a manifest the list of files that were found stands for one.
  const Value manifest_sha256 =
      selection.manifest_sha256.is_null() ? Value(sha256_of(file_records)) : selection.manifest_sha256;
  const Value contract = Value::object({{"schema_version", 1},
                                        {"operation", call.operation()},
                                        {"dataset", call.text("dataset")},
                                        {"split", selection.split},
                                        {"manifest_version", selection.manifest_version},
                                        {"manifest_sha256", manifest_sha256},
                                        {"image_ids", image_ids},
                                        {"repeat_count", repeats},
                                        {"transform", transform.description()}});
  ItemLists lists = list_items(selection, loaded, repeats, sha256_of(transform.description()));
  const Value ordered(std::move(lists.ordered));
  const Value shape = shape_value(batch.images.shape());
  return Value::object(
      {{"source", "real_dataset"},
       {"dataset", call.text("dataset")},
       {"dataset_dir", call.text("dataset_dir")},
       {"split", selection.split},
       {"image_ids", image_ids},
       {"sample_ids", image_ids},
       {"files", Value(std::move(files))},
       {"dataset_manifest_path", selection.manifest_path},
       {"dataset_manifest_sha256", manifest_sha256},
       {"dataset_manifest_expected_sha256", selection.expected_manifest_sha256},
       {"dataset_manifest_version", selection.manifest_version},
       {"dataset_source_page", selection.source_page},
       {"dataset_file_records", file_records},
       {"dataset_license", selection.license},
       {"dataset_publication_ready", selection.publication_ready},
       {"dataset_publication_blocker", selection.publication_blocker},
       {"resize_shorter_side", transform.shorter_side},
       {"crop_size", transform.crop},
       {"training_validation_count", call.parameter("training_validation_count")},
       {"repeat_count", repeats},
       {"base_image_count", loaded.size()},
       {"original_shape", shape},
       {"original_shapes", batch.original_shapes},
       {"storage_shape", shape},
       {"padded_to_common_shape", batch.padded},
       {"source_operation_contract", contract},
       {"source_operation_contract_sha256", sha256_of(contract)},
       {"source_items", Value(std::move(lists.items))},
       {"source_item_ids", Value(std::move(lists.item_ids))},
       {"source_ids", Value(std::move(lists.source_ids))},
       {"source_group_ids", Value(std::move(lists.group_ids))},
       {"source_item_count", repeats * loaded.size()},
       {"ordered_post_transform_items", ordered},
       {"ordered_post_transform_sha256", sha256_of(ordered)},
       {"batch_tensor_sha256", media::tensor_identity(DType::u8, batch.images.shape(), batch.images.bytes())}});
}

Result<void> produce(Call& call) {
  const ImageTransform transform{call.count("resize_shorter_side"), call.count("crop_size")};
  NOEMA_TRY(const ImageSelection selection, select_images(call));
  NOEMA_TRY(std::vector<LoadedImage> loaded, load_all(call, selection, transform));
  const std::uint64_t repeats = call.count("repeat_count");
  std::vector<media::Picture> pictures;
  std::uint64_t pixels = 0;
  for (LoadedImage& image : loaded) {
    pixels += image.picture.pixels();
    pictures.push_back(std::move(image.picture));
    // Only the samples have moved on; their size is still asked for.
    image.picture.height = pictures.back().height;
    image.picture.width = pictures.back().width;
  }
  auto batch = media::stack_pictures(pictures, repeats);
  if (!batch) {
    return refuse_parameter("repeat_count", code::parameter_out_of_range,
                            std::to_string(loaded.size()) + " pictures with repeat_count " + std::to_string(repeats) +
                                ": " + batch.error().message,
                            "lower repeat_count, choose fewer pictures, or crop them");
  }
  call.emit("images", {{"images", batch->images}}, metadata_of(call, selection, loaded, transform, *batch));
  // True areas: what rates divide by. The stored shape may be padded.
  call.count_metric("image.source_pixel_count", pixels * repeats);
  return {};
}

}  // namespace

void add_image_dataset(KernelList& kernels) { kernels.add("source.image_dataset", "cpp", "default", produce); }

}  // namespace noema::source
