// Ctrl-C and SIGTERM as a flag that a long loop looks at between its turns. A second signal ends the program at once.
#pragma once

#include <signal.h>

namespace tread {

inline volatile sig_atomic_t caught_signal = 0;

// While it lives, SIGINT and SIGTERM are caught; a signal that was ignored (nohup, a shell's background job) stays so.
class InterruptGuard {
 public:
  InterruptGuard() {
    caught_signal = 0;
    for (int i = 0; i < 2; ++i) {
      struct sigaction action = {};
      action.sa_handler = [](int number) { caught_signal = number; };
      action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
      sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
    }
  }
  ~InterruptGuard() {
    for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &before_[i], nullptr);
    caught_signal = 0;  // it was this guard's
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  int signal() const { return caught_signal; }  // 0: none yet

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  struct sigaction before_[2];
};

}  // namespace tread
