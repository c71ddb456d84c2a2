// What `runs list` shows of each run, kept in SQLite so that long lists need not read every summary again. A cache:
// deleting it loses nothing, and without it everything still works.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "noema/evidence.h"

struct sqlite3;

namespace noema::evidence {

/// Tells whether a file is the one that was read before.
struct FileStamp {
  std::int64_t device = 0, inode = 0, size = 0, modified_ns = 0, changed_ns = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

class RunIndex {
 public:
  /// `<workspace>/.run-index.sqlite`, made when the workspace can be written. Failure leaves an index that knows
  /// nothing.
  explicit RunIndex(const std::string& workspace);
  ~RunIndex();
  RunIndex(const RunIndex&) = delete;
  RunIndex& operator=(const RunIndex&) = delete;

  /// The row kept for a run whose summary has not changed.
  std::optional<RunRow> find(const std::string& run_id, const FileStamp& stamp) const;
  void put(const RunRow& row, const FileStamp& stamp);
  /// Writes what is new and forgets the runs that are gone, all at once.
  void save();

 private:
  struct Entry {
    RunRow row;
    FileStamp stamp;
    bool seen = false;
    bool changed = false;
  };
  bool prepare();
  void load();

  sqlite3* database_ = nullptr;
  mutable std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace noema::evidence
