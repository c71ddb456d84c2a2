// NPZ: what is written can be read by us, NumPy and unzip; what is damaged is refused and never harms.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "core/npz_reader.h"
#include "core/npz_writer.h"

namespace noema {
namespace {

namespace fs = std::filesystem;

/// Collects what is written.
class MemorySink final : public ByteSink {
 public:
  using ByteSink::write;
  Result<void> write(std::span<const std::byte> part) override {
    text.append(reinterpret_cast<const char*>(part.data()), part.size());
    return {};
  }
  std::string text;
};

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "noema_npz.XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
  fs::path path;
};

std::vector<NamedArray> sample_arrays() {
  std::vector<Bit> bits(1000);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<Bit>(i * i / 7 % 2);
  const std::vector<Complex> symbols{{1, -2}, {0.5F, 3}, {-0.0F, 1e-30F}};
  return {{"bits", Array::of<Bit>(bits)},
          {"symbols", Array::of<Complex>(std::span(symbols), {3, 1})},
          {"odd", Array::of<std::int16_t>(std::vector<std::int16_t>{-1, 2, -3})},
          {"scalar", Array::of<double>(std::vector<double>{3.25}).reshaped({})},
          {"none", Array::make(DType::f32, {0, 4})}};
}

Value sample_metadata() {
  return Value::object({{"text", "h\xC3\xA9llo \xF0\x9F\x98\x80"},
                        {"count", 3},
                        {"rate", 1.0},
                        {"list", Value::Items{1, 2.5, nullptr}}});
}

std::string written(const std::vector<NamedArray>& arrays, const Value& metadata,
                    Compression compression = Compression::stored, std::size_t piece = SIZE_MAX) {
  MemorySink sink;
  NpzWriter writer(sink, compression);
  for (const NamedArray& named : arrays) {
    EXPECT_TRUE(writer.begin_array(named.name, named.array.dtype(), named.array.shape()));
    auto left = named.array.bytes();
    while (!left.empty()) {
      const auto part = left.first(std::min(piece, left.size()));
      EXPECT_TRUE(writer.append(part));
      left = left.subspan(part.size());
    }
    EXPECT_TRUE(writer.end_array());
  }
  EXPECT_TRUE(writer.finish(metadata));
  return sink.text;
}

Result<NpzReader> opened(const std::string& text, const NpzOptions& options = {}) {
  auto owner = std::make_shared<const std::string>(text);
  return NpzReader::from_bytes(owner, std::as_bytes(std::span(*owner)), "x.npz", options);
}

/// Everything that can be asked of a file; how often it refused.
std::size_t refusals(const std::string& text) {
  NpzOptions options;
  options.inflated_bytes = 1 << 24;
  const auto reader = opened(text, options);
  if (!reader) return 1;
  std::size_t count = 0;
  for (const NpzMember& member : reader->members()) {
    count += !reader->header(member.name);
    count += member.name == "metadata_json" ? !reader->metadata() : !reader->array(member.name);
  }
  return count;
}

void expect_same(const NpzReader& reader) {
  const auto arrays = sample_arrays();
  ASSERT_EQ(reader.members().size(), arrays.size() + 1);
  EXPECT_EQ(reader.members().back().name, "metadata_json");
  for (const NamedArray& named : arrays) {
    const auto array = reader.array(named.name);
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->dtype(), named.array.dtype());
    EXPECT_EQ(array->shape(), named.array.shape());
    ASSERT_EQ(array->bytes().size(), named.array.bytes().size());
    EXPECT_TRUE(std::ranges::equal(array->bytes(), named.array.bytes()));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array->bytes().data()) % 16, 0U);
    EXPECT_TRUE(reader.header(named.name));
  }
  const auto metadata = reader.metadata();
  ASSERT_TRUE(metadata) << metadata.error().message;
  EXPECT_EQ(*metadata, sample_metadata());
}

TEST(Npz, RoundTrip) {
  const Folder folder;
  for (const auto compression : {Compression::stored, Compression::deflated}) {
    const std::string text = written(sample_arrays(), sample_metadata(), compression);
    const auto in_memory = opened(text);
    ASSERT_TRUE(in_memory) << in_memory.error().message;
    expect_same(*in_memory);
    const std::string path = folder / "a.npz";
    ASSERT_TRUE(write_file_atomic(path, text));
    for (const bool map : {true, false}) {
      const auto reader = NpzReader::open(path, {.map = map});
      ASSERT_TRUE(reader) << reader.error().message;
      expect_same(*reader);
    }
    const int file = ::open(path.c_str(), O_RDONLY);
    const auto reader = NpzReader::from_descriptor(file, "d.npz", {.map = false});
    ::close(file);
    ASSERT_TRUE(reader) << reader.error().message;
    expect_same(*reader);
  }
  EXPECT_FALSE(NpzReader::open(folder.path.string()));
  EXPECT_FALSE(NpzReader::open(folder / "absent.npz"));
}

TEST(Npz, StoredContentIsAlignedForMapping) {
  const std::string text = written(sample_arrays(), sample_metadata());
  const auto reader = opened(text);
  ASSERT_TRUE(reader);
  for (const NpzMember& member : reader->members()) EXPECT_EQ(member.offset % 64, 0U) << member.name;
}

TEST(Npz, SameBytesHoweverCut) {
  std::mt19937 generator(5);
  std::vector<std::uint8_t> noise(300'000);
  for (auto& value : noise) value = static_cast<std::uint8_t>(generator() & 15U);
  const std::vector<NamedArray> arrays{{"noise", Array::of<std::uint8_t>(noise)}};
  for (const auto compression : {Compression::stored, Compression::deflated}) {
    const std::string whole = written(arrays, sample_metadata(), compression);
    for (const std::size_t piece : {1, 7, 1000, 65536, 100'001}) {
      EXPECT_EQ(written(arrays, sample_metadata(), compression, piece), whole) << piece;
    }
  }
}

TEST(Npz, NumpyAndUnzipReadIt) {
  const std::string python = ::access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
  if (std::system((python + " -c 'import numpy' 2>/dev/null").c_str()) != 0) GTEST_SKIP() << "no NumPy for python3";
  const Folder folder;
  const std::string script = folder / "check.py";
  ASSERT_TRUE(write_file_atomic(script, R"(
import json, sys, zipfile, numpy
path = sys.argv[1]
assert zipfile.ZipFile(path).testzip() is None
assert all(i.date_time == (1980, 1, 1, 0, 0, 0) for i in zipfile.ZipFile(path).infolist())
d = numpy.load(path, allow_pickle=False)
assert d.files == ['bits', 'symbols', 'odd', 'scalar', 'none', 'metadata_json'], d.files
i = numpy.arange(1000)
assert d['bits'].dtype == numpy.uint8 and (d['bits'] == i * i // 7 % 2).all()
assert d['symbols'].dtype == numpy.complex64 and d['symbols'].shape == (3, 1)
assert (d['symbols'].ravel() == numpy.array([1-2j, 0.5+3j, 1e-30j], numpy.complex64)).all()
assert d['odd'].dtype == numpy.int16 and d['odd'].tolist() == [-1, 2, -3]
assert d['scalar'].shape == () and d['scalar'] == 3.25
assert d['none'].shape == (0, 4) and d['none'].dtype == numpy.float32
m = d['metadata_json']
assert m.shape == () and m.dtype.kind == 'U'
text = str(m)
assert text == json.dumps(json.loads(text), sort_keys=True), text
assert json.loads(text) == {'count': 3, 'list': [1, 2.5, None], 'rate': 1.0, 'text': 'h\u00e9llo \U0001F600'}
)"));
  for (const auto compression : {Compression::stored, Compression::deflated}) {
    const std::string path = folder / (compression == Compression::stored ? "stored.npz" : "deflated.npz");
    ASSERT_TRUE(write_file_atomic(path, written(sample_arrays(), sample_metadata(), compression)));
    EXPECT_EQ(std::system((python + " " + script + " " + path).c_str()), 0);
    if (std::system("command -v unzip >/dev/null") == 0) {
      EXPECT_EQ(std::system(("unzip -tqq " + path).c_str()), 0);
    }
  }
}

TEST(Npz, ReadsWhatNumpyWrites) {
  const std::string python = ::access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
  if (std::system((python + " -c 'import numpy' 2>/dev/null").c_str()) != 0) GTEST_SKIP() << "no NumPy for python3";
  const Folder folder;
  const std::string path = folder / "n.npz";
  const std::string code =
      "import numpy as n, sys\n"
      "for p, save in ((sys.argv[1], n.savez), (sys.argv[1] + '.z', n.savez_compressed)):\n"
      " save(open(p, 'wb'), x=n.arange(6, dtype='>i4').reshape(2, 3), f=n.asfortranarray(n.arange(6.).reshape(2, 3)),\n"
      "  metadata_json=n.array(b'{\"a\": \"\\xc3\\xa9\"}' if save is n.savez else '{\"a\": \"\\u00e9\"}'), "
      "t=n.array([True, False]))\n";
  ASSERT_TRUE(write_file_atomic(folder / "w.py", code));
  ASSERT_EQ(std::system((python + " " + (folder / "w.py") + " " + path).c_str()), 0);
  for (const std::string& file : {path, path + ".z"}) {
    const auto reader = NpzReader::open(file);
    ASSERT_TRUE(reader) << reader.error().message;
    const auto x = reader->array("x");
    const auto f = reader->array("f");
    ASSERT_TRUE(x && f);
    for (int i = 0; i < 6; ++i) {
      EXPECT_EQ(x->span<std::int32_t>()[static_cast<std::size_t>(i)], i);
      EXPECT_EQ(f->span<double>()[static_cast<std::size_t>(i)], i);
    }
    EXPECT_TRUE(reader->array("t"));
    const auto metadata = reader->metadata();
    ASSERT_TRUE(metadata) << metadata.error().message;
    EXPECT_EQ(metadata->at("a").string(), "\xC3\xA9");
  }
}

TEST(Npz, WriterRefuses) {
  MemorySink sink;
  NpzWriter writer(sink);
  EXPECT_FALSE(writer.begin_array("a/b", DType::u8, {1}));
  EXPECT_FALSE(writer.begin_array("metadata_json", DType::u8, {1}));
  EXPECT_FALSE(writer.begin_array("big", DType::u64, {std::uint64_t{1} << 61}));
  EXPECT_TRUE(writer.begin_array("a", DType::u8, {2}));
  const std::vector<std::byte> three(3);
  EXPECT_FALSE(writer.append(three));
  EXPECT_TRUE(writer.append(std::span(three).first(1)));
  EXPECT_FALSE(writer.end_array());
  EXPECT_TRUE(writer.append(std::span(three).first(1)));
  EXPECT_TRUE(writer.end_array());
  EXPECT_FALSE(writer.begin_array("a", DType::u8, {2}));
  EXPECT_FALSE(writer.finish(Value::object({{"bad", std::numeric_limits<double>::infinity()}})));
}

TEST(Npz, EveryCutAndEveryFlippedByteOfContentIsSeen) {
  const std::vector<NamedArray> arrays{{"bits", Array::of<Bit>(std::vector<Bit>{1, 0, 1})}};
  for (const auto compression : {Compression::stored, Compression::deflated}) {
    const std::string text = written(arrays, Value::object({{"n", 1}}), compression);
    for (std::size_t size = 0; size < text.size(); ++size) ASSERT_GT(refusals(text.substr(0, size)), 0U) << size;
    ASSERT_GT(refusals(text + "x"), 0U);
    const auto reader = opened(text);
    ASSERT_TRUE(reader);
    for (const NpzMember& member : reader->members()) {
      for (std::size_t at = member.offset; at < member.offset + member.packed_size + 24; ++at) {
        std::string flipped = text;
        flipped[at] = static_cast<char>(flipped[at] ^ 4);
        ASSERT_GT(refusals(flipped), 0U) << at;
      }
    }
  }
}

/// Replaces every occurrence of a little-endian number.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(Npz, HostileDirectories) {
  const std::string good = written({{"bits", Array::of<Bit>(std::vector<Bit>{1, 0, 1})}}, Value::object());
  ASSERT_EQ(refusals(good), 0U);
  const auto message = [](const std::string& text) {
    const auto reader = opened(text);
    return reader ? std::string("accepted") : reader.error().message;
  };
  EXPECT_NE(message(replaced(good, "bits.npy", "../s.npy")).find("unsafe name"), std::string::npos);
  EXPECT_NE(message(replaced(good, "bits.npy", "/its.npy")).find("unsafe name"), std::string::npos);
  EXPECT_NE(message(replaced(good, "bits.npy", "bits.txt")).find("does not end in .npy"), std::string::npos);
  const std::string local("PK\x03\x04\x2D\x00\x08\x00", 8);
  const std::string central("PK\x01\x02\x2D\x03\x2D\x00\x08\x00", 10);
  std::string encrypted = good;
  for (std::size_t at = 0; (at = encrypted.find(central, at)) != std::string::npos; ++at) encrypted[at + 8] = 9;
  EXPECT_NE(message(encrypted).find("encrypted"), std::string::npos);
  std::string method = good;
  method[method.find(central) + 10] = 12;
  EXPECT_NE(message(method).find("method 12"), std::string::npos);
  // Twice the same name.
  const std::string two = written(
      {{"aa", Array::of<Bit>(std::vector<Bit>{1})}, {"ab", Array::of<Bit>(std::vector<Bit>{0})}}, Value::object());
  EXPECT_NE(message(replaced(two, "ab.npy", "aa.npy")).find("occurs twice"), std::string::npos);
  // The second member's offset made the first's: it contradicts the name, or overlaps.
  std::string overlap = two;
  const std::size_t second = overlap.rfind("ab.npy");
  overlap.replace(second + 6 + 4 + 16, 8, std::string(8, '\0'));
  EXPECT_NE(message(overlap), "accepted");
  // A size of 2^60 in the directory.
  std::string huge = good;
  huge[huge.rfind("bits.npy") + 8 + 4 + 7] = 0x10;
  EXPECT_NE(message(huge).find("two sizes"), std::string::npos);
  EXPECT_NE(message(good + "trailing").find("does not end"), std::string::npos);
  NpzOptions few;
  few.members = 1;
  EXPECT_FALSE(opened(good, few));
}

TEST(Npz, InflationIsLimited) {
  const std::string text = written({{"z", Array::of<std::uint8_t>(std::vector<std::uint8_t>(3'000'000))}},
                                   Value::object(), Compression::deflated);
  EXPECT_LT(text.size(), 20'000U);
  NpzOptions options;
  options.inflated_bytes = 1'000'000;
  const auto limited = opened(text, options);
  ASSERT_FALSE(limited);
  EXPECT_NE(limited.error().message.find("at most 1000000"), std::string::npos);
  EXPECT_TRUE(opened(text));
  // A claim beyond what deflate can do.
  std::string liar = text;
  liar[liar.rfind("z.npy") + 5 + 4 + 4] = 1;
  const auto refused = opened(liar);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("can't hold"), std::string::npos);
}

TEST(Npz, MetadataByStrictRules) {
  // A bytes member written by hand: {'descr': '|S<n>'} of the given text, in place of the U text of the same length.
  const auto with_text = [](const std::string& text) {
    MemorySink sink;
    NpzWriter writer(sink);
    std::vector<std::uint8_t> bytes(text.begin(), text.end());
    EXPECT_TRUE(writer.add_array("metadata_jsoX", Array::of<std::uint8_t>(bytes)));
    EXPECT_TRUE(writer.finish(Value::object()));
    std::string file = replaced(sink.text, "metadata_json.npy", "metadata_jsoY.npy");
    file = replaced(file, "metadata_jsoX.npy", "metadata_json.npy");
    // |u1 of shape (n,) becomes |Sn of shape ().
    const std::size_t at = file.find("{'descr'");
    std::string header = "{'descr': '|S" + std::to_string(text.size()) + "', 'fortran_order': False, 'shape': (), }";
    header.resize(file.find('\n', at) - at, ' ');
    file.replace(at, header.size(), header);
    // The checksum of the changed header.
    const auto start = file.find("\x93NUMPY");
    const std::string_view content = std::string_view(file).substr(start, 128 + text.size());
    const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    for (const std::size_t at_crc : {start + content.size() + 4, file.find("PK\x01\x02") + 16}) {
      for (std::size_t i = 0; i < 4; ++i) file[at_crc + i] = static_cast<char>(crc >> (8 * i));
    }
    const auto reader = opened(file);
    EXPECT_TRUE(reader) << reader.error().message;
    return reader->metadata();
  };
  const auto good = with_text("{\"a\": 1}");
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(good->at("a"), Value(1));
  for (const char* text : {"[1]", "{\"a\":1,\"a\":2}", "{\"a\":NaN}", "{\"a\":1e999}", "{\"a\":\"\xFF\"}", "{"}) {
    const auto refused = with_text(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, code::array_format);
    EXPECT_EQ(refused.error().at.file, "x.npz");
    EXPECT_EQ(refused.error().at.path, "metadata_json");
  }
}

TEST(Npz, MutationsNeverHarm) {
  const std::vector<std::string> seeds{written(sample_arrays(), sample_metadata()),
                                       written(sample_arrays(), sample_metadata(), Compression::deflated)};
  std::mt19937 generator(20240601);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = seeds[generator() % seeds.size()];
    for (unsigned changes = 1 + generator() % 4; changes > 0; --changes) {
      // Mostly in headers and the directory, which are small beside the content.
      const std::size_t at = generator() % 3 == 0
                                 ? generator() % text.size()
                                 : text.size() - 1 - generator() % std::min<std::size_t>(text.size(), 900);
      switch (generator() % 4) {
        case 0:
          text[at] = static_cast<char>(generator());
          break;
        case 1:
          text[at] = static_cast<char>(generator() % 2 == 0 ? 0 : 255);
          break;
        case 2:
          text.erase(at, generator() % 8);
          break;
        default:
          text.insert(at, 1 + generator() % 8, static_cast<char>(generator()));
          break;
      }
      if (text.empty()) text = "x";
    }
    refusals(text);
  }
}

TEST(Sink, FileIsNewAndVanishesUnlessFinished) {
  const Folder folder;
  const std::string path = folder / "f";
  {
    auto sink = FileSink::create(path);
    ASSERT_TRUE(sink);
    EXPECT_TRUE(sink->write("half"));
  }
  EXPECT_FALSE(fs::exists(path));
  auto sink = FileSink::create(path);
  ASSERT_TRUE(sink);
  HashSink hash(&*sink);
  std::string all;
  for (int i = 0; i < 3000; ++i) {
    const std::string part(static_cast<std::size_t>(i % 700), static_cast<char>('a' + i % 26));
    EXPECT_TRUE(hash.write(part));
    all += part;
  }
  const std::string big(1 << 20, 'z');
  EXPECT_TRUE(hash.write(big));
  EXPECT_TRUE(sink->finish());
  all += big;
  EXPECT_EQ(hash.size(), all.size());
  const std::string digest = hash.hex();
  EXPECT_EQ(digest, sha256_hex(all));
  EXPECT_EQ(*sha256_file(path), digest);
  EXPECT_FALSE(FileSink::create(path));
}

}  // namespace
}  // namespace noema
