// Making sequences of graphs: edges checked and put in order, snapshots compared, events cut into windows.
#include "../data/window_borders.hpp"   // window_borders
#include "../tensor/shortest_text.hpp"  // shortest_text
#include "graph_sequence_state.hpp"     // state
#include "long_row_counter.hpp"         // long_row_counter

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // lower_bound, max, min, sort, stable_sort
#include <cmath>      // abs, isfinite, isnan
#include <limits>     // numeric_limits
#include <optional>   // optional
#include <string>     // to_string
#include <utility>    // pair

namespace stg {

namespace {

using detail::edge_key;
using detail::shortest_text;
using detail::sorted_edges;

/// How sentences about a sequence begin, with the file where the caller names one: "graph sequence days.json ".
std::string beginning(const sequence_options& options) {
  return "graph sequence " + (options.file.empty() ? "" : options.file + " ");
}

std::string named_edge(std::int64_t edge, std::int64_t src, std::int64_t dst) {
  return "edge " + std::to_string(edge) + ", " + std::to_string(src) + " -> " + std::to_string(dst) + ",";
}

/// A weight as edges have it. fail(what): an error about the edge, or the edges that weigh this together.
template <class Fail> float checked_weight(double weight, const Fail& fail) {
  if (std::isnan(weight)) fail("nan; give a number");
  if (std::isfinite(weight) && std::abs(weight) > static_cast<double>(std::numeric_limits<float>::max()))
    fail(shortest_text(weight) + "; give a number that a float holds");
  return static_cast<float>(weight);
}

/// Checks edges and packs them in the order in which they are given. `where` begins sentences: "graph sequence step 3".
sorted_edges packed(const std::string& where, std::int64_t vertices, const snapshot_edges& given) {
  if (given.src.size() != given.dst.size())
    throw error(where + " has " + std::to_string(given.src.size()) + " sources and " +
                std::to_string(given.dst.size()) + " destinations; give one of each per edge");
  if (!given.weights.empty() && given.weights.size() != given.src.size())
    throw error(where + " has " + std::to_string(given.weights.size()) + " weights for " +
                std::to_string(given.src.size()) + " edges; give one per edge");
  sorted_edges edges;
  edges.keys.reserve(given.src.size());
  edges.weights.reserve(given.weights.size());
  for (std::size_t e = 0; e < given.src.size(); ++e) {
    const std::int64_t src = given.src[e], dst = given.dst[e];
    const auto fail = [&](const std::string& what) {
      throw error(where + " " + named_edge(static_cast<std::int64_t>(e), src, dst) + " " + what);
    };
    if (src < 0 || src >= vertices || dst < 0 || dst >= vertices)
      fail("is not among " + std::to_string(vertices) + " vertices; give numbers in [0, " + std::to_string(vertices) +
           ")");
    edges.keys.push_back(edge_key(src, dst));
    if (given.weights.empty()) continue;
    edges.weights.push_back(checked_weight(given.weights[e], [&](const std::string& what) { fail("weighs " + what); }));
  }
  return edges;
}

/// What a sequence is made of, step by step.
class sequence_builder {
 public:
  explicit sequence_builder(std::int64_t vertices)
      : made_(std::make_shared<graph_sequence::state>()), long_rows_(checked(vertices)) {
    made_->vertices = vertices;
  }

  /// Whether edges have weights: the same for all that have edges at all.
  void check_weights(const std::string& where, const sorted_edges& edges) {
    if (edges.keys.empty()) return;
    const bool weighted = !edges.weights.empty();
    if (known_ && weighted != made_->weighted)
      throw error(where + (weighted ? " has weights; give them for all steps or for none"
                                    : " has no weights; give one per edge as for the steps before"));
    known_ = true;
    made_->weighted = weighted;
  }

  /// A step as all of its edges, in order.
  void add_snapshot(sorted_edges edges) {
    if (made_->steps > 0) {
      sorted_edges& all = made_->changes.edges;
      detail::append_difference(last_.view(), edges.view(), all);
      end_of_changes();
      detail::append_difference(edges.view(), last_.view(), all);
      end_of_changes();
    } else {
      first_ = edges;
    }
    last_ = std::move(edges);
    count_step();
  }
  /// A step as what it takes from the one before and adds to it, in order. All that is removed is there.
  void add_changes(const sorted_edges& removed, const sorted_edges& added) {
    sorted_edges& all = made_->changes.edges;
    for (const sorted_edges* changed : {&removed, &added}) {
      all.keys.insert(all.keys.end(), changed->keys.begin(), changed->keys.end());
      all.weights.insert(all.weights.end(), changed->weights.begin(), changed->weights.end());
      end_of_changes();
    }
    sorted_edges next;
    next.keys.resize(last_.keys.size() - removed.keys.size() + added.keys.size());
    if (made_->weighted) next.weights.resize(next.keys.size());
    detail::take_changes(last_.view(), {removed.view(), added.view()}, scratch_, next.keys.data(),
                         made_->weighted ? next.weights.data() : nullptr);
    last_ = std::move(next);
    count_step();
  }
  const sorted_edges& last() const { return last_; }

  std::shared_ptr<graph_sequence::state> finish(const sequence_options& options) {
    detail::change_list& changes = made_->changes;
    made_->changed = static_cast<std::int64_t>(changes.edges.keys.size());
    changes.edges.keys.shrink_to_fit();
    changes.edges.weights.shrink_to_fit();
    changes.begin.shrink_to_fit();
    last_ = {};
    made_->edges_of_all = detail::identity_of_steps(made_->identities);
    made_->resident = made_->steps == 0;  // then there is nothing to change
    if (made_->resident) return std::move(made_);
    const bool resident = options.store == snapshot_store::automatic ? made_->bytes_if_resident() <= options.byte_limit
                                                                     : options.store == snapshot_store::resident;
    // Arrays of resident snapshots are written once, and take what they need.
    if (!resident) made_->room_edges = made_->most_edges;
    made_->begin(std::move(first_));
    if (resident) made_->make_resident();
    return std::move(made_);
  }

 private:
  void end_of_changes() { made_->changes.begin.push_back(static_cast<std::int64_t>(made_->changes.edges.keys.size())); }
  void count_step() {
    if (made_->steps == 0) {
      long_rows_.change(first_.view(), 1);
    } else {
      const detail::edge_changes changed = made_->changes.at(made_->steps - 1, true);
      long_rows_.change(changed.removed, -1);
      long_rows_.change(changed.added, 1);
    }
    long_rows_.count_step(*made_);
    const auto edges = static_cast<std::int64_t>(last_.keys.size());
    ++made_->steps;
    made_->all_edges += edges;
    made_->most_edges = std::max(made_->most_edges, edges);
    made_->first_edge.push_back(made_->all_edges);
    made_->identities.push_back(detail::identity_of(made_->vertices, last_.view()));
  }
  static std::int64_t checked(std::int64_t vertices) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (vertices < 0 || vertices > most)
      throw error("graph sequence of " + std::to_string(vertices) + " vertices; use 0 to " + std::to_string(most));
    return vertices;
  }

  std::shared_ptr<graph_sequence::state> made_;
  detail::long_row_counter long_rows_;
  sorted_edges first_, last_;
  detail::change_scratch scratch_;
  bool known_ = false;
};

/// Edges in order that are there, as those that a step removes: without weights, any that is there.
sorted_edges found(const std::string& where, const sorted_edges& removed, const snapshot_edges& given,
                   const sorted_edges& there) {
  std::vector<std::size_t> order(removed.keys.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto weight = [&](std::size_t i) {
    return removed.weights.empty() ? 0u : detail::weight_order(removed.weights[i]);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return removed.keys[a] != removed.keys[b] ? removed.keys[a] < removed.keys[b]
           : weight(a) != weight(b)           ? weight(a) < weight(b)
                                              : a < b;
  });
  sorted_edges all;
  std::size_t at = 0;  // the first edge that is there and not taken yet
  for (const std::size_t i : order) {
    at = std::max(at, static_cast<std::size_t>(there.view().before(removed.keys[i])));
    const auto is_before = [&] {
      return !removed.weights.empty() && at < there.keys.size() && there.keys[at] == removed.keys[i] &&
             detail::weight_order(there.weights[at]) < weight(i);
    };
    while (is_before()) ++at;
    const bool is_there = at < there.keys.size() && there.keys[at] == removed.keys[i] &&
                          (removed.weights.empty() || detail::weight_order(there.weights[at]) == weight(i));
    if (!is_there)
      throw error(where + " removes " + named_edge(static_cast<std::int64_t>(i), given.src[i], given.dst[i]) +
                  " which is not there" +
                  (removed.weights.empty() ? "" : " with weight " + shortest_text(removed.weights[i])) +
                  "; remove an edge of the step before");
    all.keys.push_back(there.keys[at]);
    if (!there.weights.empty()) all.weights.push_back(there.weights[at]);
    ++at;
  }
  return all;
}

std::string of_step(const sequence_options& options, std::int64_t step) {
  return beginning(options) + "step " + std::to_string(step);
}

}  // namespace

graph_sequence graph_sequence::from_steps(std::int64_t vertices, std::span<const snapshot_edges> steps,
                                          const sequence_options& options) try {
  sequence_builder builder(vertices);
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const std::string where = of_step(options, static_cast<std::int64_t>(t));
    sorted_edges edges = packed(where, vertices, steps[t]);
    builder.check_weights(where, edges);
    detail::sort_edges(edges);
    builder.add_snapshot(std::move(edges));
  }
  return graph_sequence(builder.finish(options));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graph_sequence graph_sequence::from_changes(std::int64_t vertices, const snapshot_edges& first,
                                            std::span<const snapshot_changes> changes,
                                            const sequence_options& options) try {
  sequence_builder builder(vertices);
  sorted_edges edges = packed(of_step(options, 0), vertices, first);
  builder.check_weights(of_step(options, 0), edges);
  detail::sort_edges(edges);
  builder.add_snapshot(std::move(edges));
  for (std::size_t c = 0; c < changes.size(); ++c) {
    const std::string where = of_step(options, static_cast<std::int64_t>(c + 1));
    const sorted_edges removed = packed(where + " removed", vertices, changes[c].removed);
    sorted_edges added = packed(where + " added", vertices, changes[c].added);
    if (!removed.weights.empty()) builder.check_weights(where + " removed", removed);
    builder.check_weights(where + " added", added);
    detail::sort_edges(added);
    builder.add_changes(found(where, removed, changes[c].removed, builder.last()), added);
  }
  return graph_sequence(builder.finish(options));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

namespace {

/// Events checked and packed, with the windows over them.
class windowed_events {
 public:
  windowed_events(std::int64_t vertices, std::span<const std::int64_t> src, std::span<const std::int64_t> dst,
                  std::span<const double> time, const event_windows& windows, std::span<const double> values,
                  const std::string& begins)
      : time_(time), values_(values) {
    if (src.size() != dst.size() || src.size() != time.size() || (!values.empty() && values.size() != time.size()))
      throw error(begins + "events have " + std::to_string(src.size()) + " sources, " + std::to_string(dst.size()) +
                  " destinations, " + std::to_string(time.size()) + " times and " + std::to_string(values.size()) +
                  " values; give one of each per event, or no values");
    const auto check_width = [&](const char* name, double width) {
      if (!(width > 0) || !std::isfinite(width))
        throw error(begins + "windows have " + name + " " + shortest_text(width) + "; give a number above 0");
    };
    check_width("length", windows.length);
    check_width("stride", windows.stride);
    if (windows.begin && !std::isfinite(*windows.begin))
      throw error(begins + "windows begin at " + shortest_text(*windows.begin) + "; give a finite number");
    for (std::size_t e = 0; e < time.size(); ++e) {
      const auto fail = [&](const std::string& what) {
        throw error(begins + "event " + std::to_string(e) + " has time " + shortest_text(time[e]) + what);
      };
      if (!std::isfinite(time[e])) fail("; give a finite number");
      if (e > 0 && time[e] < time[e - 1]) fail(" after " + shortest_text(time[e - 1]) + "; sort events by time");
    }
    edges_ = packed(begins + "of events", vertices,
                    {{src.begin(), src.end()}, {dst.begin(), dst.end()}, {values.begin(), values.end()}});
    if (time.empty()) return;
    borders_.emplace(windows.begin.value_or(time.front()), windows.stride, windows.length);
    constexpr std::int64_t most = 1 << 24;
    const std::int64_t last = borders_->first_ending_behind(time.back(), most);
    if (last == most)
      throw error(begins + "windows of stride " + shortest_text(windows.stride) + " do not reach the last event, at " +
                  shortest_text(time.back()) + ", with 16777216 of them; give a longer stride");
    steps_ = last + 1;
  }

  std::int64_t steps() const { return steps_; }
  /// Events of a step: [first, last).
  std::pair<std::size_t, std::size_t> of(std::int64_t step) const {
    const auto first_at = [&](double t) {
      return static_cast<std::size_t>(std::lower_bound(time_.begin(), time_.end(), t) - time_.begin());
    };
    return {first_at(borders_->begin_of(step)), first_at(borders_->end_of(step))};
  }
  /// Events as edges in order, one for each.
  sorted_edges each(std::size_t first, std::size_t last) const {
    sorted_edges edges;
    if (first >= last) return edges;
    edges.keys.assign(edges_.keys.begin() + offset(first), edges_.keys.begin() + offset(last));
    if (!values_.empty())
      edges.weights.assign(edges_.weights.begin() + offset(first), edges_.weights.begin() + offset(last));
    detail::sort_edges(edges);
    return edges;
  }
  /// One edge for all events that go the same way, whose values are added in the order of time. `where` begins the
  /// sentence about a sum that is no weight.
  sorted_edges merged(const std::string& where, std::size_t first, std::size_t last) const {
    std::vector<std::size_t> order(last - first);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = first + i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return edges_.keys[a] < edges_.keys[b]; });
    sorted_edges edges;
    for (std::size_t i = 0; i < order.size();) {
      const std::uint64_t key = edges_.keys[order[i]];
      double sum = 0;
      for (; i < order.size() && edges_.keys[order[i]] == key; ++i) sum += values_.empty() ? 1 : values_[order[i]];
      edges.keys.push_back(key);
      edges.weights.push_back(checked_weight(sum, [&](const std::string& what) {
        throw error(where + " events " + std::to_string(detail::source_of(key)) + " -> " +
                    std::to_string(detail::destination_of(key)) + " weigh together " + what);
      }));
    }
    return edges;
  }

 private:
  static std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  std::span<const double> time_, values_;
  sorted_edges edges_;                             // in the order of events
  std::optional<detail::window_borders> borders_;  // nothing without events
  std::int64_t steps_ = 0;
};

}  // namespace

graph_sequence graph_sequence::from_events(std::int64_t vertices, std::span<const std::int64_t> src,
                                           std::span<const std::int64_t> dst, std::span<const double> time,
                                           const event_windows& windows, std::span<const double> values,
                                           const sequence_options& options) try {
  sequence_builder builder(vertices);
  const windowed_events events(vertices, src, dst, time, windows, values, beginning(options));
  std::size_t first = 0, last = 0;  // events of the step before
  for (std::int64_t t = 0; t < events.steps(); ++t) {
    const auto [begin, end] = events.of(t);
    if (windows.merged || t == 0) {
      sorted_edges edges = windows.merged ? events.merged(of_step(options, t), begin, end) : events.each(begin, end);
      builder.check_weights(of_step(options, t), edges);
      builder.add_snapshot(std::move(edges));
    } else {  // edges that both come and go are no change
      const sorted_edges gone = events.each(first, std::min(begin, last)),
                         come = events.each(std::max(last, begin), end);
      sorted_edges removed, added;
      detail::append_difference(gone.view(), come.view(), removed);
      detail::append_difference(come.view(), gone.view(), added);
      builder.check_weights(of_step(options, t), added);
      builder.add_changes(removed, added);
    }
    first = begin, last = end;
  }
  return graph_sequence(builder.finish(options));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
