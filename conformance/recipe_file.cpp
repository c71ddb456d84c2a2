// SPDX-License-Identifier: Apache-2.0
#include "conformance/recipe_file.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "conformance/subprocess.h"
#include "core/json.h"
#include "core/report.h"
#include "noema/evidence.h"
#include "noema/plan.h"
#include "noema/run.h"

namespace noema::conformance {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// As a person sees it, with paths counted from the repository.
std::vector<std::string> error_lines_of(const Error& error) {
  std::string text = error_text(error);
  const std::string root = source_folder() + "/";
  for (std::size_t at = 0; (at = text.find(root, at)) != std::string::npos;) text.erase(at, root.size());
  return lines_of(text);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Takes a case's recipe as far as its sections ask: compiled, planned, run. Stops at the first error.
class Trial {
 public:
  explicit Trial(const RecipeCase& one) : case_(one) {}

  /// Why the case can't run here; empty when it can.
  std::string obstacle() const {
    const Section* file = case_.find("recipe.file");
    if (file != nullptr && !fs::exists(path_of(file->argument))) return file->argument + " is not here";
    const Section* needs = case_.find("needs");
    if (needs != nullptr && !fs::exists(path_of(needs->argument))) return needs->argument + " is not here";
    return {};
  }

  std::vector<std::string> lines(const Section& section) {
    if (section.name == "error") return error_lines();
    if (section.name == "digests") return after(compiled(), [&] { return digests(); });
    if (section.name == "plan") return after(planned(), [&] { return bindings(); });
    if (section.name == "artifacts") return after(ran(), [&] { return artifacts(); });
    if (section.name == "metrics") return after(ran(), [&] { return metrics(section); });
    if (section.name == "verify") return after(ran(), [&] { return verdict(); });
    return section.lines;
  }

 private:
  static std::string path_of(const std::string& name) {
    return name.starts_with("shared/") ? shared_folder() + name.substr(6) : source_folder() + "/" + name;
  }

  std::vector<std::string> after(const Result<void>& stage,
                                 const std::function<std::vector<std::string>()>& give) const {
    return stage ? give() : error_lines_of(stage.error());
  }

  std::vector<std::string> error_lines() {
    const Result<void> stage = ran();
    return stage ? std::vector<std::string>{"no error"} : error_lines_of(stage.error());
  }

  Result<void> compiled() {
    if (recipe_) return {};
    const Section* file = case_.find("recipe.file");
    const Section* json = case_.find("recipe.json");
    std::optional<Document> document;
    if (file != nullptr) {
      NOEMA_TRY(document, read_document(path_of(file->argument)));
    } else if (json != nullptr) {
      NOEMA_TRY(document, parse_json_document({"recipe.json", joined(json->lines)}));
    } else {
      NOEMA_TRY(document, parse_yaml_document({"recipe.yaml", joined(case_.find("recipe")->lines)}));
    }
    NOEMA_TRY(Recipe recipe, require_valid(compile(*std::move(document), builtin_catalog())));
    if (const Section* point = case_.find("point"); point != nullptr) {
      NOEMA_TRY(const Value selection, parse_json(point->argument));
      NOEMA_TRY(const Matrix matrix, read_matrix(recipe));
      NOEMA_TRY(const Variant variant, select_variant(recipe, matrix, selection));
      NOEMA_TRY(recipe, require_valid(compile(variant.recipe, builtin_catalog(), CompileMode::strict, "benchmark_run",
                                              recipe.document)));
    }
    recipe_ = std::move(recipe);
    return {};
  }

  Result<void> planned() {
    if (plan_) return {};
    NOEMA_CHECK(compiled());
    NOEMA_CHECK(validate(*recipe_, builtin_catalog()));
    NOEMA_TRY(const Recipe point, single_run_gate(*recipe_));
    Policy policy;
    if (const Section* given = case_.find("policy"); given != nullptr) {
      NOEMA_TRY(const Value wanted, parse_json(given->argument));
      if (const Value* backend = wanted.find("backend")) policy.backend = backend->string();
      if (const Value* native = wanted.find("native")) policy.native = native->boolean();
    }
    NOEMA_TRY(plan_, plan(point, builtin_catalog(), policy));
    return {};
  }

  Result<void> ran() {
    if (outcome_) return {};
    if (failed_) return *failed_;
    NOEMA_CHECK(planned());
    RunOptions options;
    options.workspace = scratch_ / "workspace";
    options.base = scratch_.path();
    if (const Section* data = case_.find("data"); data != nullptr) {
      // `data folder = .noema/datasets/kodak`: the run finds the folder under that name.
      const std::size_t as = data->argument.find(" = ");
      const std::string name = as == std::string::npos ? "data" : data->argument.substr(as + 3);
      fs::create_directories(fs::path(scratch_ / name).parent_path());
      fs::create_directory_symlink(path_of(data->argument.substr(0, as)), scratch_ / name);
    }
    NOEMA_TRY(RunOutcome outcome, run(*plan_, options));
    failed_ = outcome.error;
    if (failed_) return *failed_;
    outcome_ = std::move(outcome);
    return {};
  }

  std::vector<std::string> digests() const {
    return {"authored " + recipe_->authored_sha256, "effective " + recipe_->effective_sha256};
  }

  std::vector<std::string> bindings() const {
    std::vector<std::string> lines;
    for (const PlannedStep& step : plan_->steps) {
      const Value* overrides = step.binding.at("implementation_metadata").find("parameter_overrides");
      lines.push_back(step.id + " " + step.backend + "/" + step.implementation + " " +
                      (overrides == nullptr ? "{}" : canonical_json(*overrides)));
    }
    return lines;
  }

  std::vector<std::string> artifacts() const {
    std::vector<std::string> lines;
    for (const Value& step : outcome_->summary.at("steps").items()) {
      for (const auto& [name, output] : step.at("outputs").members()) {
        lines.push_back(step.at("id").string() + "." + name + " " + output.at("sha256").string());
      }
    }
    return lines;
  }

  /// The argument chooses steps, separated by spaces; none chooses all.
  std::vector<std::string> metrics(const Section& section) const {
    std::vector<std::string> chosen;
    std::istringstream words(section.argument);
    for (std::string word; words >> word;) chosen.push_back(word);
    std::vector<std::string> lines;
    for (const Value& step : outcome_->summary.at("steps").items()) {
      const std::string& id = step.at("id").string();
      if (!chosen.empty() && std::ranges::find(chosen, id) == chosen.end()) continue;
      for (const auto& [name, value] : step.at("metrics").members()) {
        if (!name.starts_with("timing.")) lines.push_back(id + "." + name + " " + canonical_json(value));
      }
    }
    std::ranges::sort(lines);
    return lines;
  }

  std::vector<std::string> verdict() const {
    const Verdict verdict = verify_run(outcome_->directory, &builtin_catalog());
    std::vector<std::string> lines{verdict.status};
    for (const Check& check : verdict.checks) {
      if (check.status == "error" || check.status == "warning")
        lines.push_back(check.status + " " + check.id + ": " + check.message);
    }
    return lines;
  }

  const RecipeCase& case_;
  Scratch scratch_;
  std::optional<Recipe> recipe_;
  std::optional<Plan> plan_;
  std::optional<RunOutcome> outcome_;
  std::optional<Error> failed_;
};

}  // namespace

const Section* RecipeCase::find(const std::string& section) const {
  const auto found = std::ranges::find(sections, section, &Section::name);
  return found == sections.end() ? nullptr : &*found;
}

std::vector<RecipeCase> read_recipe_cases(const std::string& path) {
  static const std::vector<std::string> known{"recipe",  "recipe.json", "recipe.file", "point", "policy",
                                              "data",    "needs",       "digests",     "plan",  "artifacts",
                                              "metrics", "verify",      "error"};
  std::vector<RecipeCase> cases;
  for (const std::string& line : lines_of(file_bytes(path))) {
    if (line.starts_with("==== ")) {
      cases.push_back({fs::path(path).stem().string(), line.substr(5), {}});
    } else if (line.starts_with("---- ")) {
      const std::size_t space = line.find(' ', 5);
      const std::string name = line.substr(5, space == std::string::npos ? space : space - 5);
      if (cases.empty() || std::ranges::find(known, name) == known.end() || cases.back().find(name) != nullptr) {
        throw std::runtime_error(path + ": a section '" + name + "' can't stand here");
      }
      cases.back().sections.push_back({name, space == std::string::npos ? "" : line.substr(space + 1), {}});
    } else if (!cases.empty() && !cases.back().sections.empty()) {
      cases.back().sections.back().lines.push_back(line);
    } else if (!line.empty() && !line.starts_with("#")) {
      throw std::runtime_error(path + ": text before the first section: " + line);
    }
  }
  for (RecipeCase& one : cases) {
    const std::size_t recipes = std::size_t{one.find("recipe") != nullptr} +
                                std::size_t{one.find("recipe.json") != nullptr} +
                                std::size_t{one.find("recipe.file") != nullptr};
    if (recipes != 1) throw std::runtime_error(path + ": '" + one.name + "' needs exactly one recipe");
    // The empty lines that part two cases belong to neither.
    for (Section& section : one.sections) {
      while (!section.lines.empty() && section.lines.back().empty()) section.lines.pop_back();
    }
  }
  return cases;
}

std::vector<RecipeCase> all_recipe_cases() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(source_folder() + "/conformance/recipes")) {
    if (entry.path().extension() == ".test") files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  std::vector<RecipeCase> all;
  for (const std::string& file : files) std::ranges::move(read_recipe_cases(file), std::back_inserter(all));
  return all;
}

RecipeReport report_of(const RecipeCase& one) {
  Trial trial(one);
  RecipeReport report;
  report.skipped = trial.obstacle();
  if (!report.skipped.empty()) return report;
  for (const Section& section : one.sections) {
    report.sections.push_back({section.name, section.argument, trial.lines(section)});
  }
  return report;
}

}  // namespace noema::conformance
