// The boundary contracts: what each accepts, what it returns, and how it refuses.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/boundary.h"

#include <limits>

#include "core/json.h"
#include "kernels/kernel_test.h"

namespace noema::kernels {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
std::string refusal(const Result<T>& result) {
  return result ? "accepted" : result.error().message;
}

TEST(Boundary, HasTenContracts) { EXPECT_EQ(boundary_contracts().size(), 10u); }

TEST(BitBoundary, ReturnsTheMetadata) {
  const auto checked = check_bits("payload.bits", Array::of<std::uint8_t>({1, 0, 1, 1, 0, 0, 1, 0, 1}), "cpp_native");
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(canonical_json(checked->metadata),
            R"({"bit_count":9,"bits_per_element":1,"boundary_contract":"payload.bits","byte_count":2,)"
            R"("data_plane_backend":"cpp_native","dtype":"uint8","shape":[9],"storage":"unpacked_uint8"})");
  EXPECT_TRUE(check_bits("channel.bits", Array::of<std::uint8_t>({}), "cpp_native"));
}

TEST(BitBoundary, NamesTheFirstFiveOffenders) {
  std::vector<std::uint8_t> bits(1000, 1);
  EXPECT_EQ(refusal(check_bits("channel.bits", Array::of<std::uint8_t>(bits), "cpp_native")), "accepted");
  bits[17] = 2;
  EXPECT_EQ(refusal(check_bits("channel.bits", Array::of<std::uint8_t>(bits), "cpp_native")),
            "channel.bits: values other than 0 and 1, by position: 2 at 17");
  for (const std::size_t at : {18u, 400u, 401u, 900u, 901u, 999u}) bits[at] = 255;
  const auto checked = check_bits("channel.bits", Array::of<std::uint8_t>(bits), "cpp_native");
  EXPECT_EQ(refusal(checked),
            "channel.bits: values other than 0 and 1, by position: 2 at 17, 255 at 18, 255 at 400, "
            "255 at 401, 255 at 900 and 2 more");
  EXPECT_EQ(checked.error().code, code::input_invalid);
  EXPECT_EQ(refusal(check_bit_values("payload.bits", std::vector<std::uint8_t>{0, 3}, 5000)),
            "payload.bits: values other than 0 and 1, by position: 3 at 5001");
}

TEST(BitBoundary, RefusesOtherTypesAndShapesTogether) {
  EXPECT_EQ(refusal(check_bits("payload.bits", Array::of<std::int64_t>({1, 0}), "cpp_native")),
            "payload.bits: the elements are int64; allowed are uint8 alone");
  EXPECT_EQ(refusal(check_bits("payload.bits", Array::of<bool>(std::span<const bool>(), {0}), "cpp_native")),
            "payload.bits: the elements are bool; allowed are uint8 alone");
  const auto checked = check_bits("payload.bits", Array::make(DType::f32, {2, 3}), "cpp_native");
  EXPECT_EQ(refusal(checked), "payload.bits: the elements are float32; allowed are uint8 alone");
  ASSERT_EQ(checked.error().also.size(), 1u);
  EXPECT_EQ(checked.error().also[0].message, "payload.bits: the shape is [2, 3]; bits have one axis");
}

TEST(SymbolBoundary, FlattensComplexSamples) {
  Array wide = Array::make(DType::c128, {2, 2});
  for (auto& value : wide.edit<std::complex<double>>()) value = {0.1, -2.0};
  const auto checked = check_symbols("rx.symbols", wide, "complex");
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->array.shape(), (Shape{4}));
  EXPECT_EQ(checked->array.span<Complex>()[3], Complex(0.1f, -2.0f));
  EXPECT_EQ(canonical_json(checked->metadata),
            R"({"boundary_contract":"rx.symbols","channel_use_count":4,"dtype":"complex64",)"
            R"("representation":"complex_baseband","shape":[4],"storage":"interleaved_complex64","symbol_count":4})");
  EXPECT_TRUE(check_symbols("channel.symbols", Array::make(DType::c64, {0}), "auto"));
}

TEST(SymbolBoundary, KeepsTheShapeOfRealOnes) {
  Array reals = Array::make(DType::f64, {3, 2});
  for (double& value : reals.edit<double>()) value = 0.5;
  for (const std::string_view representation : {"real", "auto"}) {
    const auto checked = check_symbols("channel.symbols", reals, representation);
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->array.dtype(), DType::f32);
    EXPECT_EQ(checked->array.shape(), (Shape{3, 2}));
    EXPECT_EQ(canonical_json(checked->metadata),
              R"({"boundary_contract":"channel.symbols","channel_use_count":3,"dtype":"float32",)"
              R"("representation":"real_valued","shape":[3,2],"storage":"real_float32","symbol_count":3})");
  }
}

TEST(SymbolBoundary, Refuses) {
  EXPECT_EQ(refusal(check_symbols("channel.symbols", Array::make(DType::f32, {3}), "complex")),
            "channel.symbols: the elements are float32; allowed are complex64 and complex128 in the complex "
            "representation");
  EXPECT_EQ(refusal(check_symbols("channel.symbols", Array::make(DType::c64, {3}), "real")),
            "channel.symbols: the elements are complex64; allowed are float32 and float64 in the real representation");
  EXPECT_EQ(refusal(check_symbols("channel.symbols", Array::make(DType::u8, {3}), "auto")),
            "channel.symbols: the elements are uint8; allowed are complex64, complex128, float32 and float64");
  EXPECT_EQ(refusal(check_symbols("channel.symbols", Array::make(DType::c64, {3}), "polar")),
            "channel.symbols: no representation 'polar'; there are complex, real and auto");
  const auto inf = static_cast<float>(infinity);
  EXPECT_EQ(refusal(check_symbols("channel.symbols", Array::of<Complex>({{1, 2}, {0.5f, -inf}}), "complex")),
            "channel.symbols: values that are not finite, by position: 0.5-infj at 1");
  // A double that float32 can't hold becomes infinite, and is refused as such.
  EXPECT_EQ(refusal(check_symbols("channel.symbols", Array::of<double>({1.0, 1e300}), "real")),
            "channel.symbols: values that are not finite, by position: inf at 1");
}

TEST(LlrBoundary, NeedsASign) {
  const Array llr = Array::of<double>({1.5, -2.0});
  const auto checked = check_llr(llr, "positive_favours_bit_0");
  ASSERT_TRUE(checked);
  EXPECT_EQ(canonical_json(checked->metadata),
            R"({"boundary_contract":"llr","dtype":"float32","llr_count":2,"shape":[2],)"
            R"("sign_convention":"positive_favours_bit_0"})");
  EXPECT_EQ(checked->array.span<float>()[1], -2.0f);
  EXPECT_TRUE(check_llr(llr, "positive_favours_bit_1"));
  EXPECT_EQ(check_llr(llr, "").error().code, code::input_metadata);
  EXPECT_EQ(refusal(check_llr(Array::of<std::uint8_t>({1}), "positive_favours_bit_0")),
            "llr: the elements are uint8; allowed are float32 and float64");
  EXPECT_EQ(refusal(check_llr(Array::make(DType::f32, {2, 2}), "positive_favours_bit_0")),
            "llr: the shape is [2, 2]; soft values have one axis");
  EXPECT_EQ(refusal(check_llr(Array::of<double>({1.0, -infinity}), "positive_favours_bit_0")),
            "llr: values that are not finite, by position: -inf at 1");
}

TEST(ImageBoundary, ChecksShapeTypeAndRange) {
  const auto checked = check_image(Array::make(DType::u8, {2, 5, 7, 3}));
  ASSERT_TRUE(checked);
  EXPECT_EQ(canonical_json(checked->metadata),
            R"({"boundary_contract":"image.tensor","channels":3,"dtype":"uint8","height":5,"image_count":2,)"
            R"("shape":[2,5,7,3],"width":7})");
  for (const std::uint64_t channels : {1u, 3u, 4u})
    EXPECT_TRUE(check_image(Array::make(DType::u8, {1, 1, 1, channels})));
  EXPECT_EQ(refusal(check_image(Array::make(DType::u8, {1, 1, 1, 2}))),
            "image.tensor: the shape is [1, 1, 1, 2]; the last axis has 1, 3 or 4 channels");
  EXPECT_EQ(refusal(check_image(Array::make(DType::u8, {0, 1, 1, 3}))),
            "image.tensor: the shape is [0, 1, 1, 3]; count, height and width are at least 1");
  EXPECT_EQ(refusal(check_image(Array::make(DType::u8, {5, 7, 3}))),
            "image.tensor: the shape is [5, 7, 3]; pictures have four axes: count, height, width, channels");
  EXPECT_EQ(refusal(check_image(Array::make(DType::f64, {1, 1, 1, 1}))),
            "image.tensor: the elements are float64; allowed are uint8, and float32 within 0..1");
  EXPECT_TRUE(check_image(Array::of<float>(std::vector<float>{0.0f, 1.0f}, {1, 1, 2, 1})));
  EXPECT_EQ(refusal(check_image(Array::of<float>(std::vector<float>{0.5f, 1.5f, -0.25f}, {1, 1, 3, 1}))),
            "image.tensor: values outside 0..1, by position in row-major order: 1.5 at 1, -0.25 at 2");
  EXPECT_FALSE(
      check_image(Array::of<float>(std::vector<float>{std::numeric_limits<float>::quiet_NaN()}, {1, 1, 1, 1})));
}

TEST(TextBoundary, IsUtf8) {
  const auto metadata = check_text("caf\xC3\xA9");
  ASSERT_TRUE(metadata);
  EXPECT_EQ(canonical_json(*metadata), R"({"boundary_contract":"text.utf8_bytes","byte_count":5,"encoding":"utf-8"})");
  EXPECT_TRUE(check_text(""));
  EXPECT_EQ(refusal(check_text("caf\xE9 noir")), "text.utf8_bytes: no UTF-8 at byte 3: 0xe9");
  EXPECT_EQ(refusal(check_text("caf\xC3")), "text.utf8_bytes: no UTF-8 at byte 3: 0xc3");
  EXPECT_TRUE(check_text(Array::of<std::uint8_t>({'a', 'b'})));
  EXPECT_EQ(refusal(check_text(Array::of<std::uint8_t>({'a', 0xFF}))), "text.utf8_bytes: no UTF-8 at byte 1: 0xff");
  EXPECT_FALSE(check_text(Array::make(DType::i8, {2})));
  EXPECT_FALSE(check_text(Array::make(DType::u8, {2, 2})));
}

TEST(EmbeddingBoundary, IsAMatrixOfFiniteNumbers) {
  const auto checked = check_embedding(Array::of<double>(std::vector<double>{1, 2, 3, 4, 5, 6}, {2, 3}));
  ASSERT_TRUE(checked);
  EXPECT_EQ(canonical_json(checked->metadata),
            R"({"boundary_contract":"semantic.embedding","dtype":"float32","embedding_count":2,"embedding_dim":3,)"
            R"("shape":[2,3]})");
  EXPECT_FALSE(check_embedding(Array::make(DType::f32, {0, 3})));
  EXPECT_FALSE(check_embedding(Array::make(DType::f32, {6})));
  EXPECT_FALSE(check_embedding(Array::make(DType::i64, {2, 3})));
  EXPECT_FALSE(check_embedding(Array::of<double>(std::vector<double>{1, infinity}, {1, 2})));
}

TEST(MetricBoundary, IsAFiniteNumber) {
  EXPECT_EQ(*check_metric("ber", Value(0.25)), 0.25);
  EXPECT_EQ(*check_metric("n", Value(3)), 3.0);
  EXPECT_EQ(*check_metric("n", Value(" +1.5e3 ")), 1500.0);
  EXPECT_EQ(*check_metric("n", Value(-1.0)), -1.0);
  EXPECT_EQ(refusal(check_metric("ber", Value(true))), "metric.scalar: 'ber' is a boolean; a number is needed");
  EXPECT_EQ(refusal(check_metric("ber", Value("1.5x"))), "metric.scalar: 'ber' is the text '1.5x'; a number is needed");
  EXPECT_EQ(refusal(check_metric("ber", Value())), "metric.scalar: 'ber' is null; a number is needed");
  EXPECT_EQ(refusal(check_metric("ber", Value(infinity))), "metric.scalar: 'ber' is inf; a metric is finite");
  EXPECT_EQ(refusal(check_metric("ber", Value(-0.5), Sign::not_negative)),
            "metric.scalar: 'ber' is -0.5; it can't be negative");
}

TEST(FileBoundary, ComparesKindAndDigest) {
  FileFacts facts;
  facts.path = "artifacts/encode/bits.npz";
  EXPECT_EQ(check_file(facts).error().code, code::io_read);
  facts.regular = true;
  facts.kind = "channel.bits.numpy";
  facts.sha256 = std::string(64, 'a');
  facts.metadata = Value::object({{"z", 1}, {"a", 2}});
  const auto checked = check_file(facts);
  ASSERT_TRUE(checked);
  EXPECT_EQ(canonical_json(checked->at("metadata_keys")), R"(["a","z"])");
  facts.expected_kind = "channel.symbols.numpy";
  facts.recorded_sha256 = std::string(64, 'b');
  const auto refused = check_file(facts);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "artifact.file: 'artifacts/encode/bits.npz' has the kind 'channel.bits.numpy'; "
            "'channel.symbols.numpy' was expected");
  EXPECT_EQ(refused.error().also.size(), 1u);
}

TEST(NpzBoundary, NamesMissingArrays) {
  const std::vector<NamedArray> arrays{{"bits", Array::of<std::uint8_t>({1, 0})}};
  const std::string_view bits[] = {"bits"};
  const auto described = check_npz("x/bits.npz", arrays, bits);
  ASSERT_TRUE(described);
  EXPECT_EQ(canonical_json(*described), R"({"bits":{"dtype":"uint8","shape":[2]}})");
  const std::string_view more[] = {"bits", "llr"};
  EXPECT_EQ(refusal(check_npz("x/bits.npz", arrays, more)), "the array 'llr' is missing; there is bits");
  const auto refused = check_npz("x/bits.json", {}, more);
  EXPECT_EQ(refusal(refused), "'x/bits.json' does not end in .npz");
  EXPECT_EQ(refused.error().also.size(), 2u);
}

TEST(Accounting, ChecksAmountsAndRates) {
  EXPECT_TRUE(check_amount("payload", 12, "bits", Quantity::whole));
  EXPECT_TRUE(check_amount("airtime", 0.25, "seconds", Quantity::continuous));
  EXPECT_FALSE(check_amount("payload", 12.5, "bits", Quantity::whole));
  EXPECT_FALSE(check_amount("payload", -1, "bits", Quantity::whole));
  EXPECT_FALSE(check_amount("payload", infinity, "bits", Quantity::continuous));
  EXPECT_EQ(
      refusal(check_amount("payload", 1, "octets", Quantity::whole)),
      "'payload' has the unit 'octets'; allowed are bits, bytes, symbols, channel_uses, pixels, samples and seconds");
  EXPECT_EQ(*bits_per_pixel(12, 8), 1.5);
  EXPECT_EQ(*bits_per_pixel(12, 8, 1.5 + 9e-10), 1.5);
  EXPECT_FALSE(bits_per_pixel(12, 8, 1.5 + 2e-9));
  EXPECT_FALSE(bits_per_pixel(12, 0));
}

}  // namespace
}  // namespace noema::kernels
