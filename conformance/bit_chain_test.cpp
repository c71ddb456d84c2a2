// Bit chains against a plain model written here: packets, repetition and block errors for random partitions, sizes,
// errors and chunk sizes. The model shares no code with the engine: CRCs bit by bit, lists instead of streams.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "conformance/trial.h"
#include "core/report.h"

namespace noema::conformance {
namespace {

using Bits = std::vector<Bit>;

Artifact bit_artifact(const char* kind, const Bits& bits, Value metadata = Value::object()) {
  return {kind, {{"bits", Array::of(bits)}}, std::nullopt, std::move(metadata)};
}

Bits bits_of(const Artifact& artifact) {
  const auto span = artifact.arrays.front().array.span<Bit>();
  return {span.begin(), span.end()};
}

std::uint32_t word(const Bits& bits, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 32; ++i) value = value << 1U | bits[at + i];
  return value;
}

void append_word(Bits& bits, std::uint64_t value) {
  for (int shift = 31; shift >= 0; --shift) bits.push_back(static_cast<Bit>(value >> shift & 1U));
}

/// CRC-32 of the bits `from` .. `to`, after their big-endian count, padded with zeros to whole bytes.
std::uint32_t model_crc(const Bits& bits, std::size_t from, std::size_t to) {
  Bits stream;
  append_word(stream, to - from);
  stream.insert(stream.end(), bits.begin() + static_cast<std::ptrdiff_t>(from),
                bits.begin() + static_cast<std::ptrdiff_t>(to));
  while (stream.size() % 8 != 0) stream.push_back(0);
  std::uint32_t remainder = 0xFFFFFFFFU;
  for (std::size_t byte = 0; byte < stream.size(); byte += 8) {
    for (std::size_t bit = 8; bit-- > 0;) {  // reflected: least significant bit first
      const bool feedback = ((remainder ^ stream[byte + bit]) & 1U) != 0;
      remainder = remainder >> 1U ^ (feedback ? 0xEDB88320U : 0U);
    }
  }
  return ~remainder;
}

struct Chain {
  std::vector<std::uint64_t> items;
  std::uint64_t area = 8;
  Bits payload;
};

Bits model_packets(const Chain& chain) {
  Bits framed;
  std::size_t start = 0;
  for (std::size_t item = 0; item < chain.items.size(); ++item) {
    for (std::uint64_t offset = 0; offset < chain.items[item]; offset += chain.area) {
      const std::uint64_t valid = std::min(chain.area, chain.items[item] - offset);
      const std::size_t first = framed.size();
      for (const std::uint64_t field :
           {std::uint64_t{item}, std::uint64_t{chain.items.size()}, offset, valid, chain.items[item]}) {
        append_word(framed, field);
      }
      append_word(framed, model_crc(framed, first, first + 160));
      for (std::uint64_t i = 0; i < chain.area; ++i)
        framed.push_back(i < valid ? chain.payload[start + offset + i] : 0);
      append_word(framed, model_crc(framed, first, framed.size()));
    }
    start += chain.items[item];
  }
  return framed;
}

struct Verdict {
  Bits payload;
  std::vector<std::uint64_t> failed;  // packets of each item
};

Verdict model_check(const Chain& chain, const Bits& sent, const Bits& received, bool best_effort) {
  Verdict verdict;
  std::size_t at = 0;
  for (const std::uint64_t length : chain.items) {
    Bits item;
    std::uint64_t failed = 0;
    for (std::uint64_t offset = 0; offset < length; offset += chain.area) {
      const std::uint64_t end = at + 192 + chain.area;
      const bool header = std::equal(sent.begin() + static_cast<std::ptrdiff_t>(at),
                                     sent.begin() + static_cast<std::ptrdiff_t>(at + 160),
                                     received.begin() + static_cast<std::ptrdiff_t>(at));
      const bool passed = header && word(received, at + 160) == model_crc(received, at, at + 160) &&
                          word(received, end) == model_crc(received, at, end);
      failed += passed ? 0 : 1;
      for (std::uint64_t i = 0; i < std::min(chain.area, length - offset); ++i) item.push_back(received[at + 192 + i]);
      at = end + 32;
    }
    if (failed > 0 && !best_effort) std::ranges::fill(item, Bit{0});
    verdict.payload.insert(verdict.payload.end(), item.begin(), item.end());
    verdict.failed.push_back(failed);
  }
  return verdict;
}

class BitChain : public testing::Test {
 protected:
  std::uint64_t draw(std::uint64_t low, std::uint64_t high) { return low + random_() % (high - low + 1); }

  Bits draw_bits(std::uint64_t count) {
    Bits bits(count);
    for (Bit& bit : bits) bit = static_cast<Bit>(random_() & 1U);
    return bits;
  }

  Outcome run(const char* id, Value params, std::map<std::string, Artifact> inputs) {
    const Contract* contract = builtin_catalog().find(id);
    Setting setting;
    setting.params = std::move(params);
    setting.inputs = std::move(inputs);
    const Row* row = row_for(*contract, with_defaults(*contract, setting.params), "cpp");
    constexpr std::uint64_t chunks[] = {1, 2, 7, 64, 1000, 0};
    auto outcome = run_operation(*contract, *row, setting, {.threads = 1, .chunk = chunks[draw(0, 5)]});
    EXPECT_TRUE(outcome) << error_text(outcome.error());
    return outcome ? *std::move(outcome) : Outcome{};
  }

  std::mt19937_64 random_{20};
};

TEST_F(BitChain, PacketsArriveOrAreJudgedAsTheModelSays) {
  for (int trial = 0; trial < 150; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    Chain chain;
    chain.area = draw(8, trial % 2 == 0 ? 40 : 300);
    for (std::uint64_t i = draw(1, 6); i > 0; --i) chain.items.push_back(draw(1, 200));
    std::uint64_t total = 0;
    for (const std::uint64_t bits : chain.items) total += bits;
    chain.payload = draw_bits(total);
    const Value items = Value::object({{"source_item_payload_bit_counts", chain.items}});
    const Outcome sent = run("channel.packetize_crc32", Value::object({{"packet_payload_bits", chain.area}}),
                             {{"bits", bit_artifact("channel.payload_bits.numpy", chain.payload, items)}});
    const Bits framed = bits_of(sent.outputs.at("bits"));
    ASSERT_EQ(framed, model_packets(chain));

    Bits received = framed;
    for (std::uint64_t errors = draw(0, 4); errors > 0; --errors) received[draw(0, received.size() - 1)] ^= 1U;
    const bool best_effort = draw(0, 1) == 1;
    const Outcome got =
        run("channel.crc32_check", Value::object({{"on_decode_failure", best_effort ? "report_outage" : "erasure"}}),
            {{"bits", bit_artifact("channel.demod_bits.numpy", received, sent.outputs.at("bits").metadata)}});
    const Verdict verdict = model_check(chain, framed, received, best_effort);
    EXPECT_EQ(bits_of(got.outputs.at("bits")), verdict.payload);
    EXPECT_EQ(got.outputs.at("bits").metadata.at("source_item_packet_fail_counts"), Value(verdict.failed));
    if (received == framed) {
      EXPECT_EQ(bits_of(got.outputs.at("bits")), chain.payload);
    }
  }
}

TEST_F(BitChain, RepetitionIsAMajorityVote) {
  for (int trial = 0; trial < 150; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const std::uint64_t factor = draw(1, 12);
    const Bits payload = draw_bits(draw(1, 300));
    const Outcome sent = run("channel.repetition_encoder", Value::object({{"factor", factor}}),
                             {{"bits", bit_artifact("channel.payload_bits.numpy", payload)}});
    Bits coded = bits_of(sent.outputs.at("coded_bits"));
    ASSERT_EQ(coded.size(), payload.size() * factor);
    for (std::size_t i = 0; i < coded.size(); ++i) ASSERT_EQ(coded[i], payload[i / factor]);
    for (Bit& bit : coded) bit = draw(0, 3) == 0 ? 1 - bit : bit;
    for (std::uint64_t tail = draw(0, 5); tail > 0; --tail) coded.push_back(1);  // modulation padding
    Bits expected;
    for (std::size_t i = 0; i < payload.size(); ++i) {
      std::uint64_t ones = 0;
      for (std::size_t j = 0; j < factor; ++j) ones += coded[i * factor + j];
      expected.push_back(2 * ones >= factor ? 1 : 0);
    }
    const Outcome got =
        run("channel.repetition_decoder", Value::object(),
            {{"coded_bits", bit_artifact("channel.demod_bits.numpy", coded, sent.outputs.at("coded_bits").metadata)}});
    EXPECT_EQ(bits_of(got.outputs.at("bits")), expected);
  }
}

TEST_F(BitChain, BlocksAreWrongWhenTheirSlicesDiffer) {
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const Bits reference = draw_bits(draw(1, 400));
    Bits candidate = reference;
    candidate.resize(draw(0, 2) == 0 ? draw(1, 400) : reference.size());
    for (std::uint64_t errors = draw(0, 5); errors > 0; --errors) candidate[draw(0, candidate.size() - 1)] ^= 1U;
    const std::uint64_t block = draw(1, 90);
    std::uint64_t wrong = 0;
    std::uint64_t blocks = 0;
    for (std::size_t at = 0; at < std::max(reference.size(), candidate.size()); at += block) {
      const auto slice = [&](const Bits& bits) {
        const auto begin = static_cast<std::ptrdiff_t>(std::min(at, bits.size()));
        const auto end = static_cast<std::ptrdiff_t>(std::min<std::size_t>(at + block, bits.size()));
        return Bits(bits.begin() + begin, bits.begin() + end);
      };
      ++blocks;
      wrong += slice(reference) != slice(candidate) ? 1 : 0;
    }
    const Outcome got = run("metrics.block_error_rate", Value::object({{"block_size", block}}),
                            {{"reference", bit_artifact("channel.bits.numpy", reference)},
                             {"candidate", bit_artifact("channel.demod_bits.numpy", candidate)}});
    EXPECT_EQ(got.metrics.at("channel.bler.block_error_count"), Value(wrong));
    EXPECT_EQ(got.metrics.at("channel.bler.block_count"), Value(blocks));
  }
}

/// Keeps what the steps report and nothing else.
class Listener final : public EngineHost {
 public:
  OutputSink* sink(std::size_t, const OutputPort&) override { return nullptr; }
  void step_started(std::size_t) override {}
  void step_progress(std::size_t, std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
  Result<void> step_finished(std::size_t step, const StepResult& result) override {
    metrics[step] = result.metrics;
    return {};
  }
  void step_failed(std::size_t, const StepResult&) override {}
  std::uint64_t seed(const StepTask& step, std::string_view, std::uint64_t) override {
    return static_cast<std::uint64_t>(step.params.at("seed").integer());
  }
  Result<FileContent> read_file(const std::string& path, std::uint64_t) override { return FileContent{path, {}, {}}; }
  std::string resolve(const std::string& path) override { return path; }
  std::map<std::size_t, Value> metrics;
};

TEST(BitChainEngine, AReaderMayWaitForAWholeItemWhileItsSourceGoesOn) {
  // The error rate reads the source directly and the check behind it, which gives nothing before an item of many chunks
  // is complete: the source must run far ahead of one of its readers.
  std::vector<StepTask> tasks;
  const auto add = [&](const char* id, Value params, std::vector<StepTask::Input> inputs) {
    const Contract* contract = builtin_catalog().find(id);
    tasks.push_back({"step_" + std::to_string(tasks.size()), id, "cpp", "default", contract,
                     native_kernels().find(id, "cpp", "default"), with_defaults(*contract, params), std::move(inputs)});
  };
  add("source.random_bits", Value::object({{"bit_count", 5000}, {"batch_size", 3}}), {});
  add("channel.packetize_crc32", Value::object({{"packet_payload_bits", 77}}), {{"bits", 0, "bits"}});
  add("channel.crc32_check", Value::object(), {{"bits", 1, "bits"}});
  add("metrics.bit_error_rate", Value::object(), {{"reference", 0, "bits"}, {"candidate", 2, "bits"}});
  Listener listener;
  Engine engine(std::move(tasks), listener, {.threads = 1, .chunk = 64, .cancel = nullptr, .keep_outputs = false});
  ASSERT_EQ(engine.groups().size(), 1u);
  const auto done = engine.run();
  ASSERT_TRUE(done) << error_text(done.error());
  EXPECT_EQ(listener.metrics.at(3).at("channel.ber.error_count"), Value(0));
  EXPECT_EQ(listener.metrics.at(3).at("channel.ber.compare_bit_count"), Value(15000));
}

}  // namespace
}  // namespace noema::conformance
