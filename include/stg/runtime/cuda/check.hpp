// Errors of CUDA calls as sentences: the call, its program, its object.
#pragma once

#include <cstdint>      // int64_t
#include <string>       // string
#include <string_view>  // string_view

#include <stg/base/error.hpp>        // error, out_of_memory
#include <stg/runtime/cuda/api.hpp>  // api, status

namespace stg::gpu {

/// The purpose of calls, as far as it is known. The texts must live as long as the calls are made.
struct purpose {
  std::string_view program{}, unit{};
  std::int64_t vertices = -1, edges = -1;
};
/// "gat, unit 'in_edges 2', on 2708 vertices and 13264 edges", or "CUDA" when nothing is known.
std::string to_string(const purpose&);

/// The device has no memory for the request. Memory freed for it stays free, and a smaller call works.
struct out_of_memory : stg::out_of_memory {
  std::int64_t needed, free, total;  // bytes
  out_of_memory(const std::string& what, std::int64_t needed, std::int64_t free, std::int64_t total)
      : stg::out_of_memory(what), needed(needed), free(free), total(total) {}
};

[[noreturn]] void fail(api& calls, const purpose& why, std::string_view call, status s);

/// Throws unless a call succeeded; `call` is CUDA's name for it.
///
///   check(calls, why, "cudaStreamSynchronize", calls.stream_synchronize(stream));
inline void check(api& calls, const purpose& why, std::string_view call, status s) {
  if (s != status::success) [[unlikely]]
    fail(calls, why, call, s);
}

/// Throws when the launch of a kernel before it in this thread failed; to be called after each launch.
inline void check_launch(api& calls, const purpose& why) { check(calls, why, "kernel launch", calls.last_error()); }

/// A handle that is given back when it goes. Errors that CUDA reports then come from earlier calls: the next checked
/// call has them too.
template <class Handle, status (api::*Destroy)(Handle)> class owned {
 public:
  owned() = default;
  explicit owned(api& calls) : calls_(&calls) {}
  owned(owned&& other) noexcept : calls_(other.calls_), handle_(other.handle_) { other.handle_ = nullptr; }
  owned& operator=(owned&& other) noexcept {
    owned taken(static_cast<owned&&>(other));
    swap(taken.calls_, calls_);
    swap(taken.handle_, handle_);
    return *this;
  }
  ~owned() {
    if (handle_ != nullptr) (calls_->*Destroy)(handle_);
  }

  Handle get() const { return handle_; }
  Handle* out() { return &handle_; }

 private:
  template <class T> static void swap(T& a, T& b) {
    T t = a;
    a = b;
    b = t;
  }
  api* calls_ = nullptr;
  Handle handle_ = nullptr;
};

}  // namespace stg::gpu
