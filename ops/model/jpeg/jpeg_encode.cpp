// model.jpeg_encode: each picture of a batch becomes a JPEG file of its own, wrapped and written out bit by bit.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "noema/backend.h"
#include "ops/common/bits.h"
#include "ops/common/items.h"
#include "ops/common/media/codec_timing.h"
#include "ops/common/media/image_batch.h"
#include "ops/common/media/jpeg_wire.h"
#include "ops/common/media/parallel.h"
#include "ops/common/media/payload_account.h"
#include "ops/model/jpeg/jpeg.h"

namespace noema::model {
namespace {

constexpr media::EntropyCoder entropy_coder{
    "Huffman", "JPEG Huffman coding", "libjpeg-turbo", "C",
    "fixed tables unless optimize or progressive asks for tables fitted to the picture"};

struct Settings {
  media::JpegSettings jpeg;
  std::string subsampling;  ///< as authored
  media::JpegWire wire;
};

Settings settings_of(const Call& call) {
  Settings settings;
  settings.jpeg.quality = media::clamped_quality(call.integer("quality"));
  settings.jpeg.optimize = call.flag("optimize");
  settings.jpeg.progressive = call.flag("progressive");
  settings.subsampling = call.text("subsampling");
  settings.jpeg.subsampling = media::subsampling_named(settings.subsampling);
  settings.wire = media::jpeg_wire_named(call.text("wire_format"));
  return settings;
}

/// One picture on its way.
struct Encoded {
  std::string payload;
  std::uint64_t native = 0;
  double encode_seconds = 0.0, total_seconds = 0.0;
};

Result<Encoded> encode_item(std::span<const std::uint8_t> samples, const media::PictureArea& area,
                            const Settings& settings) {
  const media::StageClock total;
  const media::JpegSize size{static_cast<std::uint32_t>(area.height), static_cast<std::uint32_t>(area.width)};
  const std::size_t last = (area.height - 1) * area.stride + area.row_length();
  NOEMA_TRY(const std::string file, media::encode_jpeg(samples.subspan(area.offset, last), area.stride, size.height,
                                                       size.width, settings.jpeg));
  const double encode_seconds = total.seconds();
  Encoded encoded;
  NOEMA_TRY(encoded.payload, media::wrap_jpeg(file, size, settings.jpeg, settings.subsampling, settings.wire));
  encoded.native = file.size();
  encoded.encode_seconds = encode_seconds;
  encoded.total_seconds = total.seconds();
  return encoded;
}

Value metadata_of(const Call& call, const Array& images, const std::vector<media::PictureArea>& areas,
                  const media::PayloadAccount& account, const Settings& settings) {
  Value metadata = call.metadata("images");
  // The bits take over `shape`: what the receiver needs of the pictures' sizes has to stand elsewhere.
  Value::Items shapes;
  for (const media::PictureArea& area : areas) shapes.push_back(shape_value(area.shape()));
  metadata.set("original_shapes", Value(std::move(shapes)));
  metadata.set("original_shape", shape_value(images.shape()));
  metadata.set("storage_shape", shape_value(images.shape()));
  ops::remove_record_layout(metadata);

  const ops::ItemNames names = ops::codec_item_names(call.metadata("images"), areas.size());
  metadata.set("source_item_ids", names.names);
  account.declare(metadata);
  metadata.set("codec", "jpeg");
  metadata.set("quality", settings.jpeg.quality);
  metadata.set("requested_quality", call.parameter("quality"));
  metadata.set("subsampling", settings.subsampling);
  metadata.set("optimize", settings.jpeg.optimize);
  metadata.set("progressive", settings.jpeg.progressive);
  metadata.set("wire_format", call.parameter("wire_format"));
  metadata.set("source_bit_storage", "packed_bytes");
  metadata.set("byte_count", account.serialized_bytes());
  metadata.set("byte_stream_data_plane_backend", ops::data_plane_backend(call.backend()));
  entropy_coder.declare(metadata);
  ops::declare_bits(metadata, "payload", 8 * account.serialized_bytes(), call.backend());
  return metadata;
}

Result<void> encode(Call& call) {
  const Settings settings = settings_of(call);
  NOEMA_TRY(const Array images, media::image_array(call, "images", false));
  if (images.shape()[3] != 3) {
    return refuse_input("images", code::input_invalid,
                        "pictures have " + std::to_string(images.shape()[3]) + " channels; RGB with 3 is allowed");
  }
  NOEMA_TRY(const std::vector<media::PictureArea> areas,
            media::picture_areas(images, call.metadata("images"), "images"));
  const std::span<const std::uint8_t> samples = images.span<std::uint8_t>();

  std::vector<Encoded> items(areas.size());
  NOEMA_CHECK(media::for_each_item(call, "encoding", "image", areas.size(), [&](std::size_t i) -> Result<void> {
    auto encoded = encode_item(samples, areas[i], settings);
    if (!encoded) {
      return refuse_input("images", encoded.error().code,
                          "picture " + std::to_string(i) + ": " + encoded.error().message);
    }
    items[i] = *std::move(encoded);
    return {};
  }));

  media::CodecTiming timing("encoder", "libjpeg-turbo");
  std::vector<media::ItemBytes> sizes;
  std::string payload;
  std::uint64_t pixels = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    sizes.push_back({items[i].native, items[i].payload.size()});
    payload += items[i].payload;
    pixels += areas[i].height * areas[i].width;
    timing.add("payload_encode", items[i].encode_seconds, i, areas[i].shape());
    timing.add("total", items[i].total_seconds, i, areas[i].shape());
  }
  items.clear();

  const media::PayloadAccount account(std::move(sizes), "jpeg_file_bytes", media::wire_rate_boundary(settings.wire),
                                      media::wire_format_id(settings.wire));
  NOEMA_TRY(Array bits, media::bits_of(payload));
  call.emit("bits", {{"bits", std::move(bits)}}, metadata_of(call, images, areas, account, settings));
  account.emit(call, pixels);
  call.step_metadata("codec_timing", timing.value());
  return {};
}

}  // namespace

void add_jpeg_encode(KernelList& kernels) { kernels.add("model.jpeg_encode", "cpp", "default", encode); }

}  // namespace noema::model
