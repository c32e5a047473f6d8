// The run of messages by hand.
#include <stg/codegen/messages.hpp>

#include <cstring>  // memcpy, memset
#include <utility>  // move
#include <vector>   // vector

#include <stg/base/text.hpp>             // text
#include <stg/ir/operation_name.hpp>     // operation_name
#include <stg/runtime/communicator.hpp>  // communicator

#include "messages_of_plan.hpp"  // bytes_of_message, first_reader, value_of
#include "with_type.hpp"         // with_type

namespace stg::codegen {

namespace {

std::size_t to_index(std::int64_t n) { return static_cast<std::size_t>(n); }

std::uint64_t tag_of(const ir::statement& s, const communicator& ranks) {
  return ranks.tag_of_message({s.message(), s.gradients(), s.code == ir::opcode::sum_at_rank});
}

/// Waits for a message, which errors name.
void receive(communicator& ranks, int from, const ir::statement& s, const launch& l) {
  const text name = ir::operation_name(s.message());
  ranks.waits_for({"message", name.view(), l.draws.number});
  ranks.receive(from, tag_of(s, ranks));
  ranks.waits_for({});
}

// ---- joined values ----

/// At one rank the sum over all, in their order; zeros elsewhere.
void sum_at(const plan_data& plan, int i, const launch& l, communicator& ranks, int root) {
  const std::int64_t bytes = bytes_of_message(plan, i, l);
  const std::byte* const mine = l.memory[value_of(plan, i)];
  std::byte* const to = l.memory[i];
  const std::uint64_t tag = tag_of(plan.statements[i], ranks);
  if (ranks.rank() != root) {
    ranks.send(root, tag, mine, bytes);
    std::memset(to, 0, to_index(bytes));
    return;
  }
  std::vector<message_room> rooms(to_index(ranks.size()));
  for (int r = 0; r < ranks.size(); ++r) {
    if (r == root) continue;
    rooms[to_index(r)] = ranks.room_for(bytes);
    ranks.expect(r, tag, rooms[to_index(r)].data.get(), bytes);
  }
  for (int r = 0; r < ranks.size(); ++r)
    if (r != root) receive(ranks, r, plan.statements[i], l);
  with_type(plan.statements[i].type, [&]<class T>(T) {
    auto* const sum = reinterpret_cast<T*>(to);
    for (int r = 0; r < ranks.size(); ++r) {
      const auto* const x = reinterpret_cast<const T*>(r == root ? mine : rooms[to_index(r)].data.get());
      for (std::int64_t k = 0; k < bytes / std::int64_t{sizeof(T)}; ++k)
        sum[k] = r == 0 ? x[k] : static_cast<T>(sum[k] + x[k]);
    }
  });
  for (message_room& room : rooms) ranks.keep(std::move(room));
}

void spread_from(const plan_data& plan, int i, const launch& l, communicator& ranks, int root) {
  const std::int64_t bytes = bytes_of_message(plan, i, l);
  const std::uint64_t tag = tag_of(plan.statements[i], ranks);
  if (ranks.rank() != root) {
    ranks.expect(root, tag, l.memory[i], bytes);
    return receive(ranks, root, plan.statements[i], l);
  }
  const std::byte* const mine = l.memory[value_of(plan, i)];
  for (int r = 0; r < ranks.size(); ++r)
    if (r != root) ranks.send(r, tag, mine, bytes);
  if (l.memory[i] != mine && bytes > 0) std::memcpy(l.memory[i], mine, to_index(bytes));
}

}  // namespace

bool has_messages(const plan_data& plan) {
  for (int unit = 0; unit < plan.unit_count; ++unit)
    if (is_message(plan, unit)) return true;
  return false;
}

messaging::messaging(const plan_data& plan) : plan_(&plan), has_any_(has_messages(plan)) {}

void messaging::run(int unit, const launch& l) {
  const int i = message_of(*plan_, unit);
  const ir::statement& s = plan_->statements[i];
  communicator& ranks = *l.others.messages;
  const int with = ranks.rank_of(s.rank().number, s.rank().is_relative);
  switch (s.code) {
    case ir::opcode::send:
      ranks.send(with, tag_of(s, ranks), l.memory[value_of(*plan_, i)], bytes_of_message(*plan_, i, l));
      if (l.memory[i] != nullptr) *l.memory[i] = std::byte();
      return;
    case ir::opcode::receive:
      ranks.expect(with, tag_of(s, ranks), l.memory[i], bytes_of_message(*plan_, i, l));
      waits_.push_back({i, first_reader(*plan_).of(i, unit)});
      return;
    case ir::opcode::sum_at_rank:
      return sum_at(*plan_, i, l, ranks, with);
    default:
      return spread_from(*plan_, i, l, ranks, with);
  }
}

void messaging::wait_before(int unit, const launch& l) {
  communicator& ranks = *l.others.messages;
  std::erase_if(waits_, [&](const wait& w) {  // a unit may begin twice: interior rows first
    if (w.before != unit) return false;
    const ir::statement& s = plan_->statements[w.value];
    receive(ranks, ranks.rank_of(s.rank().number, s.rank().is_relative), s, l);
    return true;
  });
}

}  // namespace stg::codegen
