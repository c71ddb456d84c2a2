// A small contract for the tests, written to use most of what the authored form can say.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "contract/authored.h"

namespace noema::contract {

inline const std::string sample_text = R"({
  "id": "channel.sample",
  "name": "Sample",
  "status": "implemented",
  "description": "Only for tests.",
  "inputs": { "bits": ["channel.bits.numpy", "channel.payload_bits.numpy"] },
  "optional_inputs": { "state": ["channel.ofdm_channel_state.numpy"] },
  "outputs": { "coded_bits": ["channel.coded_bits.numpy"] },
  "parameters": {
    "status": { "type": "string", "enum": ["name", "reason"], "default": "name", "description": "A word." },
    "path": { "type": "string", "minLength": 1, "required": true },
    "gain": { "use": "gain" }
  },
  "validator": "wireless.channel",
  "input_metadata_requirements": { "bits": { "any_of": ["rate.bpp"] } },
  "output_metadata_guarantees": { "coded_bits": ["factor"] },
  "differentiability": { "gradient": "stop", "reason": "Bits." },
  "equivalence": { "type": "exact", "reason": "One right answer." },
  "formats": { "artifact": "npz", "tensor": null },
  "entropy_payload_info": { "coder": "none" },
  "metrics": { "channel.gain": { "unit": "1", "direction": "neutral" } },
  "materializations": [
    { "runner": "benchmark_run", "backend": "cpp", "status": "implemented" },
    { "runner": "benchmark_run", "backend": "cpp", "implementation": "slow", "status": "planned", "explicit": true, "notes": "Plain." },
    { "runner": "benchmark_run", "backend": "numpy", "status": "planned", "parameter_bindings": { "status": "name" } },
    { "runner": "dataset_capture", "backend": "cpp", "implementation": "default", "status": "planned" }
  ]
}
)";

inline Vocabulary sample_vocabulary() {
  const std::string kinds =
      R"({"channel.bits.numpy":"a","channel.payload_bits.numpy":"b","channel.coded_bits.numpy":"c",
    "channel.ofdm_channel_state.numpy":"d"})";
  const std::string fragments =
      R"({"gain":{"type":"number","default":1.0,"exclusiveMinimum":0,"x-noema-ui":{"label":"Gain"}}})";
  return *read_vocabulary(kinds, "kinds.json", fragments, "fragments.json");
}

inline ContractFile sample_file(std::string text = sample_text) {
  return *contract_file("ops/channel/sample.op.json", std::move(text));
}

/// The text with the first `from` replaced; empty when there is none.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? std::string() : text.replace(at, from.size(), to);
}

}  // namespace noema::contract
