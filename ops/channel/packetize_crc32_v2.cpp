// channel.packetize_crc32.v2: the same packets, under a kind that says that these bits are framed.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/channel.h"
#include "ops/channel/packetizer.h"

namespace noema::channel {

void add_packetize_crc32_v2(KernelList& kernels) {
  kernels.add_stream<Packetizer>("channel.packetize_crc32.v2", "cpp", "default");
}

}  // namespace noema::channel
