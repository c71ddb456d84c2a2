// No received bytes crash what reads payloads, and no metadata crashes what divides them: JPEG wrappers with the
// picture inside, texts, base64, and the counts of source items.
// SPDX-License-Identifier: Apache-2.0
#include "core/json.h"
#include "core/report.h"
#include "core/text.h"
#include "ops/common/items.h"
#include "ops/common/media/base64.h"
#include "ops/common/media/item_streams.h"
#include "ops/common/media/jpeg_wire.h"
#include "ops/common/media/text_batch.h"

namespace {

using namespace noema;

template <class T>
void expect_printable(const Result<T>& result) {
  if (!result) NOEMA_ASSERT(is_utf8(error_text(result.error())), "an error must be printable");
}

void read_jpeg(std::string_view payload) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 18;
  const auto items = media::unwrap_jpeg(payload);
  expect_printable(items);
  if (!items) return;
  for (const media::UnwrappedJpeg& item : *items) {
    const auto decoded = media::decode_jpeg(item.file, "fuzz", limit, item.declared);
    expect_printable(decoded);
    if (decoded && decoded->picture.pixels() > limit) __builtin_trap();
  }
}

void read_texts(std::string_view payload) {
  const std::string clean = media::utf8_with_replacement(payload);
  NOEMA_ASSERT(is_utf8(clean), "replacement leaves UTF-8");
  NOEMA_ASSERT(!is_utf8(payload) || clean == payload, "UTF-8 is left alone");
  const auto texts = media::read_text_payload(clean);
  expect_printable(texts);
  if (!texts) return;
  const auto again = media::read_text_payload(media::text_payload(*texts));
  NOEMA_ASSERT(again && again->size() == texts->size(), "what was read can be sent again");
}

void divide(std::string_view bytes, std::uint64_t count) {
  const auto metadata = parse_json(bytes);
  if (!metadata || !metadata->is_object()) return;
  expect_printable(media::item_streams(*metadata, count, "port"));
  expect_printable(media::outage_flags(*metadata, count, "port"));
  expect_printable(ops::item_bit_counts(*metadata, count, "port"));
  expect_printable(ops::item_symbol_counts(*metadata, count, "port"));
  expect_printable(ops::total_pixels(*metadata, "port"));
  expect_printable(ops::item_pixels(*metadata, count, "port"));
  expect_printable(ops::record_layout(*metadata, count, "port"));
  static_cast<void>(ops::picture_shape(*metadata, count));
  static_cast<void>(ops::link_item_names(*metadata, count));
  static_cast<void>(ops::codec_item_names(*metadata, count));
  Value changed = *metadata;
  expect_printable(ops::rewrite_record_layout(changed, count, 3 * count, "port"));
  ops::remove_record_layout(changed);
}

}  // namespace

/// The first byte says what the rest is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'j':
      read_jpeg(rest);
      break;
    case 't':
      read_texts(rest);
      break;
    case 'b':
      if (const auto bytes = media::base64_decode(rest); bytes && media::base64_encode(*bytes) != rest)
        __builtin_trap();
      break;
    default:
      divide(rest, data[0]);
  }
  return 0;
}
