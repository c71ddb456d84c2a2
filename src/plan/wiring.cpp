// Checks of a step's inputs (plan/wiring.h).
// SPDX-License-Identifier: Apache-2.0
#include "plan/wiring.h"

#include <algorithm>
#include <string>

#include "core/text.h"
#include "plan/codes.h"
#include "plan/findings.h"

namespace noema::planner {
namespace {

bool accepts(const InputPort& port, const std::string& kind) {
  return port.kinds.empty() || std::ranges::find(port.kinds, kind) != port.kinds.end();
}

template <class Port>
std::vector<std::string> names_of(const std::vector<Port>& ports) {
  std::vector<std::string> names;
  for (const Port& port : ports) names.push_back(port.name);
  return names;
}

/// Outputs of earlier steps that a port takes, the nearest few.
std::vector<std::string> feeders(const Wiring& wiring, std::size_t step, const InputPort& port) {
  constexpr std::size_t few = 6;
  std::vector<std::string> found;
  for (std::size_t i = step; i-- > 0 && found.size() < few;) {
    if (wiring.contracts[i] == nullptr) continue;
    for (const OutputPort& output : wiring.contracts[i]->outputs) {
      if (accepts(port, output.kind)) found.push_back(wiring.recipe.steps[i].id + "." + output.name);
    }
  }
  return found;
}

/// Operations with a kernel that turn one kind into something that a port takes; for hints alone, since it reads every
/// contract.
std::vector<std::string> converters(const Catalog& catalog, const std::string& from, const InputPort& to) {
  std::vector<std::string> found;
  for (const std::string& id : catalog.ids()) {
    const Contract* contract = catalog.find(id);
    if (contract == nullptr || !contract->implemented()) continue;
    // Operations that need more than this one input are no plain conversion.
    const auto required = std::ranges::count_if(contract->inputs, [](const InputPort& port) { return !port.optional; });
    const bool takes = required == 1 && std::ranges::any_of(contract->inputs, [&](const InputPort& port) {
                         return !port.optional && accepts(port, from);
                       });
    const bool gives =
        std::ranges::any_of(contract->outputs, [&](const OutputPort& output) { return accepts(to, output.kind); });
    if (takes && gives) found.push_back(id);
  }
  return found;
}

std::string feeding_hint(const Wiring& wiring, std::size_t step, const InputPort& port, const std::string* from) {
  const std::vector<std::string> outputs = feeders(wiring, step, port);
  if (!outputs.empty()) return "of the steps before it, " + listed(outputs, "or") + " can feed it";
  if (from != nullptr) {
    std::vector<std::string> between = converters(wiring.catalog, *from, port);
    if (between.size() > 4) between.resize(4);
    if (!between.empty()) return "a step with " + listed(between, "or") + " in between would convert it";
  }
  return "no step before it gives " + listed(port.kinds, "or");
}

class StepInputs {
 public:
  StepInputs(const Wiring& wiring, std::size_t step, std::vector<Error>& errors)
      : wiring_(wiring), step_(step), contract_(*wiring.contracts[step]), errors_(errors) {}

  void check() {
    const RecipeStep& step = wiring_.recipe.steps[step_];
    for (const InputPort& port : contract_.inputs) {
      const bool connected =
          std::ranges::any_of(step.inputs, [&](const RecipeStep::Input& input) { return input.name == port.name; });
      if (connected || port.optional) continue;
      report(port.name, code::plan_input_missing,
             contract_.id + " needs its input '" + port.name + "' (" + listed(port.kinds, "or") +
                 "), which is not connected",
             feeding_hint(wiring_, step_, port, nullptr));
    }
    for (const RecipeStep::Input& input : step.inputs) check(input);
  }

 private:
  void check(const RecipeStep::Input& input) {
    const InputPort* port = contract_.input(input.name);
    if (port == nullptr) {
      const std::vector<std::string> ports = names_of(contract_.inputs);
      report(input.name, code::plan_input_unknown,
             contract_.id + " has no input " + shown(input.name) + "; " +
                 (ports.empty() ? "it takes none" : "its inputs are " + listed(ports)),
             did_you_mean(input.name, ports));
      return;
    }
    const auto producer = wiring_.index.find(input.step);
    if (producer == wiring_.index.end() || wiring_.contracts[producer->second] == nullptr)
      return;  // reported elsewhere
    const Contract& source = *wiring_.contracts[producer->second];
    const OutputPort* output = source.output(input.output);
    if (output == nullptr) {
      const std::vector<std::string> outputs = names_of(source.outputs);
      report(input.name, code::plan_output_unknown,
             "step " + shown(input.step) + " (" + source.id + ") has no output " + shown(input.output) +
                 "; its outputs are " + listed(outputs),
             did_you_mean(input.output, outputs));
      return;
    }
    const std::string reference = input.step + "." + input.output;
    if (!accepts(*port, output->kind)) {
      report(input.name, code::plan_kind_mismatch,
             contract_.id + " takes " + listed(port->kinds, "or") + " at '" + port->name + "', but " + reference +
                 " is " + output->kind,
             feeding_hint(wiring_, step_, *port, &output->kind));
      return;
    }
    check_metadata(*port, source, *output, reference);
  }

  void check_metadata(const InputPort& port, const Contract& source, const OutputPort& output,
                      const std::string& reference) {
    const auto promised = [&](const std::string& path) {
      return std::ranges::any_of(source.guarantees, [&](const MetadataRule& rule) {
        return rule.port == output.name && std::ranges::find(rule.all_of, path) != rule.all_of.end();
      });
    };
    for (const MetadataRule& rule : contract_.requirements) {
      if (rule.port != port.name) continue;
      std::vector<std::string> missing;
      for (const std::string& path : rule.all_of) {
        if (!promised(path)) missing.push_back(path);
      }
      const std::string hint = "connect an output whose contract guarantees it: `noema ops show " + contract_.id +
                               "` lists the requirements";
      if (!missing.empty()) {
        report(port.name, code::plan_metadata_unmet,
               contract_.id + " reads metadata " + listed(missing) + " at '" + port.name + "', which " + source.id +
                   " does not guarantee for " + reference,
               hint);
      }
      if (!rule.any_of.empty() && std::ranges::none_of(rule.any_of, promised)) {
        report(port.name, code::plan_metadata_unmet,
               contract_.id + " reads metadata " + listed(rule.any_of, "or") + " at '" + port.name + "', of which " +
                   source.id + " guarantees none for " + reference,
               hint);
      }
    }
  }

  void report(const std::string& input, Code code, std::string message, std::string hint) {
    errors_.push_back(error_at(wiring_.recipe, step_path(wiring_.recipe, step_) + ".inputs." + input, code,
                               std::move(message), std::move(hint)));
  }

  const Wiring& wiring_;
  std::size_t step_;
  const Contract& contract_;
  std::vector<Error>& errors_;
};

}  // namespace

Wiring::Wiring(const Recipe& planned, const Catalog& known) : recipe(planned), catalog(known) {
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    contracts.push_back(catalog.find(recipe.steps[i].operation));
    index.emplace(recipe.steps[i].id, i);
  }
}

void check_inputs(const Wiring& wiring, std::size_t step, std::vector<Error>& errors) {
  StepInputs(wiring, step, errors).check();
}

}  // namespace noema::planner
