// Where everything lies during a call: one computation, for those who run the call and for those who ask how large it
// is.
#pragma once

#include <cstdint>  // int64_t
#include <memory>   // make_shared

#include <stg/base/room.hpp>                // room_for
#include <stg/codegen/default_backend.hpp>  // default_backend
#include <stg/codegen/frame.hpp>            // frame, call_sizes
#include <stg/codegen/results.hpp>          // outputs_t
#include <stg/compile.hpp>                  // inferred, differentiated, executable
#include <stg/runtime/arena_pool.hpp>       // basic_arena_pool
#include <stg/runtime/memory.hpp>           // place

namespace stg::detail {

template <class Sequence> struct as_required;
template <int... E> struct as_required<std::integer_sequence<int, E...>> { using type = required<E...>; };

/// The parts of a launch that its sizes decide.
template <class Backend> codegen::launch launch_for(const Backend& on, const call_sizes& n) {
  codegen::launch l;
  l.vertices = n.vertices;
  l.edges = n.edges;
  l.extents = n.extents;
  l.in = l.in.with(n.in_long);
  l.out = l.out.with(n.out_long);
  on.prepare(l);
  return l;
}

// Backend: how programs are planned, where they run, and where their memory lies. cpu::backend is one.
//   executable<Program>      a program with the plan that it runs by
//   prepare(launch)          fills in what a launch says of the machine alone
//   workspace<P>(launch)     bytes that a call needs beside its buffers
//   run<P>(launch)           runs all units
//   arena, make_arena()      memory, as stg::arena; the rest as cpu::host_memory

/// The memory of calls on a backend, and of one of them.
template <class Backend> class arena_pool_on final : public basic_arena_pool<typename Backend::arena> {
 public:
  explicit arena_pool_on(const Backend& on) : on_(on) {}
  typename Backend::arena empty() const override { return on_.make_arena(); }

 private:
  Backend on_;
};
template <class Backend> std::shared_ptr<basic_arena_pool<typename Backend::arena>> pool_on(const Backend& on) {
  return std::make_shared<arena_pool_on<Backend>>(on);
}
template <class Backend> using block_of = basic_pooled_arena<typename Backend::arena>;

/// An inference call. Outputs are computed in the caller's tensors where that can be.
template <class Ref, class Backend = default_backend> struct inference_memory {
  using P = typename Backend::template executable<inferred<Ref>>;
  static constexpr int outputs = P::program.output_count;

  frame<P> values{};
  bool in_place[room_for(outputs)]{};  // output k is computed in the caller's tensor; others are copied there
  std::int64_t buffers = 0, workspace = 0;
  codegen::launch launch{};

  explicit inference_memory(const call_sizes& n, const Backend& on = {}) : launch(launch_for(on, n)) {
    values.measure(n, 0);
    for (int k = 0; k < outputs; ++k) {
      const int root = frame<P>::output_root(k);
      in_place[k] = P::plan.stored[root];
      for (int other = 0; other < k; ++other) in_place[k] = in_place[k] && frame<P>::output_root(other) != root;
      if (in_place[k]) values.buffers[root].bytes = 0;
    }
    buffers = place({values.buffers, static_cast<std::size_t>(P::program.size)});
    workspace = on.template workspace<P>(launch);
  }
  std::int64_t bytes() const { return buffers + workspace; }
};

/// A training call: the forward program's units run first, then the gradient's, in one block of memory.
template <class Ref, class Provided, class Entries, class Backend = default_backend> struct training_memory {
  using pair = differentiated<Ref, Provided, typename as_required<Entries>::type>;
  using F = typename Backend::template executable<typename pair::forward>;
  using G = typename Backend::template executable<typename pair::gradient>;

  frame<F> head{};
  frame<G> tail{};
  std::int64_t buffers = 0, workspace = 0;
  codegen::launch launch{};

  training_memory() = default;
  explicit training_memory(const call_sizes& n, const Backend& on = {}) : launch(launch_for(on, n)) {
    head.measure(n, 0);
    tail.measure(n, F::plan.unit_count);
    for (int k = 0; k < G::program.output_count; ++k)
      if (is_callers(tail.output_root(k)))
        tail.buffers[tail.output_root(k)].bytes = bytes_of_value(G::program.statements[tail.output_root(k)], n);
    keep_until_the_end();
    buffers = place_all();
    const std::int64_t forward = on.template workspace<F>(launch), gradient = on.template workspace<G>(launch);
    workspace = forward < gradient ? gradient : forward;
  }
  std::int64_t bytes() const { return buffers + workspace; }

  /// A gradient that is one of the call's own tensors, such as the cotangent: it is copied, so that it can be kept.
  static constexpr bool is_callers(int i) {
    const ir::statement& s = G::program.statements[i];
    return s.code == ir::opcode::input && pair::connections.at[s.attribute].kind != pass::connection_kind::saved;
  }
  /// Copies those gradients to where they were placed.
  void copy_callers(std::byte* base, const Backend& on) {
    for (int i = 0; i < G::program.size; ++i) {
      if (!is_callers(i) || tail.buffers[i].bytes == 0) continue;
      on.copy(base + tail.buffers[i].offset, tail.memory[i], tail.buffers[i].bytes);
      tail.memory[i] = base + tail.buffers[i].offset;
    }
  }

 private:
  /// Among the buffers of both programs, the one that the gradient's value i may be written over.
  static constexpr int place_under(int i) {
    const int under = G::plan.overwrites[i];
    if (under < 0 || G::plan.stored[under]) return under < 0 ? -1 : F::program.size + under;
    const int saved = saved_root(G::program.statements[under].attribute);
    int views = 0;  // a value and another shape of it may both have been saved
    for (int c = 0; c < pair::connection_count && saved >= 0; ++c) views += saved_root(c) == saved;
    return views == 1 ? saved : -1;
  }
  /// The forward value whose memory connection c reads, where it was saved; -1: another one.
  static constexpr int saved_root(std::int64_t c) {
    const pass::connection from = pair::connections.at[c];
    return from.kind == pass::connection_kind::saved ? frame<F>::output_root(from.index) : -1;
  }
  /// Results and gradients live as long as the recording; saved values until the gradient's last unit that reads them.
  void keep_until_the_end() {
    const int end = F::plan.unit_count + G::plan.unit_count;
    constexpr int gradients = G::program.output_count;
    for (int k = 0; k < pair::results; ++k) head.buffers[head.output_root(k)].last = end;
    for (int k = 0; k < gradients; ++k) {
      buffer& b = tail.buffers[tail.output_root(k)];
      b.last = end;
      if (is_callers(tail.output_root(k))) b.first = end;
    }
    for (int i = 0; i < G::program.size; ++i) {
      if (G::program.statements[i].code != ir::opcode::input) continue;
      const pass::connection from = pair::connections.at[G::program.statements[i].attribute];
      if (from.kind != pass::connection_kind::saved) continue;
      buffer& b = head.buffers[head.output_root(from.index)];
      int last = F::plan.unit_count + G::plan.lifetimes[i].last;
      for (int k = 0; k < gradients; ++k)
        if (tail.output_root(k) == i) last = end;
      b.last = b.last < last ? last : b.last;
    }
  }
  std::int64_t place_all() {
    buffer all[F::program.size + G::program.size + 1];
    int n = 0;
    for (int i = 0; i < F::program.size; ++i) all[n++] = head.buffers[i];
    for (int i = 0; i < G::program.size; ++i) {
      all[n] = tail.buffers[i];
      all[n++].over = place_under(i);
    }
    const std::int64_t bytes = place({all, static_cast<std::size_t>(n)});
    n = 0;
    for (int i = 0; i < F::program.size; ++i) head.buffers[i] = all[n++];
    for (int i = 0; i < G::program.size; ++i) tail.buffers[i] = all[n++];
    return bytes;
  }
};

}  // namespace stg::detail
