// Rates per pixel are computed again from bits and pictures.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "evidence/fixture.h"
#include "evidence/verify_parts.h"

namespace noema::evidence {
namespace {

/// Documents of a run on two pictures of 8 x 4 and 2 x 2 pixels, stored padded.
struct Pictures {
  Scratch scratch;
  Bundle bundle = *Bundle::open(scratch.path().string());
  Documents documents{bundle, {}, {}, {}, {}, {}, {}, false, {}};

  Pictures() {
    const Value sizes(Value::Items{Value(Value::Items{1, 8, 4, 3}), Value(Value::Items{1, 2, 2, 3})});
    documents.recipe =
        Value::object({{"steps", Value::Items{Value::object({{"id", "data"}, {"op", "source.image_dataset"}})}}});
    documents.manifest = Value::object(
        {{"artifacts", Value::Items{Value::object({{"step_id", "data"},
                                                   {"kind", "image.batch.numpy"},
                                                   {"shape", Value::Items{2, 8, 4, 3}},
                                                   {"metadata", Value::object({{"original_shapes", sizes}})}})}}});
  }
  void step(const char* id, Value metrics) {
    Value steps = member(documents.summary, "steps").is_array() ? documents.summary.at("steps") : Value::array();
    steps.push(Value::object({{"id", id}, {"op", "x"}, {"metrics", std::move(metrics)}}));
    documents.summary.set("steps", steps);
  }
  std::string status(std::string_view id) {
    Findings findings;
    check_rates(documents, findings);
    const auto worst = std::ranges::find_if(
        findings.checks(), [&](const Check& check) { return check.id == id && check.status != "pass"; });
    if (worst != findings.checks().end()) return worst->status;
    return std::ranges::find(findings.checks(), id, &Check::id) == findings.checks().end() ? "absent" : "pass";
  }
};

TEST(VerifyRates, OriginalSizesCount) {
  Pictures run;
  run.step("encode", Value::object({{"channel.coded_bit_count", 72}, {"rate.coded_bpp", 2.0}}));
  EXPECT_EQ(run.status("accounting.coded_bpp"), "pass");
}

TEST(VerifyRates, AWrongRateIsAnError) {
  Pictures run;
  run.step("encode", Value::object({{"channel.coded_bit_count", 72}, {"rate.coded_bpp", 1.9}}));
  EXPECT_EQ(run.status("accounting.coded_bpp"), "error");
}

TEST(VerifyRates, EveryStepIsComparedWithItself) {
  Pictures run;
  run.step("one", Value::object({{"channel.payload_bit_count", 36}, {"rate.payload_bpp", 1.0}}));
  run.step("two", Value::object({{"channel.payload_bit_count", 360}, {"rate.payload_bpp", 10.0}}));
  EXPECT_EQ(run.status("accounting.serialized_payload_bpp"), "pass");
  run.step("three", Value::object({{"channel.payload_bit_count", 360}, {"rate.payload_bpp", 1.0}}));
  EXPECT_EQ(run.status("accounting.serialized_payload_bpp"), "error");
}

TEST(VerifyRates, ValuesMustBeNumbers) {
  Pictures run;
  run.step("encode", Value::object({{"channel.coded_bit_count", -72}, {"rate.coded_bpp", 2.0}}));
  EXPECT_EQ(run.status("accounting.metric_values"), "error");
}

TEST(VerifyRates, NoPixelCountMakesARateThatIsNoNumber) {
  for (const double pixels : {1e-300, 5e-324, 0.0, -3.0, 0.5}) {
    Pictures run;
    run.step("encode", Value::object({{"channel.coded_bit_count", 1e300}, {"rate.coded_bpp", 2.0}}));
    run.step("source", Value::object({{"source_pixels", pixels}}));
    EXPECT_EQ(run.status("accounting.coded_bpp"), "warning") << pixels;
  }
}

TEST(VerifyRates, TheOldNames) {
  Pictures run;
  run.step("encode", Value::object({{"channel.transmitted_bit_count", 36}, {"quality.rate_bpp", 1.0}}));
  EXPECT_EQ(run.status("accounting.rate_bpp"), "pass");
  Pictures wrong;
  wrong.step("encode", Value::object({{"channel.transmitted_bit_count", 36}, {"x.bpp", 2.0}}));
  EXPECT_EQ(wrong.status("accounting.rate_bpp"), "error");
}

TEST(VerifyRates, TooLittleIsAWarningAndBitsAreNoPictures) {
  Pictures run;
  run.step("encode", Value::object({{"quality.psnr_db", 30.0}}));
  EXPECT_EQ(run.status("accounting.rate_bpp"), "warning");
  run.documents.recipe =
      Value::object({{"steps", Value::Items{Value::object({{"id", "data"}, {"op", "source.random_bits"}})}}});
  EXPECT_EQ(run.status("accounting.rate_bpp"), "pass");
}

}  // namespace
}  // namespace noema::evidence
