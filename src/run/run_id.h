// Names of runs: reserved for ever, and locked while the run lasts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "noema/error.h"

namespace noema {

/// UTC with milliseconds: `2026-01-02T03:04:05.678Z`.
std::string utc_text(std::chrono::system_clock::time_point when);
/// ASCII letters, digits, `.`, `_` and `-`; everything else becomes `_`. At most 100 characters, never empty.
std::string safe_name(std::string_view name);

/// A reserved run id and the lock that says its run is alive. Movable; the lock goes with the object.
class RunReservation {
 public:
  /// `<YYYYMMDDTHHMMSSZ>_<safe name>[_<n>]`, reserved in `<workspace>/.run-id-reservations`.
  static Result<RunReservation> take(const std::string& workspace, std::string_view recipe_name,
                                     std::chrono::system_clock::time_point when);
  ~RunReservation();
  RunReservation(RunReservation&& other) noexcept;
  RunReservation& operator=(RunReservation&&) = delete;
  const std::string& id() const { return id_; }

 private:
  RunReservation(std::string id, int file) : id_(std::move(id)), file_(file) {}
  std::string id_;
  int file_ = -1;
};

}  // namespace noema
