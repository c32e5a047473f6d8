// Sets and relations by name, and numbers that are given for them.
#include "sampled_kinds.hpp"  // sampled_kinds

#include "../runtime/graph/kind_table.hpp"  // quote

#include <stg/base/error.hpp>  // error

#include <algorithm>  // find, find_if
#include <string>     // to_string
#include <utility>    // move

namespace stg::detail {

sampled_kinds::sampled_kinds(const char* by, const graphs& g) : by_(by), all_(g) {
  if (!g.place().is_host())
    throw error(std::string(by) + ": the graphs lie on " + to_string(g.place()) + "; sample graphs.to(stg::host)");
  for (std::string& name : g.vertex_sets()) {
    const std::int64_t vertices = g.vertices(name);
    sets_.push_back({std::move(name), vertices});
  }
  for (relation_names& r : g.relations()) {
    const std::size_t source = number_of_set(r.source), destination = number_of_set(r.destination);
    graph edges = g.relation(r.name);
    relations_.push_back({std::move(r), source, destination, std::move(edges)});
  }
}

std::size_t sampled_kinds::number_of_set(std::string_view name) const {
  const auto found = std::find_if(sets_.begin(), sets_.end(), [&](const sampled_set& s) { return s.name == name; });
  if (found == sets_.end())
    throw error(std::string(by_) + ": seeds of vertex set " + quote(name) + ", which is not there");
  return static_cast<std::size_t>(found - sets_.begin());
}

std::size_t sampled_kinds::number_of_relation(std::string_view name) const {
  all_.relation(name);  // for its error
  std::size_t r = 0;
  while (relations_[r].names.name != name) ++r;
  return r;
}

numbers_by_hop numbers_of_hops(const std::string& by, const std::string& what, std::span<const std::string_view> all,
                               std::span<const std::int64_t> general, std::span<const named_hops> given) {
  const std::size_t hops = general.empty() && !given.empty() ? given[0].of_hops.size() : general.size();
  numbers_by_hop numbers{hops, std::vector<std::vector<std::int64_t>>(all.size(), {general.begin(), general.end()})};
  for (std::size_t k = 0; k < given.size(); ++k) {
    const named_hops& of = given[k];
    const std::string of_this = by + ": " + what + ' ' + quote(of.name);
    for (std::size_t i = 0; i < k; ++i)
      if (given[i].name == of.name) throw error(of_this + " are given twice; give them once");
    const auto found = std::find(all.begin(), all.end(), of.name);
    if (found == all.end()) throw error(of_this + ", which the graphs do not have");
    if (of.of_hops.size() != hops)
      throw error(of_this + " are of " + std::to_string(of.of_hops.size()) + " hops, others of " +
                  std::to_string(hops) + "; give a number for each hop, 0 for none");
    numbers.of[static_cast<std::size_t>(found - all.begin())].assign(of.of_hops.begin(), of.of_hops.end());
  }
  for (std::vector<std::int64_t>& of : numbers.of) of.resize(hops, 0);
  return numbers;
}

}  // namespace stg::detail
