// metrics.text_semantic_similarity: how alike pairs of texts are, by characters and by words.
// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <vector>

#include "core/text.h"
#include "noema/backend.h"
#include "ops/common/media/parallel.h"
#include "ops/common/media/text_batch.h"
#include "ops/common/media/text_similarity.h"
#include "ops/common/media/unicode_tables.h"
#include "ops/metrics/metrics.h"

namespace noema::metrics {
namespace {

using Examples = std::vector<media::TextExample>;

/// Both batches name the same, distinct ids in the same order.
Result<void> check_pairing(const Examples& candidate, const Examples& reference) {
  const auto refuse = [](std::string message) {
    return refuse_input("candidate", code::input_invalid, std::move(message),
                        "both inputs must name the same texts in the same order");
  };
  if (reference.empty()) return refuse_input("reference", code::input_invalid, "there are no texts to compare");
  if (candidate.size() != reference.size()) {
    return refuse("there are " + std::to_string(candidate.size()) + " texts for " + std::to_string(reference.size()) +
                  " reference texts");
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (!seen.insert(reference[i].id).second) {
      return refuse_input("reference", code::input_invalid, "the id " + shown(reference[i].id) + " stands twice");
    }
    if (candidate[i].id != reference[i].id) {
      return refuse("text " + std::to_string(i) + " has the id " + shown(candidate[i].id) + "; " +
                    shown(reference[i].id) + " is its reference");
    }
  }
  return {};
}

struct Scores {
  double exact = 0.0, edit = 0.0, f1 = 0.0, bleu = 0.0;
};

Scores score(const std::string& candidate, const std::string& reference) {
  const auto words = media::word_tokens(candidate), expected = media::word_tokens(reference);
  return {candidate == reference ? 1.0 : 0.0, media::edit_similarity(candidate, reference),
          media::token_f1(words, expected), media::unigram_bleu(words, expected)};
}

Result<void> compare(Call& call) {
  NOEMA_TRY(const Examples reference, media::text_examples(call, "reference"));
  NOEMA_TRY(const Examples candidate, media::text_examples(call, "candidate"));
  NOEMA_CHECK(check_pairing(candidate, reference));

  std::vector<Scores> scores(reference.size());
  NOEMA_CHECK(media::for_each_item(call, "scoring", "text", scores.size(), [&](std::size_t i) -> Result<void> {
    scores[i] = score(candidate[i].text, reference[i].text);
    return {};
  }));

  Scores mean;
  Value::Items rows;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    mean.exact += scores[i].exact;
    mean.edit += scores[i].edit;
    mean.f1 += scores[i].f1;
    mean.bleu += scores[i].bleu;
    rows.push_back(Value::object({{"index", i},
                                  {"id", reference[i].id},
                                  {"exact_match", scores[i].exact},
                                  {"edit_similarity", scores[i].edit},
                                  {"lexical_similarity", scores[i].f1},
                                  {"unigram_bleu_proxy", scores[i].bleu}}));
  }
  const auto count = static_cast<double>(scores.size());
  const std::pair<std::string_view, double> metrics[] = {{"text.exact_match", mean.exact / count},
                                                         {"text.edit_similarity", mean.edit / count},
                                                         {"semantic.lexical_similarity", mean.f1 / count},
                                                         {"text.unigram_bleu_proxy", mean.bleu / count}};
  Value values = Value::object();
  for (const auto& [name, value] : metrics) {
    values.set(name, value);
    call.metric(name, value);
  }
  call.emit_report("report", Value::object({{"schema_version", 2},
                                            {"metric_family", "text_semantic_similarity"},
                                            {"num_examples", scores.size()},
                                            {"metrics", std::move(values)},
                                            {"per_example", Value(std::move(rows))},
                                            {"metadata", Value::object({{"unicode_version", media::unicode_version},
                                                                        {"case_folding", "simple_lower_case"},
                                                                        {"tokens", "unicode_word_runs"}})}}));
  return {};
}

}  // namespace

void add_text_semantic_similarity(KernelList& kernels) {
  kernels.add("metrics.text_semantic_similarity", "cpp", "default", compare);
}

}  // namespace noema::metrics
