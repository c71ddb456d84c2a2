// noema/evidence.h: finding runs in a workspace and reading what they say of themselves.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>

#include "core/files.h"
#include "core/text.h"
#include "evidence/bundle.h"
#include "evidence/findings.h"
#include "evidence/run_index.h"
#include "noema/evidence.h"

namespace noema {
namespace {

namespace fs = std::filesystem;
using evidence::Bundle;
using evidence::member;
using evidence::OpenFile;
using evidence::text_of;

Error workspace_error(Code code, const std::string& path, std::string message, std::string hint = {}) {
  Error error{code, {}, std::move(message), std::move(hint), {}};
  error.at.file = path;
  return error;
}

/// A real folder, not a link to one.
bool is_own_folder(const fs::path& path) {
  std::error_code failure;
  return fs::symlink_status(path, failure).type() == fs::file_type::directory;
}

/// Does the process that made a run still hold its lock?
bool is_alive(const fs::path& workspace, const std::string& run_id) {
  if (!is_safe_component(run_id)) return false;
  const std::string path = (workspace / ".run-id-reservations" / run_id).string();
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) return false;
  // Closing the file gives the lock back at once.
  return ::flock(file.number(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

std::optional<evidence::FileStamp> stamp_of(const fs::path& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  const auto nanoseconds = [](const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  };
  return evidence::FileStamp{static_cast<std::int64_t>(facts.st_dev), static_cast<std::int64_t>(facts.st_ino),
                             std::int64_t{facts.st_size}, nanoseconds(facts.st_mtim), nanoseconds(facts.st_ctim)};
}

/// A row from a bundle's documents. A run that can't be read is listed as such: it must not hide the others.
RunRow read_row(const std::string& run_id, const std::string& folder) {
  RunRow row{run_id, "unreadable", {}, {}, {}, {}};
  const auto bundle = Bundle::open(folder);
  if (!bundle) return row;
  if (const auto summary = bundle->document(evidence::summary_file); summary && summary->is_object()) {
    if (const std::string status = text_of(*summary, "status"); !status.empty()) row.status = status;
    row.recipe_name = text_of(*summary, "recipe_name");
    row.created_at_utc = text_of(*summary, "created_at_utc");
    row.completed_at_utc = text_of(*summary, "completed_at_utc");
  }
  if (const auto recipe = bundle->document(evidence::recipe_file); recipe && recipe->is_object()) {
    const Value& suite = member(*recipe, "suite");
    row.suite = text_of(suite, "id").empty() ? text_of(suite, "name") : text_of(suite, "id");
  }
  return row;
}

}  // namespace

Result<std::vector<RunRow>> list_runs(const std::string& workspace) {
  const fs::path root(workspace);
  std::error_code failure;
  if (fs::is_symlink(root, failure)) {
    return workspace_error(code::io_path, workspace, "the workspace " + shown(workspace, 300) + " is a symbolic link",
                           "name the folder itself with --workspace");
  }
  if (!is_own_folder(root)) {
    return workspace_error(code::io_read, workspace, "there is no workspace " + shown(workspace, 300),
                           "run a recipe first, or name the workspace with --workspace");
  }
  const fs::path runs = root / "runs";
  if (!fs::exists(fs::symlink_status(runs, failure))) return std::vector<RunRow>{};
  if (!is_own_folder(runs)) {
    return workspace_error(code::io_path, runs.string(),
                           shown(runs.string(), 300) + " is not a folder of its own (a symbolic link?)");
  }
  std::vector<std::string> names;
  for (fs::directory_iterator entry(runs, failure), end; !failure && entry != end; entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with('.') && is_own_folder(entry->path())) names.push_back(name);
  }
  if (failure)
    return workspace_error(code::io_read, runs.string(),
                           "can't list " + shown(runs.string(), 300) + ": " + failure.message());
  std::ranges::sort(names);

  evidence::RunIndex index(workspace);
  std::vector<RunRow> rows;
  for (const std::string& name : names) {
    const auto stamp = stamp_of(runs / name / evidence::summary_file);
    std::optional<RunRow> row = stamp ? index.find(name, *stamp) : std::nullopt;
    if (!row) {
      row = read_row(name, (runs / name).string());
      if (stamp) index.put(*row, *stamp);
    }
    if (row->status == "running" && !is_alive(root, name)) row->status = "incomplete";
    rows.push_back(*std::move(row));
  }
  index.save();
  return rows;
}

Result<std::string> run_folder(const std::string& workspace, const std::string& run_id) {
  if (!is_safe_component(run_id)) {
    return workspace_error(code::io_path, workspace,
                           shown(run_id) + " is no run id: it must be one name without separators");
  }
  const fs::path runs = fs::path(workspace) / "runs";
  const fs::path folder = runs / run_id;
  if (is_own_folder(runs) && is_own_folder(folder)) return folder.string();
  std::error_code failure;
  if (fs::is_symlink(folder, failure) || fs::is_symlink(runs, failure)) {
    return workspace_error(code::io_path, folder.string(),
                           shown(folder.string(), 300) + " is reached through a symbolic link");
  }
  std::vector<std::string> known;
  for (fs::directory_iterator entry(runs, failure), end; !failure && entry != end && known.size() < 10'000;
       entry.increment(failure)) {
    known.push_back(entry->path().filename().string());
  }
  const std::string hint = did_you_mean(run_id, known);
  return workspace_error(code::io_read, workspace, "there is no run " + shown(run_id) + " in " + shown(workspace, 300),
                         hint.empty() ? "`noema runs list` shows the runs of a workspace" : hint);
}

Result<Value> run_summary(const std::string& folder) {
  NOEMA_TRY(const Bundle bundle, Bundle::open(folder));
  NOEMA_TRY(Value summary, bundle.document(evidence::summary_file));
  if (!summary.is_object())
    return workspace_error(code::document_value, folder, std::string(evidence::summary_file) + " is not an object");
  if (text_of(summary, "status") == "running") {
    const fs::path workspace = fs::weakly_canonical(folder).parent_path().parent_path();
    if (!is_alive(workspace, bundle.name())) summary.set("status", "incomplete");
  }
  return summary;
}

}  // namespace noema
