// Input and result of fuse, in fixed sizes: constants hold them if readings, fuse and plan together are beyond a
// compiler's budget.
#pragma once

#include <stg/base/room.hpp>          // room_for
#include <stg/base/sequence.hpp>      // sequence
#include <stg/analysis/readings.hpp>  // placed_values, reading
#include <stg/analysis/unit.hpp>      // fusion, unit, edge_loop

namespace stg::pass {

/// The placed values of a program of N statements. Values without room are left out: `fits` says so.
template <int N> struct frozen_placed {
  static constexpr int reading_room = 4 * N + 64;

  int reading_count = 0, input_reading_count = 0;
  bool fits = false;
  unsigned char is_output[room_for(N)]{};
  unsigned char is_placed[room_for(N)]{};
  op::category kinds[room_for(N)]{};
  reading readings[room_for(reading_room)]{};
  reading input_readings[room_for(reading_room)]{};

  constexpr explicit frozen_placed(const placed_values& from)
      : reading_count(from.readings.size()), input_reading_count(from.input_readings.size()) {
    fits = reading_count <= reading_room && input_reading_count <= reading_room;
    if (!fits) return;
    for (int i = 0; i < N; ++i) {
      is_output[i] = from.is_output.first[i];
      is_placed[i] = from.is_placed.first[i];
      kinds[i] = from.kinds.first[i];
    }
    for (int i = 0; i < reading_count; ++i) readings[i] = from.readings.first[i];
    for (int i = 0; i < input_reading_count; ++i) input_readings[i] = from.input_readings.first[i];
  }
  constexpr placed_values thaw() const {
    placed_values to;
    to.is_output.append(is_output, N);
    to.is_placed.append(is_placed, N);
    to.kinds.append(kinds, N);
    to.readings.append(readings, reading_count);
    to.input_readings.append(input_readings, input_reading_count);
    return to;
  }
};

/// The units of a program of N statements. Units without room are left out: `fits` says so.
template <int N> struct frozen_fusion {
  struct head {
    unit_kind kind{};
    sweep_side side{};
    int set = 0;
    int last_statement = 0, last_loop = 0;  // they begin at the end of the unit before
  };
  struct loop {
    sweep_side side{};
    int relation = 0;
    int last_statement = 0, last_result = 0;
  };
  static constexpr int loop_room = N / 4 + 8, member_room = 2 * N + 8, edge_room = 4 * N + 64;

  int unit_count = 0;
  bool fits = false;
  head units[room_for(N)]{};
  loop loops[room_for(loop_room)]{};
  ir::value_id statements[room_for(member_room)]{};
  int stages[room_for(member_room)]{};
  ir::value_id loop_statements[room_for(edge_room)]{};
  ir::value_id loop_results[room_for(N)]{};
  int unit_of[room_for(N)]{};
  unsigned char stored[room_for(N)]{};

  constexpr explicit frozen_fusion(const fusion& f) {
    int members = 0, edges = 0, results = 0, loop_count = 0;
    for (const unit& u : f.units) {
      members += u.statements.size();
      loop_count += u.loops.size();
      for (const edge_loop& l : u.loops) {
        edges += l.statements.size();
        results += l.results.size();
      }
    }
    unit_count = f.units.size();
    fits = unit_count <= N && members <= member_room && loop_count <= loop_room && edges <= edge_room && results <= N;
    if (fits) freeze(f);
  }

  constexpr fusion thaw() const {
    fusion f;
    f.unit_of.append(unit_of, N);
    f.stored.append(stored, N);
    int member = 0, at = 0, edge = 0, result = 0;
    for (int u = 0; u < unit_count; ++u) {
      unit to;
      to.kind = units[u].kind;
      to.side = units[u].side;
      to.set = units[u].set;
      to.statements.append(statements + member, units[u].last_statement - member);
      to.stages.append(stages + member, units[u].last_statement - member);
      member = units[u].last_statement;
      for (; at < units[u].last_loop; ++at) {
        edge_loop l;
        l.side = loops[at].side;
        l.relation = loops[at].relation;
        l.statements.append(loop_statements + edge, loops[at].last_statement - edge);
        l.results.append(loop_results + result, loops[at].last_result - result);
        edge = loops[at].last_statement;
        result = loops[at].last_result;
        to.loops.push_back(l);
      }
      f.units.push_back(to);
    }
    return f;
  }

 private:
  constexpr void freeze(const fusion& f) {
    int member = 0, at = 0, edge = 0, result = 0;
    for (int u = 0; u < unit_count; ++u) {
      const unit& from = f.units[u];
      for (int k = 0; k < from.statements.size(); ++k, ++member) {
        statements[member] = from.statements.first[k];
        stages[member] = from.stages.first[k];
      }
      for (const edge_loop& l : from.loops) {
        for (ir::value_id i : l.statements) loop_statements[edge++] = i;
        for (ir::value_id i : l.results) loop_results[result++] = i;
        loops[at].side = l.side;
        loops[at].relation = l.relation;
        loops[at].last_statement = edge;
        loops[at++].last_result = result;
      }
      units[u].kind = from.kind;
      units[u].side = from.side;
      units[u].set = from.set;
      units[u].last_statement = member;
      units[u].last_loop = at;
    }
    for (int i = 0; i < N; ++i) {
      unit_of[i] = f.unit_of.first[i];
      stored[i] = f.stored.first[i];
    }
  }
};

}  // namespace stg::pass
