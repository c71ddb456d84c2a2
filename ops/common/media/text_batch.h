// Batches of texts, and the canonical JSON in which they travel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "noema/backend.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema::media {

struct TextExample {
  std::string id;
  std::string text;
};

/// The examples of a text batch; each must have a text under `id` and under `text`.
Result<std::vector<TextExample>> text_examples(const Call& call, std::string_view port);

/// The document of a text batch; `examples` are objects with `id` and `text`.
Value text_batch(std::string_view dataset, std::string_view split, Value::Items examples);

/// Canonical JSON of {ids, payload_format: json_utf8, schema_version: 1, texts}.
std::string text_payload(const std::vector<TextExample>& examples);

/// What a payload's text says: its texts, and ids where it has them (`decoded_<i>` otherwise).
Result<std::vector<TextExample>> read_text_payload(std::string_view payload);

/// The bytes as UTF-8, with U+FFFD for each maximal piece that is no character.
std::string utf8_with_replacement(std::string_view bytes);

}  // namespace noema::media
