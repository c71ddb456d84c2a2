// Base64 against RFC 4648, and every spelling that is refused.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/base64.h"

#include <gtest/gtest.h>

namespace noema::media {
namespace {

// RFC 4648, section 10.
TEST(Base64, MatchesThePublishedVectors) {
  const std::pair<std::string_view, std::string_view> vectors[] = {{"", ""},
                                                                   {"f", "Zg=="},
                                                                   {"fo", "Zm8="},
                                                                   {"foo", "Zm9v"},
                                                                   {"foob", "Zm9vYg=="},
                                                                   {"fooba", "Zm9vYmE="},
                                                                   {"foobar", "Zm9vYmFy"},
                                                                   {std::string_view("\0\xff", 2), "AP8="}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(base64_decode(text), std::string(bytes));
  }
}

TEST(Base64, RefusesEverySpellingButOne) {
  for (const std::string_view text :
       {"Zg=", "Zg", "Zg===", "Zh==", "Zm9=", "Z===", "====", "Zm 9v", "Zm9v\n", "Zg==Zg==", "Zm9_"}) {
    EXPECT_FALSE(base64_decode(text)) << text;
  }
}

}  // namespace
}  // namespace noema::media
