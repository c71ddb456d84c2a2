// demodulation.digital_demodulate: symbols to hard bits and max-log LLR. Positive LLR favours bit 0.
//
// Three ways, by what is connected: plain demapping; symbols that carry a different number of bits each, after the
// transmitter's order map; equalised QPSK weighted by the channel state that was applied.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/text.h"
#include "kernels/modem.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"
#include "ops/common/items.h"
#include "ops/common/preview.h"
#include "ops/demodulation/demodulation.h"
#include "ops/demodulation/layout.h"
#include "ops/demodulation/side_information.h"

namespace noema::demodulation {
namespace {

using kernels::Modulation;

/// Turns the next symbols of the stream into bits and LLR.
class Demapper {
 public:
  virtual ~Demapper() = default;
  virtual std::uint64_t bit_count() const = 0;
  /// Bits that the next `symbols` symbols give.
  virtual std::uint64_t measure(std::uint64_t symbols) const = 0;
  /// The same symbols that were measured: `bits` and `llr` have that size.
  virtual void demap(std::span<const Complex> symbols, std::span<Bit> bits, std::span<float> llr) = 0;
};

/// Symbols of one modulation in pieces, each cut to its bits.
class PieceDemapper : public Demapper {
 public:
  PieceDemapper(Modulation modulation, ops::ModemPieces pieces)
      : modulation_(modulation), bits_per_symbol_(kernels::bits_per_symbol(modulation)), pieces_(std::move(pieces)) {}

  std::uint64_t bit_count() const override { return pieces_.bit_count(); }

  std::uint64_t measure(std::uint64_t symbols) const override {
    ops::ModemCursor cursor = cursor_;
    std::uint64_t bits = 0;
    while (symbols > 0) {
      const ops::ModemRun run = next_run_for_symbols(pieces_, cursor, symbols, bits_per_symbol_);
      bits += run.bits;
      symbols -= run.symbols;
    }
    return bits;
  }

  void demap(std::span<const Complex> symbols, std::span<Bit> bits, std::span<float> llr) override {
    while (!symbols.empty()) {
      const ops::ModemRun run = next_run_for_symbols(pieces_, cursor_, symbols.size(), bits_per_symbol_);
      const std::size_t tail = run.bits % bits_per_symbol_;
      const std::size_t whole = run.bits / bits_per_symbol_;
      decide(symbols.first(whole), bits.first(run.bits - tail), llr.first(run.bits - tail));
      done_ += whole;
      if (tail != 0) {
        std::array<Bit, 4> last_bits;
        std::array<float, 4> last_llr;
        decide(symbols.subspan(whole, 1), std::span(last_bits).first(bits_per_symbol_),
               std::span(last_llr).first(bits_per_symbol_));
        std::ranges::copy_n(last_bits.begin(), static_cast<std::ptrdiff_t>(tail),
                            bits.begin() + static_cast<std::ptrdiff_t>(run.bits - tail));
        std::ranges::copy_n(last_llr.begin(), static_cast<std::ptrdiff_t>(tail),
                            llr.begin() + static_cast<std::ptrdiff_t>(run.bits - tail));
      }
      done_ += run.symbols - whole;
      symbols = symbols.subspan(run.symbols);
      bits = bits.subspan(run.bits);
      llr = llr.subspan(run.bits);
    }
  }

 protected:
  /// Whole symbols, of which done() came before.
  virtual void decide(std::span<const Complex> symbols, std::span<Bit> bits, std::span<float> llr) = 0;
  std::uint64_t done() const { return done_; }
  Modulation modulation() const { return modulation_; }

 private:
  Modulation modulation_;
  std::uint64_t bits_per_symbol_;
  ops::ModemPieces pieces_;
  ops::ModemCursor cursor_;
  std::uint64_t done_ = 0;
};

class PlainDemapper final : public PieceDemapper {
 public:
  PlainDemapper(Modulation modulation, ops::ModemPieces pieces, double noise_variance)
      : PieceDemapper(modulation, std::move(pieces)), noise_variance_(noise_variance) {}

 private:
  void decide(std::span<const Complex> symbols, std::span<Bit> bits, std::span<float> llr) override {
    kernels::decide_bits(modulation(), symbols, bits);
    kernels::soft_bits(modulation(), symbols, noise_variance_, llr);
  }
  double noise_variance_;
};

/// Equalised QPSK: each component times the weight of its resource element.
class WeightedDemapper final : public PieceDemapper {
 public:
  WeightedDemapper(ops::ModemPieces pieces, std::vector<double> weights)
      : PieceDemapper(Modulation::qpsk, std::move(pieces)), weights_(std::move(weights)) {}

 private:
  void decide(std::span<const Complex> symbols, std::span<Bit> bits, std::span<float> llr) override {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const double weight = weights_[done() + i];
      llr[2 * i] = static_cast<float>(weight * static_cast<double>(symbols[i].real()));
      llr[2 * i + 1] = static_cast<float>(weight * static_cast<double>(symbols[i].imag()));
    }
    kernels::hard_bits(llr, bits);
  }
  std::vector<double> weights_;
};

/// Symbols that carry 0, 1, 2, 4 or 6 bits each, at their own power. The LLR only states the decision: +1 or -1.
class BitLoadingDemapper final : public Demapper {
 public:
  BitLoadingDemapper(Allocation allocation, std::uint64_t bit_count)
      : allocation_(std::move(allocation)), orders_(allocation_.orders->span<std::uint8_t>()), bit_count_(bit_count) {}

  std::uint64_t bit_count() const override { return bit_count_; }

  std::uint64_t measure(std::uint64_t symbols) const override {
    std::uint64_t bits = 0;
    for (std::uint64_t i = 0; i < symbols && bits_done_ + bits < bit_count_; ++i) bits += orders_[done_ + i];
    return std::min(bits, bit_count_ - bits_done_);
  }

  void demap(std::span<const Complex> symbols, std::span<Bit> bits, std::span<float> llr) override {
    std::size_t made = 0;
    for (std::size_t i = 0; i < symbols.size() && made < bits.size(); ++i) {
      const int order = orders_[done_ + i];
      if (order == 0) continue;
      std::array<Bit, 6> decided{};
      kernels::decide_adaptive(order, unit_power(symbols[i], allocation_.powers()[done_ + i]), decided);
      for (int b = 0; b < order && made < bits.size(); ++b, ++made) {
        bits[made] = decided[static_cast<std::size_t>(b)];
        llr[made] = bits[made] == 0 ? 1.0F : -1.0F;
      }
    }
    done_ += symbols.size();
    bits_done_ += made;
  }

 private:
  /// The point before its power was set; a switched-off one decides as the origin does.
  static Complex unit_power(Complex symbol, float power) {
    if (!(power > 1e-12F)) return {0.0F, 0.0F};
    const float inverse = 1.0F / std::sqrt(power);
    return {symbol.real() * inverse, symbol.imag() * inverse};
  }

  Allocation allocation_;
  std::span<const std::uint8_t> orders_;
  std::uint64_t bit_count_;
  std::uint64_t done_ = 0;
  std::uint64_t bits_done_ = 0;
};

class DigitalDemodulate final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, "rx_symbols", DType::c64));
    NOEMA_CHECK(choose(call));
    bit_count_ = demapper_->bit_count();
    for (const Output& output : outputs) {
      NOEMA_TRY(Value opening, metadata(call, output));
      call.open_output(output.port, output.member, output.dtype, bit_count_, std::move(opening));
    }
    return {};
  }

  Result<void> work(Call& call) override {
    for (;;) {
      const std::span<const Complex> symbols = call.peek<Complex>("rx_symbols");
      if (symbols.empty()) return {};
      NOEMA_CHECK(ops::check_symbols(call, "rx_symbols", symbols));
      const std::uint64_t count = demapper_->measure(symbols.size());
      if (count == 0) {
        demapper_->demap(symbols, {}, {});
        call.consume("rx_symbols", symbols.size());
        continue;
      }
      const std::span<Bit> bits = call.reserve<Bit>("bits", count);
      const std::span<float> llr = call.reserve<float>("llr", count);
      demapper_->demap(symbols, bits, llr);
      call.consume("rx_symbols", symbols.size());
      call.commit("bits", count);
      call.commit("llr", count);
    }
  }

  Result<void> close(Call& call) override {
    for (const Output& output : outputs) {
      NOEMA_TRY(Value closing, metadata(call, output));
      call.close_output(output.port, std::move(closing));
    }
    call.count_metric("channel.demod_bit_count", bit_count_);
    call.metric("channel.allocation_aware_transport", way_ == Way::bit_loading ? 1.0 : 0.0);
    if (way_ == Way::current_state) call.metric("channel.current_csi_soft_demodulation", 1.0);
    return {};
  }

 private:
  enum class Way { plain, bit_loading, current_state };
  struct Output {
    const char* port;
    const char* member;
    DType dtype;
  };
  static constexpr std::array<Output, 2> outputs{{{"bits", "bits", DType::u8}, {"llr", "llr", DType::f32}}};

  Result<void> choose(Call& call) {
    const Value& rx = call.metadata("rx_symbols");
    const std::uint64_t symbols = call.length("rx_symbols");
    Allocation allocation;
    if (call.connected("allocation")) {
      NOEMA_TRY(allocation, read_allocation(call));
    } else if (call.connected("channel_state")) {
      return refuse_input("channel_state", code::input_invalid,
                          "a channel state needs the power allocation that was sent through it",
                          "connect allocation too, or leave channel_state open");
    }
    if (allocation.orders && !call.connected("channel_state")) {
      if (call.text("modulation") != "auto") {
        return refuse_parameter(
            "modulation", code::parameter_conflict,
            "modulation is " + call.text("modulation") + ", but the allocation sets the bits of each symbol by itself",
            "leave modulation at auto");
      }
      way_ = Way::bit_loading;
      name_ = "allocation_aware";
      NOEMA_TRY(const std::uint64_t bits, check_bit_loading(call, allocation));
      demapper_ = std::make_unique<BitLoadingDemapper>(std::move(allocation), bits);
      return {};
    }

    NOEMA_TRY(name_, modulation_name(call));
    const Modulation modulation = *kernels::modulation_of(name_);
    NOEMA_TRY(ops::ModemPieces pieces, demap_stream(rx, symbols, kernels::bits_per_symbol(modulation), "rx_symbols"));
    if (call.connected("channel_state")) {
      way_ = Way::current_state;
      if (modulation != Modulation::qpsk) {
        return refuse_input("channel_state", code::input_invalid,
                            "the symbols are " + name_ + "; only qpsk can be weighted by a channel state");
      }
      NOEMA_TRY(std::vector<double> weights, current_state_weights(call, allocation));
      noise_variance_ = rx.at("noise_variance").number();
      demapper_ = std::make_unique<WeightedDemapper>(std::move(pieces), std::move(weights));
      return {};
    }
    NOEMA_TRY(noise_variance_, assumed_noise_variance(rx, "rx_symbols"));
    demapper_ = std::make_unique<PlainDemapper>(modulation, std::move(pieces), noise_variance_);
    return {};
  }

  /// The parameter's modulation; under `auto` that of the metadata, and QPSK where none is declared.
  static Result<std::string> modulation_name(const Call& call) {
    if (call.text("modulation") != "auto") return call.text("modulation");
    const Value* declared = call.metadata("rx_symbols").find("modulation");
    if (declared == nullptr || declared->is_null()) return std::string("qpsk");
    if (declared->is_string() && kernels::modulation_of(declared->string())) return declared->string();
    return ops::metadata_error("rx_symbols",
                               "metadata 'modulation' is " +
                                   (declared->is_string() ? "'" + shown(declared->string()) + "'" : "not a text") +
                                   "; bpsk, qpsk and qam16 are allowed",
                               "identity_phy symbols belong to demodulation.identity_demodulate; allocation_aware ones "
                               "need the allocation input");
  }

  Result<Value> metadata(const Call& call, const Output& output) const {
    Value metadata = call.metadata("rx_symbols");
    metadata.set("demodulation", name_);
    metadata.set("sign_convention", "positive_favours_bit_0");
    metadata.set("llr_kind",
                 way_ == Way::current_state ? "max_log_qpsk_post_zf_current_csi" : "approximate_hard_reliability");
    if (way_ != Way::bit_loading) metadata.set("demodulation_noise_variance", noise_variance_);
    if (way_ == Way::current_state) {
      metadata.set("llr_formula", "2*sqrt(2*p)*|h|^2*component/noise_variance");
      metadata.set("receiver_csi_role", "actual_current_channel_state");
      metadata.set("receiver_channel_state_seed", call.metadata("channel_state").at("channel_state_seed"));
    }
    if (name_ == "qpsk") {
      metadata.set("receiver_decision_preview", ops::qpsk_decision_preview("max_log_qpsk", "Max-log QPSK demapper"));
    } else {
      metadata.erase("receiver_decision_preview");
    }
    ops::declare_bits(metadata, "demodulated", bit_count_, call.backend());
    if (output.dtype == DType::f32) metadata.set("llr_count", bit_count_);
    NOEMA_CHECK(ops::rewrite_record_layout(metadata, call.length("rx_symbols"), bit_count_, "rx_symbols"));
    return metadata;
  }

  Way way_ = Way::plain;
  std::string name_;
  double noise_variance_ = 1.0;
  std::uint64_t bit_count_ = 0;
  std::unique_ptr<Demapper> demapper_;
};

}  // namespace

void add_digital_demodulate(KernelList& kernels) {
  for (const char* implementation :
       {"cpp_auto_demodulator", "cpp_bpsk_demodulator", "cpp_qpsk_demodulator", "cpp_qam16_demodulator"}) {
    kernels.add_stream<DigitalDemodulate>("demodulation.digital_demodulate", "cpp", implementation,
                                          {"allocation", "channel_state"});
  }
}

}  // namespace noema::demodulation
