// Source items, capture records and pixels.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/items.h"

#include <gtest/gtest.h>

namespace noema::ops {
namespace {

Value list(std::initializer_list<Value> items) { return Value(Value::Items(items)); }

template <class T>
void expect_refused(const Result<T>& result, std::string_view part) {
  ASSERT_FALSE(result) << "should be refused: " << part;
  EXPECT_EQ(result.error().code, code::input_metadata);
  EXPECT_EQ(result.error().at.path, "inputs.bits");
  EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
}

TEST(ItemBits, TheFirstStageThatAddsUpWins) {
  const Value metadata = Value::object({{"source_item_payload_bit_counts", list({3, 5})},
                                        {"source_item_framed_bit_counts", list({6, 10})},
                                        {"source_item_coded_bit_counts", list({18, 30})}});
  EXPECT_EQ(**item_bit_counts(metadata, 8, "bits"), (ItemCounts{3, 5}));
  EXPECT_EQ(**item_bit_counts(metadata, 16, "bits"), (ItemCounts{6, 10}));
  EXPECT_EQ(**item_bit_counts(metadata, 48, "bits"), (ItemCounts{18, 30}));
  const Value both =
      Value::object({{"source_item_payload_bit_counts", list({4, 4})}, {"source_item_coded_bit_counts", list({3, 5})}});
  EXPECT_EQ(**item_bit_counts(both, 8, "bits"), (ItemCounts{3, 5}));
}

TEST(ItemBits, NothingDeclaredIsNoPartition) {
  EXPECT_EQ(*item_bit_counts(Value::object(), 8, "bits"), std::nullopt);
  EXPECT_EQ(*item_bit_counts(Value::object({{"source_item_coded_bit_counts", nullptr}}), 8, "bits"), std::nullopt);
}

TEST(ItemBits, DeclaredCountsThatDoNotAddUpAreRefusedWithTheirSums) {
  const Value metadata = Value::object({{"source_item_payload_bit_counts", list({3, 5})}});
  expect_refused(item_bit_counts(metadata, 9, "bits"), "source_item_payload_bit_counts adds up to 8");
}

TEST(ItemBits, EntriesMustBePositiveIntegersInANonEmptyList) {
  const auto refused = [](Value counts, std::string_view part) {
    expect_refused(item_bit_counts(Value::object({{"source_item_coded_bit_counts", std::move(counts)}}), 8, "bits"),
                   part);
  };
  refused(list({}), "[]");
  refused(list({8, 0}), "entry 1");
  refused(list({-8, 16}), "-8");
  refused(list({8.0}), "8.0");
  refused(list({true}), "true");
  refused("8", "8");
  refused(list({INT64_MAX, INT64_MAX}), "63 bits");
}

TEST(ItemSymbols, DeclaredCountsMustAddUp) {
  const Value metadata = Value::object({{"source_item_symbol_counts", list({2, 3})}});
  EXPECT_EQ(**item_symbol_counts(metadata, 5, "bits"), (ItemCounts{2, 3}));
  expect_refused(item_symbol_counts(metadata, 6, "bits"), "adds up to 5");
}

TEST(ItemSymbols, ATensorShapeGivesEqualPartsWhenImagesAgree) {
  Value metadata = Value::object({{"symbol_shape", list({3, 2, 2})}, {"image_shape", list({3, 8, 8, 3})}});
  EXPECT_EQ(**item_symbol_counts(metadata, 12, "bits"), (ItemCounts{4, 4, 4}));
  EXPECT_EQ(*item_symbol_counts(metadata, 13, "bits"), std::nullopt);
  metadata.set("image_shape", list({4, 8, 8, 3}));
  EXPECT_EQ(*item_symbol_counts(metadata, 12, "bits"), std::nullopt);
  metadata.set("original_shapes", list({list({1, 8, 8, 3}), list({1, 8, 8, 3}), list({1, 4, 4, 3})}));
  EXPECT_EQ(**item_symbol_counts(metadata, 12, "bits"), (ItemCounts{4, 4, 4}));
}

TEST(Records, BothKeysOrNeither) {
  EXPECT_EQ(record_layout(Value::object(), 8, "bits")->has_value(), false);
  const Value good = Value::object({{"capture_record_count", 3}, {"capture_record_shape", list({2, 2})}});
  const auto layout = record_layout(good, 12, "bits");
  ASSERT_TRUE(layout);
  EXPECT_EQ((*layout)->count, 3U);
  EXPECT_EQ((*layout)->length, 4U);
  expect_refused(record_layout(good, 13, "bits"), "13");
  expect_refused(record_layout(Value::object({{"capture_record_count", 3}}), 12, "bits"), "without");
  expect_refused(record_layout(Value::object({{"capture_record_shape", list({4})}}), 12, "bits"), "without");
  const auto refused = [](Value count, Value shape) {
    return record_layout(
        Value::object({{"capture_record_count", std::move(count)}, {"capture_record_shape", std::move(shape)}}), 12,
        "bits");
  };
  expect_refused(refused(0, list({4})), "capture_record_count");
  expect_refused(refused(true, list({4})), "capture_record_count");
  expect_refused(refused(3, list({})), "capture_record_shape");
  expect_refused(refused(3, list({4, 0})), "capture_record_shape");
  expect_refused(refused(3, 4), "capture_record_shape");
  expect_refused(refused(INT64_MAX, list({INT64_MAX})), "records");
}

TEST(Records, RewritingKeepsTheCountAndFlattensTheShape) {
  Value metadata = Value::object({{"capture_record_count", 3}, {"capture_record_shape", list({2, 2})}});
  ASSERT_TRUE(rewrite_record_layout(metadata, 12, 36, "bits"));
  EXPECT_EQ(metadata, Value::object({{"capture_record_count", 3}, {"capture_record_shape", list({12})}}));
  Value uneven = Value::object({{"capture_record_count", 3}, {"capture_record_shape", list({4})}});
  expect_refused(rewrite_record_layout(uneven, 12, 13, "bits"), "13");
  expect_refused(rewrite_record_layout(uneven, 12, 0, "bits"), "0 elements");
  expect_refused(rewrite_record_layout(uneven, 11, 12, "bits"), "11");
  Value none = Value::object();
  ASSERT_TRUE(rewrite_record_layout(none, 12, 13, "bits"));
  EXPECT_EQ(none.size(), 0U);
}

TEST(Records, RemovalTakesAllThatRefersToRecords) {
  Value metadata = Value::object({{"capture_record_count", 3},
                                  {"capture_record_shape", list({4})},
                                  {"capture_record_axis", 0},
                                  {"record_axis", 0},
                                  {"sample_axis", 0},
                                  {"capture_record_unit", "image"},
                                  {"other", 1}});
  remove_record_layout(metadata);
  EXPECT_EQ(metadata, Value::object({{"other", 1}}));
}

TEST(Pixels, TotalsComeFromTheFirstShapeThatSaysSomething) {
  const Value shapes = Value::object(
      {{"original_shapes", list({list({1, 4, 5, 3}), list({2, 3, 3, 1})})}, {"image_shape", list({9, 9, 9, 9})}});
  EXPECT_EQ(*total_pixels(shapes, "bits"), 20U + 18U);
  EXPECT_EQ(*total_pixels(Value::object({{"original_shape", list({2, 4, 5, 3})}}), "bits"), 40U);
  EXPECT_EQ(*total_pixels(Value::object({{"original_shape", list({8})}, {"shape", list({0, 4, 5, 3})}}), "bits"), 20U);
  EXPECT_EQ(*total_pixels(Value::object({{"shape", list({40})}}), "bits"), 0U);
  EXPECT_EQ(*total_pixels(Value::object({{"original_shapes", list({})}, {"shape", list({1, 2, 2, 3})}}), "bits"), 4U);
  EXPECT_EQ(*total_pixels(Value::object(), "bits"), 0U);
  expect_refused(total_pixels(Value::object({{"image_shape", list({1, -4, 5, 3})}}), "bits"), "-4");
  expect_refused(total_pixels(Value::object({{"image_shape", list({1, INT64_MAX, 5, 3})}}), "bits"), "63 bits");
}

TEST(Pixels, ItemsTakeTheirOwnShapeOrAnEqualShare) {
  Value metadata = Value::object({{"original_shapes", list({list({1, 4, 5, 3}), list({3, 3, 3})})}});
  EXPECT_EQ(**item_pixels(metadata, 2, "bits"), (ItemCounts{20, 9}));
  EXPECT_EQ(*item_pixels(metadata, 4, "bits"), std::nullopt);
  metadata.set("repeat_count", 2);
  EXPECT_EQ(**item_pixels(metadata, 4, "bits"), (ItemCounts{20, 9, 20, 9}));
  const Value stacked = Value::object({{"image_shape", list({3, 4, 5, 3})}});
  EXPECT_EQ(**item_pixels(stacked, 3, "bits"), (ItemCounts{20, 20, 20}));
  EXPECT_EQ(*item_pixels(stacked, 2, "bits"), std::nullopt);
  EXPECT_EQ(*item_pixels(Value::object(), 2, "bits"), std::nullopt);
}

TEST(Names, TheLinkTakesTheFirstFittingListAndElseCountsWithoutPadding) {
  const Value metadata = Value::object({{"source_item_ids", list({"a", " "})},
                                        {"image_ids", list({"x"})},
                                        {"sample_ids", list({"s", 7})},
                                        {"repeat_count", 2}});
  const ItemNames named = link_item_names(metadata, 2);
  EXPECT_EQ(named.names, (std::vector<std::string>{"s", "7"}));
  EXPECT_EQ(named.key, "sample_ids");
  const ItemNames counted = link_item_names(metadata, 3);
  EXPECT_EQ(counted.names, (std::vector<std::string>{"source_item_0", "source_item_1", "source_item_2"}));
  EXPECT_EQ(counted.key, "");
}

TEST(Names, CodecsRepeatTheListAndElseCountWithSixDigits) {
  const Value metadata = Value::object({{"image_ids", list({"a", "b"})}, {"repeat_count", 2}});
  EXPECT_EQ(codec_item_names(metadata, 4).names, (std::vector<std::string>{"a", "b", "a", "b"}));
  EXPECT_EQ(codec_item_names(metadata, 3).names,
            (std::vector<std::string>{"source_item_000000", "source_item_000001", "source_item_000002"}));
  EXPECT_EQ(codec_item_names(Value::object(), 1'000'001).names.back(), "source_item_1000000");
}

TEST(Pictures, ShapeFallsBackFromItemToBatch) {
  const Value metadata = Value::object(
      {{"original_shapes", list({list({1, 4, 5, 3})})}, {"original_shape", list({9})}, {"shape", list({2, 6, 7, 1})}});
  EXPECT_EQ(*picture_shape(metadata, 0), (std::array<std::uint64_t, 4>{1, 4, 5, 3}));
  EXPECT_EQ(*picture_shape(metadata, 1), (std::array<std::uint64_t, 4>{2, 6, 7, 1}));
  EXPECT_EQ(picture_shape(Value::object(), 0), std::nullopt);
}

}  // namespace
}  // namespace noema::ops
