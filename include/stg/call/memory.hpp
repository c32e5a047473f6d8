// The places of all values during a call: one computation, to run the call and to tell its size.
#pragma once

#include <cstdint>  // int64_t
#include <memory>   // make_shared
#include <span>     // span

#include <stg/base/error.hpp>               // error
#include <stg/base/room.hpp>                // room_for
#include <stg/call/results.hpp>             // outputs_t
#include <stg/codegen/checkpoints.hpp>      // kept_steps, scan_pairs
#include <stg/codegen/column_kernels.hpp>   // column_kernels_of
#include <stg/codegen/default_backend.hpp>  // default_backend
#include <stg/codegen/frame.hpp>            // frame, call_sizes
#include <stg/codegen/part_calls.hpp>       // show_sizes_of_part, rows_there_of_gradient
#include <stg/compile.hpp>                  // inferred, differentiated, executable
#include <stg/runtime/arena_pool.hpp>       // basic_arena_pool
#include <stg/runtime/memory.hpp>           // place
#include <stg/runtime/out_of_memory.hpp>    // no_memory

namespace stg::detail {

template <class Sequence> struct as_required;
template <int... E> struct as_required<std::integer_sequence<int, E...>> { using type = required<E...>; };

/// The parts of a launch that its sizes decide.
template <class Backend> codegen::launch launch_for(const Backend& on, const call_sizes& n) {
  codegen::launch l;
  l.extents = n.extents;
  l.graph = {adjacency().with(n.in_long), adjacency().with(n.out_long), n.vertices, n.edges, n.vertices, n.kinds};
  l.scans.graphs = n.graphs;
  if (n.ranks != nullptr) codegen::show_sizes_of_part(l.graph, *n.ranks);
  l.others.messages = n.messages;
  on.prepare(l);
  return l;
}

// Backend: how programs are planned, where they run, and where their memory lies. cpu::backend is one.
//   executable<Program>      a program with the plan that it runs by
//   prepare(launch)          fills in what a launch says of the machine alone
//   workspace<P>(launch)     bytes that a call needs beside its buffers
//   run<P>(launch)           runs all units
//   steps<P, Runs>()         the steps of its scans; they have kernels where they are to run
//   arena, make_arena()      memory, as stg::arena; the rest as cpu::host_memory

/// Has a call go over the rows of its graph, or over those of this rank.
inline void go_over(const call_graph& on, codegen::launch& l) {
  const graph& g = on.outside();
  l.graph.in = g.in_edges();
  l.graph.out = g.out_edges();
  if (l.graph.ranks != nullptr) codegen::show_rows_of_part(l.graph);
}

/// The memory of calls on a backend, and of one of them.
template <class Backend> class arena_pool_on final : public basic_arena_pool<typename Backend::arena> {
 public:
  explicit arena_pool_on(const Backend& on) : on_(on) {}
  typename Backend::arena empty() const override { return on_.make_arena(); }

 private:
  Backend on_;
};
template <class Backend> std::shared_ptr<basic_arena_pool<typename Backend::arena>> pool_on(const Backend& on) try {
  return std::make_shared<arena_pool_on<Backend>>(on);
} catch (const std::bad_alloc&) {
  no_memory();
}
template <class Backend> using block_of = basic_pooled_arena<typename Backend::arena>;

// A backend's plans for a program: one for P, called plainly; one each for F and G, the two of a training step. A
// draft's are made when the program runs (draft/backend.hpp).
template <class Backend, class Ref> struct inference_plan {
  using P = typename Backend::template executable<inferred<Ref>>;
};
template <class Backend, class Ref, class Provided, class Required> struct training_plan {
  using pair = differentiated<Ref, Provided, Required>;
  using F = typename Backend::template executable<typename pair::forward>;
  using G = typename Backend::template executable<typename pair::gradient>;
  static std::span<const pass::connection> connections() {
    return {pair::connections.at, static_cast<std::size_t>(pair::connection_count)};
  }
};

/// An inference call. Outputs are computed in the caller's tensors if possible.
template <class Ref, class Backend = default_backend> struct inference_memory {
  using P = typename inference_plan<Backend, Ref>::P;
  static constexpr int outputs = canonical<Ref>::value.room.outputs;

  frame<P> values{};
  bool in_place[room_for(outputs)]{};  // output k is computed in the caller's tensor; others are copied there
  std::int64_t buffers = 0, workspace = 0;
  codegen::launch launch{};

  explicit inference_memory(const call_sizes& n, const Backend& on = {}) : launch(launch_for(on, n)) {
    values.measure(n, 0);
    find_in_place(values.plan(), values.buffers(), in_place);
    buffers = place(values.buffers());
    launch.others.columns = codegen::column_kernels_of<Backend, P>();
    workspace = on.template workspace<P>(launch);
  }
  std::int64_t bytes() const { return buffers + workspace; }
};

/// A training call: the forward program's units run first, then the gradient's, in one block of memory.
template <class Ref, class Provided, class Entries, class Backend = default_backend> struct training_memory {
  using plans = training_plan<Backend, Ref, Provided, typename as_required<Entries>::type>;
  using F = typename plans::F;
  using G = typename plans::G;
  static constexpr int results = canonical<Ref>::value.room.outputs;

  frame<F> head{};
  frame<G> tail{};
  std::int64_t buffers = 0, workspace = 0;
  std::int64_t every = 0;  // steps of a block of the scans' kept values; 0: all of them
  codegen::launch launch{};

  training_memory() = default;
  /// every_before: of a call before this one.
  explicit training_memory(const call_sizes& n, const Backend& on = {}, std::int64_t every_before = 0)
      : launch(launch_for(on, n)) {
    check(n.keep);
    every = n.keep.within > 0 ? steps_within(n, on, every_before) : n.keep.every;
    lay_out(n, on, every);
  }
  std::int64_t bytes() const { return buffers + workspace; }

  /// Tells values their places in the call's block of memory.
  void point(std::byte* base) {
    head.point(base);
    tail.point(base);
    codegen::point_at_states(kept_by_plans(), base, head.buffers(), &head.memory(0));
  }
  /// The shared facts of the call's scans. Runs: they have kernels.
  template <bool Runs> codegen::kept_steps kept(const Backend& on) const {
    codegen::kept_steps k = kept_by_plans();
    k.programs = on.template steps<F, Runs>();
    k.memory = head.memory();
    return k;
  }

  /// Has the launch know what the forward program has of other ranks, or the gradient's.
  void show_forward() {
    launch.others.there = nullptr;
    launch.others.results = results;
    launch.others.columns = codegen::column_kernels_of<Backend, F>();
  }
  void show_gradient() {
    launch.others.there = reinterpret_cast<const codegen::rows_there*>(there_.get());
    launch.others.results = -1;
    launch.others.columns = codegen::column_kernels_of<Backend, G>();
  }

  /// The origin of a gradient's input.
  static const pass::connection& connection(std::int64_t input) {
    return plans::connections()[static_cast<std::size_t>(input)];
  }
  /// A gradient that is one of the call's own tensors, such as the cotangent: it is copied, so that it can be kept.
  static bool is_callers(int i) {
    const ir::statement& s = data_of_plan<G>().statements[i];
    return s.code == ir::opcode::input && connection(s.entry()).kind != pass::connection_kind::saved;
  }
  /// Copies such gradients to their planned places.
  void copy_callers(std::byte* base, const Backend& on) {
    tail.for_each_input([&](int i, int) {
      const buffer& b = tail.buffer_of(i);
      if (!is_callers(i) || b.bytes == 0) return;
      on.copy(base + b.offset, tail.memory(i), b.bytes);
      tail.memory(i) = base + b.offset;
    });
  }

 private:
  codegen::kept_steps kept_by_plans() const {
    static const codegen::scan_pairs pairs(data_of_plan<F>(), data_of_plan<G>(), plans::connections(), results);
    codegen::kept_steps k;
    k.every = every;
    k.pairs = &pairs;
    k.forward = &data_of_plan<F>();
    k.gradient = &data_of_plan<G>();
    return k;
  }
  void lay_out(const call_sizes& n, const Backend& on, std::int64_t steps) {
    every = steps;
    const int forward_units = head.plan().unit_count;
    head.measure(n, 0);
    tail.measure(n, forward_units);
    for (int k = 0; k < tail.plan().output_count; ++k) {
      const int root = tail.output_root(k);
      if (is_callers(root)) tail.buffer_of(root).bytes = bytes_of_value(tail.plan().statements[root], n);
    }
    keep_until_the_end();
    const codegen::kept_steps now = kept<false>(on);
    codegen::measure_kept(now, n, forward_units, head.buffers());
    buffers = place_all();
    launch.scans.kept = &now;
    find_rows_there(n, on);
    show_forward();
    const std::int64_t forward = on.template workspace<F>(launch);
    show_gradient();
    const std::int64_t gradient = on.template workspace<G>(launch);
    launch.scans.kept = nullptr;
    workspace = forward < gradient ? gradient : forward;
  }
  /// Of a part of a cut graph: which rows of saved values are there.
  void find_rows_there(const call_sizes& n, const Backend& on) {
    if (n.ranks == nullptr || there_ != nullptr) return;
    there_ = codegen::rows_there_of_gradient(data_of_plan<F>(), data_of_plan<G>(), plans::connections().data(), results,
                                             on.template steps<F, false>(), n.ranks, n.extents,
                                             codegen::column_kernels_of<Backend, F>());
  }
  /// The most steps of a block with which the call stays within its limit of bytes.
  std::int64_t steps_within(const call_sizes& n, const Backend& on, std::int64_t guess) {
    const codegen::kept_steps all = kept<false>(on);
    const std::int64_t most = codegen::most_steps(all, n), least = codegen::steps_of_least_memory(all, n);
    const auto bytes_with = [&](std::int64_t steps) {
      lay_out(n, on, steps);
      return bytes();
    };
    const std::int64_t steps =
        on_all_ranks(n.ranks, [&] { return most_steps_within(n.keep.within, least, most, guess, bytes_with); });
    if (n.ranks == nullptr) return steps;
    return on_all_ranks(n.ranks, [&] {  // another rank's may be fewer than this one's least
      if (bytes_with(steps) > n.keep.within) say_that_bytes_are_too_few(n.keep.within, steps, bytes());
      return steps;
    });
  }
  /// The least of the steps that ranks may keep. An error of one is an error of all.
  template <class Steps> static std::int64_t on_all_ranks(const rank_rows* part, const Steps& of_this_one) {
    std::int64_t mine = codegen::no_steps;
    try {
      mine = of_this_one();
    } catch (const error&) {
      codegen::steps_of_all_ranks(part, mine);
      throw;
    }
    return codegen::steps_of_all_ranks(part, mine);
  }
  /// Among the buffers of both programs, the one that the gradient's value i may be written over.
  static int place_under(int i) {
    const codegen::plan_data& gradient = data_of_plan<G>();
    const int under = gradient.overwrites[i];
    if (under < 0 || gradient.stored[under]) return under < 0 ? -1 : data_of_plan<F>().size + under;
    const int saved = saved_root(gradient.statements[under].entry());
    int views = 0;  // a value and another shape of it may both have been saved
    for (std::size_t c = 0; c < plans::connections().size() && saved >= 0; ++c)
      views += saved_root(static_cast<std::int64_t>(c)) == saved;
    return views == 1 ? saved : -1;
  }
  /// The saved forward value whose memory connection c reads; -1: another one.
  static int saved_root(std::int64_t c) {
    const pass::connection& from = connection(c);
    return from.kind == pass::connection_kind::saved ? frame<F>::output_root(from.index) : -1;
  }
  /// Results and gradients live as long as the recording; saved values until the gradient's last unit that reads them.
  void keep_until_the_end() {
    const int forward_units = head.plan().unit_count, end = forward_units + tail.plan().unit_count;
    const int gradients = tail.plan().output_count;
    for (int k = 0; k < results; ++k) head.buffer_of(head.output_root(k)).last = end;
    for (int k = 0; k < gradients; ++k) {
      buffer& b = tail.buffer_of(tail.output_root(k));
      b.last = end;
      if (is_callers(tail.output_root(k))) b.first = end;
    }
    tail.for_each_input([&](int i, int input) {
      const pass::connection& from = connection(input);
      if (from.kind != pass::connection_kind::saved) return;
      buffer& b = head.buffer_of(head.output_root(from.index));
      int last = forward_units + tail.plan().lifetimes[i].last;
      for (int k = 0; k < gradients; ++k)
        if (tail.output_root(k) == i) last = end;
      b.last = b.last < last ? last : b.last;
    });
  }
  std::int64_t place_all() {
    values_of<buffer, F, G> both{};
    buffer* const all = &both.at[0];
    const int first = head.plan().size, second = tail.plan().size;
    for (int i = 0; i < first; ++i) all[i] = head.buffer_of(i);
    for (int i = 0; i < second; ++i) {
      all[first + i] = tail.buffer_of(i);
      all[first + i].over = place_under(i);
    }
    const std::int64_t bytes = place({all, static_cast<std::size_t>(first + second)});
    for (int i = 0; i < first; ++i) head.buffer_of(i) = all[i];
    for (int i = 0; i < second; ++i) tail.buffer_of(i) = all[first + i];
    return bytes;
  }

  memory there_{};  // a rows_there for each input of the gradient
};

}  // namespace stg::detail
