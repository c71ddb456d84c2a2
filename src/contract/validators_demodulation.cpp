// Rules of the demodulators.
// SPDX-License-Identifier: Apache-2.0
#include "contract/validators.h"

namespace noema::contract {

std::vector<Error> check_digital_demodulate(const Preflight& preflight) {
  std::vector<Error> errors;
  if (preflight.is_connected("channel_state") && !preflight.is_connected("allocation")) {
    errors.push_back(Error{code::parameter_conflict,
                           {"inputs.channel_state", {}, 0, 0, {}},
                           "channel_state is connected without allocation; a channel state can weight the symbols only "
                           "together with the power that was sent through it",
                           "connect allocation too, or disconnect channel_state",
                           {}});
  }
  return errors;
}

}  // namespace noema::contract
