// A CUDA of the host's: every call of the seam, done on host memory.
#pragma once

#include <algorithm>  // find_if, min
#include <cstdlib>    // malloc, free
#include <cstring>    // memcpy, memset
#include <memory>     // make_shared

#include "support/fake_books.hpp"  // fake_books, fake_machine

namespace stg::test {

/// The calls on the books.
class fake_cuda final : public fake_books {
 public:
  explicit fake_cuda(fake_machine machine = {}) : fake_books(machine) {}

  // ---- driver and devices ----
  status driver_version(int* v) override {
    return call([&] { return *v = machine.driver, status::success; });
  }
  status runtime_version(int* v) override {
    return call([&] { return *v = machine.runtime, status::success; });
  }
  status device_count(int* n) override {
    return call([&] {
      *n = 0;
      if (machine.driver < machine.runtime) return status::insufficient_driver;
      if (machine.devices == 0) return status::no_device;
      return *n = machine.devices, status::success;
    });
  }
  status properties(int d, gpu::device_properties* p) override {
    return call([&] {
      if (d < 0 || d >= machine.devices) return status::invalid_device;
      *p = {"Fake", machine.major, machine.minor, 108, machine.memory, 40 << 20, 164 << 10, 2048};
      p->uuid[0] = static_cast<char>(d + 1);
      return status::success;
    });
  }
  status get_device(int* d) override {
    return call([&] { return *d = of_thread().current, status::success; });
  }
  status set_device(int d) override {
    return call([&] { return of_thread().current = d, status::success; }, gives_back);
  }
  status memory_info(std::int64_t* free, std::int64_t* total) override {
    return call([&] {
      *total = machine.memory;
      *free = machine.memory - used_[of_thread().current] - idle(of_thread().current);
      return status::success;
    });
  }

  // ---- memory ----
  status pool_create(gpu::pool_handle* p, int device) override {
    return call([&] {
      *p = make<gpu::pool_handle>("pool");
      pools_[*p].device = device;
      return status::success;
    });
  }
  status pool_destroy(gpu::pool_handle p) override {
    return call([&] { return pools_.erase(p), gone(p, "pool"); }, gives_back);
  }
  status pool_trim(gpu::pool_handle p) override {
    return call([&] { return pools_[p].idle.clear(), status::success; });
  }
  status malloc_async(void** data, std::int64_t bytes, gpu::pool_handle p, gpu::stream_handle s) override {
    return call([&] {
      pool& from = pools_[p];
      if (of(s).into != nullptr) return status::not_supported;
      if (exhausted()) return status::out_of_memory;
      const auto reused =
          std::find_if(from.idle.begin(), from.idle.end(), [&](auto b) { return b >= bytes && b <= 2 * bytes; });
      if (reused != from.idle.end()) {
        bytes = *reused;
        from.idle.erase(reused);
      } else if (bytes > machine.memory - used_[from.device] - idle(from.device)) {
        return status::out_of_memory;
      }
      void* const m = std::malloc(static_cast<std::size_t>(bytes));
      if (m == nullptr) return status::out_of_memory;
      used_[from.device] += bytes;
      blocks_[m] = {bytes, from.device, p, false};
      alive_[m] = "block";
      push(s, [=, this] {
        blocks_[m].given = true;
        std::memset(m, 0xab, static_cast<std::size_t>(std::min(bytes, poisoned)));
      });
      return *data = m, status::success;
    });
  }
  status free_async(void* data, gpu::stream_handle s) override {
    return call(
        [&] {
          if (of(s).into != nullptr) misuses.push_back("memory freed on a stream that is captured");
          if (gone(data, "block") != status::success) return status::invalid_value;
          push(s, [this, data] {
            const block b = blocks_[data];
            blocks_.erase(data);
            std::free(data);
            used_[b.device] -= b.bytes;  // whether or not its pool went before
            if (pools_.count(b.from) != 0) pools_[b.from].idle.push_back(b.bytes);
          });
          return status::success;
        },
        gives_back);
  }
  status host_alloc(void** data, std::int64_t bytes) override {
    return call([&] {
      if (exhausted()) return status::out_of_memory;
      *data = std::malloc(static_cast<std::size_t>(bytes));
      alive_[*data] = "pinned";
      return status::success;
    });
  }
  status host_free(void* data) override {
    return call(
        [&] { return run_all(), gone(data, "pinned") == status::success ? std::free(data) : void(), status::success; },
        gives_back);
  }
  status copy_async(void* to, const void* from, std::int64_t bytes, gpu::direction how, gpu::stream_handle s) override {
    return call([&] {
      push(s, [=, this] {
        if (how != gpu::direction::to_host) in_a_block(to, bytes);
        if (how != gpu::direction::to_device) in_a_block(from, bytes);
        std::memcpy(to, from, static_cast<std::size_t>(bytes));
      });
      return status::success;
    });
  }
  status copy_peer_async(void* to, int to_device, const void* from, int from_device, std::int64_t bytes,
                         gpu::stream_handle s) override {
    return call([&] {
      if (device_of(to) != to_device || device_of(from) != from_device) misuses.push_back("peer copy of other devices");
      push(s, [=] { std::memcpy(to, from, static_cast<std::size_t>(bytes)); });
      return status::success;
    });
  }
  status fill_async(void* data, int byte, std::int64_t bytes, gpu::stream_handle s) override {
    return call([&] {
      push(s, [=, this] { in_a_block(data, bytes), std::memset(data, byte, static_cast<std::size_t>(bytes)); });
      return status::success;
    });
  }

  // ---- streams and events ----
  status stream_create(gpu::stream_handle* s) override {
    return call([&] {
      *s = make<gpu::stream_handle>("stream");
      streams_[*s].device = of_thread().current;
      return status::success;
    });
  }
  status stream_destroy(gpu::stream_handle s) override {
    return call([&] { return run(s), streams_.erase(s), gone(s, "stream"); }, gives_back);
  }
  status stream_synchronize(gpu::stream_handle s) override {
    return call([&] { return of(s).into ? status::capture_unsupported : (run(s), status::success); }, gives_back);
  }
  status stream_device(gpu::stream_handle s, int* d) override {
    return call([&] { return *d = of(s).device, status::success; });
  }
  status stream_is_capturing(gpu::stream_handle s, bool* capturing) override {
    return call([&] { return *capturing = of(s).into != nullptr, status::success; });
  }
  status stream_wait(gpu::stream_handle s, gpu::event_handle e) override {
    return call([&] {
      push(
          s, [] {}, [this, mark = events_[e].last] { return reach(mark); });
      return status::success;
    });
  }
  status event_create(gpu::event_handle* e, bool timed) override {
    return call([&] {
      *e = make<gpu::event_handle>("event");
      events_[*e] = {of_thread().current, timed, nullptr};
      return status::success;
    });
  }
  status event_destroy(gpu::event_handle e) override {
    return call([&] { return events_.erase(e), gone(e, "event"); }, gives_back);
  }
  status event_record(gpu::event_handle e, gpu::stream_handle s) override {
    return call([&] {
      if (events_[e].device != of(s).device) return status::invalid_handle;
      auto mark = std::make_shared<point>(point{s, false, 0});
      events_[e].last = mark;
      push(s, [this, mark] { mark->reached = true, mark->at = ++clock_; });
      return status::success;
    });
  }
  status event_synchronize(gpu::event_handle e) override {
    return call(
        [&] {
          while (events_[e].last && !events_[e].last->reached) step(events_[e].last->on);
          return status::success;
        },
        gives_back);
  }
  status event_query(gpu::event_handle e, bool* reached) override {
    return call([&] {
      run_all_ready();  // who does not wait for the event must not read what comes before it
      const auto& last = events_[e].last;
      *reached = reach(last) && (!last || last->reached);
      return status::success;
    });
  }
  status event_elapsed(float* ms, gpu::event_handle a, gpu::event_handle b) override {
    return call([&] {
      if (!events_[a].timed || !events_[b].timed) return status::invalid_handle;
      return *ms = static_cast<float>(events_[b].last->at - events_[a].last->at), status::success;
    });
  }

  // ---- graphs of calls ----
  status capture_begin(gpu::stream_handle s) override {
    return call([&] { return of(s).into = std::make_shared<works>(), status::success; });
  }
  status capture_end(gpu::stream_handle s, gpu::graph_handle* g) override {
    return call(
        [&] {
          const auto captured = std::move(of(s).into);
          of(s).into = nullptr;
          if (!captured) {
            misuses.push_back("end of a capture that was not begun");
            return status::invalid_value;
          }
          if (countdown_ == 1 && !exhausting_) return status::success;  // about to fail: there is no graph then
          *g = make<gpu::graph_handle>("graph");
          graphs_[*g] = captured;
          return status::success;
        },
        gives_back);
  }
  status graph_instantiate(gpu::executable_handle* x, gpu::graph_handle g) override {
    return call([&] {
      *x = make<gpu::executable_handle>("executable");
      executables_[*x] = graphs_[g];
      return status::success;
    });
  }
  status graph_launch(gpu::executable_handle x, gpu::stream_handle s) override {
    return call([&] {
      for (const auto& w : *executables_[x]) push(s, w.run, w.is_ready);
      return status::success;
    });
  }
  status graph_destroy(gpu::graph_handle g) override {
    return call([&] { return graphs_.erase(g), gone(g, "graph"); }, gives_back);
  }
  status executable_destroy(gpu::executable_handle x) override {
    return call([&] { return executables_.erase(x), gone(x, "executable"); }, gives_back);
  }

  // ---- cuBLAS ----
  status product_create(gpu::product_handle* h) override {
    return call([&] { return *h = make<gpu::product_handle>("product"), status::success; });
  }
  status product_destroy(gpu::product_handle h) override {
    return call([&] { return products_.erase(h), gone(h, "product"); }, gives_back);
  }
  status product_prepare(gpu::product_handle h, gpu::stream_handle s, bool tf32) override {
    return call([&] { return products_[h] = {s, tf32, nullptr, 0}, status::success; });
  }
  status product_workspace(gpu::product_handle h, void* data, std::int64_t bytes) override {
    return call([&] {
      products_[h].workspace = data;
      products_[h].workspace_bytes = bytes;
      return status::success;
    });
  }
  status product(gpu::product_handle h, bool ta, bool tb, std::int64_t m, std::int64_t n, std::int64_t k,
                 const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
                 std::int64_t ldc) override {
    return multiply(h, ta, tb, m, n, k, a, lda, b, ldb, beta, c, ldc);
  }
  status product(gpu::product_handle h, bool ta, bool tb, std::int64_t m, std::int64_t n, std::int64_t k,
                 const double* a, std::int64_t lda, const double* b, std::int64_t ldb, double beta, double* c,
                 std::int64_t ldc) override {
    return multiply(h, ta, tb, m, n, k, a, lda, b, ldb, beta, c, ldc);
  }
  bool tf32() const { return products_.begin()->second.tf32; }

  status last_error() override {
    const std::unique_lock lock(mutex_);
    return std::exchange(of_thread().last, status::success);
  }
  std::string error_name(status s) override { return "cudaError" + std::to_string(static_cast<int>(s)); }
  std::string error_text(status s) override { return "status " + std::to_string(static_cast<int>(s)); }
  void range_push(const char* name) override {
    const std::unique_lock lock(mutex_);
    ranges.push_back(name), ++open_ranges;
  }
  void range_pop() override {
    const std::unique_lock lock(mutex_);
    --open_ranges;
  }

 private:
  template <class T>
  status multiply(gpu::product_handle h, bool ta, bool tb, std::int64_t m, std::int64_t n, std::int64_t k, const T* a,
                  std::int64_t lda, const T* b, std::int64_t ldb, T beta, T* c, std::int64_t ldc) {
    return call([&] {
      push(products_[h].on, [=, this, to = products_[h]] {
        in_a_block(to.workspace, to.workspace_bytes);
        for (std::int64_t i = 0; i < m; ++i)
          for (std::int64_t j = 0; j < n; ++j) {
            T sum = beta == 0 ? T(0) : beta * c[i + j * ldc];
            for (std::int64_t l = 0; l < k; ++l)
              sum += a[ta ? l + i * lda : i + l * lda] * b[tb ? j + l * ldb : l + j * ldb];
            c[i + j * ldc] = sum;
          }
      });
      return status::success;
    });
  }
};

/// The fake in place of CUDA while this lives.
class fake_in_place {
 public:
  explicit fake_in_place(fake_cuda& fake) : before_(gpu::install(&fake)) {}
  fake_in_place(const fake_in_place&) = delete;
  ~fake_in_place() { gpu::install(before_); }

 private:
  gpu::api* before_;
};

}  // namespace stg::test
