// Tests' programs on a device: what a call reads is brought there, what it leaves comes back. So the bodies that test
// the CPU and the emulator, whose tensors lie on the host, test a device as they are.
#pragma once

#include <stg/codegen/cuda/device_backend.hpp>  // device_backend
#include <stg/codegen/frame.hpp>                // bytes_of_value
#include <stg/codegen/host_memory.hpp>          // host_memory
#include <stg/runtime/kind_rows.hpp>            // kind_rows
#include <stg/runtime/long_rows.hpp>            // find_long_rows
#include <stg/runtime/row_order.hpp>            // rows_by_degree

#include <algorithm>  // sort
#include <cstddef>    // byte
#include <cstdint>    // int64_t
#include <deque>      // deque
#include <memory>     // unique_ptr
#include <vector>     // vector

namespace stg::test {

/// An array of the host on device 0, gone with this.
class brought_array {
 public:
  brought_array(const void* from, std::int64_t bytes) : bytes_(bytes) {
    const std::int64_t askew = reinterpret_cast<std::uintptr_t>(from) % 256;  // packs lie as they do on the host
    memory_ = stg::detail::allocate_at(location::on_device(0), bytes + askew, false, "a test's array");
    if (bytes > 0) stg::detail::copy_memory(location::on_device(0), begin_ = memory_.get() + askew, host, from, bytes);
  }
  void bring_back(void* to) const {
    if (bytes_ > 0) stg::detail::copy_memory(host, to, location::on_device(0), begin_, bytes_);
  }
  template <class T> const T* as() const { return reinterpret_cast<const T*>(begin_); }
  std::byte* begin() const { return begin_; }

 private:
  std::int64_t bytes_;
  stg::detail::memory memory_;
  std::byte* begin_ = nullptr;
};

/// Everything that a call refers to. Values may share memory, as buffers that do not live at the same time do and as
/// reshaped values do with what they name; so what is brought are stretches of memory, each once.
class brought_memory {
 public:
  void add(std::byte* from, std::int64_t bytes) {
    if (from != nullptr && bytes > 0) stretches_.push_back({from, from + bytes, nullptr});
  }
  void bring() {
    std::sort(stretches_.begin(), stretches_.end(),
              [](const stretch& a, const stretch& b) { return a.first < b.first; });
    std::vector<stretch> whole;
    for (stretch& s : stretches_) {
      if (!whole.empty() && s.first < whole.back().last) whole.back().last = std::max(whole.back().last, s.last);
      else whole.push_back(std::move(s));
    }
    for (stretch& s : whole) s.there = std::make_unique<brought_array>(s.first, s.last - s.first);
    stretches_ = std::move(whole);
  }
  std::byte* there(std::byte* from) const {
    for (const stretch& s : stretches_)
      if (s.first <= from && from < s.last) return s.there->begin() + (from - s.first);
    return nullptr;
  }
  void bring_back() const {
    for (const stretch& s : stretches_) s.there->bring_back(s.first);
  }

 private:
  struct stretch {
    std::byte *first, *last;
    std::unique_ptr<brought_array> there;
  };
  std::vector<stretch> stretches_;
};

/// Rows of a graph, with those that are long found anew.
class brought_rows {
 public:
  brought_rows(const adjacency& rows, std::int64_t edges, std::int32_t long_row_edges)
      : long_(find_long_rows(rows, long_row_edges)),
        row_(array_of(long_.row)),
        first_part_(array_of(long_.first_part)),
        order_(array_of(rows_by_degree(rows))) {
    std::vector<std::int64_t> offsets, ids;
    std::vector<std::int32_t> neighbours;
    for (std::int64_t v = 0; v < rows.rows(); ++v) offsets.push_back(rows.begin(v));
    if (rows.rows() > 0) offsets.push_back(rows.end(rows.rows() - 1));
    for (std::int64_t k = 0; k < edges; ++k) {
      neighbours.push_back(rows.neighbour(k));
      if (!rows.ids_are_positions()) ids.push_back(rows.edge_id(k));
    }
    offsets_ = std::make_unique<brought_array>(array_of(offsets));
    neighbours_ = std::make_unique<brought_array>(array_of(neighbours));
    if (!rows.ids_are_positions()) ids_ = std::make_unique<brought_array>(array_of(ids));
    there = adjacency(rows.rows(), offsets_->as<std::int64_t>(), neighbours_->as<std::int32_t>(),
                      ids_ ? ids_->as<std::int64_t>() : nullptr)
                .with(long_.view_of(row_.as<std::int32_t>(), first_part_.as<std::int32_t>()))
                .with_row_order(order_.as<std::int32_t>());
  }
  adjacency there{};

 private:
  template <class T> static brought_array array_of(const std::vector<T>& v) {
    return {v.data(), static_cast<std::int64_t>(v.size() * sizeof(T))};
  }
  long_row_list long_;
  brought_array row_, first_part_, order_;
  std::unique_ptr<brought_array> offsets_, neighbours_, ids_;
};

/// A sparse feature: its view stays on the host, where launches read it, and names arrays of the device.
template <class T> class brought_sparse {
 private:
  std::vector<std::unique_ptr<brought_array>> arrays_;  // before what names them

 public:
  explicit brought_sparse(const sparse_view<T>& from) : there{brought(from.by_row), brought(from.by_column)} {}
  sparse_view<T> there;

 private:
  sparse_rows<T> brought(const sparse_rows<T>& from) {
    const auto bring = [&](const auto* p, std::int64_t count) {
      arrays_.push_back(std::make_unique<brought_array>(p, count * static_cast<std::int64_t>(sizeof *p)));
      return arrays_.back()->template as<std::remove_cvref_t<decltype(*p)>>();
    };
    sparse_rows<T> to = from;
    to.offsets = bring(from.offsets, from.count + 1);
    to.index = bring(from.index, from.stored);
    to.value = bring(from.value, from.stored);
    return to;
  }
};

/// Launcher: as gpu::device_backend's.
template <class Launcher> struct on_device : codegen::host_memory {
  template <class Program> using executable = gpu::executable<Program>;
  static inline std::int32_t long_row_edges =
      300;  // fewer than a device has, so that the graphs of tests have such rows

  static void prepare(codegen::launch&) {}
  template <class P, bool Runs> static const codegen::step_program* steps() {
    return gpu::device_backend<Launcher>::template steps<P, Runs>();
  }
  template <class P> static std::int64_t workspace(const codegen::launch&) { return 0; }

  template <class P> static void run(codegen::launch l) {
    const brought_rows in(l.graph.in, l.graph.edges, long_row_edges), out(l.graph.out, l.graph.edges, long_row_edges);
    l.graph.in = in.there;
    l.graph.out = out.there;
    std::deque<brought_rows> of_kinds;
    std::vector<kind_rows> kinds(P::program.room.kinds + 1);
    for (int k = 1; k <= P::program.room.kinds; ++k) {
      const kind_rows& here = l.graph.kinds[k];
      kinds[k].rows = here.rows;
      kinds[k].in = of_kinds.emplace_back(here.in, here.in.edges(), long_row_edges).there;
      kinds[k].out = of_kinds.emplace_back(here.out, here.out.edges(), long_row_edges).there;
    }
    brought_memory values;
    std::vector<std::unique_ptr<brought_sparse<float>>> floats;
    std::vector<std::unique_ptr<brought_sparse<double>>> doubles;
    std::vector<std::byte*> there(static_cast<std::size_t>(P::program.size) + 1);
    const stg::detail::call_sizes sizes{l.graph.vertices, l.graph.edges, l.extents, {}, {}, nullptr, l.graph.kinds, {}};
    if (P::program.room.kinds > 0) l.graph.kinds = kinds.data();
    for (int i = 0; i < P::program.size; ++i)
      if (l.memory[i] != nullptr && !is_sparse<P>(i))
        values.add(l.memory[i], stg::detail::bytes_of_value(P::program.statements[i], sizes));
    values.bring();
    for (int i = 0; i < P::program.size; ++i) {
      std::byte*& to = there[static_cast<std::size_t>(i)];
      if (l.memory[i] == nullptr) continue;
      if (!is_sparse<P>(i)) to = values.there(l.memory[i]);
      else if (P::program.statements[i].type == scalar_type::f64) to = sparse_at(doubles, l.memory[i]);
      else to = sparse_at(floats, l.memory[i]);
    }
    l.memory = there.data();
    const std::vector<std::byte> nothing(static_cast<std::size_t>(gpu::workspace<P>(l)) + 64);
    const brought_array workspace(nothing.data(), static_cast<std::int64_t>(nothing.size()));
    l.resources.workspace = workspace.begin() + (64 - reinterpret_cast<std::uintptr_t>(workspace.begin()) % 64) % 64;
    gpu::device_backend<Launcher>().template run<P>(l);
    values.bring_back();  // waits for the kernels
  }

 private:
  template <class P> static bool is_sparse(int i) {
    const ir::statement& s = P::program.statements[i];
    return s.code == ir::opcode::input && P::program.inputs[s.entry()].sparse;
  }
  template <class T>
  static std::byte* sparse_at(std::vector<std::unique_ptr<brought_sparse<T>>>& all, std::byte* view) {
    all.push_back(std::make_unique<brought_sparse<T>>(*reinterpret_cast<const sparse_view<T>*>(view)));
    return reinterpret_cast<std::byte*>(&all.back()->there);
  }
};

}  // namespace stg::test
