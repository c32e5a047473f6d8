// Messages between the units of a plan on a device.
#include <stg/codegen/device_exchanges.hpp>

#include <algorithm>  // min
#include <string>     // string
#include <utility>    // move
#include <vector>     // vector

#include <stg/base/error.hpp>                 // error
#include <stg/codegen/operands.hpp>           // extent_of
#include <stg/op/list.hpp>                    // info_of
#include <stg/runtime/cuda/rank_kernels.hpp>  // installed_rank_functions

#include "../distributed/rank_trace.hpp"      // traced
#include "../distributed/rows_on_device.hpp"  // check_cut_by_rows, rows_on_device

namespace stg::codegen {

namespace {

constexpr std::int64_t place_bytes = 16;  // values and nodes in a message begin at multiples of it

std::size_t place(std::int64_t n) { return static_cast<std::size_t>(n); }
std::int64_t in_places(std::int64_t bytes) { return (bytes + place_bytes - 1) / place_bytes * place_bytes; }

const gpu::rank_functions& kernels_of_ranks() {
  const gpu::rank_functions* const all = gpu::installed_rank_functions();
  if (all == nullptr)
    throw error(
        "this program has no kernels for parts on a GPU; include <stg/ranks_on_gpu.hpp> in a file that is "
        "compiled as CUDA");
  return *all;
}

gpu::joined_nodes::number number_of(scalar_type type) {
  using number = gpu::joined_nodes::number;
  if (type == f32) return number::f32;
  if (type == f64) return number::f64;
  if (type == i32) return number::i32;
  throw error("stg internal: a sum over ranks of a type without kernels");
}

}  // namespace

bool runs_by_blocks(const plan_data& plan, int i) {
  return reduces_rows(plan, i) || (plan.statements[i].code == ir::opcode::matmul &&
                                   plan.statements[plan.statements[i].operands[0]].where != ir::space::graph);
}

class device_exchanges::work {
 public:
  work(const plan_data& plan, const launch& l, const step_program* steps, gpu::stream_handle on)
      : plan_(plan),
        rows_(*l.graph.ranks->on_device),
        link_(*rows_.link),
        ranks_(*l.graph.ranks),
        kernels_(kernels_of_ranks()),
        on_(on),
        all_(exchanges_of(plan, l.others.there, l.others.results, steps)) {
    if (link_.on->is_captured())
      throw error("a step on the part of a cut graph cannot be captured: its ranks wait for each other");
    for (exchange& e : all_)
      if (e.what == exchanged::made_again) e.what = exchanged::vertices;
    nodes_.reserve(all_.size());
    for (std::size_t k = 0; k < all_.size(); ++k) nodes_.emplace_back(link_.on);
    group();
  }

  void begin(const launch& l) {
    for (message& m : messages_) m.of.tag = ranks_.ranks->next_tag();
    after(-1, l);
  }
  void before(int unit, const launch& l) {
    for (message& m : messages_)
      if (m.before == unit && m.is_posted) take(m, l);
  }
  void after(int unit, const launch& l) {
    for (message& m : messages_)
      if (all_[m.first].after == unit) post(m, l);
  }
  void end(const launch& l) {
    before(plan_.unit_count, l);
    for (message& m : messages_) {
      using stg::detail::traced_as;
      const bool is_sums = all_[m.first].what == exchanged::sum;
      const stg::detail::traced line(ranks_.ranks->rank(), is_sums ? traced_as::wait_sums : traced_as::wait_rows,
                                     [&] { return "wait for %" + std::to_string(all_[m.first].value); });
      link_.finish(m.of);
    }
  }
  void give_up() noexcept { link_.give_up(); }

  void run_blocks(int i, const launch& l, const block_runner& run);

 private:
  /// The values that are sent behind a unit and other ranks read.
  struct message {
    std::size_t first = 0, last = 0;  // exchanges
    int before = 0;                   // the first unit that reads one of them
    bool is_posted = false;
    gpu::device_messages of{};
    std::unique_ptr<gpu::block> sent{}, taken{};
  };

  void group() {
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const exchange& e = all_[k];
      if (messages_.empty() || all_[messages_.back().first].after != e.after) {
        messages_.emplace_back();
        messages_.back().first = k;
        messages_.back().before = e.before;
      }
      messages_.back().last = k + 1;
      messages_.back().before = std::min(messages_.back().before, e.before);
    }
  }

  /// Rows that one rank sends, or takes, of one value.
  gpu::listed_rows listed(std::size_t k, int other, bool sent, const launch& l) const {
    const exchange& e = all_[k];
    const auto rank = place(other);
    gpu::listed_rows rows;
    const gpu::rows_of_ranks& lists = e.what == exchanged::sum             ? rows_.tree.nodes
                                      : e.what == exchanged::vertices      ? rows_.vertices
                                      : e.what == exchanged::edges_made_in ? rows_.edges_made_in
                                                                           : rows_.edges_made_out;
    const gpu::row_list& list = sent ? lists.sent[rank] : lists.taken[rank];
    rows.rows = list.rows;
    rows.count = list.count;
    rows.row_bytes = bytes_of_row(plan_, e.value, l.extents);
    if (e.what == exchanged::sum) {
      rows.row_bytes = in_places(rows.row_bytes);
      rows.values = const_cast<std::byte*>(nodes_[k].data());
      return rows;
    }
    const ir::statement& s = plan_.statements[e.value];
    rows.values = l.memory[e.value];
    if (s.is_sequence()) rows.steps = extent_of(s.over.code, l.extents);
    rows.step_bytes = (s.where == ir::space::edge ? l.graph.edges : l.graph.neighbours) * rows.row_bytes;
    return rows;
  }
  static std::int64_t bytes_of(const gpu::listed_rows& rows) {
    return in_places(rows.steps * rows.count * rows.row_bytes);
  }

  /// Where the messages of each rank lie in a block of memory.
  std::unique_ptr<gpu::block> lay_out(const message& m, bool sent, std::vector<gpu::bytes_with_rank>& to,
                                      const launch& l) {
    to.clear();
    std::int64_t all = 0;
    for (int other = 0; other < ranks_.ranks->size(); ++other) {
      std::int64_t bytes = 0;
      for (std::size_t k = m.first; k < m.last && other != ranks_.ranks->rank(); ++k)
        bytes += bytes_of(listed(k, other, sent, l));
      if (bytes > 0) to.push_back({other, nullptr, bytes});
      all += bytes;
    }
    auto memory = std::make_unique<gpu::block>(link_.take_block(all, on_));
    std::byte* next = memory->data();
    for (gpu::bytes_with_rank& b : to) {
      b.data = next;
      next += b.bytes;
    }
    return memory;
  }
  /// Packs what a message sends, or unpacks what it has brought.
  void move_rows(const message& m, const std::vector<gpu::bytes_with_rank>& all, bool sent, const launch& l) {
    for (const gpu::bytes_with_rank& of : all) {
      std::byte* next = of.data;
      for (std::size_t k = m.first; k < m.last; ++k) {
        gpu::listed_rows rows = listed(k, of.rank, sent, l);
        rows.packed = next;
        next += bytes_of(rows);
        if (rows.count > 0) (sent ? kernels_.pack : kernels_.unpack)(*link_.on, on_, rows);
      }
    }
  }

  void post(message& m, const launch& l) {
    const stg::detail::traced line(ranks_.ranks->rank(), stg::detail::traced_as::post,
                                   [&] { return "post %" + std::to_string(all_[m.first].value); });
    const bool is_sums = all_[m.first].what == exchanged::sum;
    m.of.names = {is_sums ? "sums of" : "rows of", name_of_value(plan_, all_[m.first].value), l.draws.number};
    m.sent = lay_out(m, true, m.of.sent, l);
    m.taken = lay_out(m, false, m.of.taken, l);
    move_rows(m, m.of.sent, true, l);
    m.is_posted = true;
    link_.post(m.of, on_);
  }
  void take(message& m, const launch& l) {
    link_.take(m.of, on_);
    move_rows(m, m.of.taken, false, l);
    for (std::size_t k = m.first; k < m.last; ++k)
      if (all_[k].what == exchanged::sum) join_last(k, l);
    link_.keep(std::move(*m.sent));
    link_.keep(std::move(*m.taken));
    m.is_posted = false;
  }

  // ---- sums ----

  void join(std::size_t k, const gpu::row_list& pairs, const launch& l) {
    const ir::statement& s = plan_.statements[all_[k].value];
    const std::int64_t bytes = bytes_of_row(plan_, all_[k].value, l.extents);
    gpu::joined_nodes nodes;
    nodes.nodes = nodes_[k].data();
    nodes.pairs = pairs.rows;
    nodes.count = pairs.count;
    nodes.stride = in_places(bytes);
    nodes.width = bytes / stg::bytes_of(s.type);
    nodes.type = number_of(s.type);
    nodes.adds = s.code != ir::opcode::max_vertices;
    kernels_.join(*link_.on, on_, nodes);
  }
  void join_last(std::size_t k, const launch& l) {
    const int value = all_[k].value;
    const std::int64_t bytes = bytes_of_row(plan_, value, l.extents);
    gpu::api& calls = link_.on->calls();
    if (rows_.tree.root < 0) {
      check(calls, {}, "cudaMemsetAsync", calls.fill_async(l.memory[value], 0, bytes, on_));
    } else {
      join(k, rows_.tree.last_pairs, l);
      check(calls, {}, "cudaMemcpyAsync",
            calls.copy_async(l.memory[value], nodes_[k].data() + rows_.tree.root * in_places(bytes), bytes,
                             gpu::direction::on_device, on_));
    }
    link_.keep(std::move(nodes_[k]));
    nodes_[k] = gpu::block(link_.on);
  }

  const plan_data& plan_;
  const gpu::rows_on_device& rows_;
  gpu::device_link& link_;
  const rank_rows& ranks_;
  const gpu::rank_functions& kernels_;
  gpu::stream_handle on_;
  std::vector<exchange> all_;
  std::vector<message> messages_{};
  std::vector<gpu::block> nodes_{};  // by exchange: of a sum, while it is taken
};

/// A step over the rows of one block: operands begin at its first row, and there are so many rows.
void device_exchanges::work::run_blocks(int i, const launch& l, const block_runner& run) {
  const ir::statement& s = plan_.statements[i];
  const std::int64_t bytes = bytes_of_row(plan_, i, l.extents);
  const bool is_sum = reduces_rows(plan_, i);
  if (ir::is_sparse_product(s))
    throw error("sparse features of a part of a cut graph run on the CPU; give dense ones on a device");
  std::byte* nodes = nullptr;
  std::size_t of = 0;
  for (; is_sum && nodes == nullptr; ++of) {
    if (all_[of].value != i || all_[of].what != exchanged::sum) continue;
    nodes_[of] = link_.take_block(static_cast<std::int64_t>(ranks_.block_has_rows.size()) * in_places(bytes), on_);
    nodes = nodes_[of].data();
    break;
  }
  std::vector<std::byte*> memory(l.memory, l.memory + plan_.size);
  launch block = l;
  block.memory = memory.data();
  const int first_block = ranks_.own_first_block();
  for (int b = 0; b < ranks_.own_blocks(); ++b) {
    if (!ranks_.block_has_rows[place(first_block + b)]) continue;
    const std::int64_t row = ranks_.block_offsets[place(b)], edge = rows_.block_edges[place(b)];
    const auto begin = [&](int root) {
      const ir::domain& where = plan_.statements[root].where;
      const std::int64_t first = where == ir::space::vertex ? row : where == ir::space::edge ? edge : 0;
      return l.memory[root] == nullptr ? nullptr : l.memory[root] + first * bytes_of_row(plan_, root, l.extents);
    };
    for (int k = 0; k < s.arity(); ++k) memory[place(plan_.root(s.operands[k]))] = begin(plan_.root(s.operands[k]));
    memory[place(plan_.root(i))] = is_sum ? nodes + (first_block + b) * in_places(bytes) : begin(plan_.root(i));
    block.graph.vertices = ranks_.block_offsets[place(b + 1)] - row;
    block.graph.own_edges = rows_.block_edges[place(b + 1)] - edge;
    run.call(run.self, block);
  }
  if (is_sum) join(of, rows_.tree.own_pairs, l);
}

namespace {

void check_part(const rank_rows& part) {
  gpu::check_cut_by_rows(part);
  if (part.on_device == nullptr)
    throw error(
        "the part of a rank lies on the host; bring it to the device, stg::device_links(ranks, "
        "stg::cuda()).to_device(part)");
}

}  // namespace

device_exchanges::device_exchanges(const plan_data& plan, const launch& l, const step_program* steps, CUstream_st* on)
    : work_((check_part(*l.graph.ranks), std::make_unique<work>(plan, l, steps, on))) {}
device_exchanges::~device_exchanges() {
  if (work_ != nullptr) work_->give_up();
}
void device_exchanges::begin(const launch& l) { work_->begin(l); }
void device_exchanges::before(int unit, const launch& l) { work_->before(unit, l); }
void device_exchanges::after(int unit, const launch& l) { work_->after(unit, l); }
void device_exchanges::end(const launch& l) {
  work_->end(l);
  work_ = nullptr;
}
void device_exchanges::run_blocks(int i, const launch& l, const block_runner& run) { work_->run_blocks(i, l, run); }

}  // namespace stg::codegen
