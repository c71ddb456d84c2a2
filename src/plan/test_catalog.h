// A small catalog for the planner's tests: invented operations that show each way in which rows differ.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/authored.h"
#include "core/digest.h"
#include "core/json.h"
#include "noema/contract.h"
#include "noema/value.h"

namespace noema::planner {

/// Contracts kept in memory. An implemented backend of an operation has an invented source file.
class MemoryCatalog final : public Catalog {
 public:
  void add(std::string_view text) {
    Result<Value> authored = parse_json(text, "test contract");
    NOEMA_ASSERT(authored.has_value(), "a test contract must be well-formed");
    const std::string id = authored->at("id").string();
    Contract contract = contract::build_contract(*authored, id.substr(0, id.find('.')));
    for (const Row& row : contract.rows) {
      if (row.status != "implemented") continue;
      const std::string suffix = row.backend == "cpp" ? std::string{} : "." + row.backend;
      const std::string module = "ops/" + contract.family + "/" + contract.stem + suffix + ".cpp";
      sources_.insert_or_assign(std::pair(id, row.backend), KernelSource{module, sha256_hex(module)});
    }
    ids_.push_back(id);
    std::ranges::sort(ids_);
    contracts_.insert_or_assign(id, std::move(contract));
  }

  const std::vector<std::string>& ids() const override { return ids_; }
  const Contract* find(std::string_view id) const override {
    const auto found = contracts_.find(id);
    return found == contracts_.end() ? nullptr : &found->second;
  }
  const KernelSource* source(std::string_view id, std::string_view backend) const override {
    const auto found = sources_.find(std::pair(std::string(id), std::string(backend)));
    return found == sources_.end() ? nullptr : &found->second;
  }
  const std::string& sha256() const override { return sha256_; }

 private:
  std::map<std::string, Contract, std::less<>> contracts_;
  std::map<std::pair<std::string, std::string>, KernelSource> sources_;
  std::vector<std::string> ids_;
  std::string sha256_ = std::string(64, '0');
};

/// `{"runner": ..., "backend": ..., ...}`; `more` is further members, such as `"explicit": true`.
inline std::string row(std::string_view runner, std::string_view backend, std::string_view implementation,
                       std::string_view bindings = {}, std::string_view status = "implemented",
                       std::string_view more = {}) {
  std::string text = R"({"runner": ")" + std::string(runner) + R"(", "backend": ")" + std::string(backend) +
                     R"(", "implementation": ")" + std::string(implementation) + R"(", "status": ")" +
                     std::string(status) + "\"";
  if (!bindings.empty()) text += R"(, "parameter_bindings": {)" + std::string(bindings) + "}";
  if (!more.empty()) text += ", " + std::string(more);
  return text + "}";
}

inline std::string operation(std::string_view id, std::string_view ports, std::string_view parameters,
                             const std::vector<std::string>& rows, std::string_view status = "implemented",
                             std::string_view more = {}) {
  std::string text = R"({"id": ")" + std::string(id) + R"(", "name": "Test )" + std::string(id) + R"(", "status": ")" +
                     std::string(status) + "\", " + std::string(ports) + R"(, "parameters": {)" +
                     std::string(parameters) + "}";
  if (!more.empty()) text += ", " + std::string(more);
  text += R"(, "materializations": [)";
  for (std::size_t i = 0; i < rows.size(); ++i) text += (i == 0 ? "" : ", ") + rows[i];
  return text + "]}";
}

inline constexpr std::string_view bench = "benchmark_run";
inline constexpr std::string_view capture = "dataset_capture";
inline constexpr std::string_view torch_export = "differentiable_export";

/// The data-plane selector; `role` is primary or subordinate.
inline std::string data_plane(std::string_view role) {
  return R"("data_plane_backend": {"type": "string", "enum": ["auto", "python_numpy", "cpp_native"], "default": "auto",
    "x-noema-materialization-selector": {"target": "backend", "role": ")" +
         std::string(role) + R"(", "mapping": {"python_numpy": "numpy", "cpp_native": "cpp"},
    "automatic_values": ["auto"], "automatic_value": "cpp_native"}})";
}

inline std::string wireless() {
  return R"("wireless_backend": {"type": "string", "enum": ["auto", "numpy", "sionna"], "default": "auto",
    "x-noema-materialization-selector": {"target": "backend", "role": "primary",
    "mapping": {"numpy": "cpp", "sionna": "sionna"}, "automatic_values": ["auto"], "automatic_value": "numpy"}})";
}

inline MemoryCatalog test_catalog() {
  MemoryCatalog catalog;
  // Two backends and nothing else to tell rows apart.
  catalog.add(
      operation("source.bits", R"("inputs": {}, "outputs": {"bits": ["bits"]})",
                R"("count": {"type": "integer", "default": 8, "minimum": 1}, )" + data_plane("primary"),
                {row(bench, "cpp", "default"), row(bench, "numpy", "default"), row(capture, "cpp", "default")}));
  // Rows bound to a parameter; one of them is planned.
  catalog.add(operation(
      "modem.modulate", R"("inputs": {"bits": ["bits"]}, "outputs": {"symbols": ["symbols"]})",
      R"("modulation": {"type": "string", "enum": ["bpsk", "qpsk", "qam16"], "default": "qpsk"}, )" +
          data_plane("primary"),
      {row(bench, "cpp", "bpsk", R"("modulation": "bpsk")"), row(bench, "cpp", "qpsk", R"("modulation": "qpsk")"),
       row(bench, "cpp", "qam16", R"("modulation": "qam16")", "planned"),
       row(bench, "numpy", "numpy_bpsk", R"("modulation": "bpsk")")},
      "implemented", R"("output_metadata_guarantees": {"symbols": ["modulation", "bits.count"]})"));
  // A primary and a subordinate selector, rows bound to two parameters, three backends.
  catalog.add(operation(
      "radio.channel",
      R"("inputs": {"symbols": ["symbols"]}, "optional_inputs": {"state": ["state"]}, "outputs": {"rx": ["rx"]})",
      R"("channel": {"type": "string", "enum": ["awgn", "rayleigh", "tdl"], "default": "awgn"},
         "state_mode": {"type": "string", "enum": ["none", "explicit"], "default": "none"}, )" +
          data_plane("subordinate") + ", " + wireless(),
      {row(bench, "cpp", "awgn", R"("state_mode": "none", "channel": "awgn")"),
       row(bench, "cpp", "rayleigh", R"("state_mode": "none", "channel": "rayleigh")"),
       row(bench, "sionna", "sionna_awgn", R"("state_mode": "none", "channel": "awgn")"),
       row(bench, "sionna", "sionna_tdl", R"("state_mode": "explicit", "channel": "tdl")"),
       row(bench, "numpy", "numpy_awgn", R"("state_mode": "none", "channel": "awgn")"),
       row(torch_export, "torch", "torch_awgn", R"("channel": "awgn", "wireless_backend": "auto")"),
       row(torch_export, "sionna", "sionna_awgn", R"("channel": "awgn")")}));
  catalog.add(operation("modem.demodulate",
                        R"("inputs": {"rx": ["rx", "symbols"]}, "outputs": {"bits": ["bits"], "llr": ["llr"]})",
                        data_plane("primary"), {row(bench, "cpp", "default")}, "implemented",
                        R"("input_metadata_requirements": {"rx": {"any_of": ["modulation", "scheme"]}})"));
  catalog.add(operation("modem.slice", R"("inputs": {"symbols": ["symbols"]}, "outputs": {"bits": ["bits"]})", "",
                        {row(bench, "cpp", "default")}, "implemented",
                        R"("input_metadata_requirements": {"symbols": {"all_of": ["modulation", "power"]}})"));
  // Both selectors, two backends.
  catalog.add(operation("radio.link", R"("inputs": {"bits": ["bits"]}, "outputs": {"bits": ["bits"]})",
                        data_plane("subordinate") + ", " + wireless(),
                        {row(bench, "cpp", "default"), row(bench, "sionna", "default")}));
  // The automatic backend is not the first one declared, and two values stand for it.
  catalog.add(
      operation("radio.second", R"("inputs": {}, "outputs": {"bits": ["bits"]})",
                R"("runtime": {"type": "string", "enum": ["auto", "sionna", "plain", "tuned"], "default": "auto",
                           "x-noema-materialization-selector": {"target": "backend", "role": "primary",
                           "mapping": {"sionna": "sionna", "plain": "cpp", "tuned": "cpp"},
                           "automatic_values": ["auto"], "automatic_value": "plain"}})",
                {row(bench, "sionna", "default"), row(bench, "cpp", "default")}));
  // Several implementations, some of them only by name.
  catalog.add(
      operation("codec.decode", R"("inputs": {"bits": ["bits"]}, "outputs": {"bits": ["bits"]})",
                R"("factor": {"type": "integer", "default": 3, "minimum": 1})",
                {row(bench, "cpp", "default"), row(bench, "cpp", "fast", {}, "implemented", R"("explicit": true)"),
                 row(bench, "sionna", "default", {}, "implemented", R"("explicit": true)"),
                 row(bench, "numpy", "default"), row(bench, "torch", "later", {}, "planned")}));
  // One mode, one backend each.
  catalog.add(operation(
      "model.adapter", R"("inputs": {"bits": ["bits"]}, "outputs": {"bits": ["bits"]})",
      R"("mode": {"type": "string", "enum": ["reference", "learned", "outside", "trained"], "default": "reference"},
                           "level": {"type": "integer", "default": 1})",
      {row(bench, "cpp", "reference", R"("mode": "reference")"),
       row(bench, "onnxruntime", "learned", R"("mode": "learned")", "implemented", R"("notes": "runs a session")"),
       row(bench, "external", "outside", R"("mode": "outside")", "planned"),
       row(torch_export, "torch", "trained", R"("mode": "trained")")}));
  // A general row beside a planned specific one, and numbers in bindings.
  catalog.add(
      operation("model.general", R"("inputs": {"bits": ["bits"]}, "outputs": {"bits": ["bits"]})",
                R"("scenario": {"type": "string", "default": "plain"}, "level": {"type": "number", "default": 1.0})",
                {row(bench, "cpp", "general"), row(bench, "cpp", "special", R"("scenario": "special")", "planned"),
                 row(bench, "cpp", "level_one", R"("level": 1)")}));
  // Wraps a library of another language; the data plane is a detail of it.
  catalog.add(operation("codec.wrapped", R"("inputs": {"bits": ["bits"]}, "outputs": {"bits": ["bits"]})",
                        data_plane("subordinate"), {row(bench, "python", "default")}));
  catalog.add(operation("codec.future", R"("inputs": {"bits": ["bits"]}, "outputs": {"bits": ["bits"]})",
                        R"("factor": {"type": "integer", "default": 3, "minimum": 1})",
                        {row(bench, "cpp", "default", {}, "planned")}, "planned"));
  return catalog;
}

}  // namespace noema::planner
