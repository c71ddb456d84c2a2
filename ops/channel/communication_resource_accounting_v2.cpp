// channel.communication_resource_accounting.v2: the same account over strictly typed stages.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/accounting_kernel.h"
#include "ops/channel/channel.h"

namespace noema::channel {
namespace {

class AccountingV2 final : public AccountingKernel {
 public:
  AccountingV2() : AccountingKernel("noema.communication_resources.v2") {}
};

}  // namespace

void add_communication_resource_accounting_v2(KernelList& kernels) {
  kernels.add_stream<AccountingV2>("channel.communication_resource_accounting.v2", "cpp", "default");
}

}  // namespace noema::channel
