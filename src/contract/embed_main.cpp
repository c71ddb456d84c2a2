// Build tool: lints every contract of the source tree and writes them, with their digests and those of the kernels'
// sources, as one C++ file. `noema_embed <source root> <output.cpp>`
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>
#include <string_view>

#include "contract/catalog.h"
#include "contract/packed.h"
#include "core/files.h"
#include "core/report.h"

namespace {

/// A C++ string literal in pieces short enough for any compiler.
std::string literal(std::string_view text) {
  std::string out = "\"";
  std::size_t column = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (++column > 4000) {
      out += "\"\n    \"";
      column = 0;
    }
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7F) {
      // Octal: three digits end it, unlike \x.
      out += '\\';
      out += static_cast<char>('0' + (byte >> 6));
      out += static_cast<char>('0' + ((byte >> 3) & 7));
      out += static_cast<char>('0' + (byte & 7));
    } else {
      out += c;
    }
  }
  return out + "\"sv";
}

std::string generated(const std::string& root, const noema::Catalog& catalog, std::string& problem) {
  std::string contracts;
  std::string sources;
  std::size_t source_count = 0;
  for (const std::string& id : catalog.ids()) {
    const noema::Contract& contract = *catalog.find(id);
    contracts += "    {" + literal(id) + ", " + literal(contract.family) + ", " +
                 literal(noema::contract::packed(contract.authored)) + ",\n     " + literal(contract.sha256) + ", " +
                 literal(contract.semantic_sha256) + "},\n";
    const auto files = noema::contract::kernel_sources(root, contract);
    if (!files) {
      problem = noema::error_text(files.error());
      return {};
    }
    for (const auto& file : *files) {
      sources += "    {" + literal(id) + ", " + literal(file.backend) + ", " + literal(file.source.module) +
                 ",\n     " + literal(file.source.sha256) + "},\n";
      ++source_count;
    }
  }
  std::string out = "// Written by noema_embed from ops/**/*.op.json. Do not edit.\n";
  out += "#include <array>\n#include <string_view>\n\n#include \"contract/catalog.h\"\n\n";
  out += "using namespace std::string_view_literals;\n\nnamespace noema {\nnamespace {\n\n";
  out += "constexpr std::array<contract::EmbeddedContract, " + std::to_string(catalog.ids().size()) +
         "> contracts{{\n" + contracts + "}};\n\n";
  out += "constexpr std::array<contract::EmbeddedSource, " + std::to_string(source_count) + "> sources{{\n" + sources +
         "}};\n\n";
  out += "}  // namespace\n\nconst Catalog& builtin_catalog() {\n";
  out += "  static const auto catalog = contract::embedded_catalog(contracts, sources, " + literal(catalog.sha256()) +
         ");\n";
  out += "  return *catalog;\n}\n\n}  // namespace noema\n";
  return out;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: noema_embed <source root> <output.cpp>\n", stderr);
    return 2;
  }
  const std::string root = arguments[1];
  const auto catalog = noema::contract::source_tree_catalog(root);
  if (!catalog) {
    std::fputs(noema::error_text(catalog.error()).c_str(), stderr);
    return 1;
  }
  std::string problem;
  const std::string text = generated(root, **catalog, problem);
  if (!problem.empty()) {
    std::fputs(problem.c_str(), stderr);
    return 1;
  }
  if (const auto written = noema::write_file_atomic(arguments[2], text); !written) {
    std::fputs(noema::error_text(written.error()).c_str(), stderr);
    return 1;
  }
  return 0;
}
