// channel.packetize_crc32: a payload as CRC-32 packets, each source item in packets of its own.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/channel.h"
#include "ops/channel/packetizer.h"

namespace noema::channel {

void add_packetize_crc32(KernelList& kernels) {
  kernels.add_stream<Packetizer>("channel.packetize_crc32", "cpp", "default");
}

}  // namespace noema::channel
