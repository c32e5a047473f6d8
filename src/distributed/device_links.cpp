// The part of a rank on its device.
#include <stg/distributed/device_links.hpp>

#include <stg/base/error.hpp>                 // error
#include <stg/runtime/cuda/rank_kernels.hpp>  // installed_rank_functions
#include <stg/runtime/out_of_memory.hpp>      // no_memory
#include <stg/runtime/row_order.hpp>          // rows_by_degree

#include "../codegen/block_tree.hpp"            // block_tree
#include "../runtime/graph/graph_state.hpp"     // graph_access
#include "../runtime/memory/copied_arrays.hpp"  // copied_arrays
#include "cut_state.hpp"                        // cut_access
#include "rows_on_device.hpp"                   // check_cut_by_rows, rows_on_device

#include <deque>    // deque
#include <new>      // bad_alloc
#include <utility>  // move
#include <vector>   // vector

namespace stg {

device_links::device_links(communicator& ranks, const cuda& where, const device_link_options& how) try
    : link_(gpu::make_device_link(ranks, gpu::device::open(where.device(), {"device_links"}), how.by != link_by::host,
                                  how.by != link_by::nccl)) {
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

location device_links::place() const { return location::on_device(link_->on->index()); }
bool device_links::by_nccl() const { return link_->is_nccl(); }
const std::string& device_links::why_by_host() const { return link_->why_by_host; }

namespace {

/// Copies what a part has beside its graph, all of it in one block of memory.
class part_copier {
 public:
  part_copier(const rank_rows& from, std::shared_ptr<gpu::device_link> link) : from_(from) {
    rows_->link = std::move(link);
  }

  /// all: the copy of all rows, those of the halo too.
  std::unique_ptr<rank_rows> copied(const graph::state& all) {
    auto to = std::make_unique<rank_rows>(from_);
    side in, out;
    add_own_rows(from_.in, all.in, in);
    add_own_rows(from_.out, all.out, out);
    add(from_.vertices, rows_->vertices);
    add(from_.edges_made_in, rows_->edges_made_in);
    add(from_.edges_made_out, rows_->edges_made_out);
    add_tree(rows_->tree);
    for (const std::int64_t row : from_.block_offsets) rows_->block_edges.push_back(from_.in.begin(row));
    rows_->arrays = arrays_.copy(all.place, "the part of a rank");
    to->in = in.of(all.in, from_.in.rows());
    to->out = out.of(all.out, from_.out.rows());
    to->on_device = rows_;
    return to;
  }

 private:
  /// Own rows on the device: `all` has other long rows, and another order.
  struct side {
    long_row_list cut{};
    std::vector<std::int32_t> by_degree{};
    const std::int32_t *rows = nullptr, *parts = nullptr, *order = nullptr;

    adjacency of(const adjacency& all, std::int64_t own) const {
      return all.first_rows(own, cut.view_of(rows, parts)).with_row_order(order);
    }
  };
  void add_own_rows(const adjacency& own, const adjacency& all, side& to) {
    to.cut = find_long_rows(own, all.long_rows().part_edges);
    to.by_degree = rows_by_degree(own);
    arrays_.add(to.cut.row, &to.rows);
    arrays_.add(to.cut.first_part, &to.parts);
    arrays_.add(to.by_degree, &to.order);
  }
  void add(const std::vector<std::int32_t>& numbers, gpu::row_list& to) {
    to.count = static_cast<std::int64_t>(numbers.size());
    if (to.count > 0) arrays_.add(numbers, &to.rows);
  }
  void make_room(gpu::rows_of_ranks& to) const {
    to.sent.resize(static_cast<std::size_t>(from_.ranks->size()));
    to.taken.resize(to.sent.size());
  }
  void add(const std::vector<exchanged_rows>& lists, gpu::rows_of_ranks& to) {
    make_room(to);
    for (const exchanged_rows& rows : lists) {
      add(rows.sent, to.sent[static_cast<std::size_t>(rows.with)]);
      add(rows.taken, to.taken[static_cast<std::size_t>(rows.with)]);
    }
  }
  void add_tree(gpu::tree_on_device& to) {
    const codegen::block_tree tree(from_);
    make_room(to.nodes);
    std::vector<std::int32_t>& own = kept_.emplace_back();
    std::vector<std::int32_t>& own_nodes = kept_.emplace_back();
    tree.each_node_of(from_.ranks->rank(), [&](int first, int last) {
      own_nodes.push_back(tree.joined(
          first, last, [](int, int) { return false; }, own));
    });
    add(own, to.own_pairs);
    for (int r = 0; r < from_.ranks->size(); ++r) {
      const auto other = static_cast<std::size_t>(r);
      if (r == from_.ranks->rank()) continue;
      std::vector<std::int32_t>& theirs = kept_.emplace_back();
      tree.each_node_of(r, [&](int first, int last) { theirs.push_back(tree.first_with_rows(first, last)); });
      add(theirs, to.nodes.taken[other]);
      add(own_nodes, to.nodes.sent[other]);
    }
    std::vector<std::int32_t>& last_pairs = kept_.emplace_back();
    to.root = tree.joined(
        0, tree.blocks(), [&](int first, int last) { return tree.owner(first, last) >= 0; }, last_pairs);
    add(last_pairs, to.last_pairs);
    to.own_pairs.count /= 2;
    to.last_pairs.count /= 2;
  }

  const rank_rows& from_;
  std::shared_ptr<gpu::rows_on_device> rows_ = std::make_shared<gpu::rows_on_device>();
  std::deque<std::vector<std::int32_t>> kept_{};  // until they are copied
  detail::copied_arrays arrays_{};
};

}  // namespace

graph device_links::to_device(const distributed_graph& part) const try {
  const graph& on_host = part;
  if (on_host.ranks()->ranks != &link_->ranks)
    throw error("device_links: the part belongs to other ranks than the links; make both with one communicator");
  gpu::check_cut_by_rows(*on_host.ranks());
  if (const gpu::rank_functions* const kernels = gpu::installed_rank_functions())
    link_->on->check_architectures(kernels->architectures, {"ranks_on_gpu.hpp"});
  const std::int64_t edges_of_all = detail::cut_access::state_of(part.cut_).edges;
  const std::shared_ptr<graph::state> made = detail::graph_access::rows_at(
      place(), detail::graph_access::share_of(on_host), long_row_edges_of_device(edges_of_all));
  made->ranks = part_copier(*on_host.ranks(), link_).copied(*made);
  return detail::graph_access::of(made);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
