// wireless.channel: complex symbols through noise, flat fading or interference, with perfect one-tap equalisation.
//
// Noise and fading stream. Interference is set against the mean power of the noisy signal, so it needs all of it first.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "kernels/boundary.h"
#include "ops/common/checks.h"
#include "ops/wireless/flat_channel.h"
#include "ops/wireless/link.h"
#include "ops/wireless/wireless.h"

namespace noema::wireless {
namespace {

constexpr std::string_view in = "symbols";
constexpr std::string_view out = "rx_symbols";
/// Symbols between two looks at whether the run is to stop.
constexpr std::uint64_t portion = std::uint64_t{1} << 20;

class FlatChannel final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, in, DType::c64));
    NOEMA_TRY(link_, read_link(call));
    measured_.emplace(link_.symbols, link_.flat.fading != Fading::none);
    NOEMA_TRY(Value opening, link_metadata(call, link_, nullptr));
    call.open_output(out, "symbols", DType::c64, link_.symbols, std::move(opening));
    return {};
  }

  Result<void> work(Call& call) override {
    for (;;) {
      std::span<const Complex> sent = call.peek<Complex>(in);
      if (sent.empty()) return {};
      NOEMA_CHECK(ops::check_symbols(call, in, sent));
      const std::uint64_t count = sent.size();
      std::span<Complex> received = call.reserve<Complex>(out, count);
      while (!sent.empty()) {
        const std::size_t part = pass(sent, received);
        sent = sent.subspan(part);
        received = received.subspan(part);
      }
      call.consume(in, count);
      call.commit(out, count);
    }
  }

  Result<void> close(Call& call) override {
    NOEMA_TRY(Value metadata, link_metadata(call, link_, &*measured_));
    call.close_output(out, std::move(metadata));
    emit_link_metrics(call, link_, *measured_);
    return {};
  }

 private:
  /// Sends as many symbols as belong to the present item; returns how many.
  std::size_t pass(std::span<const Complex> sent, std::span<Complex> received) {
    if (!realization_) {
      left_ = link_.items ? (*link_.items)[item_] : link_.symbols;
      realization_ = std::make_unique<FlatRealization>(link_.flat, link_.item_seeds[item_], left_);
    }
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, sent.size()));
    realization_->pass(sent.first(count), received.first(count), *measured_);
    left_ -= count;
    if (left_ == 0) {
      realization_->finish(*measured_);
      realization_.reset();
      ++item_;
    }
    return count;
  }

  Link link_;
  std::optional<Measured> measured_;
  std::unique_ptr<FlatRealization> realization_;
  std::size_t item_ = 0;
  std::uint64_t left_ = 0;  ///< symbols of the present item that have not come yet
};

Result<void> interfere(Call& call) {
  const bool renamed =
      call.artifact(in).array("symbols") == nullptr && call.artifact(in).array("rx_symbols") != nullptr;
  NOEMA_TRY(const Array stored, call.array(in, renamed ? "rx_symbols" : "symbols"));
  NOEMA_TRY(const kernels::Checked checked,
            ops::at_port(kernels::check_symbols("channel.symbols", stored, "complex"), in));
  const std::span<const Complex> sent = checked.array.span<Complex>();
  NOEMA_TRY(Link link, read_link(call));
  link.flat.final = false;
  Interference interference;
  interference.interferers = std::max<std::uint64_t>(1, call.count("interferers"));
  Measured measured(link.symbols, false);
  Array array = Array::make(DType::c64, {link.symbols});
  const std::span<Complex> received = array.edit<Complex>();
  std::uint64_t start = 0;
  for (std::size_t item = 0; item < link.item_seeds.size(); ++item) {
    const std::uint64_t count = link.items ? (*link.items)[item] : link.symbols;
    const std::span<Complex> part = received.subspan(start, count);
    FlatRealization noise(link.flat, link.item_seeds[item], count);
    for (std::uint64_t done = 0; done < count; done += portion) {
      const std::uint64_t now = std::min(portion, count - done);
      noise.pass(sent.subspan(start + done, now), part.subspan(done, now), measured);
      NOEMA_CHECK(call.progress("channel", start + done + now, link.symbols, "symbols"));
    }
    noise.finish(measured);
    const Interfered added =
        add_interference(noise.generator(), call.number("interference_sir_db"), interference.interferers, part);
    interference.noisy_energy += added.noisy_power * static_cast<double>(count);
    interference.energy += added.interference_energy;
    start += count;
  }
  measured.antenna.add(received);
  measured.output.add(received);
  NOEMA_TRY(Value metadata, link_metadata(call, link, &measured, &interference));
  emit_link_metrics(call, link, measured, &interference);
  call.emit(out, {{"symbols", std::move(array)}}, std::move(metadata));
  return {};
}

}  // namespace

void add_channel(KernelList& kernels) {
  constexpr std::string_view operation = "wireless.channel";
  for (const char* implementation :
       {"awgn_matched", "awgn_unprocessed", "flat_rayleigh_matched", "flat_rayleigh_unprocessed"}) {
    kernels.add_stream<FlatChannel>(operation, "cpp", implementation);
  }
  for (const char* implementation : {"interference_awgn_matched", "interference_awgn_unprocessed"}) {
    kernels.add(operation, "cpp", implementation, interfere);
  }
}

}  // namespace noema::wireless
