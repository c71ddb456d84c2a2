// Arranges steps into groups, and keeps what one group leaves for the next.
// SPDX-License-Identifier: Apache-2.0
#include "run/engine.h"

#include <algorithm>
#include <numeric>

#include "run/group.h"

namespace noema {

Engine::Engine(std::vector<StepTask> steps, EngineHost& host, EngineOptions options)
    : steps_(std::move(steps)), host_(host), options_(options) {
  if (options_.chunk == 0) options_.chunk = default_chunk;
  if (options_.threads < 1) options_.threads = 1;
  for (const StepTask& step : steps_) {
    for (const StepTask::Input& input : step.inputs) {
      NOEMA_ASSERT(input.step < steps_.size(), "an input names a step that does not exist");
      ++slot(input.step, input.output).readers;
    }
  }
  arrange();
}

Engine::~Engine() = default;

Engine::Slot& Engine::slot(std::size_t step, const std::string& output) {
  auto& found = slots_[{step, output}];
  if (found == nullptr) found = std::make_unique<Slot>();
  return *found;
}

void Engine::provide(std::size_t step, const std::string& output, Artifact artifact) {
  // Kernels trust `dtype` and its companions, so they are set here as for every artifact that a step emits.
  std::vector<std::pair<std::string, Value>> facts;
  for (const NamedArray& named : artifact.arrays) {
    facts.emplace_back(named.name, array_facts(named.array.dtype(), named.array.shape()));
  }
  if (!facts.empty()) set_array_facts(artifact.metadata, facts);
  slot(step, output).artifact = std::make_shared<const Artifact>(std::move(artifact));
}

std::shared_ptr<const Artifact> Engine::output(std::size_t step, const std::string& name) const {
  const auto found = slots_.find({step, name});
  return found == slots_.end() ? nullptr : found->second->artifact;
}

bool Engine::streams(std::size_t step) const {
  return steps_[step].kernel != nullptr && steps_[step].kernel->stream != nullptr;
}

bool Engine::reads_whole(const StepTask& step, const StepTask::Input& input) const {
  return std::ranges::find(step.kernel->whole_inputs, input.name) != step.kernel->whole_inputs.end();
}

void Engine::arrange() {
  // A level rises wherever a value must be complete before the next step may start. Stream steps that feed each other
  // on one level form a group; an edge between groups always rises, so groups can't wait for each other in a circle.
  std::vector<std::size_t> level(steps_.size(), 0);
  std::vector<std::size_t> parent(steps_.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t step) {
    while (parent[step] != step) step = parent[step] = parent[parent[step]];
    return step;
  };
  const auto flows = [&](const StepTask& step, std::size_t index, const StepTask::Input& input) {
    return streams(index) && streams(input.step) && !reads_whole(step, input);
  };
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    for (const StepTask::Input& input : steps_[i].inputs) {
      NOEMA_ASSERT(input.step < i, "steps must stand behind their producers");
      level[i] = std::max(level[i], level[input.step] + (flows(steps_[i], i, input) ? 0 : 1));
    }
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    for (const StepTask::Input& input : steps_[i].inputs) {
      if (flows(steps_[i], i, input) && level[i] == level[input.step]) parent[root(i)] = root(input.step);
    }
  }
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].kernel != nullptr) members[root(i)].push_back(i);
  }
  for (auto& [first, steps] : members) groups_.push_back(std::move(steps));
  std::ranges::sort(groups_, {}, [&](const std::vector<std::size_t>& steps) {
    return std::pair(level[steps.front()], steps.front());
  });
  group_of_.assign(steps_.size(), groups_.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const std::size_t step : groups_[g]) group_of_[step] = g;
  }
}

void Engine::release_inputs(std::size_t step) {
  for (const StepTask::Input& input : steps_[step].inputs) {
    Slot& held = slot(input.step, input.output);
    if (--held.readers == 0 && !options_.keep_outputs) held.artifact.reset();
  }
}

Result<void> Engine::run() {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (options_.cancel != nullptr)
      NOEMA_CHECK(options_.cancel->check("stopped before step " + steps_[groups_[g].front()].id));
    Group group(*this, g);
    NOEMA_CHECK(group.run());
    for (const std::size_t step : groups_[g]) release_inputs(step);
  }
  return {};
}

}  // namespace noema
