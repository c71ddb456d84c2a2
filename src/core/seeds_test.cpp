// Derived seeds against the specification's vectors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "noema/recipe.h"

namespace noema {
namespace {

TEST(DeriveSeed, GivesThePublishedSeeds) {
  EXPECT_EQ(derive_seed("23", "demo", "wireless_channel", "default"), 879064707u);
  EXPECT_EQ(derive_seed("7", "demo", "wireless_channel", "wireless_channel"), 374772159u);
  EXPECT_EQ(derive_seed("23002", "wireless.channel.source_item", "img_0", "occurrence_0"), 2004791686u);
}

TEST(DeriveSeed, TellsThePartsApart) {
  EXPECT_NE(derive_seed("1", "a", "b", "c"), derive_seed("1", "a", "c", "b"));
  EXPECT_NE(derive_seed("1", "ab", "", "c"), derive_seed("1", "a", "b", "c"));
}

}  // namespace
}  // namespace noema
