// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include "cli/context.h"

namespace noema::cli {
namespace {

/// The two signals, and SIGUSR1, by which the guard tells its own thread that it is over.
sigset_t interrupts() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR1);
  return set;
}

}  // namespace

InterruptGuard::InterruptGuard(std::shared_ptr<CancelToken> token) {
  const sigset_t set = interrupts();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
  watcher_ = std::thread([token = std::move(token)] {
    const sigset_t awaited = interrupts();
    while (true) {
      int number = 0;
      if (sigwait(&awaited, &number) != 0 || number == SIGUSR1) return;
      if (token->canceled()) _exit(exit_canceled);
      token->cancel(number == SIGINT ? "interrupted from the keyboard" : "terminated");
    }
  });
}

InterruptGuard::~InterruptGuard() {
  pthread_kill(watcher_.native_handle(), SIGUSR1);
  watcher_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace noema::cli
