// The list of channel's native kernels.
// SPDX-License-Identifier: Apache-2.0

#include "ops/channel/channel.h"

namespace noema::channel {

void add_channel(KernelList& kernels) {
  add_bit_boundary(kernels);
  add_bit_count_match(kernels);
  add_communication_resource_accounting(kernels);
  add_communication_resource_accounting_v2(kernels);
  add_crc32_check(kernels);
  add_identity_decoder(kernels);
  add_identity_encoder(kernels);
  add_identity_link(kernels);
  add_identity_symbol_link(kernels);
  add_packetize_crc32(kernels);
  add_packetize_crc32_v2(kernels);
  add_repetition_decoder(kernels);
  add_repetition_encoder(kernels);
  add_symbol_boundary(kernels);
  add_symbol_count_match(kernels);
  add_symbol_power_identity(kernels);
  add_symbol_power_normalize(kernels);
}

}  // namespace noema::channel
