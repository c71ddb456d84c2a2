// Recipes: the authored document, its positions, and the three forms that compiling gives.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema {

/// Text with the name its user knows it by.
struct Source {
  std::string name;  ///< file name as given, or `<memory>`
  std::string text;
};

/// Line and column (1-based, code points) of a node and of its key; the same where there is no key.
struct Position {
  int line = 0;
  int column = 0;
  int key_line = 0;
  int key_column = 0;
};

/// One finding of the compiler. `path` is JSON-path-like: `$.steps[2].id`.
struct Diagnostic {
  enum class Severity { warning, error };
  Severity severity = Severity::error;
  std::string code;  ///< such as `unknown_recipe_field`
  std::string message;
  std::string path;
  Place at;  ///< filled when the recipe came from text
  std::string hint;
};

/// A decoded document and where each node stood. Paths are written `steps.encode.params.factor`: members by key,
/// elements of `steps` by their id where they have one, other elements by index as in `dimensions.snr[0]`. Elements of
/// `steps` are known by index too: `steps[2].params.factor`. The first 100,000 nodes are known, and what an alias
/// stands for is known as the alias alone.
struct Document {
  Value value;
  std::shared_ptr<const Source> source;
  std::map<std::string, Position, std::less<>> positions;
  std::vector<Diagnostic> remarks;  ///< warnings of the reader: scalars that look like one thing and are another
  /// A place with file, line, column and source line for a path; the nearest known ancestor's when it has none.
  /// `$.` in front of the path is allowed.
  Place place(std::string_view path) const;
  /// The same for the node's key.
  Place key_place(std::string_view path) const;
};

/// Limits of a document: 16 MiB of text, 256 levels, 1,000,000 nodes after alias expansion.
Result<Document> read_document(const std::string& file);  ///< JSON for `.json` in any case, else YAML
Result<Document> parse_json_document(const Source& source);
Result<Document> parse_yaml_document(const Source& source);  ///< YAML 1.1, safe schema

enum class CompileMode { compat, strict };

struct RecipeStep {
  std::string id;
  std::string operation;
  Value params;  ///< effective
  struct Input {
    std::string name;
    std::string step;    ///< producer
    std::string output;  ///< of the producer
  };
  std::vector<Input> inputs;
  Value materialization;  ///< the step's `materialization` field, null when absent
};

/// A compiled recipe. Only one without error diagnostics can be planned.
struct Recipe {
  CompileMode mode = CompileMode::strict;
  Value raw;                     ///< as decoded
  Value normalized;              ///< typed, sparse parameters kept (recipe.authored.json)
  Value effective;               ///< with schema defaults (recipe.json): what is planned, run and fingerprinted
  std::string authored_sha256;   ///< canonical digest of `normalized`
  std::string effective_sha256;  ///< canonical digest of `effective`
  std::string name;
  std::vector<RecipeStep> steps;  ///< of the effective form
  std::vector<Diagnostic> diagnostics;
  std::shared_ptr<const Document> document;  ///< null when compiled from a bare value

  bool valid() const;
  /// The place of a path in the authored text. Steps may be named by id or by index.
  Place place(std::string_view path) const;
};

/// Compiles a document. Never fails outright: what is wrong stands in `diagnostics`.
/// `runner` is benchmark_run or dataset_capture (which drops defaulted seeds).
Recipe compile(Document document, const Catalog& catalog, CompileMode mode = CompileMode::strict,
               std::string_view runner = "benchmark_run");
/// The same for a value that has no text, such as one point of a matrix; positions come from `origin` if given.
Recipe compile(Value raw, const Catalog& catalog, CompileMode mode = CompileMode::strict,
               std::string_view runner = "benchmark_run", std::shared_ptr<const Document> origin = nullptr);
/// The recipe if it is valid, else its errors as one Error (the first, others in `also`), codes `recipe.<code>`.
Result<Recipe> require_valid(Recipe recipe);

/// One point of `metadata.matrix`.
struct Variant {
  std::size_t index = 0;
  std::string id;    ///< `mxv1-<64 hex>`
  std::string name;  ///< expanded recipe name
  Value selection;   ///< dimension -> value
  Value recipe;      ///< concrete normalised recipe
};

struct Matrix {
  bool enabled = false;
  std::string source;                                     ///< matrix, sweeps, ui_sweeps or none
  Value definition;                                       ///< canonical matrix; null when absent
  std::vector<std::pair<std::string, Value>> dimensions;  ///< sorted by name; values in authored order
  std::size_t variant_count = 0;
  std::vector<Diagnostic> diagnostics;
};

/// Reads and checks `metadata.matrix` of a normalised recipe.
Result<Matrix> read_matrix(const Recipe& recipe);
/// The variant of a 0-based ordinal (last dimension name varies fastest).
Result<Variant> matrix_variant(const Recipe& recipe, const Matrix& matrix, std::size_t index);
/// The point that a selection names; every dimension must be named with an authored value.
Result<Variant> select_variant(const Recipe& recipe, const Matrix& matrix, const Value& selection);
/// `mxv1-` + canonical digest of the typed selection.
std::string variant_id(const Value& selection);
/// `recipe expand-matrix`'s document.
Result<Value> expand_matrix(const Recipe& recipe, const Catalog& catalog);
/// Checks that a recipe is one point (core 1.8, single-run gate) and adds a missing variant id to the effective form.
Result<Recipe> single_run_gate(Recipe recipe);

/// Where the randomness of a run comes from.
struct SeedPolicy {
  std::optional<std::string> master;  ///< decimal text; empty when the recipe has none
  std::string source;                 ///< `recipe.metadata.seed`, ... ; empty when there is none
  std::string seed_namespace;
  Value evidence() const;  ///< the `seed_policy` object
};
Result<SeedPolicy> seed_policy(const Value& effective_recipe);
/// First 16 hex digits of SHA-256("<master>|<namespace>|<step>|<stream>") modulo 2^31 - 1. Part of core
/// (core/seeds.cpp), since kernels derive the seeds of their items by it too.
std::uint64_t derive_seed(std::string_view master, std::string_view name_space, std::string_view step,
                          std::string_view stream);

}  // namespace noema
