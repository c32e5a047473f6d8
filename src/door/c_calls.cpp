// The functions of C libraries: arrays become tensors and results are written to memory of the caller; what is thrown
// becomes a number and a text.
#include <stg/door/c_calls.hpp>

#include <algorithm>    // min
#include <cstring>      // memcpy, strlen
#include <exception>    // exception
#include <memory>       // make_shared, shared_ptr, unique_ptr
#include <mutex>        // lock_guard, mutex
#include <new>          // bad_alloc
#include <optional>     // optional
#include <span>         // span
#include <string>       // string, to_string
#include <string_view>  // string_view
#include <utility>      // move
#include <variant>      // get, visit
#include <vector>       // vector

#include <stg/base/error.hpp>       // error
#include <stg/c_library.hpp>        // c_library
#include <stg/door/edge_order.hpp>  // in_id_order, in_list_order

#include "../codegen/with_type.hpp"  // with_element
#include "c_types.hpp"               // number_of, spelled_type

namespace stg::door::c {

namespace {

thread_local char last_error[1024];  // of fixed size: to say that memory is not to be had takes none

void say(std::string_view text) {
  const std::size_t length = std::min(text.size(), sizeof last_error - 1);
  std::memcpy(last_error, text.data(), length);
  last_error[length] = 0;
}
/// 0, or 1 where f throws, which is kept as a text.
template <class F> int guarded(const F& f) noexcept {
  try {
    f();
    return 0;
  } catch (const std::bad_alloc&) {
    say("stg: the memory of a call is not to be had");
  } catch (const std::exception& thrown) {
    say(thrown.what());
  } catch (...) {
    say("stg: an operation of the program threw something that is no std::exception");
  }
  return 1;
}

/// The programs of this library, made by its first call and never destroyed: other threads may call until the end.
struct served {
  c_library library{};
  std::unique_ptr<std::mutex[]> one_at_a_time{};  // of training and losses, which count their calls

  served() {
    stg::detail::fill_c_library(library);
    one_at_a_time = std::make_unique<std::mutex[]>(library.functions().size());
  }
  static const served& all() {
    static const served* const made = new served();
    return *made;
  }
};
const c_library::function& function_of(int k) { return served::all().library.functions()[static_cast<std::size_t>(k)]; }
std::mutex& lock_of(int k) { return served::all().one_at_a_time[static_cast<std::size_t>(k)]; }

/// One of them is there.
struct held_graph {
  std::optional<graph> plain{};
  std::optional<graphs> kinds{};
  std::optional<graph_sequence> steps{};

  called_with seen() const { return {plain ? &*plain : nullptr, kinds ? &*kinds : nullptr, steps ? &*steps : nullptr}; }
};
struct graph_handle {
  std::shared_ptr<const held_graph> held;
};
template <class F> void* made_graph(const F& fill) noexcept {
  void* made = nullptr;
  guarded([&] {
    auto held = std::make_shared<held_graph>();
    fill(*held);
    made = new graph_handle{std::move(held)};
  });
  return made;
}
std::shared_ptr<const held_graph> graph_at(const void* handle) {
  if (handle == nullptr) throw stg::error("a call takes a graph, and this pointer is null");
  return static_cast<const graph_handle*>(handle)->held;
}
/// Of a call: errors where the program is called on something else.
void check_called_on(const signature& of, const called_with& on) {
  if (of.is_over_sets != (on.kinds != nullptr) || (on.steps != nullptr && !of.takes_steps))
    door::detail::not_called_on(on, of.is_over_sets);
}

std::span<const std::int64_t> ends(const std::int64_t* list, std::int64_t count, const char* of) {
  if (count < 0) throw stg::error("a graph has a number of edges, not " + std::to_string(count));
  if (list == nullptr && count > 0) throw stg::error(std::string("edges take ") + of + ", and this pointer is null");
  return {list, static_cast<std::size_t>(count)};
}
std::string_view named(const char* name, const char* of) {
  if (name == nullptr) throw stg::error(std::string("the name of ") + of + " is null");
  return name;
}

/// The shape of an array of the caller's. Errors: another type, too many axes, no shape, no memory.
template <class Array> dimensions shape_of(const Array& a, scalar_type type, const std::string& name) {
  if (a.type != number_of(type))
    throw stg::error(name + " takes " + spelled_type(number_of(type)) + ", not " + spelled_type(a.type));
  if (a.rank < 0 || a.rank > max_rank)
    throw stg::error(name + " has " + std::to_string(a.rank) + " axes; an array has 0 to " + std::to_string(max_rank));
  if (a.rank > 0 && a.shape == nullptr)
    throw stg::error(name + " has " + std::to_string(a.rank) + " axes and no sizes: the pointer to its shape is null");
  const dimensions shape(std::span<const std::int64_t>(a.shape, static_cast<std::size_t>(a.rank)));
  if (a.data == nullptr && shape.size() > 0) throw stg::error(name + " has no memory: its pointer is null");
  if (reinterpret_cast<std::uintptr_t>(a.data) % static_cast<unsigned>(bytes_of(type)) != 0)
    throw stg::error(name + " lies at an address that no " + std::string(name_of(type)) +
                     " lies at; give memory of its type");
  return shape;
}
template <class Array> any_tensor view_of(const Array& a, scalar_type type, const std::string& name) {
  const dimensions shape = shape_of(a, type, name);
  any_tensor seen;
  codegen::with_element(type, [&](auto element) {
    using T = decltype(element);
    seen = tensor<T>::view_of(const_cast<T*>(static_cast<const T*>(a.data)), shape);
  });
  return seen;
}

std::string spelled_output(const value& v, std::size_t k) {
  return "output " + (v.name.empty() ? std::to_string(k) : "'" + v.name + "'");
}
/// Copies a tensor to the caller's memory. Errors: another type or shape.
void copy_to(const output& to, const any_tensor& from, scalar_type type, const std::string& name) {
  const dimensions shape = shape_of(to, type, name);
  std::visit(
      [&](const auto& t) {
        if (!(t.shape() == shape))
          throw stg::error(name + " has shape " + to_string(shape) + "; the program gives " + to_string(t.shape()));
        if (t.bytes() > 0) std::memcpy(to.data, t.data(), static_cast<std::size_t>(t.bytes()));
      },
      from);
}

/// The inputs of a call, which refer to the caller's memory; those of edges are copies.
class given_inputs {
 public:
  given_inputs(const signature& of, const called_with& on, const input* given) {
    if (given == nullptr && !of.inputs.empty()) throw stg::error("a call takes its inputs, and this pointer is null");
    check_called_on(of, on);
    seen_.reserve(of.inputs.size());
    for (const value& v : of.inputs) {
      any_tensor t = view_of(*given++, v.type, "input '" + v.name + "'");
      seen_.push_back(v.where == "edge" ? in_id_order(t, on, v) : std::move(t));
    }
    for (std::size_t i = 0; i < seen_.size(); ++i) all_.emplace_back(of.inputs[i].name, seen_[i]);
  }
  std::span<const program_input> all() const { return all_; }

 private:
  std::vector<any_tensor> seen_{};
  std::vector<program_input> all_{};
};

/// Copies results that the caller has memory for.
void give_outputs(std::vector<any_tensor> results, const called_with& on, const signature& of, const output* outputs) {
  if (outputs == nullptr) return;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const value& v = of.outputs[k];
    if (outputs[k].data != nullptr)
      copy_to(outputs[k], in_list_order(std::move(results[k]), on, v), v.type, spelled_output(v, k));
  }
}
void give_gradients(std::vector<named_tensor> gradients, const called_with& on, const signature& of,
                    const output* wanted) {
  if (wanted == nullptr) throw stg::error("gradients need memory, and the pointer to their arrays is null");
  for (const std::string& name : of.gradients) {
    const output& to = *wanted++;
    if (to.data == nullptr) continue;
    const value& v = *of.input(name);
    for (named_tensor& g : gradients)
      if (g.first == name)
        copy_to(to, in_list_order(std::move(g.second), on, v), v.type, "the gradient of '" + name + "'");
  }
}

struct tape_handle {
  int of = 0;
  std::shared_ptr<const held_graph> on;
  std::optional<given_inputs> inputs{};
  std::unique_ptr<recorded> call{};
};

}  // namespace

const char* error() noexcept { return last_error; }

void* make_graph(std::int64_t vertices, std::int64_t edges, const std::int64_t* src, const std::int64_t* dst) noexcept {
  return made_graph([&](held_graph& g) {
    g.plain = graph::from_edges(vertices, ends(src, edges, "sources"), ends(dst, edges, "destinations"));
  });
}

void* make_graph_of_kinds(const vertex_set* sets, std::int32_t set_count, const relation* relations,
                          std::int32_t relation_count) noexcept {
  return made_graph([&](held_graph& g) {
    if ((sets == nullptr && set_count > 0) || (relations == nullptr && relation_count > 0))
      throw stg::error("a graph of several kinds takes its vertex sets and relations, and a pointer is null");
    g.kinds.emplace();
    for (std::int32_t i = 0; i < set_count; ++i)
      g.kinds->add_vertices(named(sets[i].name, "a vertex set"), sets[i].vertices);
    for (std::int32_t i = 0; i < relation_count; ++i) {
      const relation& r = relations[i];
      g.kinds->add_edges(named(r.name, "a relation"), named(r.source, "a relation's source"),
                         named(r.destination, "a relation's destination"), ends(r.src, r.edges, "sources"),
                         ends(r.dst, r.edges, "destinations"));
    }
  });
}

void* make_graph_of_steps(std::int64_t vertices, std::int32_t steps, const std::int64_t* edges,
                          const std::int64_t* const* src, const std::int64_t* const* dst) noexcept {
  return made_graph([&](held_graph& g) {
    if (steps > 0 && (edges == nullptr || src == nullptr || dst == nullptr))
      throw stg::error("a graph of steps takes the edges of each, and a pointer is null");
    std::vector<snapshot_edges> all;
    for (std::int32_t t = 0; t < steps; ++t) {
      const auto from = ends(src[t], edges[t], "sources"), to = ends(dst[t], edges[t], "destinations");
      all.push_back({{from.begin(), from.end()}, {to.begin(), to.end()}, {}});
    }
    g.steps = graph_sequence::from_steps(vertices, all);
  });
}

void free_graph(void* handle) noexcept { delete static_cast<graph_handle*>(handle); }

int call(int k, const void* handle, const input* inputs, const output* outputs) noexcept {
  return guarded([&] {
    const auto held = graph_at(handle);
    const called_with on = held->seen();
    const door::program& run = *function_of(k).program;
    const signature& of = run.described();
    const given_inputs given(of, on, inputs);
    if (outputs == nullptr) throw stg::error("results need memory, and the pointer to their arrays is null");
    std::vector<any_tensor> views;
    bool has_edges = false;
    for (std::size_t i = 0; i < of.outputs.size(); ++i) {
      has_edges = has_edges || of.outputs[i].where == "edge";
      views.push_back(view_of(outputs[i], of.outputs[i].type, spelled_output(of.outputs[i], i)));
    }
    if (has_edges) give_outputs(run(on, given.all()), on, of, outputs);
    else run.into(views, on, given.all());
  });
}

int record(int k, const void* handle, const input* inputs, const output* outputs, void** tape) noexcept {
  return guarded([&] {
    if (tape == nullptr) throw stg::error("a recorded call gives a tape, and the pointer to it is null");
    *tape = nullptr;
    auto made = std::make_unique<tape_handle>(tape_handle{k, graph_at(handle)});
    const called_with on = made->on->seen();
    training& run = *function_of(k).training;
    made->inputs.emplace(run.described(), on, inputs);
    {
      const std::lock_guard held(lock_of(k));
      made->call = run.record(on, made->inputs->all());
    }
    if (outputs != nullptr) give_outputs(made->call->outputs(), on, run.described(), outputs);
    *tape = made.release();
  });
}

int backward(void* handle, const input* cotangents, const output* gradients) noexcept {
  return guarded([&] {
    if (handle == nullptr) throw stg::error("gradients are those of a tape, and this pointer is null");
    if (cotangents == nullptr) throw stg::error("gradients take cotangents, and the pointer to their arrays is null");
    auto& tape = *static_cast<tape_handle*>(handle);
    const called_with on = tape.on->seen();
    const signature& of = function_of(tape.of).training->described();
    std::vector<any_tensor> given;
    std::vector<const any_tensor*> places;
    given.reserve(of.outputs.size());
    for (std::size_t k = 0; k < of.outputs.size(); ++k) {
      const value& v = of.outputs[k];
      if (!is_differentiable(v.type)) continue;
      const input& cotangent = *cotangents++;
      places.push_back(nullptr);
      if (cotangent.data == nullptr) continue;
      any_tensor t = view_of(cotangent, v.type, "the cotangent of " + spelled_output(v, k));
      given.push_back(v.where == "edge" ? in_id_order(t, on, v) : std::move(t));
      places.back() = &given.back();
    }
    give_gradients(tape.call->backward(places), on, of, gradients);
  });
}

void free_tape(void* handle) noexcept { delete static_cast<tape_handle*>(handle); }

int step(int k, const void* handle, const input* inputs, double* number, const output* outputs,
         const output* gradients) noexcept {
  return guarded([&] {
    const auto held = graph_at(handle);
    const called_with on = held->seen();
    loss& run = *function_of(k).loss;
    const given_inputs given(run.described(), on, inputs);
    const std::lock_guard one(lock_of(k));  // until all is copied: the next step writes over it
    loss::result now = run(on, given.all());
    give_outputs(std::move(now.outputs), on, run.described(), outputs);
    give_gradients(std::move(now.gradients), on, run.described(), gradients);
    if (number != nullptr) *number = now.value;
  });
}

int seed(int k, std::uint64_t s) noexcept {
  return guarded([&] {
    const c_library::function& f = function_of(k);
    const std::lock_guard held(lock_of(k));
    if (f.training != nullptr) f.training->seed(s);
    if (f.loss != nullptr) f.loss->seed(s);
  });
}

}  // namespace stg::door::c
