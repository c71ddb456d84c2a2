// Rules of the wireless operations.
// SPDX-License-Identifier: Apache-2.0
#include "contract/schema.h"
#include "contract/validators.h"

namespace noema::contract {
namespace {

/// A fixed variance must be given; the schema keeps it positive.
void check_noise(const Preflight& preflight, std::vector<Error>& errors) {
  if (!preflight.is("noise_mode", "fixed_variance") || !preflight.parameter("noise_variance").is_null()) return;
  errors.push_back(Error{code::parameter_missing,
                         {"params.noise_variance", {}, 0, 0, {}},
                         "noise_variance is missing; noise_mode 'fixed_variance' needs it",
                         "give the total noise power of a complex sample, or set noise_mode to 'snr_at_unit_power'",
                         {}});
}

/// Without an equaliser only the channels that stay one complex gain a sample make sense.
void check_processing(const Preflight& preflight, std::vector<Error>& errors) {
  if (!preflight.is("receiver_processing", "none")) return;
  for (const char* channel : {"awgn", "interference_awgn", "flat_rayleigh"}) {
    if (preflight.is("channel", channel)) return;
  }
  errors.push_back(
      conflict("receiver_processing",
               "receiver_processing is 'none' with channel " + value_text(preflight.parameter("channel")) +
                   "; only 'awgn', 'interference_awgn' and 'flat_rayleigh' can do without receiver processing",
               "set receiver_processing to 'matched'"));
}

}  // namespace

std::vector<Error> check_wireless_channel(const Preflight& preflight) {
  std::vector<Error> errors;
  check_noise(preflight, errors);
  check_processing(preflight, errors);
  const bool connected = preflight.is_connected("channel_state");
  if (!preflight.is("channel_state_mode", "explicit")) {
    if (connected) {
      errors.push_back(conflict("channel_state_mode",
                                "channel_state is connected but channel_state_mode is 'none', which would ignore it",
                                "set channel_state_mode to 'explicit' or disconnect channel_state"));
    }
    return errors;
  }
  if (!connected) {
    errors.push_back(conflict("channel_state_mode",
                              "channel_state_mode is 'explicit' but the input channel_state is not connected",
                              "connect it to wireless.ofdm_channel_state, or set channel_state_mode to 'none'"));
  }
  if (!preflight.is("channel", "ofdm_tdl")) {
    errors.push_back(conflict("channel", "channel is " + value_text(preflight.parameter("channel")) +
                                             "; channel_state_mode 'explicit' needs channel 'ofdm_tdl'"));
  }
  return errors;
}

std::vector<Error> check_digital_link(const Preflight& preflight) {
  std::vector<Error> errors;
  check_noise(preflight, errors);
  check_processing(preflight, errors);
  return errors;
}

}  // namespace noema::contract
