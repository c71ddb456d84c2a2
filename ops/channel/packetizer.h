// The sender of CRC-32 packets, behind channel.packetize_crc32 and its v2.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "noema/backend.h"
#include "ops/channel/packets.h"
#include "ops/common/bit_writer.h"

namespace noema::channel {

class Packetizer final : public StreamKernel {
 public:
  Result<void> open(Call& call) override;
  Result<void> work(Call& call) override;
  Result<void> close(Call& call) override;

 private:
  Result<Value> metadata(const Call& call) const;
  /// Sends the rest of the current packet's valid bits, as far as they have arrived.
  Result<bool> send_payload(Call& call, ops::BitWriter& writer);
  void send_lead(ops::BitWriter& writer);
  void send_end(ops::BitWriter& writer);

  PacketPlan plan_;
  Value contract_;
  std::string contract_sha256_;
  std::optional<PacketWalk> walk_;
  bool under_way_ = false;  ///< the current packet's header is out
  std::uint64_t sent_ = 0;  ///< valid bits of the current packet that are out
  std::uint32_t crc_ = 0;   ///< over the current packet so far
  std::vector<std::byte> packed_;
};

}  // namespace noema::channel
