// The root list: every family's native kernels.
// SPDX-License-Identifier: Apache-2.0

#include "noema/backend.h"
#include "ops/channel/channel.h"
#include "ops/demodulation/demodulation.h"
#include "ops/metrics/metrics.h"
#include "ops/model/jpeg/jpeg.h"
#include "ops/model/text/text.h"
#include "ops/modulation/modulation.h"
#include "ops/source/source.h"
#include "ops/wireless/wireless.h"

namespace noema {

const KernelList& native_kernels() {
  static const KernelList kernels = [] {
    KernelList list;
    channel::add_channel(list);
    demodulation::add_demodulation(list);
    metrics::add_metrics(list);
    model::add_jpeg(list);
    model::add_text(list);
    modulation::add_modulation(list);
    source::add_source(list);
    wireless::add_wireless(list);
    return list;
  }();
  return kernels;
}

}  // namespace noema
