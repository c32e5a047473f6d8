// The contents of a tape: a recorded call and its block of memory, which live as long as the tape or a view of its
// results.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <memory>   // unique_ptr
#include <utility>  // move
#include <vector>   // vector

#include <stg/call/recorded_call.hpp>     // recorded_call
#include <stg/runtime/mutex.hpp>          // lock, mutex
#include <stg/runtime/shared_keeper.hpp>  // shared_keeper

namespace stg::detail {

/// A recorded call as its tape sees it, for any fixed inputs. It is memory with several holders: the tape, and each
/// view of a result.
template <class Ref, class Entries> class recording : public shared_keeper {
 public:
  virtual outputs_t<Ref> output_views() = 0;
  virtual gradient_set<Ref, Entries> gradient_views() = 0;
  virtual void backward(const std::byte* const* cotangents) = 0;
  virtual dimensions output_shape(int k) const = 0;
  virtual const call_graph& on() const = 0;
  virtual location place() const = 0;
  virtual std::int64_t planned_bytes() const = 0;
  /// The tape is gone: nothing is differentiated any more, and the bindings are not needed. Without this each of a row
  /// of tapes would hold the one before.
  virtual void let_inputs_go() noexcept = 0;
};

/// A call of program Form, which is Ref or its form with fixed inputs.
template <class Ref, class Form, class Provided, class Entries, class Backend>
class recording_of final : public recording<Ref, Entries> {
 public:
  template <class... Arg>
  recording_of(const Backend& backend, std::shared_ptr<basic_arena_pool<typename Backend::arena>> pool,
               const call_graph& on, const kept_store& kept, const checkpoints& keep, std::uint64_t seed,
               std::uint32_t number, const Arg&... args)
      : block_(std::move(pool)), call_(backend) {
    call_.keep(keep);
    call_.forward(on, block_, kept, seed, number, args...);
    call_.hold(args...);
    call_.share_with_views(this);
  }

  outputs_t<Ref> output_views() override { return call_.output_views(); }
  gradient_set<Ref, Entries> gradient_views() override { return call_.gradient_views(); }
  void backward(const std::byte* const* cotangents) override { call_.backward(cotangents); }
  dimensions output_shape(int k) const override { return call_.output_shape(k); }
  const call_graph& on() const override { return call_.on(); }
  location place() const override { return call_.place(); }
  std::int64_t planned_bytes() const override { return call_.planned_bytes(); }
  void let_inputs_go() noexcept override { call_.let_inputs_go(); }

 private:
  block_of<Backend> block_;
  recorded_call<Form, Provided, Entries, Backend> call_;
};

/// The tape's hold on a recording.
struct end_of_tape {
  template <class Recording> void operator()(Recording* r) const noexcept {
    r->let_inputs_go();
    r->free(nullptr);
  }
};
template <class Recording> using recording_handle = std::unique_ptr<Recording, end_of_tape>;

template <class Ref, class Form, class Provided, class Entries, class Backend, class... Arg>
recording_handle<recording<Ref, Entries>> record_call(const Backend& backend, const Arg&... args) {
  return recording_handle<recording<Ref, Entries>>(
      new recording_of<Ref, Form, Provided, Entries, Backend>(backend, args...));
}

/// Zeros in place of cotangents that are left out: the tapes of one trainer read the same ones.
class zero_memory {
 public:
  /// At least so many bytes in a place; they are there as long as this.
  const std::byte* at_least(std::int64_t bytes, location where) {
    const lock held(mutex_);
    if (bytes > size_ || made_.empty()) {
      made_.push_back(allocate_at(where, bytes, true, "cotangent"));  // others may still read smaller ones
      size_ = bytes;
    }
    return made_.back().get();
  }

 private:
  mutex mutex_;
  std::vector<memory> made_;
  std::int64_t size_ = 0;
};

}  // namespace stg::detail
