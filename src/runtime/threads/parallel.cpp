// Running independent parts on several threads of a pool.
#include "thread_pool.hpp"  // thread_pool

#include <stg/base/error.hpp>        // error
#include <stg/runtime/parallel.hpp>  // parallel

#include <algorithm>  // max, min
#include <atomic>     // atomic
#include <exception>  // exception_ptr
#include <limits>     // numeric_limits
#include <mutex>      // mutex
#include <vector>     // vector

#if defined(_OPENMP)
#include <omp.h>  // omp_get_max_threads
#endif
#if defined(__unix__)
#include <pthread.h>  // pthread_atfork
#endif

namespace stg {

namespace {

std::atomic<int>& thread_count() {
#if defined(_OPENMP)
  static std::atomic<int> count{std::max(1, omp_get_max_threads())};
#else
  static std::atomic<int> count{1};
#endif
  return count;
}

/// The exception of the lowest part that threw. Parts are handed out in ascending order, so every part below it has
/// been handed out already and parts above it need not start.
class first_failure {
 public:
  bool is_below(std::int64_t part) const { return lowest_.load(std::memory_order_relaxed) < part; }

  void record(std::int64_t part, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (part >= lowest_.load(std::memory_order_relaxed)) return;
    lowest_.store(part, std::memory_order_relaxed);
    failure_ = std::move(failure);
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::atomic<std::int64_t> lowest_{std::numeric_limits<std::int64_t>::max()};
  std::exception_ptr failure_;
};

/// Where OpenMP binds threads to places (OMP_PROC_BIND), a helper has one of its own.
std::vector<int> processors_of([[maybe_unused]] int helper) {
  std::vector<int> processors;
#if defined(_OPENMP)
  const int places = omp_get_num_places();
  if (omp_get_proc_bind() == omp_proc_bind_false || places < 2) return processors;
  const int place = (helper + 1) % places;
  processors.resize(static_cast<std::size_t>(omp_get_place_num_procs(place)));
  omp_get_place_proc_ids(place, processors.data());
#endif
  return processors;
}

/// The pool of the process. It is never destroyed, and a child of fork, which has none of its threads, gets another.
std::atomic<thread_pool*>& pool() {
  static std::atomic<thread_pool*> current{nullptr};
  static const int made = [] {
    current = new thread_pool(&processors_of);
#if defined(__unix__)
    pthread_atfork(nullptr, nullptr, [] { pool() = new thread_pool(&processors_of); });
#endif
    return 0;
  }();
  (void)made;
  return current;
}

/// Parts that are taken one after the other by whoever is free.
struct handout {
  const std::int64_t parts;
  void (*const body)(std::int64_t part, void* context);
  void* const context;
  std::atomic<std::int64_t> next;
  first_failure failure;

  bool take() {
    const std::int64_t part = next.fetch_add(1, std::memory_order_relaxed);
    if (part >= parts) return false;
    if (failure.is_below(part)) return true;
    try {
      body(part, context);
    } catch (...) {
      failure.record(part, std::current_exception());
    }
    return true;
  }
  static void take_all(void* all) {
    while (static_cast<handout*>(all)->take()) {
    }
  }
};

}  // namespace

int threads() { return thread_count().load(std::memory_order_relaxed); }

void set_threads(int n) {
  if (n < 1) throw error("set_threads: " + std::to_string(n) + " threads; ask for at least 1");
  thread_count().store(n, std::memory_order_relaxed);
}

void parallel(std::int64_t parts, void (*body)(std::int64_t part, void* context), void* context) {
  const int helpers = static_cast<int>(std::min<std::int64_t>(parts, threads())) - 1;
  if (helpers < 1) {
    for (std::int64_t part = 0; part < parts; ++part) body(part, context);
    return;
  }
  handout all{parts, body, context, {0}, {}};
  while (!pool().load()->run(helpers, &handout::take_all, &all))  // others are helped: a part, and asked again
    if (!all.take()) break;
  all.failure.rethrow();
}

}  // namespace stg
