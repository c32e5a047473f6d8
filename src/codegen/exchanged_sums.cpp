// Sums over all rows of a cut graph, and largest values: by blocks of rows, the leaves of one binary tree.
//
// A rank computes the largest nodes with blocks of its own alone and sends them to all others; every rank computes the
// rest from these. So the order of additions does not depend on the ranks.
#include <cstring>  // memcpy, memset
#include <vector>   // vector

#include <stg/codegen/cpu/whole.hpp>  // run_whole
#include <stg/codegen/exchanges.hpp>  // exchanging
#include <stg/codegen/operands.hpp>   // sparse_at

#include "block_tree.hpp"  // block_tree
#include "with_type.hpp"   // with_type

namespace stg::codegen {

namespace {

std::size_t nth(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Some rows of a sparse operand, row by row and column by column, as if there were no others.
template <class T> class sparse_block {
 public:
  const sparse_view<T>& of(const sparse_view<T>& all, std::int64_t first, std::int64_t last) {
    const sparse_rows<T>& rows = all.by_row;
    const std::int64_t begin = rows.offsets[first], entries = rows.offsets[last] - begin, columns = all.by_column.count;
    offsets_.assign(nth(columns + 1), 0);
    index_.resize(nth(entries));
    value_.resize(nth(entries));
    for (std::int64_t k = begin; k < begin + entries; ++k) ++offsets_[nth(rows.index[k]) + 1];
    for (std::int64_t c = 0; c < columns; ++c) offsets_[nth(c + 1)] += offsets_[nth(c)];
    std::vector<std::int64_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::int64_t r = first; r < last; ++r)
      for (std::int64_t k = rows.offsets[r]; k < rows.offsets[r + 1]; ++k) {
        const std::size_t to = nth(next[nth(rows.index[k])]++);
        index_[to] = static_cast<std::int32_t>(r - first);
        value_[to] = rows.value[k];
      }
    view_.by_row = {last - first, rows.offsets + first, rows.index, rows.value, entries};
    view_.by_column = {columns, offsets_.data(), index_.data(), value_.data(), entries};
    return view_;
  }

 private:
  std::vector<std::int64_t> offsets_{};
  std::vector<std::int32_t> index_{};
  std::vector<T> value_{};
  sparse_view<T> view_{};
};

/// A unit's call over the rows of one block.
class block_call {
 public:
  block_call(const plan_data& plan, int i, const launch& l) : plan_(plan), i_(i), all_(l), l_(l) {
    memory_.assign(l.memory, l.memory + plan.size);
    l_.memory = memory_.data();
    l_.others.exchanges = nullptr;
    set_ = plan.statements[plan.statements[i].operands[0]].where.set;
    if (set_ == 0) return;
    kinds_.assign(l.graph.kinds, l.graph.kinds + set_ + 1);
    l_.graph.kinds = kinds_.data();
  }
  /// Computes the statement over rows [first, last) of vertices, into `to`.
  void run(std::int64_t first, std::int64_t last, std::byte* to) {
    const adjacency& in = all_.graph.edges_of(set_, ir::direction::in);
    const std::int64_t first_edge = in.begin(first), last_edge = in.begin(last);
    const ir::statement& s = plan_.statements[i_];
    const bool reads_sparse = ir::is_sparse_product(s);
    if (reads_sparse) {
      show_sparse(s.operands[0], first, last);
      const adjacency rows = in.within_larger(in.global_rows() + first, in.global_edges());
      (set_ == 0 ? l_.graph.in : kinds_.back().in) = rows;
    }
    for (int k = reads_sparse ? 1 : 0; k < s.arity(); ++k) {
      const int root = plan_.root(s.operands[k]);
      const ir::domain& where = plan_.statements[root].where;
      if (where == ir::space::graph || all_.memory[root] == nullptr) continue;
      const std::int64_t row = where == ir::space::vertex ? first : first_edge;
      memory_[nth(root)] = all_.memory[root] + row * bytes_of_row(plan_, root, all_.extents);
    }
    memory_[nth(plan_.root(i_))] = to;
    l_.graph.vertices = last - first;
    l_.graph.own_edges = last_edge - first_edge;
    const bool of_edges = plan_.statements[s.operands[0]].where == ir::space::edge;
    if (set_ != 0) kinds_.back().own_rows = of_edges ? l_.graph.own_edges : l_.graph.vertices;
    cpu::run_whole(plan_, i_, l_);
  }

 private:
  void show_sparse(int x, std::int64_t first, std::int64_t last) {
    if (plan_.statements[x].type == f32)
      memory_[nth(x)] = address_of(floats_.of(sparse_at<float>(x, all_), first, last));
    else memory_[nth(x)] = address_of(doubles_.of(sparse_at<double>(x, all_), first, last));
  }
  template <class T> static std::byte* address_of(const sparse_view<T>& view) {
    return reinterpret_cast<std::byte*>(const_cast<sparse_view<T>*>(&view));
  }

  sparse_block<float> floats_{};
  sparse_block<double> doubles_{};
  const plan_data& plan_;
  int i_;
  const launch& all_;
  launch l_;
  std::vector<std::byte*> memory_;
  int set_ = 0;                     // or relation of the rows; 0 of a plain graph
  std::vector<kind_rows> kinds_{};  // up to it
};

/// The tree for one value.
class sum_tree : public block_tree {
 public:
  sum_tree(const rank_rows& cut_rows, const ir::statement& s, std::int64_t bytes_of_value)
      : block_tree(cut_rows), type(s.type), adds(s.code != ir::opcode::max_vertices), bytes(bytes_of_value) {}

  /// Computes a node with rows: is_given(first, last, to) writes one that needs no others, and says whether it did.
  template <class Given> void compute(int first, int last, std::byte* to, const Given& is_given) const {
    if (is_given(first, last, to)) return;
    const int middle = (first + last) / 2;
    if (!has_rows(first, middle)) return compute(middle, last, to, is_given);
    compute(first, middle, to, is_given);
    if (!has_rows(middle, last)) return;
    std::vector<std::byte> other(nth(bytes));
    compute(middle, last, other.data(), is_given);
    join(to, other.data());
  }

  const scalar_type type;
  const bool adds;
  const std::int64_t bytes;

 private:
  /// to = to + from, or the larger of both.
  void join(std::byte* to, const std::byte* from) const {
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      T* const a = reinterpret_cast<T*>(to);
      const T* const b = reinterpret_cast<const T*>(from);
      const std::int64_t n = bytes / std::int64_t{sizeof(T)};
      for (std::int64_t k = 0; k < n; ++k) a[k] = adds ? static_cast<T>(a[k] + b[k]) : a[k] < b[k] ? b[k] : a[k];
    });
  }
};

}  // namespace

void exchanging::reduce(int i, const launch& l) {
  const rank_rows& rows = summed_rows(i, l);
  const sum_tree tree(rows, plan_->statements[i], row_bytes(i, l));
  block_call block(*plan_, i, l);
  const auto is_leaf = [&](int first, int last, std::byte* to) {
    if (last - first > 1) return false;
    const std::size_t own = nth(first - rows.own_first_block());
    block.run(rows.block_offsets[own], rows.block_offsets[own + 1], to);
    return true;
  };
  for (std::size_t k = 0; k < all_.size(); ++k) {
    if (all_[k].value != i || all_[k].what != exchanged::sum) continue;
    std::vector<std::byte>& own = own_sums_[k];
    own.clear();
    tree.each_node_of(of_->ranks->rank(), [&](int first, int last) {
      own.resize(own.size() + nth(tree.bytes));
      tree.compute(first, last, own.data() + own.size() - nth(tree.bytes), is_leaf);
    });
  }
}

std::int64_t nodes_of_sums(const rank_rows& of, int rank) {
  std::int64_t nodes = 0;
  sum_tree(of, ir::statement(), 0).each_node_of(rank, [&](int, int) { ++nodes; });
  return nodes;
}
std::int64_t exchanging::bytes_of_sums(int rank, const exchange& e, const launch& l) const {
  return nodes_of_sums(summed_rows(e.value, l), rank) * row_bytes(e.value, l);
}

/// nodes: those of other ranks, where each rank's begin.
void exchanging::join_sums(std::size_t k, const std::vector<const std::byte*>& nodes, const launch& l) {
  const int value = all_[k].value;
  const sum_tree tree(summed_rows(value, l), plan_->statements[value], row_bytes(value, l));
  std::vector<const std::byte*> next = nodes;  // of each rank, whose nodes are met in their order
  next[nth(of_->ranks->rank())] = own_sums_[k].data();
  const auto is_of_rank = [&](int first, int last, std::byte* to) {
    const int rank = tree.owner(first, last);
    if (rank < 0) return false;
    std::memcpy(to, next[nth(rank)], nth(tree.bytes));
    next[nth(rank)] += tree.bytes;
    return true;
  };
  if (tree.has_rows(0, tree.blocks())) tree.compute(0, tree.blocks(), l.memory[value], is_of_rank);
  else std::memset(l.memory[value], 0, nth(tree.bytes));
}

}  // namespace stg::codegen
