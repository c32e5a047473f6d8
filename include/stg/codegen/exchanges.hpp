// exchanges: the values of a plan that ranks tell each other about, when each is sent and when it has to be there.
//
// A rank computes its own rows of every value. Before a unit reads rows of other ranks, as a gather of neighbours does,
// these have come; they are sent as soon as the unit that makes the value is done. Values over the whole graph are sums
// over rows: each rank adds up its own blocks of rows, and all join the blocks' sums in one order.
#pragma once

#include <array>        // array
#include <cstddef>      // byte
#include <cstdint>      // int64_t, uint64_t
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/codegen/column_sweeps.hpp>  // column_sweep
#include <stg/codegen/launch.hpp>         // launch
#include <stg/codegen/plan_data.hpp>      // plan_data
#include <stg/pass/save.hpp>              // connection
#include <stg/runtime/const_tensor.hpp>   // memory
#include <stg/runtime/rank_rows.hpp>      // rank_rows, row_range

namespace stg::codegen {

/// What ranks exchange of a value.
enum class exchanged : int {
  vertices,        // rows of the halo
  edges_made_in,   // edges whose owners of destinations computed them
  edges_made_out,  // edges whose owners of sources did
  sum,             // sums of blocks, or largest values
  made_again       // nothing: each rank computes the rows of its halo
};

struct step_program;

struct exchange {
  int value = 0;  // a statement with memory of its own
  exchanged what{};
  int made = -1;           // the unit that makes it; -1: an input
  int after = -1;          // the unit behind which it is sent: that one, or a later one (ir::decided::merged_exchanges)
  int before = 0;          // the first unit that reads it; as many as there are units: it is a result
  bool is_result = false;  // if it is read before, too

  bool operator==(const exchange&) const = default;
};

/// The region of each statement whose exchanges are sent together, by number; 0: none. Empty where no program said so.
std::vector<std::int64_t> regions_of(const plan_data& plan);

/// Whether a statement reduces rows of vertices or edges to a value of the whole graph.
bool reduces_rows(const plan_data& plan, int i);

/// Whether a rank can compute the halo's rows of a value, to the bit: of inputs, degrees and random masks alone.
bool can_be_made_again(const plan_data& plan, int root, const rows_there* there);

/// The exchanges of a plan, in the order in which they begin. there: by entry of its inputs; null: all rows of all.
/// results: how many outputs are to have the rows of other ranks in the end. steps: of its scans. by_columns: sweeps
/// that are cut by columns exchange for themselves.
std::vector<exchange> exchanges_of(const plan_data& plan, const rows_there* there, int results,
                                   const step_program* steps, const std::vector<column_sweep>& by_columns = {});

/// The inputs of a step, by entry, whose rows of other ranks its units read.
std::vector<unsigned char> inputs_of_neighbours(const step_program& step);

/// A loop of a plan, and a value whose rows it reads of neighbours.
struct neighbour_read {
  int loop = 0, value = 0;
};
/// The values in memory that a unit reads. of_others: it reads rows of other ranks, or a sum over all ranks.
struct unit_reads {
  std::vector<int> values{}, of_others{};
  std::vector<neighbour_read> neighbours{};
};
/// Of each unit; of a chain with its first unit.
std::vector<unit_reads> reads_of_units(const plan_data& plan, const rows_there* there, const step_program* steps,
                                       const std::vector<column_sweep>& by_columns = {});

/// The rows that a rank exchanges with each other one, and how many numbers of sums it sends to each.
const std::vector<exchanged_rows>& rows_to_exchange(const rank_rows& of, exchanged what);
/// The same of one exchange. At a step of a changing graph, results have the rows of all steps together.
const std::vector<exchanged_rows>& lists_of(const rank_rows& of, const exchange& e);
std::int64_t nodes_of_sums(const rank_rows& of, int rank);

/// An output's name, or the operation that makes the value.
std::string_view name_of_value(const plan_data& plan, int value);

/// The first unit of a unit's chain.
int chain_of(const plan_data& plan, int unit);

/// Whether a unit can compute interior rows, whose neighbours are all own ones, before rows of the halo have come.
bool has_interior_rows(const plan_data& plan, int unit);
/// Its interior rows while some values' rows are awaited. Of several vertex sets, only the relations count along which
/// the unit reads an awaited value.
rows_by_neighbours interior_rows(const plan_data& plan, int unit, const unit_reads& reads,
                                 const std::vector<int>& awaited, const graph_view& graph);
/// The rows that are there of what the steps of a scan read, by entry of the step. there: as of the plan around it.
std::vector<rows_there> rows_there_of_step(const plan_data& plan, int scan, const step_program& step,
                                           const rows_there* there);

/// As of a call (part_calls.hpp), where some sweeps of the forward program are cut by columns.
stg::detail::memory rows_there_of_gradient(const plan_data& forward, const plan_data& gradient,
                                           const pass::connection* from, int results, const step_program* steps,
                                           const std::vector<column_sweep>& by_columns);

/// Whether a timeline is under way (timeline.hpp), or STG_TRACE begins one.
bool is_timed() noexcept;

/// A plan that runs on a part of a cut graph, or on a whole one: then nothing is done.
///
/// A unit that waits for rows of neighbours computes its interior rows first. If the rows have not come by then, later
/// units run that wait for nothing, read nothing of the units before them and write no memory of theirs. Such units
/// alone change their places, so ranks that choose differently never wait for each other.
class exchanging {
 public:
  using ranges = std::vector<row_range>;

  /// l: the call, which outlives this.
  exchanging(const plan_data& plan, const launch& l, const step_program* steps);

  /// The call as units see it.
  launch shown(launch l) {
    l.others.exchanges = l.graph.ranks == nullptr ? nullptr : this;
    return l;
  }
  /// Runs all units by run_unit(unit, rows); rows: of a sweep those to compute, null: all.
  template <class Run> void run(const launch& l, const Run& run_unit) {
    if (of_ == nullptr && !is_timed()) {
      for (int unit = 0; unit < plan_->unit_count; ++unit) run_unit(unit, nullptr);
      return;
    }
    run_otherwise(l, {&run_unit, [](const void* self, int unit, const ranges* rows) {
                        (*static_cast<const Run*>(self))(unit, rows);
                      }});
  }
  /// Reduces the rows of this rank's blocks; the result is there when the exchange has ended. l: as the unit sees it.
  void reduce(int i, const launch& l);

 private:
  /// The values that are sent behind a unit and other ranks read: one message to each of them.
  struct message {
    int first = 0, last = 0;  // exchanges
    int before = 0;           // the first unit that reads one of them
    bool is_under_way = false, has_come = false;
    std::uint64_t tag = 0;
    std::vector<message_room> taken{};     // by rank; without room where rows come to their places
    std::vector<std::int64_t> expected{};  // bytes by rank
  };
  struct runner {
    const void* self;
    void (*call)(const void* self, int unit, const ranges* rows);
    void operator()(int unit, const ranges* rows) const { call(self, unit, rows); }
  };

  const column_sweep* by_columns(int unit) const;
  void run_by_columns(const column_sweep& sweep, const launch& l);
  void run_otherwise(const launch& l, const runner& run_unit);
  void run_on_part(const launch& l, const runner& run_unit);
  void run_waiting(int unit, const launch& l, const runner& run_unit);
  void send_after(int unit, const launch& l);
  void wait_before(int unit, const launch& l);
  bool has_come(int unit) const;
  bool waits(int unit) const;
  void run_traced(int unit, const ranges* rows, const char* which, const launch& l, const runner& run_unit) const;
  std::string values_of(const message& m) const;
  void run_interior(int unit, const std::vector<row_range>& rows, const launch& l, const runner& run_unit) const;
  rows_by_neighbours interior_of(int unit, const launch& l);
  const unit_reads& reads_of(int unit, const launch& l);
  int unit_ahead(int unit, const launch& l);
  bool may_run_now(int unit) const;
  bool sends_of_later(int unit) const;
  bool may_change_places(int unit, int later, const launch& l) const;

  void make_again(const exchange& e, const launch& l) const;
  void post(message& m, const launch& l);
  void take(message& m, const launch& l);
  std::byte* rows_in_place(const message& m, int other, const launch& l) const;
  std::int64_t bytes_from(int other, const exchange& e, const launch& l) const;
  std::int64_t bytes_to(int other, std::size_t e, const launch& l) const;
  std::int64_t bytes_of_sums(int rank, const exchange& e, const launch& l) const;
  std::byte* write_rows(int other, std::size_t e, const launch& l, std::byte* to) const;
  void read_rows(int other, const exchange& e, const launch& l, const std::byte* from) const;
  void join_sums(std::size_t e, const std::vector<const std::byte*>& nodes, const launch& l);
  /// The rows of a vertex set or relation, or of a plain graph.
  const rank_rows& rows_of(const ir::domain& where, const launch& l) const {
    return where.set == 0 ? *of_ : *l.graph.kinds[where.set].ranks;
  }
  /// Those that a sum goes over.
  const rank_rows& summed_rows(int i, const launch& l) const {
    return rows_of(plan_->statements[plan_->statements[i].operands[0]].where, l);
  }
  const std::vector<exchanged_rows>& lists(const exchange& e, const launch& l) const;
  const exchanged_rows* rows_with(int other, const exchange& e, const launch& l) const;
  std::int64_t row_bytes(int value, const launch& l) const;

  const plan_data* plan_ = nullptr;
  const step_program* steps_ = nullptr;
  const rank_rows* of_ = nullptr;
  bool has_messages_ = false;  // by hand
  std::vector<exchange> all_{};
  std::vector<message> messages_{};
  std::vector<column_sweep> columns_{};
  std::vector<std::array<std::uint64_t, 2>> column_tags_{};  // by column sweep
  std::vector<std::vector<std::byte>> own_sums_{};           // by exchange: this rank's nodes
  std::vector<unit_reads> reads_{};                          // by unit; empty until it is asked for
  std::vector<unsigned char> has_run_{};                     // by unit
};

}  // namespace stg::codegen
