// Metadata of bit artifacts.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/bits.h"

#include <gtest/gtest.h>

namespace noema::ops {
namespace {

TEST(Bits, NativeRowsNeverClaimNumPy) {
  EXPECT_EQ(data_plane_backend("cpp"), "cpp_native");
  EXPECT_EQ(data_plane_backend("numpy"), "python_numpy");
}

TEST(Bits, PayloadKindsAreLoadedThroughThePayloadBoundary) {
  EXPECT_EQ(bit_boundary_of("channel.payload_bits.numpy"), "payload.bits");
  EXPECT_EQ(bit_boundary_of("channel.coded_bits.numpy"), "channel.bits");
  EXPECT_EQ(bit_boundary_of("channel.framed_bits.numpy"), "channel.bits");
}

TEST(Bits, PackedBytesRoundUp) {
  EXPECT_EQ(packed_byte_count(0), 0U);
  EXPECT_EQ(packed_byte_count(1), 1U);
  EXPECT_EQ(packed_byte_count(8), 1U);
  EXPECT_EQ(packed_byte_count(9), 2U);
  EXPECT_EQ(packed_byte_count(UINT64_MAX), UINT64_MAX / 8 + 1);
}

TEST(Bits, LoadingLaysReceivedValuesOverWhatTravelled) {
  const Value before = Value::object(
      {{"bit_count", 4}, {"shape", Value(Value::Items{1, 2, 2, 3})}, {"payload_bit_count", 4}, {"unknown", "kept"}});
  const Value after = loaded_bits(before, "channel.payload_bits.numpy", 11, "cpp");
  EXPECT_EQ(after, Value::object({{"bit_count", 11},
                                  {"shape", Value(Value::Items{11})},
                                  {"payload_bit_count", 4},
                                  {"unknown", "kept"},
                                  {"boundary_contract", "payload.bits"},
                                  {"byte_count", 2},
                                  {"dtype", "uint8"},
                                  {"storage", "unpacked_uint8"},
                                  {"bits_per_element", 1},
                                  {"data_plane_backend", "cpp_native"}}));
  EXPECT_EQ(before.at("bit_count"), Value(4)) << "the input's metadata is left alone";
}

TEST(Bits, DeclaringKeepsATravellingByteCountTrue) {
  Value metadata = Value::object({{"byte_count", 1}});
  declare_bits(metadata, "coded", 17, "cpp");
  EXPECT_EQ(metadata, Value::object({{"byte_count", 3},
                                     {"bit_count", 17},
                                     {"bit_role", "coded"},
                                     {"bit_storage", "unpacked_uint8"},
                                     {"channel_bit_array", "unpacked_uint8"},
                                     {"bits_per_element", 1},
                                     {"data_plane_backend", "cpp_native"}}));
  Value fresh;
  declare_bits(fresh, "payload", 0, "cpp");
  EXPECT_EQ(fresh.find("byte_count"), nullptr);
  EXPECT_EQ(fresh.size(), 6U);
}

TEST(Bits, CountsAreNonNegativeIntegersOrAbsent) {
  const Value metadata =
      Value::object({{"good", 7}, {"none", nullptr}, {"negative", -1}, {"text", "7"}, {"real", 7.0}, {"flag", true}});
  EXPECT_EQ(*count_or(metadata, "good", 1, "bits"), 7U);
  EXPECT_EQ(*count_or(metadata, "none", 1, "bits"), 1U);
  EXPECT_EQ(*count_or(metadata, "absent", 1, "bits"), 1U);
  for (const char* key : {"negative", "text", "real", "flag"}) {
    const auto refused = count_or(metadata, key, 1, "bits");
    ASSERT_FALSE(refused) << key;
    EXPECT_EQ(refused.error().code, code::input_metadata);
    EXPECT_EQ(refused.error().at.path, "inputs.bits");
    EXPECT_NE(refused.error().message.find(key), std::string::npos);
  }
}

TEST(Bits, HistoriesGrowInOrderAndLeaveSharedCopiesAlone) {
  Value first = Value::object();
  ASSERT_TRUE(append_fixed_point(first, "a", "bits"));
  ASSERT_TRUE(append_coding_history(first, "x", "bits"));
  Value second = first;
  ASSERT_TRUE(append_fixed_point(second, "b", "bits"));
  EXPECT_EQ(first.at("fixed_points"), Value(Value::Items{"a"}));
  EXPECT_EQ(second.at("fixed_points"), Value(Value::Items{"a", "b"}));
  EXPECT_EQ(second.at("coding_history"), Value(Value::Items{"x"}));

  Value broken = Value::object({{"fixed_points", "text"}});
  const auto refused = append_fixed_point(broken, "a", "bits");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().at.path, "inputs.bits");
}

}  // namespace
}  // namespace noema::ops
