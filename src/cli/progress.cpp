// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/context.h"

namespace noema::cli {
namespace {

constexpr auto before_first = std::chrono::seconds(1);
constexpr auto between_lines = std::chrono::seconds(5);

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

/// 1234567 -> `1.23 M`.
std::string short_number(double value) {
  constexpr const char* units[] = {"", " k", " M", " G", " T"};
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(units)) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f}{}", value, value < 10 && unit > 0 ? 2 : value < 100 && unit > 0 ? 1 : 0, units[unit]);
}

}  // namespace

Progress::Progress(bool quiet, std::string label) : quiet_(quiet), terminal_(on_terminal()), label_(std::move(label)) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void Progress::draw(const std::string& step, std::uint64_t index, std::uint64_t count, double percent,
                    const std::string& detail) {
  const auto now = std::chrono::steady_clock::now();
  if (quiet_ || now - start_ < before_first) return;
  const std::string head = fmt::format("{}{}step {}/{} {}", label_, label_.empty() ? "" : " ", index + 1, count, step);
  if (!terminal_) {
    if (now - last_line_ < between_lines) return;
    last_line_ = now;
    fmt::print(stderr, "{} {:.0f} % {}\n", head, percent, detail);
    return;
  }
  constexpr std::size_t cells = 24;
  const auto full = static_cast<std::size_t>(std::clamp(percent, 0.0, 100.0) / 100.0 * cells + 0.5);
  std::string line = fmt::format("{} [{}{}] {:3.0f} % {}", head, std::string(full, '#'), std::string(cells - full, '.'),
                                 percent, detail);
  line.resize(std::min(line.size(), terminal_width() - 1));
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::event(const Value& event) {
  const Value* step = event.find("step_id");
  if (step == nullptr) return;
  const auto index = static_cast<std::uint64_t>(event.at("index").integer());
  const auto count = static_cast<std::uint64_t>(event.at("count").integer());
  const std::string& kind = event.at("kind").string();
  if (step->string() != step_) {
    step_ = step->string();
    step_start_ = std::chrono::steady_clock::now();
  }
  if (kind == "step_progress") {
    const double completed = event.at("completed").number();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - step_start_).count();
    const std::string rate = seconds > 0.2
                                 ? fmt::format("{} {}/s", short_number(completed / seconds), event.at("unit").string())
                                 : std::string();
    draw(step_, index, count, event.at("percent").number(), rate);
  } else if (kind == "step_started") {
    draw(step_, index, count, 0, event.at("op").string());
  }
}

}  // namespace noema::cli
