// The Kodak table (kodak.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/kodak.h"

#include <algorithm>

namespace noema::media {

// clang-format off
const std::array<KodakFile, 24> kodak_files{{
    {"kodim01", 736501, "a56e27cbf5f843c048b6af1d6e090760e9c92fadba88b7dee0205918a37523bd"},
    {"kodim02", 617995, "4f4b74a79237e311d72cad958237b5f7088d8bce1c82305ebefe1a70e3022dfd"},
    {"kodim03", 502888, "e25ca1ff2f0c0cb5fdfd5f9b0a0bb21ac4c3de3c84a67f35b09a85d3306249db"},
    {"kodim04", 637432, "e3b946107c5d3441c022f678d0c3caf1e224d81b1604ba840a4f88e562de61aa"},
    {"kodim05", 785610, "10349e963c5c813d327852f82c1795fa4148d69fedffc4c589bee458e3ac3d53"},
    {"kodim06", 618959, "363510303b715d4cbc384e1ce227e466b613a09e1b71ae985882bf8e7fbd9b18"},
    {"kodim07", 566322, "b77d3f006f42414bb242222e0482e750c0fb9e5ee8d4bed2f6f11c5605fe54a4"},
    {"kodim08", 788470, "ba23983c76b4832ee0e8af0592664756841a16779acd69f792e268fb6d13d6e7"},
    {"kodim09", 582899, "6a4361c2fc194feb4edaa9f9a4a0620fb9943e460ac7fdf037fb0f6dd6607a7d"},
    {"kodim10", 593463, "9dfb70f5867c29ff9ed6313683f19b3d867849e40fbc0c4c54a4a89df341cf23"},
    {"kodim11", 621023, "7936814b58b5387fce2e4e2488b4ec830dadd95fa9520f358ddb30990b50f2b6"},
    {"kodim12", 531024, "d78c37c2f04f23761ed2367dd77e2db584ddd4c3950833fecf89f199a8126980"},
    {"kodim13", 822712, "bc34a3ce58dea09dce1704c997171602de90cb34d0c8503a988b77f473d39b08"},
    {"kodim14", 692201, "55a94550ff18f3246c4074fd32b77b0c74447c26b6ad274d564d999c0450ba6e"},
    {"kodim15", 612582, "7538cbb80cb9103606c48b806eae57d56c885c7f90b9b3be70a41160f9cbb683"},
    {"kodim16", 534247, "a89c7268ccd4718ba424a99fc4643c572cf692ca6eae887185ceb4e9f11d2e54"},
    {"kodim17", 602078, "37afcc89fbdcb76d9518e04b2fc011027e2f4cd14b3b2f83cefd721641a47c5b"},
    {"kodim18", 780947, "1a9258c365988961d87a0598725b609139c303ad48a5aad6c503c3b1a87849aa"},
    {"kodim19", 671476, "b7450b264b1b0a411390d8931b112c27905a992520fc90569dc4b920aa32bbdc"},
    {"kodim20", 492462, "3b46c71e3b92a563820ba32936be8330c586c41f938efd94be938386aae4328a"},
    {"kodim21", 637051, "ac958597c82073f6bb65129c68f72b651db5b9efd82e11547d07350214bc268b"},
    {"kodim22", 701970, "1cee58eb1f2d9c7ebb254d208a03c783ce6cf2c4d8c2cf45e235dd23b4ce1b29"},
    {"kodim23", 557596, "e3111a2fd4da24af15d6459ef9eacfe54106b38e27b4a21821b75c3f5d2d5baf"},
    {"kodim24", 706397, "1071c68372cc5a01435c2c225a5cf7d4bb803846ec08bb6b3d6721b156d7cb96"},
}};
// clang-format on

std::string kodak_url(const KodakFile& file) { return "https://r0k.us/graphics/kodak/kodak/" + file.name(); }

const KodakFile* find_kodak(std::string_view id) {
  const auto found = std::ranges::find(kodak_files, id, &KodakFile::id);
  return found == kodak_files.end() ? nullptr : &*found;
}

Value kodak_manifest() {
  Value files = Value::array();
  for (const KodakFile& file : kodak_files) {
    files.push(Value::object({{"filename", file.name()}, {"sha256", file.sha256}, {"size_bytes", file.bytes}}));
  }
  return Value::object({{"id", "kodak"}, {"version", kodak_version}, {"files", std::move(files)}});
}

Value kodak_license() {
  return Value::object({{"name", "unknown"},
                        {"status", "unverified_third_party_statement"},
                        {"statement", "third parties say that Kodak released the pictures for unrestricted use"}});
}

}  // namespace noema::media
