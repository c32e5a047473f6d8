// The agreement of ranks on the messages of a call, before anything of it runs.
#include <algorithm>  // count_if, find, sort, unique
#include <cstring>    // memcpy
#include <span>       // as_bytes, span
#include <string>     // string, to_string
#include <utility>    // move, pair
#include <vector>     // vector

#include <stg/base/error.hpp>            // error
#include <stg/codegen/part_calls.hpp>    // agree_on_messages
#include <stg/ir/operation_name.hpp>     // operation_name
#include <stg/runtime/communicator.hpp>  // communicator

#include "messages_of_plan.hpp"  // first_reader, value_of

namespace stg::codegen {

namespace {

std::size_t placed(std::int64_t n) { return static_cast<std::size_t>(n); }

/// What a rank does with messages, in its order. Ranks send these to each other as they lie.
struct event {
  enum kind : std::int64_t { sends, waits, joins };

  std::int64_t what = sends;
  std::int64_t code = 0;  // of the operation
  std::int64_t name = 0, gradients = 0;
  std::int64_t with = 0;  // the other rank
  std::int64_t type = 0, bytes = 0;

  bool is_named_as(const event& e) const { return name == e.name && gradients == e.gradients; }
  std::string words() const {
    std::string s;
    for (std::int64_t g = 0; g < gradients; ++g) s += "the gradient of ";
    return s + '\'' + std::string(ir::operation_name(name).view()) + '\'';
  }
};
using events = std::vector<event>;

event event_of(const plan_data& plan, int i, const launch& l, const communicator& ranks) {
  const ir::statement& s = plan.statements[i];
  event e;
  e.what = s.code == ir::opcode::send ? event::sends : s.code == ir::opcode::receive ? event::waits : event::joins;
  e.code = static_cast<std::int64_t>(s.code);
  e.name = s.message();
  e.gradients = s.gradients();
  e.with = ranks.rank_of(s.rank().number, s.rank().is_relative);
  e.type = static_cast<std::int64_t>(plan.statements[value_of(plan, i)].type);
  e.bytes = bytes_of_message(plan, i, l);
  return e;
}

/// Adds the events of a plan's run.
void add_events(const plan_data& plan, const launch& l, const communicator& ranks, events& to) {
  first_reader readers(plan);
  std::vector<std::pair<int, int>> waits;  // a unit, a statement
  const auto wait_before = [&](int unit) {
    for (const auto& [before, i] : waits)
      if (before == unit) to.push_back(event_of(plan, i, l, ranks));
  };
  for (int unit = 0; unit < plan.unit_count; ++unit) {
    wait_before(unit);
    if (!is_message(plan, unit)) continue;
    const int i = message_of(plan, unit);
    if (plan.statements[i].code == ir::opcode::receive) waits.emplace_back(readers.of(i, unit), i);
    else to.push_back(event_of(plan, i, l, ranks));
  }
  wait_before(plan.unit_count);
}

/// Looks for what is wrong among the messages of all ranks. Every rank looks at the same lists.
class agreement {
 public:
  explicit agreement(const std::vector<events>& of_ranks) : all_(of_ranks) {}

  /// A sentence, empty where all have counterparts.
  std::string wrong() const {
    for (int r = 0; r < ranks(); ++r)
      for (const event& e : all_[placed(r)])
        if (std::string why = wrong_of(r, e); !why.empty()) return why;
    return wrong_order();
  }

 private:
  int ranks() const { return static_cast<int>(all_.size()); }
  static std::string rank(std::int64_t r) { return "rank " + std::to_string(r); }
  std::string does(int r, const event& e) const {
    if (e.what == event::sends) return rank(r) + " sends " + e.words() + " to " + rank(e.with);
    if (e.what == event::waits) return rank(r) + " receives " + e.words() + " from " + rank(e.with);
    return rank(r) + " joins " + e.words() + " at " + rank(e.with);
  }

  std::string wrong_of(int r, const event& e) const {
    if (e.with < 0 || e.with >= ranks()) return does(r, e) + ", and there are " + std::to_string(ranks()) + " ranks";
    if (e.what == event::joins) return wrong_of_join(r, e);
    if (e.with == r) return does(r, e) + ", itself; a rank has its own values without a message";
    const auto counterparts = [&](int at, std::int64_t what, int with) {
      return std::count_if(all_[placed(at)].begin(), all_[placed(at)].end(),
                           [&](const event& x) { return x.what == what && x.with == with && x.is_named_as(e); });
    };
    if (counterparts(r, e.what, static_cast<int>(e.with)) > 1)
      return does(r, e) + " twice; give each a name of its own";
    const std::int64_t other_does = e.what == event::sends ? event::waits : event::sends;
    if (counterparts(static_cast<int>(e.with), other_does, r) == 0)
      return does(r, e) + ", which " + (e.what == event::sends ? "does not receive it" : "does not send it");
    for (const event& x : all_[placed(e.with)])
      if (x.what == other_does && x.with == r && x.is_named_as(e)) return unlike(r, e, static_cast<int>(e.with), x);
    return {};
  }
  std::string wrong_of_join(int r, const event& e) const {
    for (int other = 0; other < ranks(); ++other) {
      const event* found = nullptr;
      for (const event& x : all_[placed(other)]) {
        if (x.what != event::joins || x.code != e.code || !x.is_named_as(e)) continue;
        if (found != nullptr) return does(other, e) + " twice; give each a name of its own";
        found = &x;
      }
      if (found == nullptr) return does(r, e) + ", and " + rank(other) + " does not; all ranks join a value";
      if (found->with != e.with) return does(r, e) + ", and " + rank(other) + " at " + rank(found->with);
      if (std::string why = unlike(r, e, other, *found); !why.empty()) return why;
    }
    return {};
  }
  std::string unlike(int r, const event& e, int other, const event& x) const {
    if (x.type != e.type) return does(r, e) + " as " + type(e) + ", and " + rank(other) + " has it as " + type(x);
    if (x.bytes == e.bytes) return {};
    return does(r, e) + " with " + std::to_string(e.bytes) + " bytes, and " + rank(other) + " has it with " +
           std::to_string(x.bytes);
  }
  static std::string type(const event& e) { return std::string(name_of(static_cast<scalar_type>(e.type))); }

  /// Lets all ranks go on as far as they can: where one stands still, ranks wait for each other in a ring.
  std::string wrong_order() const {
    std::vector<std::size_t> at(all_.size(), 0);
    for (bool moves = true; moves;) {
      moves = false;
      for (int r = 0; r < ranks(); ++r)
        for (; at[placed(r)] < all_[placed(r)].size() && waits_for(r, at) < 0; moves = true) ++at[placed(r)];
    }
    int r = 0;
    while (r < ranks() && at[placed(r)] == all_[placed(r)].size()) ++r;
    if (r == ranks()) return {};
    std::string ring;
    std::vector<int> met;
    while (std::find(met.begin(), met.end(), r) == met.end() && at[placed(r)] < all_[placed(r)].size()) {
      met.push_back(r);
      const int other = waits_for(r, at);
      ring += (ring.empty() ? rank(r) : ", which") + " waits for " + all_[placed(r)][at[placed(r)]].words() + " of " +
              rank(other);
      r = other;
    }
    return "messages wait for each other: " + ring;
  }
  /// The rank that the next event of a rank waits for; -1: none.
  int waits_for(int r, const std::vector<std::size_t>& at) const {
    const event& e = all_[placed(r)][at[placed(r)]];
    if (e.what == event::sends) return -1;
    const bool is_root = e.with == r, is_sum = e.code == static_cast<std::int64_t>(ir::opcode::sum_at_rank);
    if (e.what == event::joins && is_root != is_sum) return -1;
    for (int other = 0; other < ranks(); ++other) {
      const bool is_met = is_root ? other != r : other == e.with;
      if (is_met && !has_come_to(other, at[placed(other)], e, r)) return other;
    }
    return -1;
  }
  /// Whether a rank has sent its part of an event of rank `to`.
  bool has_come_to(int other, std::size_t until, const event& e, int to) const {
    for (std::size_t k = 0; k < until; ++k) {
      const event& x = all_[placed(other)][k];
      const bool is_part =
          e.what == event::joins ? x.what == event::joins && x.code == e.code : x.what == event::sends && x.with == to;
      if (is_part && x.is_named_as(e)) return true;
    }
    return false;
  }

  const std::vector<events>& all_;
};

/// Tags of a call's messages: each name has one on all ranks.
void number_messages(const std::vector<events>& all, communicator& ranks) {
  std::vector<message_name> keys;
  for (const events& of_rank : all)
    for (const event& e : of_rank)
      keys.push_back({e.name, e.gradients, e.code == static_cast<std::int64_t>(ir::opcode::sum_at_rank)});
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  ranks.number_messages(std::move(keys));
}

}  // namespace

void agree_on_messages(const plan_data& plan, const launch& l, const plan_data* gradient) {
  const bool has_any = has_messages(plan) || (gradient != nullptr && has_messages(*gradient));
  const bool runs_apart = l.graph.ranks == nullptr && l.others.messages != nullptr;  // others may have some
  if (!has_any && !runs_apart) return;
  if (l.others.messages == nullptr)
    throw error(
        "a program with messages is called on a graph without ranks; give a distributed_graph, or a "
        "graph_of_rank(graph, ranks)");
  communicator& ranks = *l.others.messages;
  events mine;
  add_events(plan, l, ranks, mine);
  if (gradient != nullptr) add_events(*gradient, l, ranks, mine);
  std::vector<events> all;
  for (const std::vector<std::byte>& bytes : gathered_bytes(ranks, std::as_bytes(std::span(mine)))) {
    events& of_rank = all.emplace_back(bytes.size() / sizeof(event));
    if (!bytes.empty()) std::memcpy(of_rank.data(), bytes.data(), bytes.size());
  }
  if (const std::string wrong = agreement(all).wrong(); !wrong.empty())
    throw error("a call with messages by hand: " + wrong);
  number_messages(all, ranks);
}

}  // namespace stg::codegen
