// One group of steps in execution: a single whole step, or stream steps joined by queues.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "run/call.h"
#include "run/engine.h"

namespace noema {

/// What an output leaves for later groups.
struct Engine::Slot {
  std::size_t readers = 0;  ///< inputs that still need it
  std::shared_ptr<const Artifact> artifact;
};

class Engine::Group {
 public:
  Group(Engine& engine, std::size_t number);
  Result<void> run();

 private:
  struct Member {
    std::unique_ptr<StepCall> call;
    std::unique_ptr<StreamKernel> stream;
  };
  Result<void> run_whole(Member& member);
  Result<void> run_streams();
  Result<void> open(Member& member);
  Result<void> connect(Member& member);
  Result<void> rounds();
  bool feed(Member& member);
  bool source_may_run(Member& member);
  Result<void> close(Member& member);
  Result<void> hand_over(Member& member);
  Result<void> settle(Member& member);
  Result<void> fail(std::size_t failed, Error error);
  bool done(Member& member) const;
  Result<void> timed(Member& member, StepCall::Phase phase, const std::function<Result<void>()>& work);
  bool read_later(std::size_t step, const std::string& output) const;
  void report();

  Engine& engine_;
  std::size_t number_;
  std::vector<Member> members_;
  StrandPool strands_;
  std::size_t failed_ = 0;  ///< member that returned the last error
};

}  // namespace noema
