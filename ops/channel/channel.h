// The native kernels of channel: bits, packets, codes and symbols on their way to and from the channel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"

namespace noema::channel {

void add_bit_boundary(KernelList& kernels);
void add_bit_count_match(KernelList& kernels);
void add_communication_resource_accounting(KernelList& kernels);
void add_communication_resource_accounting_v2(KernelList& kernels);
void add_crc32_check(KernelList& kernels);
void add_identity_decoder(KernelList& kernels);
void add_identity_encoder(KernelList& kernels);
void add_identity_link(KernelList& kernels);
void add_identity_symbol_link(KernelList& kernels);
void add_packetize_crc32(KernelList& kernels);
void add_packetize_crc32_v2(KernelList& kernels);
void add_repetition_decoder(KernelList& kernels);
void add_repetition_encoder(KernelList& kernels);
void add_symbol_boundary(KernelList& kernels);
void add_symbol_count_match(KernelList& kernels);
void add_symbol_power_identity(KernelList& kernels);
void add_symbol_power_normalize(KernelList& kernels);

/// Adds every kernel of this folder.
void add_channel(KernelList& kernels);

}  // namespace noema::channel
