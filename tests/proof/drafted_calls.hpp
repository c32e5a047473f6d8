// Calls of a program as a draft: by the library's kernels, in memory of its own for every stored value.
#pragma once

#include <stg/base/error.hpp>                    // error
#include <stg/call/memory.hpp>                   // go_over, launch_for
#include <stg/codegen/checkpoints.hpp>           // kept_steps, measure_kept, scan_pairs
#include <stg/codegen/draft/backend.hpp>         // draft
#include <stg/codegen/draft/made.hpp>            // made_program
#include <stg/codegen/column_kernels.hpp>        // columns_of_drafts
#include <stg/codegen/draft/plan.hpp>            // run, workspace
#include <stg/codegen/frame.hpp>                 // call_sizes
#include <stg/codegen/oracle/bound_program.hpp>  // bound_program
#include <stg/pass/save.hpp>                     // differentiated
#include <stg/runtime/sizes.hpp>                 // sizes
#include <stg/runtime/sparse_tensor.hpp>         // sparse_tensor

#include "../../src/codegen/with_type.hpp"  // with_element

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <cstring>  // memcpy
#include <list>     // list
#include <string>   // string
#include <utility>  // pair
#include <vector>   // vector

namespace stg::test {

/// A program whose floats are doubles, as the oracle takes them.
inline ir::program in_double(const ir::program& p) {
  ir::program q = p;
  for (ir::statement& s : q.statements)
    if (s.type == f32 && !ir::is_part_of_scan(s.code)) s.type = f64;
  for (ir::program& step : q.callees) step = in_double(step);
  return q;
}

class drafted_call : public oracle::bound_program {
 public:
  /// graphs: of the steps of its scans, where each has one.
  drafted_call(const ir::program& program, const graph& g, const oracle::environment& env,
               const drafts::batch_limits& most, step_graphs* graphs = nullptr)
      : bound_program(program, g, env), made_(program), graph_(g), most_(most), graphs_(graphs) {
    find_shapes();
    bind();
  }

  const drafts::made_program& made() const { return made_; }
  /// As explain takes them.
  sizes sizes_of_call() const {
    sizes all{.vertices = vertices, .edges = edges};
    for (const auto& [name, size] : extents) all.extents.push_back({text(name), size});
    for (const auto& [name, x] : named_sparse_) all.entries.push_back({name, x->by_row.entries()});
    return all;
  }
  /// Where values lie, by statement.
  std::vector<std::byte*>& memory() { return memory_; }
  /// Makes room for what scans keep, as the forward program of a call with checkpoints.
  void keep(const codegen::kept_steps& kept) {
    stg::detail::call_sizes n{vertices, edges, extents_.data(), {}, {}, graphs_};
    std::vector<buffer> buffers(size(made_.data.size));
    codegen::measure_kept(kept, n, 0, buffers);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      if (buffers[i].bytes == 0) continue;
      owned_.emplace_back(static_cast<std::size_t>(buffers[i].bytes) + 64, std::byte{0xff});
      memory_[i] = owned_.back().data();
    }
  }

  /// The first outputs, in order; -1: all.
  std::vector<oracle::array> run(const codegen::kept_steps* kept = nullptr, int outputs_wanted = -1) {
    stg::detail::call_sizes n{vertices, edges, extents_.data(), {}, {}, graphs_};
    if (kinds.size() > 1) n.kinds = kinds.data();
    n.ranks = graph_.ranks();
    codegen::launch l = stg::detail::launch_for(stg::draft(), n);
    stg::detail::go_over(graph_, l);
    l.memory = memory_.data();
    l.draws.seed = env.seed;
    l.draws.number = env.call;
    l.scans.kept = kept;
    l.others.columns = &codegen::columns_of_drafts;
    std::vector<std::byte> workspace(static_cast<std::size_t>(drafts::workspace(made_, l, most_)) + 64,
                                     std::byte{0xff});
    l.resources.workspace = workspace.data();
    drafts::run(made_, l, most_);
    std::vector<oracle::array> outputs;
    const int wanted = outputs_wanted < 0 ? p.outputs.size() : outputs_wanted;
    for (int k = 0; k < wanted; ++k) outputs.push_back(read(root_of(p, p.outputs[k].at)));
    return outputs;
  }

 private:
  std::size_t elements(ir::value_id i) const { return size(rows_of(p[i]) * count(shapes[size(i)])); }

  void bind() {
    for (const ir::polynomial& e : p.extents)
      extents_.push_back(ir::evaluate(e, [&](const text& name) { return extents.at(std::string(name.view())); }));
    extents_.push_back(0);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      const bool is_input = p[i].code == ir::opcode::input;
      const bool exists = is_input || made_.plan.stored[i];
      owned_.emplace_back(exists ? elements(i) * static_cast<std::size_t>(bytes_of(p[i].type)) + 64 : 0,
                          std::byte{0xff});
      memory_.push_back(owned_.back().data());
      if (is_input && p.inputs[p[i].entry()].sparse) bind_sparse(i);
      else if (is_input) write(i);
    }
  }
  void bind_sparse(ir::value_id i) {
    const oracle::array& from = bound(p[i]);
    const std::int64_t rows = rows_of(p[i].where), columns = count(shapes[size(i)]);
    std::vector<std::int64_t> row, column;
    std::vector<double> value;
    for (std::int64_t k = 0; k < rows * columns; ++k) {
      if (from[size(k)] == 0) continue;
      row.push_back(k / columns);
      column.push_back(k % columns);
      value.push_back(from[size(k)]);
    }
    sparse_.push_back(sparse_tensor<double>::from_entries({rows, columns}, row, column, value));
    memory_.back() = reinterpret_cast<std::byte*>(const_cast<sparse_view<double>*>(&sparse_.back().view()));
    named_sparse_.emplace_back(p.inputs[p[i].entry()].name, &sparse_.back().view());
  }
  void write(ir::value_id i) {
    const oracle::array& from = bound(p[i]);
    if (from.size() < elements(i)) throw error("an input has other numbers than were drawn for it");
    codegen::with_element(p[i].type, [&](auto zero) {
      using T = decltype(zero);
      for (std::size_t k = 0; k < elements(i); ++k) {
        const T x = static_cast<T>(from[k]);
        std::memcpy(memory_.back() + k * sizeof(T), &x, sizeof(T));
      }
    });
  }
  oracle::array read(ir::value_id i) const {
    oracle::array numbers;
    codegen::with_element(p[i].type, [&](auto zero) {
      using T = decltype(zero);
      for (std::size_t k = 0; k < elements(i); ++k) {
        T x;
        std::memcpy(&x, memory_[size(i)] + k * sizeof(T), sizeof(T));
        numbers.push_back(static_cast<double>(x));
      }
    });
    return numbers;
  }

  drafts::made_program made_;
  const graph& graph_;
  drafts::batch_limits most_;
  step_graphs* graphs_;
  std::vector<std::int64_t> extents_;
  std::list<std::vector<std::byte>> owned_;
  std::list<sparse_tensor<double>> sparse_;
  std::vector<std::pair<text, const sparse_view<double>*>> named_sparse_;
  std::vector<std::byte*> memory_;
};

inline std::vector<oracle::array> run_drafted(const ir::program& p, const graph& g, const oracle::environment& env,
                                              const drafts::batch_limits& most, step_graphs* graphs = nullptr) {
  const ir::program doubles = in_double(p);
  return drafted_call(doubles, g, env, most, graphs).run();
}

/// The results of a training step whose scans keep their states every so many steps, then its gradients. `bound`: what
/// the gradient reads, by entry, where it is not saved; what is saved is read where the forward program left it.
inline std::vector<oracle::array> run_with_checkpoints(const pass::differentiated& d, const graph& g,
                                                       const oracle::environment& env, const oracle::environment& bound,
                                                       std::int64_t every, const drafts::batch_limits& most,
                                                       step_graphs* graphs) {
  const ir::program forward = in_double(d.forward), gradient = in_double(d.gradient);
  drafted_call head(forward, g, env, most, graphs), tail(gradient, g, bound, most, graphs);
  const codegen::scan_pairs pairs(head.made().data, tail.made().data,
                                  {d.connections.begin(), static_cast<std::size_t>(d.connections.size())}, d.results);
  codegen::kept_steps kept;
  kept.every = every;
  kept.pairs = &pairs;
  kept.forward = &head.made().data;
  kept.gradient = &tail.made().data;
  kept.programs = head.made().step_programs.data();
  head.keep(kept);
  kept.memory = head.memory().data();
  std::vector<oracle::array> all = head.run(&kept, d.results);
  for (ir::value_id i = 0; i < gradient.size(); ++i) {
    if (gradient[i].code != ir::opcode::input) continue;
    const pass::connection& from = d.connections[gradient[i].entry()];
    if (from.kind == pass::connection_kind::saved)
      tail.memory()[static_cast<std::size_t>(i)] =
          head.memory()[static_cast<std::size_t>(root_of(forward, forward.outputs[from.index].at))];
  }
  for (oracle::array& a : tail.run(&kept)) all.push_back(std::move(a));
  return all;
}

/// What the gradient of a training step reads, by entry: cotangents in the order provided, what the forward program
/// gave, and what that was bound to.
inline oracle::environment read_by_gradient(const pass::differentiated& d, const oracle::environment& env,
                                            const std::vector<oracle::array>& cotangents,
                                            const std::vector<oracle::array>& forward) {
  oracle::environment bound = env;
  bound.entries.clear();
  for (int c = 0; c < d.connections.size(); ++c) {
    const pass::connection& from = d.connections[c];
    oracle::array& to = bound.entries[c];
    if (from.kind == pass::connection_kind::cotangent) to = cotangents[static_cast<std::size_t>(c)];
    if (from.kind == pass::connection_kind::saved) to = forward[static_cast<std::size_t>(from.index)];
    if (from.kind != pass::connection_kind::input) continue;
    const auto entry = env.entries.find(from.index);
    const text& name = d.forward.inputs[from.index].name;
    to = entry != env.entries.end() ? entry->second : env.inputs.at(std::string(name.view()));
  }
  return bound;
}
/// The results of a training step, then its gradients, by run(program, environment); cotangents in the order provided.
template <class Run>
std::vector<oracle::array> run_halves(const pass::differentiated& d, const oracle::environment& env,
                                      const std::vector<oracle::array>& cotangents, const Run& run) {
  std::vector<oracle::array> all = run(d.forward, env);
  const oracle::environment bound = read_by_gradient(d, env, cotangents, all);
  all.resize(static_cast<std::size_t>(d.results));
  for (oracle::array& gradient : run(d.gradient, bound)) all.push_back(std::move(gradient));
  return all;
}
inline std::vector<oracle::array> run_drafted(const pass::differentiated& d, const graph& g,
                                              const oracle::environment& env,
                                              const std::vector<oracle::array>& cotangents,
                                              const drafts::batch_limits& most) {
  return run_halves(d, env, cotangents, [&](const ir::program& p, const oracle::environment& bound) {
    return run_drafted(p, g, bound, most);
  });
}

}  // namespace stg::test
