// Verification: the manifest's own digest, where the program came from, and how the run was executed.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/digest.h"
#include "evidence/verify_parts.h"
#include "noema/recipe.h"

namespace noema::evidence {
namespace {

bool is_commit(const std::string& text) {
  return text.size() == 40 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

void check_own_digest(const Documents& documents, Findings& findings) {
  if (documents.reference) {
    findings.not_applicable("manifest.sha256", manifest_file,
                            "a bundle of the Python reference has no digest of its own manifest");
    return;
  }
  const std::string stated = text_of(documents.manifest, "sha256");
  if (!findings.expect(is_sha256_hex(stated), "manifest.sha256_schema", manifest_file, "its own digest is well-formed",
                       "sha256 must be 64 lower-case hex characters")) {
    return;
  }
  Value rest = documents.manifest;
  rest.erase("sha256");
  findings.equal("manifest.sha256", manifest_file, "its own digest", stated, digest_of(rest));
}

void check_source(const Documents& documents, Findings& findings) {
  const Value& environment = member(documents.manifest, "environment");
  if (documents.reference) {
    const Value& git = member(environment, "git");
    findings.expect(member(git, "available") == Value(true) && is_commit(text_of(git, "commit")),
                    "manifest.source_commit", manifest_file, "names the commit that ran",
                    "must name the commit that ran: git.commit with 40 hex characters");
    return;
  }
  const Value& build = member(environment, "noema");
  findings.expect(build.is_object() && !text_of(build, "version").empty(), "manifest.environment_noema", manifest_file,
                  "names the program that ran", "environment.noema must name the program's version");
  const std::string commit = text_of(build, "commit");
  const std::string tree = text_of(build, "source_tree_sha256");
  if (!commit.empty()) {
    findings.expect(is_commit(commit), "manifest.source_commit", manifest_file, "names the commit that ran",
                    "environment.noema.commit must have 40 hex characters");
  }
  if (commit.empty() || member(build, "dirty") == Value(true)) {
    const std::string what =
        commit.empty() ? "the program was built outside git" : "the program was built from a changed checkout";
    if (is_sha256_hex(tree)) {
      findings.info("manifest.source_tree", manifest_file, what + "; source_tree_sha256 says from which sources",
                    Value::object({{"source_tree_sha256", tree}}));
    } else {
      findings.warning("manifest.source_tree", manifest_file, what + " and does not say from which sources");
    }
  }
}

void check_project_files(const Documents& documents, Findings& findings) {
  const Value& files = member(member(documents.manifest, "environment"), "project_files");
  const bool good =
      files.is_object() && files.size() > 0 && std::ranges::all_of(files.members(), [](const Value::Member& file) {
        return is_sha256_hex(text_of(file.second, "sha256"));
      });
  findings.expect(good, "manifest.environment_files", manifest_file, "states digests of project files",
                  "environment.project_files must name at least one file, each with its SHA-256");
}

void check_execution(const Documents& documents, Findings& findings) {
  const Value& in_manifest = member(documents.manifest, "execution");
  const Value& in_summary = member(documents.summary, "execution");
  if (in_manifest.is_null() && in_summary.is_null()) return;
  findings.expect(in_manifest.is_object(), "execution.manifest_schema", manifest_file, "execution is an object",
                  "execution must be an object");
  findings.expect(in_summary.is_object(), "execution.summary_schema", summary_file, "execution is an object",
                  "execution must be an object");
  findings.equal("execution.summary_manifest_link", manifest_file, "execution, compared with the summary's,",
                 in_manifest, in_summary);
  const auto workers = member(in_manifest, "parallel_workers").int64();
  findings.expect(workers && *workers >= 1 && *workers <= 32, "execution.parallel_workers", manifest_file,
                  "1 to 32 parallel workers",
                  "execution.parallel_workers must be an integer from 1 to 32; it is " +
                      brief(member(in_manifest, "parallel_workers")));
  const std::string mode = text_of(in_manifest, "mode");
  findings.expect(mode == "sequential" || mode == "parallel", "execution.mode", manifest_file, "a known mode",
                  "execution.mode must be sequential or parallel; it is " + brief(member(in_manifest, "mode")));
}

/// Seeds follow from the recipe alone.
void check_seeds(const Documents& documents, Findings& findings) {
  const auto policy = seed_policy(documents.recipe);
  if (!policy) {
    findings.error("manifest.seed_policy", recipe_file, policy.error().message);
    return;
  }
  const Value expected = policy->evidence();
  const Value& stated = member(documents.manifest, "seed_policy");
  for (const char* key : {"master_seed", "master_seed_source", "seed_namespace"}) {
    findings.equal("manifest.seed_policy", manifest_file,
                   std::string("seed_policy.") + key + ", derived from the recipe again,", member(stated, key),
                   member(expected, key));
  }
}

}  // namespace

void check_origin(const Documents& documents, Findings& findings) {
  if (documents.manifest.is_null()) return;
  check_own_digest(documents, findings);
  const Value& recipe = member(documents.manifest, "recipe");
  findings.expect(is_sha256_hex(text_of(recipe, "sha256")), "manifest.recipe_sha", manifest_file,
                  "states the recipe's digest", "recipe.sha256 must be 64 lower-case hex characters");
  findings.expect(is_sha256_hex(text_of(member(documents.manifest, "execution_plan"), "sha256")),
                  "manifest.execution_plan_sha", manifest_file, "states the plan's digest",
                  "execution_plan.sha256 must be 64 lower-case hex characters");
  check_source(documents, findings);
  check_project_files(documents, findings);
  check_execution(documents, findings);
}

void check_recipe(const Documents& documents, Findings& findings) {
  const Value& recipe = documents.recipe;
  if (recipe.is_null()) return;
  check_seeds(documents, findings);
  const std::string digest = digest_of(recipe);
  const Value& stated = member(documents.manifest, "recipe");
  findings.equal("recipe.sha256", recipe_file, "the recipe's digest, as the manifest states it,",
                 member(stated, "sha256"), digest);
  findings.equal("recipe.summary_sha", recipe_file, "its digest, compared with the summary,", digest,
                 member(documents.summary, "recipe_sha256"));
  if (documents.authored.is_object()) {
    findings.equal("recipe.authored_sha256", authored_file, "its digest, compared with the manifest,",
                   digest_of(documents.authored), member(stated, "authored_sha256"));
  }
  findings.equal("recipe.manifest_step_count", manifest_file, "the recipe's number of steps",
                 member(stated, "step_count"), std::uint64_t{items_of(member(recipe, "steps")).size()});
  std::vector<std::string> keys;
  for (const auto& [key, value] : members_of(member(recipe, "metadata"))) keys.push_back(key);
  std::ranges::sort(keys);
  findings.equal("recipe.manifest_metadata_keys", manifest_file, "the recipe's metadata keys",
                 member(stated, "metadata_keys"), keys);
  findings.equal("recipe.summary_name", summary_file, "the recipe's name", member(documents.summary, "recipe_name"),
                 member(recipe, "name"));
  if (const Value* name = documents.manifest.find("recipe_name")) {
    findings.equal("recipe.manifest_name", manifest_file, "the recipe's name", *name, member(recipe, "name"));
  }
}

}  // namespace noema::evidence
