// SPDX-License-Identifier: Apache-2.0
#include "cli/pictures.h"

#include <algorithm>
#include <cstring>

#include "core/files.h"
#include "core/npz_reader.h"
#include "ops/common/media/picture.h"
#include "ops/common/media/png_write.h"

namespace noema::cli {

Result<void> save_picture(const PictureRequest& request, const std::vector<SweepRow>& rows, const std::string& folder) {
  const auto refuse = [&](std::string message, std::string hint = {}) {
    return Error{
        Code{"recipe.report"}, {}, "picture '" + request.name + "': " + std::move(message), std::move(hint), {}};
  };
  const auto row = std::ranges::find_if(rows, [&](const SweepRow& one) { return one.variant.selection == request.at; });
  if (row == rows.end()) return refuse("'at' names no point of the matrix", "give every dimension one of its values");
  if (!row->summary.is_object()) return refuse("its point did not complete");
  const std::size_t dot = request.output.rfind('.');
  if (dot == std::string::npos) return refuse("'output' must be STEP.OUTPUT");
  const std::string path =
      row->directory + "/artifacts/" + request.output.substr(0, dot) + "/" + request.output.substr(dot + 1) + ".npz";
  NOEMA_TRY(const NpzReader file, NpzReader::open(path));
  NOEMA_TRY(const Array images, file.array("images"));
  NOEMA_TRY(const Value metadata, file.metadata());
  if (images.dtype() != DType::u8 || images.shape().size() != 4 || images.shape()[3] != 3 ||
      request.index >= images.shape()[0]) {
    return refuse("the artifact holds no such 8-bit RGB picture");
  }
  std::uint64_t height = images.shape()[1];
  std::uint64_t width = images.shape()[2];
  const std::uint64_t stride = width;
  if (const Value* shapes = metadata.find("original_shapes"); shapes != nullptr && request.index < shapes->size()) {
    const Value& shape = (*shapes)[request.index];
    if (shape.is_array() && shape.size() == 4 && shape[1].int64() && shape[2].int64()) {
      height = std::min(height, static_cast<std::uint64_t>(shape[1].integer()));
      width = std::min(width, static_cast<std::uint64_t>(shape[2].integer()));
    }
  }
  media::Picture picture;
  picture.height = static_cast<std::uint32_t>(height);
  picture.width = static_cast<std::uint32_t>(width);
  picture.rgb.resize(3 * height * width);
  const auto pixels = images.span<std::uint8_t>().subspan(request.index * images.shape()[1] * stride * 3);
  for (std::uint64_t y = 0; y < height; ++y)
    std::memcpy(&picture.rgb[3 * y * width], &pixels[3 * y * stride], 3 * width);
  return write_file_atomic(folder + "/" + request.name + ".png",
                           media::encode_png(picture, media::PngCompression::deflate));
}

}  // namespace noema::cli
