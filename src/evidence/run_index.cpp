// SPDX-License-Identifier: Apache-2.0
#include "evidence/run_index.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace noema::evidence {
namespace {

/// Another number when the columns change: an index of another version is made anew.
constexpr int index_version = 1;

class Statement {
 public:
  Statement(sqlite3* database, const char* sql) { sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr); }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  bool row() { return statement_ != nullptr && sqlite3_step(statement_) == SQLITE_ROW; }
  bool done() { return statement_ != nullptr && sqlite3_step(statement_) == SQLITE_DONE; }
  void reset() { sqlite3_reset(statement_); }
  void bind(int at, std::int64_t value) { sqlite3_bind_int64(statement_, at, value); }
  void bind(int at, const std::string& value) {
    sqlite3_bind_text(statement_, at, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  }
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string text(int column) const {
    const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes == nullptr ? std::string()
                            : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

bool run(sqlite3* database, const char* sql) {
  return sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace

RunIndex::RunIndex(const std::string& workspace) {
  const std::string path = workspace + "/.run-index.sqlite";
  const bool writable = ::faccessat(AT_FDCWD, workspace.c_str(), W_OK, AT_EACCESS) == 0;
  const int how = writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  if (sqlite3_open_v2(path.c_str(), &database_, how | SQLITE_OPEN_NOFOLLOW, nullptr) == SQLITE_OK && prepare()) {
    load();
    return;
  }
  sqlite3_close(database_);
  database_ = nullptr;
}

RunIndex::~RunIndex() { sqlite3_close(database_); }

bool RunIndex::prepare() {
  sqlite3_busy_timeout(database_, 200);
  Statement version(database_, "PRAGMA user_version");
  if (!version.row()) return false;
  if (version.integer(0) == index_version) return true;
  return run(database_, "DROP TABLE IF EXISTS runs") &&
         run(database_,
             "CREATE TABLE runs (run_id TEXT PRIMARY KEY, device INTEGER, inode INTEGER, size INTEGER, modified "
             "INTEGER,"
             " changed INTEGER, status TEXT, recipe_name TEXT, suite TEXT, created TEXT, completed TEXT) WITHOUT "
             "ROWID") &&
         run(database_, "PRAGMA user_version = 1");
}

void RunIndex::load() {
  Statement rows(database_,
                 "SELECT run_id, device, inode, size, modified, changed, status, recipe_name, suite, created, "
                 "completed FROM runs");
  while (rows.row()) {
    Entry entry;
    entry.row = {rows.text(0), rows.text(6), rows.text(7), rows.text(8), rows.text(9), rows.text(10)};
    entry.stamp = {rows.integer(1), rows.integer(2), rows.integer(3), rows.integer(4), rows.integer(5)};
    entries_.emplace(entry.row.run_id, std::move(entry));
  }
}

std::optional<RunRow> RunIndex::find(const std::string& run_id, const FileStamp& stamp) const {
  const auto found = entries_.find(run_id);
  if (found == entries_.end() || found->second.stamp != stamp) return std::nullopt;
  found->second.seen = true;
  return found->second.row;
}

void RunIndex::put(const RunRow& row, const FileStamp& stamp) { entries_[row.run_id] = {row, stamp, true, true}; }

void RunIndex::save() {
  if (database_ == nullptr || sqlite3_db_readonly(database_, "main") != 0) return;
  const bool news =
      std::ranges::any_of(entries_, [](const auto& entry) { return entry.second.changed || !entry.second.seen; });
  if (!news || !run(database_, "BEGIN IMMEDIATE")) return;
  Statement put(database_, "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Statement forget(database_, "DELETE FROM runs WHERE run_id = ?");
  bool good = true;
  for (const auto& [run_id, entry] : entries_) {
    if (!entry.seen) {
      forget.bind(1, run_id);
      good &= forget.done();
      forget.reset();
    } else if (entry.changed) {
      put.bind(1, run_id);
      int at = 2;
      for (const std::int64_t part :
           {entry.stamp.device, entry.stamp.inode, entry.stamp.size, entry.stamp.modified_ns, entry.stamp.changed_ns}) {
        put.bind(at++, part);
      }
      for (const std::string* const text : {&entry.row.status, &entry.row.recipe_name, &entry.row.suite,
                                            &entry.row.created_at_utc, &entry.row.completed_at_utc}) {
        put.bind(at++, *text);
      }
      good &= put.done();
      put.reset();
    }
  }
  run(database_, good ? "COMMIT" : "ROLLBACK");
}

}  // namespace noema::evidence
