// The generator against NumPy 1.24's RandomState: digests of its raw little-endian arrays, and first values; and
// against itself in parts, on every instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/mt19937.h"

#include <numeric>

#include "core/digest.h"
#include "kernels/kernel_test.h"

namespace noema::kernels {
namespace {

template <class T>
std::string digest(const std::vector<T>& values) {
  return sha256_hex(std::as_bytes(std::span(values)));
}

struct Stream {
  std::uint64_t seed;
  std::vector<std::uint32_t> first;
  std::string_view u32;      // of 100,000 outputs
  std::string_view normals;  // of randn(1,000,000).astype('<f4'); empty where not taken
};

const std::vector<Stream> streams{
    {0,
     {2357136044u, 2546248239u, 3071714933u, 3626093760u, 2588848963u},
     "4f17016b9e263af3c1a15c90391d2531d00610c8e846c56aa1e66368097cda94",
     "cccbfb3734c920bdf62b5b04f68b6295de53affeab56bf325ef2856df520c3ed"},
    {17, {}, {}, "da195c5f90f326f5b6b20515cbd038aa614f988a564051e94041e2e9549a9790"},
    {23,
     {2221777491u, 2873750246u, 4067173416u, 794519497u, 3287624630u},
     "183a9be14cbd0a80f9192e74ce1b6a1711afda2eac5f203055db8802a9e15c57",
     "c56c8864e7f8f5ab389cc61c8c8d1b20359fc0f65f4ccff4ae6f9c78e33e2967"},
    {5489,
     {3499211612u, 581869302u, 3890346734u, 3586334585u, 545404204u},
     "0bad85a6b520c8144a5a7f9d43f3df2cdb7c58e428ebb3c5b7278f625761567a",
     {}},
    {4294967295u,
     {419326371u, 479346978u, 3918654476u, 2416749639u, 3388880820u},
     "0bf158a754b58d11bee3d8788a83cad01845681944d29acaa8cd460c0281c4ab",
     "92bc96f0ddb7407b014e8ca628cac54bda50e65a685cc8b185ffa582588cbbda"},
};

TEST(Mt19937, GivesNumPysOutputs) {
  for_each_target([] {
    for (const Stream& stream : streams) {
      if (stream.first.empty()) continue;
      Mt19937 random(stream.seed);
      for (const std::uint32_t expected : stream.first) EXPECT_EQ(random.u32(), expected) << stream.seed;
      std::vector<std::uint32_t> outputs(100'000);
      Mt19937(stream.seed).fill_u32(outputs);
      EXPECT_EQ(digest(outputs), stream.u32) << stream.seed;
    }
  });
}

TEST(Mt19937, ReducesSeedsModulo2To32) {
  EXPECT_TRUE(Mt19937((std::uint64_t{5} << 32) + 23) == Mt19937(23));
  EXPECT_FALSE(Mt19937(22) == Mt19937(23));
}

TEST(Mt19937, GivesNumPysNormalsInFloat32) {
  for_each_target([] {
    for (const Stream& stream : streams) {
      if (stream.normals.empty()) continue;
      std::vector<float> normals(1'000'000);
      Mt19937(stream.seed).fill_normals(normals);
      EXPECT_EQ(digest(normals), stream.normals) << stream.seed;
    }
    std::vector<float> odd(1'000'003);
    Mt19937(123456789).fill_normals(odd);
    EXPECT_EQ(digest(odd), "57c60c99edee9a0c2431c38fccef88be29739677879b24eb2151e7a17a0616af");
  });
}

TEST(Mt19937, GivesTheNormalsOfSeed23) {
  Mt19937 random(23);
  for (const double expected :
       {0x1.557f7561b8b47p-1, 0x1.a6ebe8bf45eccp-6, -0x1.8e2421b8c981dp-1, 0x1.e5b35516fd916p-1}) {
    EXPECT_EQ(random.normal(), expected);
  }
}

TEST(Mt19937, ScalesNormalsInDoubleBeforeRounding) {
  std::vector<float> scaled(100'000);
  for_each_target([&] {
    Mt19937(17).fill_normals(scaled, 0x1.6a09e667f3bccp-1);
    EXPECT_EQ(digest(scaled), "9b1283f4cd179e6835fec6ae99bdc1872f58ede153576e7e822ba23faf83ba40");
  });
}

TEST(Mt19937, GivesTheSameNormalsOneByOneAndInParts) {
  constexpr std::size_t size = 20'000;
  std::vector<double> expected(size);
  Mt19937 one_by_one(99);
  for (double& value : expected) value = one_by_one.normal();
  for_each_target([&] {
    for (const std::size_t part : {1u, 2u, 3u, 7u, 64u, 155u, 156u, 157u, 312u, 999u, 20'000u}) {
      Mt19937 random(99);
      std::vector<double> doubles(size);
      for (std::size_t at = 0; at < size; at += part) {
        random.fill_normals(std::span(doubles).subspan(at, std::min(part, size - at)));
      }
      ASSERT_EQ(doubles, expected) << part;
      ASSERT_TRUE(random == one_by_one) << part;
      Mt19937 for_floats(99);
      std::vector<float> floats(size, -7.0f);
      for (std::size_t at = 0; at < size; at += part) {
        for_floats.fill_normals(std::span(floats).subspan(at, std::min(part, size - at)));
      }
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(floats[i], static_cast<float>(expected[i])) << part << ' ' << i;
      ASSERT_TRUE(for_floats == one_by_one) << part;
    }
  });
}

TEST(Mt19937, DrawsNormalsFromAnyPositionOfABlock) {
  for_each_target([] {
    for (std::size_t before = 0; before < 640; before += before < 12 ? 1 : 37) {
      Mt19937 random(3);
      random.skip_u32(before);
      Mt19937 same = random;
      std::vector<float> floats(1001);
      random.fill_normals(floats);
      for (const float value : floats) ASSERT_EQ(value, static_cast<float>(same.normal())) << before;
      ASSERT_TRUE(random == same);
    }
  });
}

TEST(Mt19937, SkipsExactlyAsManyNormals) {
  for_each_target([] {
    for (const std::size_t drawn : {0u, 1u, 2u, 5u}) {
      for (const std::size_t count : {0u, 1u, 2u, 3u, 4u, 5u, 100u, 101u, 1247u, 5000u, 20'001u}) {
        Mt19937 random(7);
        for (std::size_t i = 0; i < drawn; ++i) random.normal();
        Mt19937 skipped = random;
        skipped.skip_normals(count);
        for (std::size_t i = 0; i < count; ++i) random.normal();
        ASSERT_TRUE(random == skipped) << drawn << ' ' << count;
        ASSERT_EQ(random.normal(), skipped.normal()) << drawn << ' ' << count;
      }
    }
  });
}

TEST(Mt19937, DrawsRealAndImaginaryPartsSideBySide) {
  constexpr std::size_t size = 1'000'001;
  std::vector<float> real(size);
  std::vector<float> imaginary(size);
  ComplexNormals noise(Mt19937(17), size);
  for (std::size_t at = 0, part = 1; at < size; at += part, part = part * 3 % 40'009) {
    const std::size_t now = std::min(part, size - at);
    noise.fill(std::span(real).subspan(at, now), std::span(imaginary).subspan(at, now));
  }
  EXPECT_EQ(digest(real), "a2d0606182aa62278acfbe535014a9f51b17c081a313eff9e1bb4237d3a9e968");
  EXPECT_EQ(digest(imaginary), "ba92c159e8f9a0ab3cffb824c097f134a7229f26ae0edafe0f7389f6533f3e74");
  Mt19937 after = noise.finished();
  EXPECT_EQ(static_cast<float>(after.normal()), static_cast<float>(0x1.78f3b1fbb6dafp-4));
  EXPECT_EQ(static_cast<float>(after.normal()), static_cast<float>(-0x1.abd2fc8e862dap-2));
}

TEST(Mt19937, GivesNumPysBits) {
  for_each_target([] {
    std::vector<Bit> bits(1'000'000);
    Mt19937(0).random_bits(bits);
    EXPECT_EQ(digest(bits), "6a872076b2499c829b268fc322540b18e0a7d25f0bee630b1268268e341e448d");
    std::vector<Bit> parts(bits.size(), 9);
    Mt19937 random(0);
    for (std::size_t at = 0, part = 1; at < parts.size(); at += part, part = part * 5 % 7919) {
      random.random_bits(std::span(parts).subspan(at, std::min(part, parts.size() - at)));
    }
    EXPECT_TRUE(parts == bits);
  });
  std::vector<Bit> bits(64);
  Mt19937(19).random_bits(bits);
  std::string text;
  for (const Bit bit : bits) text += static_cast<char>('0' + bit);
  EXPECT_EQ(text, "1010010010000110000111011111011101101111001101000010111011111111");
}

TEST(Mt19937, GivesNumPysUniforms) {
  std::vector<double> uniforms(100'000);
  Mt19937(23).fill_uniform01(uniforms);
  EXPECT_EQ(digest(uniforms), "f0ed8837ccd8e49e37be65745efd357b1d9e3a27276df005d47284d88a388c97");
  Mt19937 random(17);
  for (const double expected : {-0x1.0d22fdf6b2917p-6, 0x1.40b9b26708c00p-9, -0x1.945472a19181fp-6}) {
    EXPECT_EQ(random.uniform(-0.04, 0.04), expected);
  }
}

TEST(Mt19937, FillsUniformsAsOneByOne) {
  for (const std::size_t before : {0u, 1u, 2u, 621u, 623u}) {
    Mt19937 random(4);
    random.skip_u32(before);
    Mt19937 same = random;
    std::vector<double> values(1000);
    random.fill_uniform01(std::span(values).first(3));
    random.fill_uniform01(std::span(values).subspan(3));
    for (const double value : values) ASSERT_EQ(value, same.uniform01());
    ASSERT_TRUE(random == same);
  }
}

struct Range {
  std::int64_t low, high;
  std::string_view digest;  // of randint(low, high, 1000) with seed 7
};

TEST(Mt19937, GivesNumPysIntegers) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t two_62 = std::int64_t{1} << 62;
  for (const Range& range : {
           Range{0, 1, "668946bab9868b28489bb906205ee1026045c8bcd3ca62a1bdf733c65491351b"},
           Range{0, 2, "fa35c2e9bbad9aad3c4764ae0761e7d7259ce9f2658fe88a9296d1c35d8578c1"},
           Range{0, 3, "960e09a174b135daf85a439fbf55ef4486decc23e5d2b15fcc63e0347d726433"},
           Range{-5, 6, "496abd792b6509219ad4a6dbfc06a9eaaefb7f190eefff6d2d9285fffa4f5e98"},
           Range{0, 1000, "98a40604ce343b187dd4662290ddef63048b89bb062c3d97c6903c9be5cb4c73"},
           Range{0, 2147483648, "4d11e2daef9499b2965fe5e2eafc03a71afc8369342a1be5a478c55b5f0c769b"},
           Range{0, 4294967296, "85a190e97e7ba0e8ac7fc52307b9bff64d317fa81af53bd48c11d29ead54b824"},
           Range{0, 4294967297, "8a74ac1d0003722f23ad5a3464e01bb1d6b32d081b312480cb7ecd8f294965c1"},
           Range{-two_62, two_62 + 12345, "4aa79a23eccbfe3eeeda667530a79dc54e56a093f3a7c317c62e7c5d50899c5b"},
           Range{least, most, "93b2e7997c4b281a564c5804ba5b9cbb084e51b8e620b6a247440eca43933e70"},
       }) {
    std::vector<std::int64_t> values(1000);
    Mt19937(7).fill_integers(range.low, range.high, values);
    EXPECT_EQ(digest(values), range.digest) << range.low << ".." << range.high;
  }
}

TEST(Mt19937, GivesNumPysPermutationsAndChoices) {
  std::vector<std::int64_t> ten(10);
  Mt19937(5).permutation(ten);
  EXPECT_EQ(ten, (std::vector<std::int64_t>{9, 5, 2, 4, 7, 1, 0, 8, 6, 3}));
  std::vector<std::int64_t> many(100'003);
  Mt19937(5).permutation(many);
  EXPECT_EQ(digest(many), "5cc26b02570f9bcd1399b082aee4c09523c90af7fdf57ee6f7fb785f3bec7f65");
  std::vector<std::int64_t> chosen(10'000);
  Mt19937(11).choice<std::int64_t>(std::vector<std::int64_t>{-1, 0, 1}, chosen);
  EXPECT_EQ(digest(chosen), "24e0e670a2db8395203a99ef79f6013a01b34b68fe6045ef78e80b586fb53aba");
}

TEST(Mt19937, KeepsTheWaitingNormalWhileOthersDraw) {
  Mt19937 random(9);
  for (const double expected : {0x1.2299d8f068496p-10, -0x1.287e3d90b8b12p-2, -0x1.1db6856fd44bfp+0}) {
    EXPECT_EQ(random.normal(), expected);
  }
  for (const int expected : {1, 6, 4}) EXPECT_EQ(random.integer(0, 10), expected);
  for (const double expected : {0x1.ac8d68919a7a8p-2, 0x1.fc1c77237c28cp-3}) EXPECT_EQ(random.uniform01(), expected);
  for (const double expected : {-0x1.a6246573e7bf7p-7, -0x1.ece9f06b9c584p-3}) EXPECT_EQ(random.normal(), expected);
}

struct GammaCase {
  double shape, scale;
  std::string_view digest;  // of gamma(shape, scale, 1000).astype('<f4') with seed 13
};

TEST(Mt19937, GivesNumPysGammaInFloat32) {
  for (const GammaCase& sample : {
           GammaCase{0.0, 1.0, "fc19b1997119425765295aeab72d76faa6927d4f83985d328c26f20468d6cc76"},
           GammaCase{0.3, 2.0, "3d048853d92b6caa70fc6d1c96971d70defd04bdd8ab47492b7622504b0eace7"},
           GammaCase{1.0, 0.5, "c804aed9d2da6713246f217b29eda9cb24b2b9f74ea07cddcbf68484fdd0341d"},
           GammaCase{1.5, 1.0, "f74ece153d507973c5b3d06a89000c212c464d218fd8b93bcd511dc6772a6499"},
           GammaCase{2.7, 3.0, "c628868c6288f32d8534c7e29175a9a44c70dadd1432e902cb86c21e7def076c"},
           GammaCase{50.0, 1.0, "92e6f0ee44df3c9274f8c7b1134ef5af13ec3b67f5704131d5372843b79d3fb7"},
       }) {
    Mt19937 random(13);
    std::vector<float> values(1000);
    for (float& value : values) value = static_cast<float>(random.gamma(sample.shape, sample.scale));
    EXPECT_EQ(digest(values), sample.digest) << sample.shape;
  }
}

TEST(Mt19937, GivesNumPysExponentialAndLognormalInFloat32) {
  std::vector<float> values(10'000);
  Mt19937 first(13);
  for (float& value : values) value = static_cast<float>(first.exponential());
  EXPECT_EQ(digest(values), "1bcf6795a235c637349e3db40d6fb22146834beb362783a96abb825efb541886");
  Mt19937 second(13);
  for (float& value : values) value = static_cast<float>(second.lognormal(0.5, 2.0));
  EXPECT_EQ(digest(values), "b05e3eaaa1ea607ea31ef84ead8a1574485fe59fd93fc00b3e64e532674c5917");
}

}  // namespace
}  // namespace noema::kernels
