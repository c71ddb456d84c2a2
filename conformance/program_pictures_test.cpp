// Pictures and data folders that can't be read: the run fails with a clear error, and its evidence says so.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "conformance/subprocess.h"
#include "core/json.h"

namespace noema::conformance {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_recipe = R"(schema_version: 1
name: pictures
steps:
  - {id: data, op: source.image_dataset, params: {dataset: mine, dataset_dir: pictures}}
  - {id: sender, op: model.jpeg_encode, inputs: {images: data.images}}
)";

std::string fixture(const char* name) { return source_folder() + "/ops/source/fixtures/" + name; }

class Pictures : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(fixture("folder/photo.jpg"))) GTEST_SKIP() << "the picture fixtures are not here";
    scratch_.write("r.yaml", folder_recipe);
    fs::create_directory(scratch_ / "pictures");
  }

  /// The run fails with this in its error, and what it leaves is whole.
  void expect_failure(const std::vector<std::string>& parts) {
    fs::remove_all(scratch_ / ".noema");
    const Finished done = noema_program({"recipe", "run", "r.yaml"}, scratch_.path());
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(done.out, "");
    EXPECT_EQ(done.err.find("not enough memory"), std::string::npos) << done.err;
    for (const std::string& part : parts) EXPECT_NE(done.err.find(part), std::string::npos) << part << "\n" << done.err;
    if (!fs::exists(scratch_ / ".noema/runs")) return;
    for (const auto& bundle : fs::directory_iterator(scratch_ / ".noema/runs")) {
      const auto summary = parse_json(file_bytes(bundle.path().string() + "/summary.json"));
      ASSERT_TRUE(summary);
      EXPECT_EQ(summary->at("status"), Value("failed"));
      EXPECT_TRUE(fs::is_empty(bundle.path() / "artifacts") || !fs::exists(bundle.path() / "artifacts/.staging") ||
                  fs::is_empty(bundle.path() / "artifacts/.staging"));
      EXPECT_EQ(errors_of_verification(bundle.path().string()), std::vector<std::string>{"status.comparable"});
    }
  }

  Scratch scratch_;
};

TEST_F(Pictures, AreReadFromAFolder) {
  fs::copy(fixture("folder/photo.jpg"), scratch_ / "pictures/photo.jpg");
  const Finished done = noema_program({"recipe", "run", "r.yaml"}, scratch_.path());
  EXPECT_EQ(done.status, 0) << done.err;
}

TEST_F(Pictures, MustBeThere) {
  expect_failure({"error[", "'pictures'", "hint: "});
  scratch_.write("pictures/notes.txt", "no picture");
  expect_failure({"error[", "pictures", "hint: "});
  fs::remove_all(scratch_ / "pictures");
  expect_failure({"error[io.read]", "pictures", "hint: "});
}

TEST_F(Pictures, MustBeWhole) {
  for (const char* name : {"folder/photo.jpg", "folder/photo.png"}) {
    const std::string whole = file_bytes(fixture(name));
    const std::string copy = "pictures/" + fs::path(name).filename().string();
    for (const std::size_t size : {std::size_t{0}, std::size_t{3}, whole.size() / 2, whole.size() - 12}) {
      scratch_.write(copy, std::string_view(whole).substr(0, size));
      expect_failure({"error[", copy});
    }
    fs::remove(scratch_ / copy);
  }
}

TEST_F(Pictures, AreRefusedInCmyk) {
  fs::copy(fixture("broken/cmyk.jpg"), scratch_ / "pictures/print.jpg");
  expect_failure({"error[", "pictures/print.jpg", "CMYK"});
}

TEST_F(Pictures, MayNotComeFromOutsideTheirFolder) {
  fs::copy(fixture("folder/photo.jpg"), scratch_ / "elsewhere.jpg");
  fs::create_symlink("../elsewhere.jpg", scratch_ / "pictures/photo.jpg");
  expect_failure({"error[io.path]", "photo.jpg", "dataset_dir: pictures", "hint: "});
  fs::remove(scratch_ / "pictures/photo.jpg");
  fs::copy(fixture("folder/photo.jpg"), scratch_ / "pictures/.kept.jpg");
  fs::copy(fixture("folder/photo.jpg"), scratch_ / "pictures/first.jpg");
  fs::create_symlink("first.jpg", scratch_ / "pictures/second.jpg");
  const Finished inside = noema_program({"recipe", "run", "r.yaml", "--json"}, scratch_.path());
  EXPECT_EQ(inside.status, 0) << inside.out << "a link within the folder is fine";
}

TEST_F(Pictures, OfKodakAreFetchedOrRefused) {
  scratch_.write(
      "r.yaml",
      "schema_version: 1\nname: k\nsteps:\n  - {id: data, op: source.image_dataset, params: {image_ids: kodim01}}\n");
  expect_failure({".noema/datasets/kodak/kodim01.png: error[io.read]", "noema data fetch kodak"});
}

}  // namespace
}  // namespace noema::conformance
