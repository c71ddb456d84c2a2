// Which pictures a folder or a manifest yields, what is refused, and what resize and crop do.
// SPDX-License-Identifier: Apache-2.0
#include "ops/source/image_selection.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "ops/common/media/kodak.h"
#include "ops/common/media/test_pictures.h"
#include "ops/source/image_transform.h"

namespace noema::source {
namespace {

namespace fs = std::filesystem;

/// Parameters and files, all that selecting pictures asks for. Paths resolve against a folder of the test's own.
class FolderCall final : public Call {
 public:
  explicit FolderCall(fs::path base) : base_(std::move(base)) {
    std::string all;
    for (const media::KodakFile& file : media::kodak_files) all += (all.empty() ? "" : ",") + std::string(file.id);
    params_ = Value::object({{"dataset", "mine"},
                             {"dataset_dir", "pictures"},
                             {"image_ids", all},
                             {"manifest_path", ""},
                             {"manifest_sha256", ""},
                             {"split", ""}});
  }
  FolderCall& set(std::string_view name, Value value) {
    params_.set(name, std::move(value));
    return *this;
  }

  std::string_view operation() const override { return "source.image_dataset"; }
  std::string_view step() const override { return "data"; }
  std::string_view backend() const override { return "cpp"; }
  std::string_view implementation() const override { return "default"; }
  const Value& parameter(std::string_view name) const override { return params_.at(name); }
  std::uint64_t seed(std::string_view, std::uint64_t) const override { return 0; }
  bool connected(std::string_view) const override { return false; }
  const std::string& kind(std::string_view) const override { return none_; }
  const Value& metadata(std::string_view) const override { return params_; }
  std::uint64_t length(std::string_view) const override { return 0; }
  const Artifact& artifact(std::string_view) const override { return nothing_; }
  void emit(std::string_view, std::vector<NamedArray>, Value) override {}
  void emit_document(std::string_view, Value, Value) override {}
  void metric(std::string_view, double) override {}
  void count_metric(std::string_view, std::uint64_t) override {}
  void signed_count_metric(std::string_view, std::int64_t) override {}
  void step_metadata(std::string_view, Value) override {}
  Result<void> progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override { return {}; }
  Result<FileContent> read_file(const std::string& path, std::uint64_t limit) override {
    NOEMA_TRY(std::string bytes, read_text_file(resolve(path), limit));
    std::string digest = sha256_hex(bytes);
    return FileContent{path, std::move(bytes), std::move(digest)};
  }
  std::string resolve(const std::string& path) const override {
    return fs::path(path).is_absolute() ? path : (base_ / path).string();
  }
  int threads() const override { return 1; }
  void open_output(std::string_view, std::string_view, DType, std::uint64_t, Value) override {}
  void close_output(std::string_view, Value) override {}
  void consume(std::string_view, std::uint64_t) override {}
  std::uint64_t consumed(std::string_view) const override { return 0; }
  void commit(std::string_view, std::uint64_t) override {}
  std::uint64_t committed(std::string_view) const override { return 0; }
  std::uint64_t chunk() const override { return 1; }
  void forward(std::string_view, std::string_view, std::uint64_t) override {}

 protected:
  std::pair<const void*, std::uint64_t> peek_bytes(std::string_view, DType, std::uint64_t) override {
    return {nullptr, 0};
  }
  void* reserve_bytes(std::string_view, DType, std::uint64_t) override { return nullptr; }

 private:
  fs::path base_;
  Value params_;
  std::string none_;
  Artifact nothing_;
};

class Selection : public testing::Test {
 protected:
  void SetUp() override {
    base_ = fs::temp_directory_path() / ("noema_selection_" + std::to_string(::getpid()) + "_" +
                                         testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(base_);
    fs::create_directories(base_ / "pictures");
  }
  void TearDown() override { fs::remove_all(base_); }
  void put(const std::string& name, std::string_view content = "x") {
    fs::create_directories((base_ / name).parent_path());
    std::ofstream(base_ / name, std::ios::binary) << content;
  }
  static std::vector<std::string> ids(const Result<ImageSelection>& selection) {
    std::vector<std::string> names;
    if (!selection) return {selection.error().message};
    for (const SelectedImage& image : selection->images) names.push_back(image.sample_id);
    return names;
  }
  /// The refusal's code, place and message.
  static std::string refusal(const Result<ImageSelection>& selection) {
    if (selection) return "accepted";
    return std::string(selection.error().code.text) + " at " + selection.error().at.path + ": " +
           selection.error().message;
  }
  fs::path base_;
};

using Ids = std::vector<std::string>;

TEST_F(Selection, TakesPicturesOfAFolderInByteOrder) {
  for (const char* name :
       {"b.PNG", "a.jpg", "Z.webp", "c.jpeg", "notes.txt", ".hidden.png", "png", ".png", "inner/d.png"}) {
    put(std::string("pictures/") + name);
  }
  fs::create_directories(base_ / "pictures/folder.png");
  FolderCall call(base_);
  const auto selection = select_images(call);
  EXPECT_EQ(ids(selection), (Ids{"Z", "a", "b", "c"}));
  EXPECT_EQ(selection->split, "folder");
  EXPECT_EQ(selection->images[2].path, "pictures/b.PNG");
  EXPECT_EQ(selection->images[2].filename, "b.PNG");
}

TEST_F(Selection, KeepsTheSuffixWhereStemsMeet) {
  for (const char* name : {"a.png", "a.jpg", "a.png.jpg", "b.png"}) put(std::string("pictures/") + name);
  FolderCall call(base_);
  EXPECT_EQ(ids(select_images(call)), (Ids{"a.jpg", "a.png", "a.png.jpg", "b"}));
}

TEST_F(Selection, TakesTheIdsThatAreListed) {
  for (const char* name : {"a.png", "b.png", "c.png"}) put(std::string("pictures/") + name);
  FolderCall call(base_);
  EXPECT_EQ(ids(select_images(call.set("image_ids", " c , a "))), (Ids{"c", "a"}));
  EXPECT_EQ(ids(select_images(call.set("image_ids", ""))), (Ids{"a", "b", "c"}));
  EXPECT_EQ(refusal(select_images(call.set("image_ids", "a,aa"))),
            "parameter.choice at params.image_ids: image_ids names 'aa', which is no picture of the folder 'pictures'");
  EXPECT_EQ(refusal(select_images(call.set("image_ids", "a,a"))),
            "parameter.choice at params.image_ids: image_ids names 'a' twice");
  EXPECT_EQ(refusal(select_images(call.set("image_ids", "a,,b"))),
            "parameter.choice at params.image_ids: image_ids has an empty id between two commas");
}

TEST_F(Selection, RefusesWhatIsNoFolderOfPictures) {
  FolderCall call(base_);
  EXPECT_EQ(
      refusal(select_images(call)),
      "input.invalid at params.dataset_dir: folder 'pictures' holds no pictures; .png, .jpg, .jpeg and .webp files "
      "directly in it count");
  EXPECT_EQ(refusal(select_images(call.set("dataset_dir", "absent"))).find("io.read at params.dataset_dir"), 0u);
  put("pictures/a.png");
  call.set("dataset_dir", "pictures");
  EXPECT_EQ(refusal(select_images(call.set("split", "test"))).find("parameter.conflict at params.split"), 0u);
  EXPECT_EQ(refusal(select_images(call.set("split", "").set("manifest_sha256", std::string(64, 'a'))))
                .find("parameter.conflict at params.manifest_sha256"),
            0u);
}

TEST_F(Selection, FollowsLinksWithinTheFolderOnly) {
  put("pictures/a.png");
  put("pictures/inner/c.png");
  fs::create_symlink("inner/c.png", base_ / "pictures/b.png");
  FolderCall call(base_);
  EXPECT_EQ(ids(select_images(call)), (Ids{"a", "b"}));
  put("outside.png");
  fs::create_symlink("../outside.png", base_ / "pictures/z.png");
  EXPECT_EQ(refusal(select_images(call)),
            "io.path at params.dataset_dir: 'z.png' is a link that leaves its folder; links within it are allowed");
  fs::remove(base_ / "pictures/z.png");
  fs::create_symlink("nowhere.png", base_ / "pictures/z.png");
  EXPECT_EQ(refusal(select_images(call)).find("io.read at params.dataset_dir: 'z.png' can't be reached"), 0u);
}

TEST_F(Selection, KnowsTheKodakSet) {
  FolderCall call(base_);
  call.set("dataset", "kodak");
  const auto all = select_images(call);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->images.size(), 24u);
  EXPECT_EQ(all->split, "all");
  EXPECT_EQ(all->images[0].source_id, "kodak:kodim01");
  EXPECT_EQ(ids(select_images(call.set("image_ids", "kodim24,kodim01"))), (Ids{"kodim24", "kodim01"}));
  EXPECT_EQ(refusal(select_images(call.set("image_ids", "kodim25"))),
            "parameter.choice at params.image_ids: image_ids names 'kodim25'; kodim01 to kodim24 are allowed");
  EXPECT_EQ(refusal(select_images(call.set("image_ids", " "))).find("parameter.choice at params.image_ids"), 0u);
}

/// A manifest of two samples whose members a test can change.
class ManifestSelection : public Selection {
 protected:
  void SetUp() override {
    Selection::SetUp();
    put("data/files/one.png", "one");
    put("data/files/deep/two.png", "two");
    manifest_ = Value::object(
        {{"schema_version", 1},
         {"kind", "noema.image_dataset_manifest"},
         {"id", "mine"},
         {"version", "7"},
         {"root", "files"},
         {"splits",
          Value::object({{"test", Value(Value::Items{"two", "one"})}, {"train", Value(Value::Items{"one"})}})},
         {"samples", Value(Value::Items{sample("one", "one.png"), sample("two", "deep/two.png")})}});
  }
  static Value sample(const std::string& id, const std::string& path) {
    const std::string digest = sha256_hex(id);
    return Value::object(
        {{"sample_id", id},
         {"path", path},
         {"sha256", digest},
         {"source_id", "mine:" + id},
         {"group_id", "mine:" + id},
         {"source_sha256", digest},
         {"ancestry_ids", Value(Value::Items{"mine:" + id})},
         {"transform", Value::object({{"name", "identity"}})},
         {"transform_fingerprint_sha256", "d909b2e06e7240c7f43019510aeba65a1146d79811fd321c1ca2de30257732e3"}});
  }
  Value& first_sample() { return manifest_.edit("samples").edit(std::size_t{0}); }
  /// Writes the manifest and selects by it.
  Result<ImageSelection> select(std::string_view image_ids = "", std::string_view split = "test") {
    const std::string text = pretty_json(manifest_);
    put("data/manifest.json", text);
    FolderCall call(base_);
    call.set("manifest_path", "data/manifest.json").set("manifest_sha256", sha256_hex(text));
    return select_images(call.set("image_ids", image_ids).set("split", split));
  }
  Value manifest_;
};

TEST_F(ManifestSelection, TakesASplitOrIds) {
  const auto selection = select();
  EXPECT_EQ(ids(selection), (Ids{"two", "one"}));
  EXPECT_EQ(selection->images[0].path, "data/files/deep/two.png");
  EXPECT_EQ(ids(select("one", "")), (Ids{"one"}));
  EXPECT_EQ(ids(select("one", "test")), (Ids{"one"}));
  EXPECT_EQ(refusal(select("two", "train")).find("parameter.conflict at params.image_ids"), 0u);
  EXPECT_EQ(refusal(select("", "valid"))
                .find("parameter.choice at params.split: split is 'valid'; the manifest has test, train"),
            0u);
  EXPECT_EQ(refusal(select("three", "")).find("parameter.choice at params.image_ids"), 0u);
  EXPECT_EQ(refusal(select("", "")).find("parameter.missing at params.split"), 0u);
}

TEST_F(ManifestSelection, ReadsYamlAsWell) {
  std::string text =
      "schema_version: 1\nkind: noema.image_dataset_manifest\nid: mine\nversion: '7'\nroot: files\nsplits: {test: "
      "[one]}\nsamples:\n- " +
      canonical_json(sample("one", "one.png")) + "\n";
  put("data/manifest.yaml", text);
  FolderCall call(base_);
  call.set("manifest_path", "data/manifest.yaml").set("manifest_sha256", sha256_hex(text)).set("split", "test");
  EXPECT_EQ(ids(select_images(call)), (Ids{"one"}));
}

TEST_F(ManifestSelection, RefusesAWrongDigest) {
  put("data/manifest.json", pretty_json(manifest_));
  FolderCall call(base_);
  call.set("manifest_path", "data/manifest.json").set("manifest_sha256", std::string(64, '0')).set("split", "test");
  EXPECT_EQ(refusal(select_images(call)).find("input.invalid at params.manifest_sha256"), 0u);
  EXPECT_EQ(refusal(select_images(call.set("manifest_sha256", ""))).find("parameter.missing at params.manifest_sha256"),
            0u);
}

TEST_F(ManifestSelection, RefusesEveryBrokenMember) {
  const Value whole = manifest_;
  const auto broken = [&](auto change, const std::string& words) {
    manifest_ = whole;
    change();
    const std::string got = refusal(select());
    EXPECT_NE(got.find(words), std::string::npos) << got << "\nwanted: " << words;
  };
  broken([&] { manifest_.set("schema_version", 2); }, "schema_version must be 1");
  broken([&] { manifest_.set("kind", "other"); }, "kind is 'other'");
  broken([&] { manifest_.set("id", "yours"); }, "its id is 'yours' but the parameter dataset is 'mine'");
  broken([&] { manifest_.erase("version"); }, "version must be a text");
  broken([&] { manifest_.set("root", "../files"); }, "root is '../files'");
  broken([&] { manifest_.set("root", "/tmp"); }, "root is '/tmp'");
  broken([&] { manifest_.set("samples", Value::array()); }, "samples must be a list");
  broken([&] { manifest_.set("splits", Value::object()); }, "splits must map");
  broken([&] { manifest_.edit("splits").set("test", Value(Value::Items{"nine"})); },
         "splits.test names 'nine', which is no sample");
  broken(
      [&] {
        manifest_.edit("splits").set("test", Value(Value::Items{"one", "one"}));
      },
      "splits.test names 'one' twice");
  broken([&] { first_sample().set("sample_id", "TWO"); }, "stands twice");
  broken([&] { first_sample().set("path", "../../secret.png"); }, "samples[0].path is '../../secret.png'");
  broken([&] { first_sample().set("sha256", "ABC"); }, "samples[0].sha256 is 'ABC'");
  broken([&] { first_sample().set("ancestry_ids", Value::array()); }, "samples[0].ancestry_ids must be a list");
  broken([&] { first_sample().set("source_sha256", std::string(64, '1')); }, "source_sha256 must equal sha256");
  broken(
      [&] {
        first_sample().set("transform", Value::object({{"name", "crop"}}));
      },
      "the canonical digest of the transform is");
  broken([&] { first_sample().set("transform", "identity"); }, "samples[0].transform must be a mapping");
}

TEST_F(ManifestSelection, AllowsNoLinks) {
  put("secret.png", "one");
  fs::create_symlink("../../secret.png", base_ / "data/files/link.png");
  first_sample().set("path", "link.png");
  EXPECT_NE(refusal(select()).find("io.path at params.manifest_path: manifest 'data/manifest.json': sample 'one' leads "
                                   "through the link 'link.png'"),
            std::string::npos);
  first_sample().set("path", "one.png");
  fs::create_directory_symlink("files", base_ / "data/other");
  manifest_.set("root", "other");
  EXPECT_NE(refusal(select()).find("root leads through the link 'other'"), std::string::npos);
  fs::create_symlink("manifest.json", base_ / "data/alias.json");
  FolderCall call(base_);
  call.set("manifest_path", "data/alias.json").set("manifest_sha256", std::string(64, '0'));
  EXPECT_NE(refusal(select_images(call)).find("it is a link"), std::string::npos);
}

TEST(ImageTransform, ResizesThenCropsTheMiddle) {
  const media::Picture source = media::test_picture(48, 64);
  const auto half = ImageTransform{24, 0}.apply(source, "p");
  ASSERT_TRUE(half);
  EXPECT_EQ(media::short_digest(half->rgb), "5832d83dfb197132");  // published: bilinear to 32 x 24
  const auto middle = ImageTransform{0, 5}.apply(source, "p");
  ASSERT_TRUE(middle);
  EXPECT_EQ(middle->rgb[0], source.rgb[(21 * 64 + 29) * 3]);
  EXPECT_EQ(middle->pixels(), 25u);
  const auto upright = ImageTransform{10, 0}.apply(media::test_picture(35, 20), "p");
  EXPECT_EQ(upright->height, 17u);  // 17.5, rounded down
  EXPECT_EQ(upright->width, 10u);
  EXPECT_EQ((ImageTransform{64, 0}.apply(media::test_picture(64, 70), "p")->width), 70u);
  const auto refused = ImageTransform{24, 25}.apply(source, "p");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "'p': the picture has 32 x 24 pixels; a crop of 25 x 25 does not fit");
  EXPECT_FALSE((ImageTransform{16384, 0}.apply(media::test_picture(2, 3), "p")));
}

}  // namespace
}  // namespace noema::source
