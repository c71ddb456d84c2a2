// Files: whole reads with a limit, durable atomic writes, and paths that may not leave their root.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "noema/error.h"

namespace noema {

/// Reads a regular file. Refuses folders, devices and files of more than `limit` bytes (code document.limit).
Result<std::string> read_text_file(const std::string& path, std::uint64_t limit);
/// SHA-256 of a regular file, read in pieces.
Result<std::string> sha256_file(const std::string& path);
/// When what was written must survive a power failure: at once, or when the caller flushes it with others.
enum class Durable { now, later };
/// Writes a hidden temporary file beside `path` and renames it over `path`; leaves no temporary file behind on failure.
Result<void> write_file_atomic(const std::string& path, std::string_view bytes, Durable durable = Durable::now);
/// Flushes files and folders to the disk, several at a time: file systems commit neighbours together.
Result<void> flush_paths(const std::vector<std::string>& paths);
/// Makes a folder and its parents.
Result<void> make_folders(const std::string& path);
/// Flushes a folder's entries to the disk.
Result<void> sync_folder(const std::string& path);
/// Relative, without `..`, empty parts, backslash or control characters.
bool is_safe_relative_path(std::string_view path);
/// One path component that is not `.` or `..` and has no separator or control character.
bool is_safe_component(std::string_view name);
/// The text of errno `number`.
std::string system_message(int number);

}  // namespace noema
