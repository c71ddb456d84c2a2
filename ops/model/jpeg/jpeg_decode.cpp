// model.jpeg_decode: the payload of each source item becomes a picture again, or what `on_error` puts in its place.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "core/text.h"
#include "noema/backend.h"
#include "ops/common/bits.h"
#include "ops/common/items.h"
#include "ops/common/media/codec_timing.h"
#include "ops/common/media/image_batch.h"
#include "ops/common/media/item_streams.h"
#include "ops/common/media/jpeg_wire.h"
#include "ops/common/media/parallel.h"
#include "ops/common/media/payload_account.h"
#include "ops/model/jpeg/jpeg.h"

namespace noema::model {
namespace {

/// One picture on its way back.
struct Decoded {
  media::Picture picture;
  std::uint64_t warnings = 0;
  std::optional<Error> failure;
  double decode_seconds = 0.0, total_seconds = 0.0;
};

/// What the receiver knows of the pictures beside their bits.
class Expectation {
 public:
  explicit Expectation(const Value& metadata) : metadata_(metadata) {}

  /// Declared size of a picture; nothing when the metadata declare none.
  std::optional<media::JpegSize> size(std::uint64_t index) const {
    // After bits were loaded, `shape` is theirs; only lists of four axes are about pictures.
    for (const std::string_view key : {"original_shapes", "original_shape", "storage_shape"}) {
      const Value* shape = metadata_.find(key);
      if (shape != nullptr && key == "original_shapes") {
        shape = shape->is_array() && index < shape->size() ? &(*shape)[index] : nullptr;
      }
      if (const auto size = plane(shape)) return size;
    }
    return std::nullopt;
  }

  /// The true size that `original_shapes` declares: what a decoded picture is held against.
  std::optional<media::JpegSize> exact(std::uint64_t index) const {
    const Value* shapes = metadata_.find("original_shapes");
    return shapes != nullptr && shapes->is_array() && index < shapes->size() ? plane(&(*shapes)[index]) : std::nullopt;
  }

  /// Pictures in the batch, for when the bits do not tell.
  std::uint64_t count() const {
    if (const Value* shapes = metadata_.find("original_shapes"); shapes != nullptr && shapes->size() > 0)
      return shapes->size();
    for (const std::string_view key : {"original_shape", "storage_shape"}) {
      const Value* shape = metadata_.find(key);
      if (!plane(shape)) continue;
      if (const auto count = (*shape)[0].int64(); count && *count > 0 && *count <= most_pictures) {
        return static_cast<std::uint64_t>(*count);
      }
    }
    return 1;
  }

 private:
  static constexpr std::int64_t most_pictures = 1 << 24;

  static std::optional<media::JpegSize> plane(const Value* shape) {
    if (shape == nullptr || !shape->is_array() || shape->size() != 4) return std::nullopt;
    const auto height = (*shape)[1].int64(), width = (*shape)[2].int64();
    if (!height || !width || *height < 1 || *width < 1 || *height > UINT32_MAX || *width > UINT32_MAX)
      return std::nullopt;
    return media::JpegSize{static_cast<std::uint32_t>(*height), static_cast<std::uint32_t>(*width)};
  }

  const Value& metadata_;
};

Error lost(std::string message) { return Error{code::kernel_failed, {}, std::move(message), {}, {}}; }

/// Decodes one file and holds its size against what the wrapper and the metadata declare.
Result<media::DecodedPicture> decode_file(const media::UnwrappedJpeg& item, std::optional<media::JpegSize> declared) {
  const auto differ = [](const media::JpegSize& a, const media::JpegSize& b) {
    return a.height != b.height || a.width != b.width;
  };
  if (item.declared && declared && differ(*item.declared, *declared)) {
    return lost("its wrapper declares " + std::to_string(item.declared->width) + " x " +
                std::to_string(item.declared->height) + " pixels; " + std::to_string(declared->width) + " x " +
                std::to_string(declared->height) + " were sent");
  }
  return media::decode_jpeg(item.file, "the payload", media::max_picture_pixels, declared ? declared : item.declared);
}

/// Decodes an item that has a payload of its own.
Decoded decode_item(std::span<const Bit> bits, const media::ItemStream& stream,
                    std::optional<media::JpegSize> declared) {
  Decoded decoded;
  if (stream.outage) {
    decoded.failure = lost("the channel gave it up");
    return decoded;
  }
  const media::StageClock total;
  const std::string payload = media::bytes_of(bits.subspan(stream.offset, stream.bits));
  auto items = media::unwrap_jpeg(payload);
  if (items && items->size() != 1)
    items = lost("its payload holds " + std::to_string(items->size()) + " pictures; one is allowed");
  if (!items) {
    decoded.failure = std::move(items).error();
  } else {
    const media::StageClock stage;
    auto picture = decode_file(items->front(), declared);
    decoded.decode_seconds = stage.seconds();
    if (picture) {
      decoded.warnings = picture->facts.warnings;
      decoded.picture = std::move(picture->picture);
    } else {
      decoded.failure = std::move(picture).error();
    }
  }
  decoded.total_seconds = total.seconds();
  return decoded;
}

/// All pictures of the stream. An error means that not even the number of items is known.
Result<std::vector<Decoded>> decode_stream(Call& call, std::span<const Bit> bits, const Value& metadata,
                                           const Expectation& expectation) {
  NOEMA_TRY(const auto streams, media::item_streams(metadata, bits.size(), "bits"));
  std::vector<Decoded> decoded;
  if (streams) {
    decoded.resize(streams->size());
    NOEMA_CHECK(media::for_each_item(call, "decoding", "image", decoded.size(), [&](std::size_t i) -> Result<void> {
      decoded[i] = decode_item(bits, (*streams)[i], expectation.exact(i));
      return {};
    }));
    return decoded;
  }
  NOEMA_TRY(const auto items, media::unwrap_jpeg(media::bytes_of(bits)));
  if (items.empty()) return lost("the payload holds no pictures");
  decoded.resize(items.size());
  NOEMA_CHECK(media::for_each_item(call, "decoding", "image", decoded.size(), [&](std::size_t i) -> Result<void> {
    const media::StageClock stage;
    auto picture = decode_file(items[i], expectation.exact(i));
    decoded[i].decode_seconds = decoded[i].total_seconds = stage.seconds();
    if (picture) {
      decoded[i].warnings = picture->facts.warnings;
      decoded[i].picture = std::move(picture->picture);
    } else {
      decoded[i].failure = std::move(picture).error();
    }
    return {};
  }));
  return decoded;
}

Error give_up(std::size_t index, const std::string& name, const Error& failure) {
  return refuse_input(
      "bits", code::kernel_failed,
      "picture " + std::to_string(index) + " (" + shown(name) + ") can't be decoded: " + failure.message,
      "on_error chooses what stands for a picture that the link destroyed");
}

/// Puts a picture of one grey level in the place of each that failed.
Result<void> fill_in(std::vector<Decoded>& decoded, const Expectation& expectation, std::uint8_t level) {
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    if (!decoded[i].failure) continue;
    const media::JpegSize size = expectation.size(i).value_or(media::JpegSize{64, 64});
    NOEMA_TRY(decoded[i].picture, media::make_picture(size.height, size.width, "the stand-in"));
    std::ranges::fill(decoded[i].picture.rgb, level);
  }
  return {};
}

void describe(Value& metadata, const Call& call, const std::vector<Decoded>& decoded,
              const media::StackedPictures& batch) {
  Value::Items success, warnings, outage;
  std::uint64_t total_warnings = 0;
  const auto given = media::outage_flags(metadata, decoded.size(), "bits");
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    const bool failed = decoded[i].failure.has_value();
    success.emplace_back(!failed);
    warnings.emplace_back(decoded[i].warnings);
    total_warnings += decoded[i].warnings;
    outage.emplace_back(failed || (given && *given && (**given)[i]) ? 1 : 0);
  }
  const std::string& policy = call.text("on_error");
  metadata.set("codec", "jpeg");
  metadata.set("source", "jpeg_decode");
  metadata.set("on_error", policy);
  metadata.set("source_item_count", decoded.size());
  metadata.set("source_item_ids", ops::codec_item_names(metadata, decoded.size()).names);
  metadata.set("source_item_decode_success", Value(std::move(success)));
  metadata.set("source_item_decoder_warning_counts", Value(std::move(warnings)));
  metadata.set("decoder_warning_count", total_warnings);
  // These two policies say that a picture is missing; the other fallbacks pass it off as received.
  if (policy == "erasure" || policy == "report_outage") metadata.set("source_item_outage", Value(std::move(outage)));
  metadata.set("original_shapes", batch.original_shapes);
  metadata.set("original_shape", shape_value(batch.images.shape()));
  metadata.set("storage_shape", shape_value(batch.images.shape()));
  metadata.set("padded_to_common_shape", batch.padded);
  metadata.set("byte_stream_data_plane_backend", ops::data_plane_backend(call.backend()));
}

Result<void> decode(Call& call) {
  NOEMA_TRY(const Array array, media::payload_bits(call, "bits"));
  const std::span<const Bit> bits = array.span<Bit>();
  Value metadata = ops::loaded_bits(call.metadata("bits"), call.kind("bits"), bits.size(), call.backend());
  const Expectation expectation(metadata);
  const std::string& policy = call.text("on_error");

  auto stream = decode_stream(call, bits, metadata, expectation);
  if (!stream) {
    if (policy == "fail" || stream.error().code == code::canceled) {
      Error error = std::move(stream).error();
      error.at.path = "inputs.bits";
      return error;
    }
    std::vector<Decoded> none(expectation.count());
    for (Decoded& item : none) item.failure = stream.error();
    // Flags of another number of items would mislead whoever reads them next.
    metadata.erase("source_item_outage");
    stream = std::move(none);
  }
  std::vector<Decoded>& decoded = *stream;
  if (policy == "fail") {
    const auto names = ops::codec_item_names(metadata, decoded.size()).names;
    for (std::size_t i = 0; i < decoded.size(); ++i) {
      if (decoded[i].failure) return give_up(i, names[i], *decoded[i].failure);
    }
  }
  NOEMA_CHECK(fill_in(decoded, expectation, policy == "gray_image" ? 128 : 0));

  media::CodecTiming timing("decoder", "libjpeg-turbo");
  std::vector<media::Picture> pictures;
  std::uint64_t failures = 0, warnings = 0;
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    const Shape shape{1, decoded[i].picture.height, decoded[i].picture.width, 3};
    timing.add("payload_decode", decoded[i].decode_seconds, i, shape);
    timing.add("total", decoded[i].total_seconds, i, shape);
    pictures.push_back(std::move(decoded[i].picture));
    failures += decoded[i].failure ? 1 : 0;
    warnings += decoded[i].warnings;
  }
  NOEMA_TRY(const media::StackedPictures batch, media::stack_pictures(pictures));
  describe(metadata, call, decoded, batch);
  call.emit("images", {{"images", batch.images}}, std::move(metadata));
  call.count_metric("codec.decode_failure_count", failures);
  call.count_metric("codec.decoder_warning_count", warnings);
  call.step_metadata("codec_timing", timing.value());
  return {};
}

}  // namespace

void add_jpeg_decode(KernelList& kernels) { kernels.add("model.jpeg_decode", "cpp", "default", decode); }

}  // namespace noema::model
