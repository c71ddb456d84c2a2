// channel.communication_resource_accounting: what a chain adds to the codec's bits, stage by stage.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/accounting_kernel.h"
#include "ops/channel/channel.h"

namespace noema::channel {
namespace {

class Accounting final : public AccountingKernel {
 public:
  Accounting() : AccountingKernel("noema.communication_resources.v1") {}
};

}  // namespace

void add_communication_resource_accounting(KernelList& kernels) {
  kernels.add_stream<Accounting>("channel.communication_resource_accounting", "cpp", "default");
}

}  // namespace noema::channel
