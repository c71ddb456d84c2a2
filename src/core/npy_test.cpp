// NPY headers and arrays: round trips, every refusal, and the reference's odd files.
// SPDX-License-Identifier: Apache-2.0
#include "core/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "core/npz_reader.h"

namespace noema {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string file_with(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string text = "\x93NUMPY";
  text += version;
  text += '\0';
  text += static_cast<char>(dictionary.size() & 0xFF);
  text += static_cast<char>(dictionary.size() >> 8);
  if (version > 1) text += std::string(2, '\0');
  return text + dictionary + data;
}

std::string refusal(const std::string& file) {
  const auto array = read_npy(bytes_of(file), "x.npy");
  if (array) return "accepted";
  EXPECT_EQ(array.error().code, code::array_format);
  EXPECT_EQ(array.error().at.file, "x.npy");
  return array.error().message;
}

TEST(Npy, HeaderHasNumpysForm) {
  const std::string header = npy_header(DType::u8, {3});
  EXPECT_EQ(header.size() % 64, 0U);
  EXPECT_EQ(header.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(header.substr(10, 57), "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }");
  EXPECT_EQ(header.back(), '\n');
  EXPECT_NE(npy_header(DType::c64, {2, 3}).find("'<c8', 'fortran_order': False, 'shape': (2, 3), }"),
            std::string::npos);
  EXPECT_NE(npy_header(DType::f64, {}).find("'shape': (), }"), std::string::npos);
}

TEST(Npy, EveryTypeComesBack) {
  for (int i = 0; i <= static_cast<int>(DType::c128); ++i) {
    const auto dtype = static_cast<DType>(i);
    std::string data(item_size(dtype) * 6, '\0');
    for (std::size_t at = 0; at < data.size(); ++at)
      data[at] = static_cast<char>(dtype == DType::boolean ? at % 2 : at);
    const auto array = read_npy(bytes_of(npy_header(dtype, {2, 3}) + data), "x.npy");
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->dtype(), dtype);
    EXPECT_EQ(array->shape(), (Shape{2, 3}));
    EXPECT_EQ(std::memcmp(array->bytes().data(), data.data(), data.size()), 0);
  }
}

TEST(Npy, FortranOrderOfThreeAxes) {
  // Element [i][j][k] of shape (2,3,4) is 12i+4j+k; in Fortran order the first axis runs fastest.
  std::string data;
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) data += static_cast<char>(12 * i + 4 * j + k);
    }
  }
  const auto array =
      read_npy(bytes_of(file_with("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4), }\n", data)), "x.npy");
  ASSERT_TRUE(array) << array.error().message;
  for (std::uint8_t n = 0; n < 24; ++n) EXPECT_EQ(array->span<std::uint8_t>()[n], n);
}

TEST(Npy, BigEndianComplexSwapsEachPart) {
  const std::string data("\x3F\x80\x00\x00\xC0\x00\x00\x00", 8);  // 1 - 2i
  const auto array = read_npy(bytes_of(file_with("{'descr':'>c8','fortran_order':False,'shape':(1,)}", data)), "x.npy");
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(array->span<Complex>()[0], Complex(1, -2));
}

TEST(Npy, Refusals) {
  const auto with = [](const std::string& descr, const std::string& shape) {
    return refusal(file_with("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }\n", "abcd"));
  };
  EXPECT_EQ(with("'|u1'", "(4,)"), "accepted");
  EXPECT_EQ(with("'<i8'", "(1152921504606846976, 16)"), "'x.npy' has a shape whose size overflows");
  EXPECT_EQ(with("'<i8'", "(1152921504606846976,)"), "'x.npy' has a shape whose size overflows");
  EXPECT_EQ(with("'|u1'", "(1152921504606846976,)"),
            "'x.npy' holds 4 bytes of data where its shape asks for 1152921504606846976");
  EXPECT_EQ(with("'|u1'", "(99999999999999999999,)"), "'x.npy' has an axis beyond 64 bits");
  EXPECT_EQ(with("'|u1'", "(-4,)"), "'x.npy' has a negative axis");
  EXPECT_NE(with("'|u1'", "(4)").find("malformed"), std::string::npos);
  EXPECT_NE(with("'|O'", "(4,)").find("Python objects"), std::string::npos);
  EXPECT_NE(with("[('a', '<i4')]", "(1,)").find("structured"), std::string::npos);
  EXPECT_NE(with("'<f2'", "(2,)").find("<f2"), std::string::npos);
  EXPECT_NE(with("'|b1'", "(4,)").find("truth value 97"), std::string::npos);
  EXPECT_NE(with("'<U1'", "()").find("text"), std::string::npos);
  std::string axes = "(";
  for (int i = 0; i < 65; ++i) axes += "1, ";
  EXPECT_EQ(with("'|u1'", axes + ")"), "'x.npy' has more than 64 axes");
  EXPECT_NE(refusal(file_with("{'descr': '|u1', 'descr': '|u1', 'shape': (4,)}", "abcd")).find("twice"),
            std::string::npos);
  EXPECT_NE(refusal(file_with("{'descr': '|u1', 'shape': (4,)}", "abcd")).find("without"), std::string::npos);
  EXPECT_NE(refusal(file_with("{'descr': '|u1', 'fortran_order': 1, 'shape': (4,)}", "abcd")).find("malformed"),
            std::string::npos);
  EXPECT_NE(refusal(file_with("", "abcd", 4)).find("version 4.0"), std::string::npos);
  EXPECT_NE(refusal(std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", 12)).find("header of 4294967295"),
            std::string::npos);
  EXPECT_NE(refusal("\x93NUMP").find("start"), std::string::npos);
  const std::string whole = file_with("{'descr': '|u1', 'fortran_order': False, 'shape': (4,)}", "abcd");
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(refusal(whole.substr(0, size)), "accepted") << size;
  EXPECT_NE(refusal(whole + "x").find("5 bytes"), std::string::npos);
}

TEST(Npy, ReferenceFiles) {
  const std::string folder = std::string(NOEMA_SHARED_DIR) + "/data/reference/npy_cases/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no reference data beside the source tree";
  const auto text = read_text_file(folder + "expected.json", 1 << 20);
  ASSERT_TRUE(text);
  const auto expected = parse_json(*text);
  ASSERT_TRUE(expected);
  std::size_t seen = 0;
  for (const auto& [name, facts] : expected->members()) {
    SCOPED_TRACE(name);
    ++seen;
    const bool good = facts.at("kind").string() == "ok";
    if (name.ends_with(".npz")) {
      const auto reader = NpzReader::open(folder + name);
      if (!good) {
        bool refused = !reader;
        if (reader) {
          for (const NpzMember& member : reader->members())
            refused = refused || (member.name != "metadata_json" && !reader->array(member.name));
        }
        EXPECT_TRUE(refused);
        continue;
      }
      ASSERT_TRUE(reader) << reader.error().message;
      for (const auto& [member, array_facts] : facts.at("arrays").members()) {
        const auto array = reader->array(member);
        ASSERT_TRUE(array) << array.error().message;
        EXPECT_EQ(shape_value(array->shape()), array_facts.at("shape"));
        EXPECT_EQ(sha256_hex(array->bytes()), array_facts.at("c_order_sha256").string());
        EXPECT_NE(npy_header(array->dtype(), {}).find("'" + array_facts.at("dtype").string() + "'"), std::string::npos);
      }
      continue;
    }
    const auto bytes = read_text_file(folder + name, 1 << 20);
    ASSERT_TRUE(bytes);
    const auto array = read_npy(bytes_of(*bytes), name);
    ASSERT_EQ(array.has_value(), good) << (array ? "" : array.error().message);
    if (!good) continue;
    EXPECT_EQ(shape_value(array->shape()), facts.at("shape"));
    EXPECT_EQ(sha256_hex(array->bytes()), facts.at("c_order_le_sha256").string());
    EXPECT_NE(npy_header(array->dtype(), {}).find("'" + facts.at("dtype").string() + "'"), std::string::npos);
  }
  EXPECT_EQ(seen, 21U);
}

}  // namespace
}  // namespace noema
