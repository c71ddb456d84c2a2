// Listing and finding runs.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

#include "evidence/fixture.h"
#include "noema/evidence.h"

namespace noema::evidence {
namespace {

namespace fs = std::filesystem;

void make_run(const fs::path& workspace, const std::string& id, const char* status) {
  fs::create_directories(workspace / "runs" / id);
  write_text((workspace / "runs" / id / "summary.json").string(),
             std::string("{\"status\": \"") + status +
                 "\", \"recipe_name\": \"r\", \"created_at_utc\": \"2026-01-01T00:00:00.000Z\"}");
  write_text((workspace / "runs" / id / "recipe.json").string(), "{\"suite\": {\"id\": \"s\"}}");
  fs::create_directories(workspace / ".run-id-reservations");
  write_text((workspace / ".run-id-reservations" / id).string(), "");
}

TEST(Runs, ListsInOrderAndFromTheIndex) {
  const Scratch scratch;
  const fs::path workspace = scratch.path() / "w";
  EXPECT_FALSE(list_runs(workspace.string()));
  EXPECT_FALSE(fs::exists(workspace)) << "listing creates no workspace";
  fs::create_directory(workspace);
  const auto none = list_runs(workspace.string());
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
  make_run(workspace, "b", "completed");
  make_run(workspace, "a", "failed");
  make_run(workspace, "c", "completed");
  write_text((workspace / "runs/c/summary.json").string(), "{broken");
  for (int round = 0; round < 2; ++round) {
    const auto rows = list_runs(workspace.string());
    ASSERT_TRUE(rows) << rows.error().message;
    ASSERT_EQ(rows->size(), 3U);
    EXPECT_EQ((*rows)[0].run_id, "a");
    EXPECT_EQ((*rows)[0].status, "failed");
    EXPECT_EQ((*rows)[1].suite, "s");
    EXPECT_EQ((*rows)[1].recipe_name, "r");
    EXPECT_EQ((*rows)[2].status, "unreadable");
  }
  EXPECT_TRUE(fs::exists(workspace / ".run-index.sqlite"));
  // A changed summary is read again, a vanished run is gone, a damaged index is no obstacle.
  make_run(workspace, "b", "canceled");
  fs::remove_all(workspace / "runs/a");
  auto rows = list_runs(workspace.string());
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ((*rows)[0].status, "canceled");
  write_text((workspace / ".run-index.sqlite").string(), "not a database at all, but long enough to look like a file");
  rows = list_runs(workspace.string());
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->size(), 2U);
}

TEST(Runs, TheIndexIsUsed) {
  const Scratch scratch;
  make_run(scratch.path(), "a", "completed");
  ASSERT_TRUE(list_runs(scratch.path().string()));
  // Only the summary tells whether a run was read before: the old suite can only come from the index.
  write_text((scratch.path() / "runs/a/recipe.json").string(), "{\"suite\": {\"id\": \"t\"}}");
  const auto rows = list_runs(scratch.path().string());
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->front().suite, "s");
  fs::remove(scratch.path() / ".run-index.sqlite");
  EXPECT_EQ(list_runs(scratch.path().string())->front().suite, "t");
}

TEST(Runs, AFreeLockMakesARunningRunIncomplete) {
  const Scratch scratch;
  make_run(scratch.path(), "a", "running");
  const std::string folder = (scratch.path() / "runs/a").string();
  EXPECT_EQ(list_runs(scratch.path().string())->front().status, "incomplete");
  EXPECT_EQ(run_summary(folder)->at("status"), Value("incomplete"));
  const int lock = ::open((scratch.path() / ".run-id-reservations/a").c_str(), O_RDWR);
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(list_runs(scratch.path().string())->front().status, "running");
  EXPECT_EQ(run_summary(folder)->at("status"), Value("running"));
  ::close(lock);
  EXPECT_EQ(list_runs(scratch.path().string())->front().status, "incomplete");
}

TEST(Runs, IdsAreOneComponentAndNoLinks) {
  const Scratch scratch;
  make_run(scratch.path(), "abcdef", "completed");
  EXPECT_TRUE(run_folder(scratch.path().string(), "abcdef"));
  for (const char* id : {"", ".", "..", "a/b", "a\\b", "../x", "a\nb"}) {
    const auto folder = run_folder(scratch.path().string(), id);
    ASSERT_FALSE(folder) << id;
    EXPECT_EQ(folder.error().code, code::io_path);
  }
  const auto near = run_folder(scratch.path().string(), "abcdeg");
  ASSERT_FALSE(near);
  EXPECT_NE(near.error().hint.find("abcdef"), std::string::npos);
  fs::create_directory_symlink("abcdef", scratch.path() / "runs/link");
  EXPECT_FALSE(run_folder(scratch.path().string(), "link"));
  EXPECT_EQ(list_runs(scratch.path().string())->size(), 1U);
}

TEST(Runs, AReadOnlyWorkspaceIsListedWithoutAnIndex) {
  const Scratch scratch;
  make_run(scratch.path(), "a", "completed");
  fs::permissions(scratch.path(), fs::perms(0555));
  // Root may write everywhere, so look with the eyes of nobody.
  constexpr uid_t nobody = 65534;
  const bool root = ::geteuid() == 0;
  if (root) {
    ASSERT_EQ(::seteuid(nobody), 0);
  }
  const auto rows = list_runs(scratch.path().string());
  if (root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->size(), 1U);
  EXPECT_FALSE(fs::exists(scratch.path() / ".run-index.sqlite"));
  fs::permissions(scratch.path(), fs::perms::owner_all);
}

}  // namespace
}  // namespace noema::evidence
