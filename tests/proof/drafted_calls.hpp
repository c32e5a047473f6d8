// Calls of a program as a draft: by the library's kernels, in memory of its own for every stored value.
#pragma once

#include <stg/codegen/draft/made.hpp>            // made_program
#include <stg/codegen/draft/plan.hpp>            // run, workspace
#include <stg/codegen/oracle/bound_program.hpp>  // bound_program
#include <stg/pass/save.hpp>                     // differentiated
#include <stg/runtime/sparse_tensor.hpp>         // sparse_tensor

#include "../../src/codegen/with_type.hpp"  // with_element

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <cstring>  // memcpy
#include <list>     // list
#include <string>   // string
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
  drafted_call(const ir::program& program, const graph& g, const oracle::environment& env,
               const drafts::batch_limits& most)
      : bound_program(program, g, env), made_(program), graph_(g), most_(most) {
    find_shapes();
    bind();
  }

  /// The outputs, in order.
  std::vector<oracle::array> run() {
    codegen::launch l;
    l.memory = memory_.data();
    l.extents = extents_.data();
    l.in = graph_.in_edges();
    l.out = graph_.out_edges();
    l.vertices = graph_.vertices();
    l.edges = graph_.edges();
    if (kinds.size() > 1) l.kinds = kinds.data();
    l.seed = env.seed;
    l.number = env.call;
    std::vector<std::byte> workspace(static_cast<std::size_t>(drafts::workspace(made_, l, most_)) + 64,
                                     std::byte{0xff});
    l.workspace = workspace.data();
    drafts::run(made_, l, most_);
    std::vector<oracle::array> outputs;
    for (const ir::output& o : p.outputs) outputs.push_back(read(pass::root_of(p, o.at)));
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
      if (is_input && p.inputs[static_cast<int>(p[i].attribute)].sparse) bind_sparse(i);
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
  }
  void write(ir::value_id i) {
    const oracle::array& from = bound(p[i]);
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
  std::vector<std::int64_t> extents_;
  std::list<std::vector<std::byte>> owned_;
  std::list<sparse_tensor<double>> sparse_;
  std::vector<std::byte*> memory_;
};

inline std::vector<oracle::array> run_drafted(const ir::program& p, const graph& g, const oracle::environment& env,
                                              const drafts::batch_limits& most) {
  const ir::program doubles = in_double(p);
  return drafted_call(doubles, g, env, most).run();
}

/// The results of a training step, then its gradients; cotangents in the order provided.
inline std::vector<oracle::array> run_drafted(const pass::differentiated& d, const graph& g,
                                              const oracle::environment& env,
                                              const std::vector<oracle::array>& cotangents,
                                              const drafts::batch_limits& most) {
  std::vector<oracle::array> all = run_drafted(d.forward, g, env, most);
  oracle::environment bound = env;
  for (int c = 0; c < d.connections.size(); ++c) {
    const pass::connection& from = d.connections[c];
    oracle::array& to = bound.entries[c];
    if (from.kind == pass::connection_kind::cotangent) to = cotangents[static_cast<std::size_t>(c)];
    if (from.kind == pass::connection_kind::saved) to = all[static_cast<std::size_t>(from.index)];
    if (from.kind != pass::connection_kind::input) continue;
    const auto entry = env.entries.find(from.index);
    const text& name = d.forward.inputs[from.index].name;
    to = entry != env.entries.end() ? entry->second : env.inputs.at(std::string(name.view()));
  }
  all.resize(static_cast<std::size_t>(d.results));
  for (oracle::array& gradient : run_drafted(d.gradient, g, bound, most)) all.push_back(std::move(gradient));
  return all;
}

}  // namespace stg::test
