// Verification: the plan by itself, against the recipe, and against every copy of it in manifest and summary.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "core/digest.h"
#include "core/text.h"
#include "evidence/verify_parts.h"
#include "plan/plan_check.h"

namespace noema::evidence {
namespace {

constexpr std::string_view prefix = "execution_plan.";

class PlanLinks {
 public:
  PlanLinks(const Documents& documents, Findings& findings)
      : documents_(documents),
        findings_(findings),
        plan_(documents.plan),
        in_manifest_(member(documents.manifest, "execution_plan")),
        in_summary_(member(documents.summary, "execution_plan")) {}

  void check() {
    const bool there = plan_.is_object() && in_manifest_.is_object();
    if (!findings_.expect(there, "execution_plan.required", plan_file, "the plan is there and the manifest declares it",
                          "a bundle needs its plan, and a manifest that declares it")) {
      return;
    }
    check_declarations();
    append(check_plan_document(plan_), plan_file);
    equal("manifest_sha256", manifest_file, "the plan's digest", member(in_manifest_, "sha256"),
          member(plan_, "sha256"));
    equal("summary_sha256", summary_file, "the plan's digest", member(in_summary_, "sha256"), member(plan_, "sha256"));
    equal("manifest_runner", manifest_file, "the plan's runner", member(in_manifest_, "runner"),
          member(plan_, "runner"));
    equal("summary_runner", summary_file, "the plan's runner", member(in_summary_, "runner"), member(plan_, "runner"));
    check_recipe_links();
    check_cache();
    check_contract_copies();
    check_manifest_steps();
    check_runtime(documents_.manifest, manifest_file, "manifest");
    check_runtime(documents_.summary, summary_file, "summary");
  }

 private:
  bool equal(const std::string& id, const char* file, const std::string& what, const Value& found,
             const Value& expected) {
    return findings_.equal(std::string(prefix) + id, file, what, found, expected);
  }
  bool expect(bool holds, const std::string& id, const char* file, const std::string& right, const std::string& wrong) {
    return findings_.expect(holds, std::string(prefix) + id, file, right, wrong);
  }
  void append(std::vector<PlanCheck> checks, const char* file) {
    for (PlanCheck& check : checks) {
      findings_.add(check.passed ? "pass" : "error", std::move(check.id), file, check.message,
                    std::move(check.details));
    }
  }

  void check_declarations() {
    equal("manifest_schema_version", manifest_file, "the schema version of execution_plan",
          member(in_manifest_, "schema_version"), 1);
    equal("manifest_kind", manifest_file, "the kind of execution_plan", member(in_manifest_, "kind"),
          "noema.execution_plan");
    equal("manifest_path", manifest_file, "the plan's path", member(in_manifest_, "path"), plan_file);
    if (!expect(in_summary_.is_object(), "summary_schema", summary_file, "execution_plan is an object",
                "execution_plan must be an object"))
      return;
    equal("summary_schema_version", summary_file, "the schema version of execution_plan",
          member(in_summary_, "schema_version"), 1);
    equal("summary_path", summary_file, "the plan's path", member(in_summary_, "path"), plan_file);
  }

  void check_recipe_links() {
    append(check_plan_recipe(plan_, documents_.recipe), plan_file);
    const Value& recipe = member(documents_.manifest, "recipe");
    const Value effective = digest_of(documents_.recipe);
    const std::string of_effective = "the effective recipe's digest";
    equal("manifest_effective_recipe_sha256", manifest_file, of_effective,
          member(in_manifest_, "effective_recipe_sha256"), effective);
    equal("manifest_recipe_sha256", manifest_file, of_effective, member(recipe, "effective_sha256"), effective);
    equal("summary_recipe_sha256", summary_file, of_effective, member(documents_.summary, "effective_recipe_sha256"),
          effective);
    const Value authored = digest_of(documents_.authored);
    const std::string of_authored = std::string("the digest of ") + authored_file;
    equal("manifest_authored_recipe_sha256", manifest_file, of_authored, member(in_manifest_, "authored_recipe_sha256"),
          authored);
    equal("manifest_recipe_authored_sha256", manifest_file, of_authored, member(recipe, "authored_sha256"), authored);
    equal("summary_authored_recipe_sha256", summary_file, of_authored,
          member(documents_.summary, "authored_recipe_sha256"), authored);
  }

  void check_cache() {
    const Value& cache = member(in_manifest_, "cache");
    const Value& copy = member(in_summary_, "cache");
    if (cache.is_null() && copy.is_null()) return;
    const bool shaped = expect(cache.is_object(), "cache_manifest_schema", manifest_file, "cache is an object",
                               "cache must be an object");
    expect(copy.is_object(), "cache_summary_schema", summary_file, "cache is an object", "cache must be an object");
    equal("cache_summary_link", summary_file, "cache, compared with the manifest,", copy, cache);
    if (!shaped) return;
    equal("cache_schema_version", manifest_file, "the schema version of cache", member(cache, "schema_version"), 1);
    const std::string outcome = text_of(cache, "outcome");
    const bool bypassed = outcome == "bypass";
    expect(bypassed || outcome == "hit" || outcome == "miss", "cache_outcome", manifest_file, "a known outcome",
           "cache.outcome must be hit, miss or bypass; it is " + brief(member(cache, "outcome")));
    equal("cache_enabled", manifest_file, "cache.enabled", member(cache, "enabled"), !bypassed);
    equal("cache_plan_sha256", manifest_file, "cache.plan_sha256", member(cache, "plan_sha256"),
          member(plan_, "sha256"));
    equal("cache_effective_recipe_sha256", manifest_file, "cache.effective_recipe_sha256",
          member(cache, "effective_recipe_sha256"), digest_of(documents_.recipe));
    equal("cache_authored_recipe_sha256", manifest_file, "cache.authored_recipe_sha256",
          member(cache, "authored_recipe_sha256"), digest_of(documents_.authored));
    // A plan that was made without asking the cache has no key.
    const auto stated = [&](const char* key) { return !bypassed || cache.find(key) != nullptr; };
    if (stated("key_schema_version")) {
      equal("cache_key_schema_version", manifest_file, "cache.key_schema_version", member(cache, "key_schema_version"),
            2);
    }
    for (const char* key : {"key_sha256", "operation_registry_sha256", "planner_validation_sha256"}) {
      if (!stated(key) || (bypassed && member(cache, key).is_null())) continue;
      expect(is_sha256_hex(text_of(cache, key)), std::string("cache_") + key, manifest_file,
             std::string("cache.") + key + " is well-formed",
             std::string("cache.") + key + " must be 64 lower-case hex characters");
    }
    if (stated("entry_count") || stated("max_entries")) {
      const auto entries = member(cache, "entry_count").int64();
      const auto most = member(cache, "max_entries").int64();
      expect(entries && most && *entries >= 0 && *most >= 1 && *entries <= *most, "cache_capacity", manifest_file,
             "the cache kept its limit", "cache.entry_count must be an integer from 0 to cache.max_entries");
    }
  }

  void check_contract_copies() {
    const Value& copy = member(documents_.manifest, "operation_contracts");
    const Value& original = member(plan_, "operation_contracts");
    if (!expect(copy.is_object(), "manifest_operation_contracts", manifest_file, "keeps the contracts",
                "operation_contracts must be an object"))
      return;
    equal("manifest_operation_contracts_sha256", manifest_file, "the digest of the contracts", member(copy, "sha256"),
          member(original, "sha256"));
    equal("operation_contracts_link", manifest_file, "operation_contracts, compared with the plan,", copy, original);
    equal("operation_contracts_payload", manifest_file, "the digest of the contracts, computed again,",
          digest_of(member(copy, "operations")), member(copy, "sha256"));
  }

  void check_manifest_steps() {
    const Value& steps = member(in_manifest_, "steps");
    if (!expect(steps.is_array(), "manifest_steps_schema", manifest_file, "keeps the planned steps",
                "execution_plan.steps must be a list"))
      return;
    std::set<std::string> seen;
    for (const Value& step : steps.items()) {
      if (!expect(step.is_object(), "manifest_step_schema", manifest_file, "an object",
                  "each planned step must be an object"))
        continue;
      const std::string id = text_of(step, "step_id");
      expect(!id.empty() && seen.insert(id).second, "manifest_step_id", manifest_file,
             "planned step " + shown(id) + " is named once",
             "the planned step id " + shown(id) + " is empty or occurs twice");
      append(check_step_binding(step, contracts(), "manifest_execution-plan"), manifest_file);
    }
    equal("manifest_steps_link", manifest_file, "the planned steps, compared with the plan,", steps,
          member(plan_, "steps"));
  }

  /// The bindings that manifest and summary record with what ran.
  void check_runtime(const Value& document, const char* file, const std::string& name) {
    const Value& steps = member(document, "steps");
    if (!expect(steps.is_array(), name + "_steps_schema", file, "keeps the steps that ran", "steps must be a list"))
      return;
    std::map<std::string, const Value*, std::less<>> planned;
    for (const Value& step : items_of(member(plan_, "steps"))) planned.emplace(text_of(step, "step_id"), &step);
    std::size_t bound = 0;
    std::vector<std::string> order;
    for (const Value& step : steps.items()) {
      const std::string id = text_of(step, "id");
      const auto found = planned.find(id);
      if (!expect(found != planned.end(), name + "_step_id", file, "step " + shown(id) + " is planned",
                  "step " + shown(id) + " is not in the plan"))
        continue;
      order.push_back(id);
      const Value& binding = member(step, "execution_binding");
      if (!expect(binding.is_object(), name + "_binding", file, "step " + shown(id) + " has its binding",
                  "step " + shown(id) + ": execution_binding must be an object")) {
        continue;
      }
      ++bound;
      append(check_step_binding(binding, contracts(), name + "_runtime"), file);
      equal(name + "_binding_link", file, "the binding of step " + shown(id) + ", compared with the plan,", binding,
            *found->second);
      check_step_outputs(step, id, file, name);
      equal(name + "_operation", file, "the operation of step " + shown(id), member(step, "op"),
            member(binding, "operation_id"));
    }
    std::vector<std::string> planned_order;
    for (const Value& step : items_of(member(plan_, "steps"))) {
      if (std::ranges::find(order, text_of(step, "step_id")) != order.end())
        planned_order.push_back(text_of(step, "step_id"));
    }
    expect(order == planned_order, name + "_step_order", file, "the steps stand in the plan's order",
           "the steps do not stand in the plan's order");
    const std::string counted =
        std::to_string(bound) + " of " + std::to_string(planned.size()) + " planned steps have a record";
    if (bound == planned.size()) {
      findings_.pass(std::string(prefix) + name + "_bindings_complete", file, counted);
    } else if (documents_.completed()) {
      findings_.error(std::string(prefix) + name + "_bindings_complete", file, counted);
    } else {
      findings_.warning(std::string(prefix) + name + "_bindings_partial", file, counted);
    }
  }

  /// A completed step leaves exactly what its contract declares.
  void check_step_outputs(const Value& step, const std::string& id, const char* file, const std::string& name) {
    if (text_of(step, "status") != "completed") return;
    Value kinds = Value::object();
    for (const auto& [output, record] : members_of(member(step, "outputs")))
      kinds.append(output, member(record, "kind"));
    const Value& declared = member(member(contracts(), text_of(step, "op")), "output_kinds");
    expect(kinds == declared, name + "_step_outputs", file,
           "step " + shown(id) + " left the outputs that its contract declares",
           "step " + shown(id) + " has other outputs or kinds than its contract declares");
  }

  const Value& contracts() const { return member(member(plan_, "operation_contracts"), "operations"); }

  const Documents& documents_;
  Findings& findings_;
  const Value& plan_;
  const Value& in_manifest_;
  const Value& in_summary_;
};

/// What an operation's step and outputs say under a metadata key, each with where it was said.
std::vector<std::pair<std::string, Value>> statements(const Documents& documents, const Value& step, const char* key) {
  std::vector<std::pair<std::string, Value>> found;
  const auto look = [&](const std::string& where, const Value& metadata) {
    if (const Value* said = metadata.find(key)) found.emplace_back(where, documents.unfolded(*said));
  };
  look("the step", member(step, "metadata"));
  for (const auto& [name, output] : members_of(member(step, "outputs")))
    look("output " + shown(name), member(output, "metadata"));
  return found;
}

}  // namespace

void check_plan(const Documents& documents, Findings& findings) { PlanLinks(documents, findings).check(); }

void check_backends(const Documents& documents, Findings& findings) {
  static const std::set<std::string, std::less<>> radio{"wireless.channel", "wireless.digital_link",
                                                        "wireless.pilot_observation", "source.ai_phy_pilot_channel",
                                                        "wireless.miso_ofdm_csi"};
  static const std::set<std::string, std::less<>> links{"wireless.channel", "wireless.digital_link"};
  for (const Value& step : items_of(member(documents.summary, "steps"))) {
    const std::string operation = text_of(step, "op");
    if (!radio.contains(operation) || text_of(step, "status") != "completed") continue;
    const std::string title = "step " + shown(text_of(step, "id"));
    const std::string planned = text_of(member(step, "execution_binding"), "backend");
    const auto radio_said = statements(documents, step, "wireless_backend");
    findings.expect(!radio_said.empty(), "execution_plan.runtime_backend", summary_file,
                    title + " states its wireless backend",
                    title + " (" + operation + ") does not state wireless_backend in its metadata");
    for (const auto& [where, said] : radio_said) {
      findings.equal("execution_plan.runtime_wireless_backend", summary_file, title + ": wireless_backend of " + where,
                     said, planned);
    }
    if (!links.contains(operation)) continue;
    const auto plane_said = statements(documents, step, "data_plane_backend");
    const bool one = !plane_said.empty() && std::ranges::all_of(plane_said, [&](const auto& said) {
      return said.second.is_string() && said.second == plane_said.front().second && said.second.string() != "numpy" &&
             said.second.string() != "sionna";
    });
    findings.expect(one, "execution_plan.runtime_data_plane_backend", summary_file, title + " states one data plane",
                    title + " (" + operation + ") must state one data_plane_backend, which is not numpy or sionna");
  }
}

}  // namespace noema::evidence
