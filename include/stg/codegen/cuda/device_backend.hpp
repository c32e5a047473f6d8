// A CUDA device as a backend of calls: kernels on a stream, products by cuBLAS, memory from the device's pool.
#pragma once

#include <cstddef>      // byte
#include <cstdint>      // int64_t
#include <memory>       // shared_ptr
#include <mutex>        // mutex
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/base/error.hpp>                 // error
#include <stg/base/larger.hpp>                // smaller
#include <stg/codegen/cuda/executable.hpp>    // executable
#include <stg/codegen/cuda/launch.hpp>        // launch_on
#include <stg/codegen/cuda/reduce.hpp>        // label_kernel
#include <stg/codegen/cuda/unit.hpp>          // run, steps, workspace
#include <stg/codegen/cuda/program_name.hpp>  // program_name
#include <stg/codegen/scan.hpp>               // step_program
#include <stg/runtime/binding.hpp>            // bound_input
#include <stg/runtime/cuda.hpp>               // cuda
#include <stg/runtime/cuda/block.hpp>         // block
#include <stg/runtime/cuda/product.hpp>       // products
#include <stg/runtime/cuda/stream.hpp>        // stream, range
#include <stg/runtime/step_graphs.hpp>        // shown_on_stream

namespace stg::gpu {

namespace detail {

/// State of a device shared by the calls of one compiled program. Opened by the first.
class opened_device {
 public:
  /// built: the target architectures of compiled kernels.
  opened_device(const cuda& where, std::string_view built, const purpose& why)
      : device_(device::open(where.device(), why)),
        stream_(device_, where.options().stream, why),
        products_(stream_, where.options().tf32),
        numbers_(device_),
        found_(device_) {
    device_->check_architectures(built, why);
    const current_device now(device_->calls(), device_->index(), why);
    numbers_.reserve(sizeof(ones), why);
    constexpr ones host_ones;
    device_->upload(numbers_.data(), &host_ones, sizeof(ones), why);
  }

  device& on() { return *device_; }
  const std::shared_ptr<device>& shared() const { return device_; }
  stream& runs_on() { return stream_; }
  products& multiply() { return products_; }
  template <class T> const std::byte* one() const {
    return numbers_.data() + (sizeof(T) == sizeof(float) ? offsetof(ones, single) : offsetof(ones, twice));
  }
  std::mutex& busy() { return busy_; }
  /// How often the captured step with these calls' work has been launched; null if there is none.
  const std::uint32_t* launches() const {
    return stream_.handle() == device_->launches_on() ? device_->launches() : nullptr;
  }

  /// Checks labels when the stream comes to it; `report` takes the result.
  template <class Launcher> void look_at(std::vector<bound_labels> labels, const purpose& why) {
    looked_at_.clear();
    found_.reserve(static_cast<std::int64_t>(labels.size() * sizeof(first_wrong)), why);
    for (std::size_t k = 0; k < labels.size(); ++k)
      launch_on<Launcher>(on(), label_kernel{labels[k], found_at(k)->in_block}, stream_.handle(), why);
    looked_at_ = std::move(labels);
  }
  /// Waits for the device, and errors if a label is none of its classes or a mask names no vertex.
  void report(const purpose& why) {
    for (std::size_t k = 0; k < looked_at_.size(); ++k) {
      const bound_labels& labels = looked_at_[k];
      first_wrong found;
      device_->download(&found, found_at(k), sizeof(found), why);
      std::int64_t row = found.in_block[0];
      for (const std::int64_t of_block : found.in_block) row = smaller(row, of_block);
      if (labels.is_mask() && row >= labels.rows) empty_mask(labels);
      if (labels.is_mask() || row >= labels.rows) continue;
      std::int32_t label = 0;
      device_->download(&label, labels.label + row, sizeof(label), why);
      wrong_label(labels, row, label);
    }
  }

 private:
  struct first_wrong {
    std::int64_t in_block[label_kernel::blocks];
  };
  first_wrong* found_at(std::size_t k) { return reinterpret_cast<first_wrong*>(found_.data()) + k; }

  struct ones {
    alignas(16) float single = 1;
    alignas(16) double twice = 1;
  };
  std::shared_ptr<device> device_;
  stream stream_;
  products products_;
  block numbers_, found_;
  std::vector<bound_labels> looked_at_;  // of the step last launched
  std::mutex busy_;
};

/// The same before the first call.
class device_at_first_call {
 public:
  device_at_first_call(const cuda& where, std::string_view built) : where_(where), built_(built) {}
  const cuda& where() const { return where_; }
  opened_device& open(const purpose& why = {}) {
    const std::scoped_lock lock(mutex_);
    if (!opened_) opened_ = std::make_unique<opened_device>(where_, built_, why);
    return *opened_;
  }
  const opened_device* opened() {
    const std::scoped_lock lock(mutex_);
    return opened_.get();
  }

 private:
  cuda where_;
  std::string_view built_;
  std::mutex mutex_;
  std::unique_ptr<opened_device> opened_;
};

/// The alignment of a value's address, for the packs that lanes load and store. By the width of its rows: a second name
/// of it may have a different last axis.
constexpr int alignment_of(const ir::statement& s) {
  const std::int64_t w = known_product(s.dims, 0, s.dims.rank);
  const int numbers = w < 0 || w % 4 == 0 ? 4 : w % 2 == 0 ? 2 : 1, bytes = numbers * bytes_of(s.type);
  return bytes < 16 ? bytes : 16;
}

/// Results of `to` and `clone` are aligned for packs; a view may not be.
template <class P> void check_alignment(const launch& l) {
  for (int i = 0; i < P::program.size; ++i) {
    const ir::statement& s = P::program.statements[i];
    const bool is_input = s.code == ir::opcode::input;
    if (is_input ? P::program.inputs[s.entry()].sparse : !P::plan.stored[i]) continue;
    const int bytes = alignment_of(s);
    if (reinterpret_cast<std::uintptr_t>(l.memory[i]) % static_cast<unsigned>(bytes) == 0) continue;
    const std::string name = is_input ? std::string(P::program.inputs[s.entry()].name.view()) : "results";
    throw error((is_input ? "input '" + name + "'" : "a tensor for results") +
                " begins at an address that is no multiple of " + std::to_string(bytes) + ", as a view may; give " +
                name + ".clone()");
  }
}

}  // namespace detail

/// stg::arena in the memory of a device; the first reserve opens it.
class device_arena {
 public:
  explicit device_arena(std::shared_ptr<detail::device_at_first_call> on) : on_(std::move(on)) {}

  void reserve(std::int64_t bytes) {
    if (!block_) block_ = std::make_unique<block>(on_->open().shared());
    const current_device now(on_->open().on().calls(), on_->open().on().index(), {});
    block_->reserve(bytes);
  }
  std::byte* data() { return block_ ? block_->data() : nullptr; }
  std::int64_t capacity() const { return block_ ? block_->capacity() : 0; }

 private:
  std::shared_ptr<detail::device_at_first_call> on_;
  std::unique_ptr<block> block_;
};

/// Launcher: see launch_on.
template <class Launcher> class device_backend {
 public:
  static constexpr bool looks_at_labels = true;
  template <class Program> using executable = gpu::executable<Program>;
  using arena = device_arena;

  explicit device_backend(const cuda& where = cuda())
      : on_(std::make_shared<detail::device_at_first_call>(where, Launcher::architectures())) {}

  location place() const { return on_->where(); }
  arena make_arena() const { return arena(on_); }

  void prepare(launch& l) const {
    if (const detail::opened_device* to = on_->opened()) l.draws.launches = to->launches();
  }
  template <class P> static std::int64_t workspace(const launch& l) { return gpu::workspace<P>(l); }
  template <class P, bool Runs> static const codegen::step_program* steps() { return gpu::steps<P, machine, Runs>(); }

  /// Launches all units; does not wait for them.
  template <class P> void run(const launch& l) const {
    constexpr std::string_view name = program_name<P>();
    const bool has_kinds = l.graph.kinds != nullptr;  // their numbers say little in one sum
    const purpose why{name, {}, has_kinds ? -1 : l.graph.vertices, has_kinds ? -1 : l.graph.edges};
    detail::check_alignment<P>(l);
    detail::opened_device& to = on_->open(why);
    const std::scoped_lock lock(to.busy());
    const current_device now(to.on().calls(), to.on().index(), why);
    const range profiled(std::string(name).c_str());
    if (to.on().is_captured() && to.on().launches_on() != to.runs_on().handle())
      throw error(std::string(name) + ": this program runs on another stream than the step that is being captured; " +
                  "compile it for that one, stg::cuda(" + std::to_string(to.on().index()) + ", {.stream = ...})");
    turn mine(to.runs_on(), why);
    const shown_on_stream steps(l.scans.graphs, to.runs_on().handle());
    if (l.draws.launches != to.launches())
      throw error(std::string(name) +
                  ": this tape was recorded in another captured step, or in none; call backward where " +
                  "it was recorded, or it would draw other random numbers");
    machine here{to, why};
    gpu::run<P>(l, here);
    mine.end();
  }

  /// Launches a check of a step's labels; number_at reports it.
  void look_at_labels(std::vector<bound_labels> labels) const {
    const purpose why{"labels"};
    detail::opened_device& to = on_->open(why);
    const std::scoped_lock lock(to.busy());
    const current_device now(to.on().calls(), to.on().index(), why);
    turn mine(to.runs_on(), why);
    to.look_at<Launcher>(std::move(labels), why);
    mine.end();
  }

  static std::int64_t bytes_of_numbers(int count) { return number_bytes * count; }
  void bring_numbers(std::span<bound_input> inputs, std::byte* to) const {
    for (bound_input& input : inputs) {
      if (input.is_number) {
        on_->open().on().upload(to, input.data, sizeof(double), {});
        input.data = to;
      }
      to += number_bytes;
    }
  }
  /// In the order of the program's kernels, part of a captured step as they are; does not wait.
  void copy(std::byte* to, const std::byte* from, std::int64_t bytes) const {
    if (bytes == 0) return;
    const purpose why{"results"};
    detail::opened_device& with = on_->open(why);
    const std::scoped_lock lock(with.busy());
    const current_device now(with.on().calls(), with.on().index(), why);
    turn mine(with.runs_on(), why);
    machine{with, why}.copy(to, from, bytes);
    mine.end();
  }
  /// Waits for earlier launches. Error for labels that are none of their classes, and for empty masks.
  template <class T> T number_at(const T* p) const {
    T x;
    detail::opened_device& from = on_->open();
    from.on().download(&x, p, sizeof(T), {});
    const std::scoped_lock lock(from.busy());
    from.report({"labels"});
    return x;
  }
  template <class T> const std::byte* one() const { return on_->open().template one<T>(); }

 private:
  static constexpr std::int64_t number_bytes = 16;  // aligned as a pack

  /// Orders a call's work before later work of the device's own stream, whether or not all of it was launched.
  struct turn {
    stream& on;
    const purpose& why;
    turn(stream& on, const purpose& why) : on(on), why(why) { on.enter(why); }
    void end() {
      ended = true;
      on.leave(why);
    }
    ~turn() {
      if (ended) return;
      try {
        on.leave(why);
      } catch (const error&) {  // the error of the call is on its way
      }
    }
    bool ended = false;
  };

  /// A machine (unit.hpp) of the device.
  struct machine {
    detail::opened_device& on;
    const purpose& why;

    stream_handle stream() const { return on.runs_on().handle(); }
    template <class Kernel> void launch(const Kernel& kernel, const grid& g) {
      launch_on<Launcher>(on.on(), kernel, g, on.runs_on().handle(), why);
    }
    void copy(std::byte* to, const std::byte* from, std::int64_t bytes) {
      if (bytes == 0) return;
      api& calls = on.on().calls();
      check(calls, why, "cudaMemcpyAsync",
            calls.copy_async(to, from, bytes, direction::on_device, on.runs_on().handle()));
    }
    template <class T>
    void product(const T* x, const T* w, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols,
                 bool transpose_w) {
      product_form form;
      form.transpose_w = transpose_w;
      on.multiply().run(x, w, y, rows, inner, cols, form, why);
    }
    template <class T>
    void reduced_product(const T* x, const T* g, T* y, std::int64_t rows, std::int64_t k, std::int64_t m) {
      product_form form;
      form.transpose_x = true;
      on.multiply().run(x, g, y, k, rows, m, form, why);
    }
  };

  std::shared_ptr<detail::device_at_first_call> on_;
};

}  // namespace stg::gpu
