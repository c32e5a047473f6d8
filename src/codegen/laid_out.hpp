// A plan as it is launched: what its units need of a call, laid out once, however often they run.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/codegen/cpu/chain.hpp>          // chain_layout
#include <stg/codegen/cpu/compiled_plan.hpp>  // compiled_plan
#include <stg/codegen/cpu/scratch.hpp>        // scratch_sizes
#include <stg/codegen/cpu/sweep_part.hpp>     // sweep_function
#include <stg/codegen/exchanges.hpp>          // exchanging
#include <stg/codegen/messages.hpp>           // messaging

namespace stg::cpu {

using row_ranges = codegen::exchanging::ranges;

/// The rows of a value that a chain's product reads or writes: in memory, or in the scratch of a block.
struct chained_rows {
  int at = -1;              // the value; -1: in scratch
  std::int64_t offset = 0;  // in scratch
  std::int64_t row_bytes = 0;

  std::byte* from(std::int64_t row, std::byte* const* memory, std::byte* scratch) const {
    return at < 0 ? scratch + offset : memory[at] + row * row_bytes;
  }
};

/// A unit as it is launched.
struct laid_out_unit {
  launch call;                      // as the unit sees it; of one with a kernel by the numbers of its form
  sweep_function run = nullptr;     // null where sizes alone are asked for
  std::byte** memory = nullptr;     // of every value of the form
  std::int64_t* offsets = nullptr;  // of the form's values in scratch (scratch.hpp)
  scratch_sizes scratch;
  std::int64_t rows = 0;  // of a sweep that is one part: it takes neither threads nor rounds, and no row is long
  bool is_one_part = false;
  int chain = -1;  // that it is the first of

  int product = -1;             // the statement of a dense product, in a chain or by a parameter that stays
  bool stays = false;           // the parameter is the same for all steps of a scan
  std::byte* packed = nullptr;  // where the parameter is laid out; null where sizes alone are asked for
  chained_rows x, y;            // of a chain's product
  std::int64_t products_of_row = 1, inner = 0, columns = 0;  // the same
  std::int64_t room = -1;  // in scratch, to widen its rows in; -1: they are as wide as they are computed

  /// What is not said of every unit, of one that was laid out before.
  void forget() {
    run = nullptr;
    is_one_part = stays = false;
    chain = product = -1;
    room = -1;
    packed = nullptr;
  }
  /// Has it run on what a call's memory is now.
  void show(const unit_names& names, const launch& l) {
    call.draws.seed = l.draws.seed;
    if (names.form == nullptr) call.memory = l.memory;
    for (int k = 0; k < names.value_count; ++k) memory[k] = l.memory[names.values[k]];
  }
};

/// A chain of units, and the call by the numbers of the plan.
struct laid_out_chain {
  chain_layout layout;
  launch call;
};

/// A plan's units for one call, or for all steps of a scan.
class laid_out_plan {
 public:
  void lay_out(const compiled_plan& plan, const launch& l);

  /// Lays out what they multiply by, where that is the same for all steps of a scan. l: as above, with its memory.
  void pack(const compiled_plan& plan, const launch& l);

  /// Runs them. Of the launch, the addresses in memory and the seed may be others than those they were laid out for.
  void run(const compiled_plan& plan, const launch& l, codegen::exchanging& others, codegen::messaging& by_hand);

  /// Bytes of workspace that they need.
  std::int64_t workspace(const compiled_plan& plan, const launch& l) const;

 private:
  void take_room(const compiled_plan& plan);
  void place_packed(const compiled_plan& plan, const launch& l);
  void as_form(const compiled_plan& plan, int unit);
  void lay_out_rows(const compiled_plan& plan, int unit);
  void place_in_chain(const compiled_plan& plan, int unit, const std::int64_t* in_chain);
  void run_unit(const compiled_plan& plan, int unit, const row_ranges* some);
  void run_parts(const compiled_plan& plan, int unit, const row_ranges* some);
  std::int64_t unit_workspace(const compiled_plan& plan, int unit) const;

  std::vector<laid_out_unit> units_;
  std::vector<laid_out_chain> chains_;  // one after the other
  std::vector<std::byte*> addresses_;
  std::vector<std::int64_t> numbers_;
  std::int64_t packed_bytes_ = 0;       // at the beginning of the workspace
  std::byte** next_address_ = nullptr;  // that no unit has yet
  std::int64_t* next_number_ = nullptr;
};

/// Lays out the products of a chain that begins with unit `first`: what is known of its units but the sweeps' calls.
void lay_out_products(const compiled_plan& plan, int first, const laid_out_chain& chain, laid_out_unit* units);

/// Runs it. units: of the whole plan.
void run_chain(const compiled_plan& plan, int first, const laid_out_chain& chain, const laid_out_unit* units);

}  // namespace stg::cpu
