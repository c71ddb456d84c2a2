// SPDX-License-Identifier: Apache-2.0
#include "run/group.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace noema {

Engine::Group::Group(Engine& engine, std::size_t number)
    : engine_(engine), number_(number), strands_(engine.options_.threads) {
  for (const std::size_t step : engine.groups_[number]) {
    Member member;
    member.call = std::make_unique<StepCall>(engine.steps_[step], step, engine.host_, engine.options_, engine.pool_);
    members_.push_back(std::move(member));
  }
}

Result<void> Engine::Group::timed(Member& member, StepCall::Phase phase, const std::function<Result<void>()>& work) {
  failed_ = static_cast<std::size_t>(&member - members_.data());
  member.call->enter(phase);
  const auto start = std::chrono::steady_clock::now();
  const auto guarded = [&]() -> Result<void> {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      return Error{
          code::kernel_failed, {}, "there is not enough memory for this step", "use fewer or smaller items", {}};
    }
  };
  auto done = guarded();
  member.call->result().busy_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return done;
}

bool Engine::Group::read_later(std::size_t step, const std::string& output) const {
  if (engine_.options_.keep_outputs) return true;
  for (std::size_t i = 0; i < engine_.steps_.size(); ++i) {
    if (engine_.steps_[i].kernel == nullptr) continue;
    for (const StepTask::Input& input : engine_.steps_[i].inputs) {
      if (input.step == step && input.output == output && engine_.group_of_[i] != number_) return true;
    }
  }
  return false;
}

Result<void> Engine::Group::connect(Member& member) {
  StepCall& call = *member.call;
  const StepTask& task = call.task();
  for (std::size_t i = 0; i < task.inputs.size(); ++i) {
    const StepTask::Input& link = task.inputs[i];
    InputState& in = call.inputs()[i];
    const auto producer =
        std::ranges::find_if(members_, [&](const Member& other) { return other.call->index() == link.step; });
    if (producer == members_.end()) {
      in.whole = engine_.slot(link.step, link.output).artifact;
      NOEMA_ASSERT(in.whole != nullptr, "a value was freed before its reader");
      in.kind = in.whole->kind;
      if (member.stream == nullptr || engine_.reads_whole(task, link)) continue;
      if (in.whole->arrays.empty())
        return refuse_input(link.name, code::input_invalid, "the artifact holds no array to stream");
      const Array& array = in.whole->arrays.front().array;
      in.queue = std::make_unique<InputQueue>(array.dtype(), array.size());
      continue;
    }
    OutputState& out = *std::ranges::find_if(producer->call->outputs(),
                                             [&](const OutputState& o) { return o.port->name == link.output; });
    in.producer = &out;
    in.kind = out.port->kind;
    if (!out.is_stream) return refuse_input(link.name, code::input_invalid, "the producer gives no stream here");
    in.queue = std::make_unique<InputQueue>(out.dtype, out.length);
    out.consumers.push_back(in.queue.get());
  }
  return {};
}

Result<void> Engine::Group::open(Member& member) {
  NOEMA_CHECK(connect(member));
  NOEMA_CHECK(member.stream->open(*member.call));
  for (OutputState& out : member.call->outputs()) {
    if (!out.is_stream) continue;
    out.sink = engine_.host_.sink(member.call->index(), *out.port);
    if (out.sink != nullptr) {
      out.strand = std::make_unique<Strand>(strands_);
      out.strand->post(0, [&out] { return out.sink->begin(out.member, out.dtype, out.length); });
    }
    if (read_later(member.call->index(), out.port->name)) {
      out.collected = std::make_unique<Array>(Array::make(out.dtype, {out.length}));
      out.collect_at = const_cast<std::byte*>(out.collected->bytes().data());
    }
  }
  return {};
}

bool Engine::Group::feed(Member& member) {
  // Complete values reach a stream step in slices, so that nothing downstream grows with the whole.
  bool fed = false;
  for (InputState& in : member.call->inputs()) {
    if (in.queue == nullptr || in.whole == nullptr) continue;
    const Array& array = in.whole->arrays.front().array;
    const std::uint64_t chunk = engine_.options_.chunk;
    if (in.fed == array.size() || in.queue->queued() >= std::max(chunk, in.queue->wanted())) continue;
    const std::uint64_t count = std::min(chunk, array.size() - in.fed);
    const std::shared_ptr<const Artifact>& owner = in.whole;
    in.queue->push({owner, array.bytes().data() + in.fed * item_size(array.dtype()), count});
    in.fed += count;
    fed = true;
  }
  return fed;
}

bool Engine::Group::source_may_run(Member& member) {
  // A source waits while one of its readers still has a chunk to go.
  for (const OutputState& out : member.call->outputs()) {
    for (const InputQueue* queue : out.consumers) {
      if (queue->queued() > std::max(engine_.options_.chunk, queue->wanted())) return false;
    }
  }
  return true;
}

bool Engine::Group::done(Member& member) const {
  const auto drained = [](const InputState& in) { return in.queue == nullptr || in.queue->finished(); };
  const auto complete = [](const OutputState& out) { return !out.is_stream || out.committed == out.length; };
  return std::ranges::all_of(member.call->inputs(), drained) && std::ranges::all_of(member.call->outputs(), complete);
}

void Engine::Group::report() {
  // The step that is furthest behind tells how far the group is.
  const OutputState* slowest = nullptr;
  std::size_t step = 0;
  double least = 2;
  for (const Member& member : members_) {
    for (const OutputState& out : member.call->outputs()) {
      if (!out.is_stream || out.length == 0) continue;
      const double share = static_cast<double>(out.committed) / static_cast<double>(out.length);
      if (share <= least) {
        least = share;
        slowest = &out;
        step = member.call->index();
      }
    }
  }
  if (slowest != nullptr)
    engine_.host_.step_progress(step, "streaming", slowest->committed, slowest->length, "elements");
}

Result<void> Engine::Group::rounds() {
  // A reader may have to hold back much before it goes on, such as a packet check that keeps a whole item while an
  // error rate waits for it beside the source. When nothing else moves, sources go on in spite of what is queued.
  bool held_sources_run = false;
  while (true) {
    if (const CancelToken* cancel = engine_.options_.cancel; cancel != nullptr) {
      NOEMA_CHECK(cancel->check("stopped in step " + members_[failed_].call->task().id));
    }
    bool progress = false;
    bool finished = true;
    bool held = false;
    for (Member& member : members_) {
      if (done(member)) continue;
      progress |= feed(member);
      const bool is_source =
          std::ranges::none_of(member.call->inputs(), [](const InputState& in) { return in.queue != nullptr; });
      if (is_source && !held_sources_run && !source_may_run(member)) {
        held = true;
        finished = false;
        continue;
      }
      const std::uint64_t before = member.call->moved();
      NOEMA_CHECK(timed(member, StepCall::Phase::work, [&] { return member.stream->work(*member.call); }));
      progress |= member.call->moved() != before;
      finished &= done(member);
    }
    if (finished) return {};
    held_sources_run = !progress && held;
    if (!progress && !held) {
      const auto stuck = std::ranges::find_if(members_, [this](Member& member) { return !done(member); });
      failed_ = static_cast<std::size_t>(stuck - members_.begin());
      return Error{code::kernel_failed,
                   {},
                   "the kernel of " + stuck->call->task().operation + " stopped before its streams were complete",
                   "this is a bug in the kernel, or two inputs that must go in step have different lengths",
                   {}};
    }
    report();
  }
}

Result<void> Engine::Group::close(Member& member) {
  NOEMA_CHECK(timed(member, StepCall::Phase::close, [&] { return member.stream->close(*member.call); }));
  for (OutputState& out : member.call->outputs()) {
    if (!out.is_stream || out.sink == nullptr) continue;
    out.strand->post(0, [&out] { return out.sink->finish(out.metadata); });
  }
  return {};
}

Result<void> Engine::Group::hand_over(Member& member) {
  StepCall& call = *member.call;
  for (OutputState& out : call.outputs()) {
    if (!out.opened) {
      return Error{code::kernel_failed,
                   {},
                   "the kernel of " + call.task().operation + " gave no output '" + out.port->name + "'",
                   {},
                   {}};
    }
    OutputResult result{out.port->name, out.port->kind, {}, {}};
    Slot& slot = engine_.slot(call.index(), out.port->name);
    if (out.is_stream) {
      result.metadata = out.metadata;
      result.arrays = {{out.member, array_facts(out.dtype, {out.length})}};
      if (out.collected != nullptr) {
        slot.artifact = std::make_shared<const Artifact>(
            Artifact{out.port->kind, {{out.member, std::move(*out.collected)}}, std::nullopt, out.metadata});
      }
    } else {
      result.metadata = out.artifact->metadata;
      for (const NamedArray& named : out.artifact->arrays) {
        result.arrays.emplace_back(named.name, array_facts(named.array.dtype(), named.array.shape()));
      }
      out.sink = engine_.host_.sink(call.index(), *out.port);
      if (out.sink != nullptr) {
        out.strand = std::make_unique<Strand>(strands_);
        out.strand->post(0, [&out] { return out.sink->whole(*out.artifact); });
      }
      if (slot.readers > 0 || engine_.options_.keep_outputs) slot.artifact = out.artifact;
    }
    call.result().outputs.push_back(std::move(result));
  }
  return {};
}

Result<void> Engine::Group::settle(Member& member) {
  failed_ = static_cast<std::size_t>(&member - members_.data());
  for (const OutputState& out : member.call->outputs()) {
    if (out.strand != nullptr && out.strand->error()) return *out.strand->error();
  }
  return engine_.host_.step_finished(member.call->index(), member.call->result());
}

Result<void> Engine::Group::run_streams() {
  for (Member& member : members_) member.stream = member.call->task().kernel->stream();
  for (Member& member : members_) {
    NOEMA_CHECK(timed(member, StepCall::Phase::open, [&] { return open(member); }));
  }
  NOEMA_CHECK(rounds());
  for (Member& member : members_) NOEMA_CHECK(close(member));
  for (Member& member : members_) {
    failed_ = static_cast<std::size_t>(&member - members_.data());
    NOEMA_CHECK(hand_over(member));
  }
  strands_.wait();
  for (Member& member : members_) NOEMA_CHECK(settle(member));
  return {};
}

Result<void> Engine::Group::run_whole(Member& member) {
  NOEMA_CHECK(connect(member));
  NOEMA_CHECK(timed(member, StepCall::Phase::whole, [&] { return member.call->task().kernel->whole(*member.call); }));
  NOEMA_CHECK(hand_over(member));
  strands_.wait();
  return settle(member);
}

Result<void> Engine::Group::fail(std::size_t failed, Error error) {
  strands_.wait();
  const std::string where = "steps." + members_[failed].call->task().id;
  if (error.at.path.empty()) {
    error.at.path = where;
  } else if (!error.at.path.starts_with("steps.")) {
    error.at.path = where + "." + error.at.path;
  }
  members_[failed].call->result().error = error;
  engine_.host_.step_failed(members_[failed].call->index(), members_[failed].call->result());
  return error;
}

Result<void> Engine::Group::run() {
  for (const Member& member : members_) engine_.host_.step_started(member.call->index());
  auto done = members_.front().call->task().kernel->stream != nullptr ? run_streams() : run_whole(members_.front());
  if (!done) return fail(failed_, std::move(done).error());
  return {};
}

}  // namespace noema
