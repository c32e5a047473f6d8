// test: draft ranks, proof kernels 0, counted
// What ranks compute while messages are on their way, as traces have it: interior rows, units ahead of their turn; how
// many messages there are; and that the bits stay.
#include <stg/call/explain_exchanges.hpp>            // explain_exchanges
#include <stg/distributed/cut.hpp>                   // cut
#include <stg/distributed/distributed_graph.hpp>     // distributed_graph
#include <stg/distributed/distributed_graphs.hpp>    // distributed_graphs
#include <stg/distributed/distributed_sequence.hpp>  // distributed_sequence
#include <stg/distributed/thread_ranks.hpp>          // run_ranks
#include <stg/distributed/trace_ranks.hpp>           // trace_ranks
#include <stg/dsl/messages.hpp>                      // send, receive
#include <stg/schedule.hpp>                          // scheduled
#include <stg/stg.hpp>                               // the language

#include <gmock/gmock.h>      // HasSubstr
#include <gtest/gtest.h>      // TEST
#include <nlohmann/json.hpp>  // json

#include <algorithm>  // count_if, stable_sort
#include <chrono>     // milliseconds
#include <cstdio>     // remove
#include <fstream>    // ifstream
#include <optional>   // optional
#include <string>     // string
#include <tuple>      // get
#include <vector>     // vector

namespace stg {
namespace {

using testing::HasSubstr;

constexpr auto x = vertex_feature<"x", f64, 6>;
constexpr auto W = parameter<"W", f64, 6, 6>;

constexpr auto of_neighbours = [](auto v, auto h) { return mean(v.in_edges().src(h)); };
constexpr auto twice = [](auto v) { return of_neighbours(v, tanh(of_neighbours(v, v(x)))); };
/// Rows of neighbours first; then a product that needs none of them, while all that came before stays in memory.
constexpr auto and_a_product = [](auto v) {
  auto first = tanh(of_neighbours(v, v(x)));
  auto h = of_neighbours(v, first);
  auto d = (h - max(h, all_vertices)) * first + tanh(matmul(v(x), W));
  return sum(sum(d, axis<0>), all_vertices);
};
/// A sweep waits; a product behind it waits for nothing. Neighbours read rows of both.
constexpr auto product_behind_a_sweep = [](auto v) {
  auto e = v.in_edges();
  auto first = tanh(of_neighbours(v, v(x)));
  auto h = of_neighbours(v, first);
  auto product = matmul(v(x), W);
  return sum(e.src(h * first)) + max(e.src(product)) + tanh(product) * (h - max(h, all_vertices)) * first;
};
/// A is made early and sent late, with values of h: the sweep that reads rows of A from neighbours waits for the
/// message.
constexpr auto made_early = [](auto v) {
  auto e = v.in_edges();
  auto first = tanh(of_neighbours(v, v(x)));
  auto h = stored(of_neighbours(v, first));
  auto A = stored(matmul(v(x), W));
  auto P = h * tanh(A);
  auto B = stored(tanh(matmul(P, W)));
  auto s = stored(sum(e.src(B)));
  auto m = stored(max(e.src(A)));
  apart(s, m);
  apart(h, P);
  apart(m, P);
  apart(m, h);
  apart(m, B);
  return outputs(s, m, named<"first">(first), h, A, P, B, matmul(m, W));
};
constexpr pass::choices merged{.merged_exchanges = 1};
constexpr auto V = parameter<"V", f64, 6, 6>;
constexpr auto U = parameter<"U", f64, 6, 6>;
constexpr auto T = parameter<"T", f64, 6, 6>;
/// Neighbours read rows of two products in each of two scopes.
constexpr auto towers = [](auto v) {
  const auto tower = [](auto v, auto first, auto second) {
    auto e = v.in_edges();
    return max(e.src(matmul(v(x), first))) * max(e.src(matmul(v(x), second)));
  };
  return scope<"a">(v, tower, W, V) + scope<"b">(v, tower, U, T);
};
constexpr auto merged_in_a = [](auto v) {
  merge_exchanges<"a">(v);
  return towers(v);
};
constexpr auto and_in_b = scheduled([](auto s) { s["b"].merge_exchanges(); });
/// Two values of one sweep, which neighbours read.
constexpr auto of_two = [](auto v) {
  auto e = v.in_edges();
  auto h = of_neighbours(v, v(x));
  return sum(e.src(h)) + max(e.src(tanh(sum(h, axis<0>))));
};
/// A sweep reads rows of neighbours and a message by hand; the product behind it needs neither.
constexpr auto with_a_message = [](auto v) {
  auto e = v.in_edges();
  auto h = tanh(of_neighbours(v, v(x)));
  auto own = sum(sum(W * W, axis<0>), axis<0>);
  send<"own">(v, own, next_rank());
  auto y = mean(tanh(e.src(h) * e.dst(h) + receive<"own", f64>(v, previous_rank())));
  return sum(sum((y - max(y, all_vertices)) * h + tanh(matmul(v(x), W)), axis<0>), all_vertices);
};
constexpr auto moved = [](auto v) {
  return std::get<1>(scan<"T">(
      v,
      [](auto v, auto state) {
        auto n = tanh(of_neighbours(v, state));
        return next(n).gives(n);
      },
      v(x)));
};
constexpr auto by_degrees = [](auto v) {
  auto degree = v.in_degree() + 1.0;
  auto norm = select(degree > 2.0, rsqrt(degree), 1.0);
  return norm * sum(v.in_edges().src(norm * tanh(v(x))));
};

graph path(std::int64_t n) {
  std::vector<std::int64_t> src, dst;
  for (std::int64_t v = 0; v + 1 < n; ++v) {
    src.insert(src.end(), {v, v + 1, v});
    dst.insert(dst.end(), {v + 1, v, v});
  }
  return graph::from_edges(n, src, dst);
}
tensor<double> features(std::int64_t n) {
  tensor<double> all({n, 6});
  uniform(all, -1, 1, 3);
  return all;
}

/// A rank whose messages have never come until it waits for them.
class late_rank final : public communicator {
 public:
  explicit late_rank(communicator& like) : of_(like) {}
  int rank() const override { return of_.rank(); }
  int size() const override { return of_.size(); }
  using communicator::send;
  void send(int to, std::uint64_t tag, message_room m) override { of_.send(to, tag, std::move(m)); }
  void expect(int from, std::uint64_t tag, std::byte* to, std::int64_t bytes) override {
    of_.expect(from, tag, to, bytes);
  }
  void receive(int from, std::uint64_t tag) override { of_.receive(from, tag); }
  bool has_come(int, std::uint64_t) override { return false; }
  void fail(std::string_view why) noexcept override { of_.fail(why); }

 private:
  communicator& of_;
};
template <class Work> void run_late_ranks(int ranks, const Work& work) {
  run_ranks(ranks, [&](communicator& here) {
    late_rank late(here);
    work(late);
  });
}

/// The names of a rank's events, in the order in which they began.
std::vector<std::string> events_of(const trace_ranks& trace, int rank) {
  std::vector<std::pair<long, std::string>> found;
  const auto all = nlohmann::json::parse(trace.text());
  for (const auto& e : all["traceEvents"])
    if (e["ph"] == "X" && e["tid"] == rank) found.emplace_back(e["ts"].get<long>(), e["name"].get<std::string>());
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [at, name] : found) names.push_back(name);
  return names;
}
std::ptrdiff_t place_of(const std::vector<std::string>& names, const std::string& end) {
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k].ends_with(end)) return static_cast<std::ptrdiff_t>(k);
  return -1;
}
std::ptrdiff_t first_wait(const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k].starts_with("wait")) return static_cast<std::ptrdiff_t>(k);
  return -1;
}

template <const auto& F> void expect_whole(const graph& on, const cut& parts) {
  const tensor<double> X = features(on.vertices());
  std::vector<double> of_one;
  for (const int ranks : {1, 2})
    run_late_ranks(ranks, [&](communicator& here) {
      const distributed_graph part(parts, here);
      const tensor<double> all = part.gathered(compile<F>()(part, x = part.rows(X)));
      if (here.rank() != 0) return;
      const std::vector<double> numbers(all.data(), all.data() + all.size());
      if (ranks == 1) of_one = numbers;
      EXPECT_EQ(numbers, of_one);
    });
}

TEST(overlap, interior_rows_are_computed_while_others_are_on_their_way) {
  const graph on = path(2000);
  const cut parts = cut::by_ranges(on, 2);
  const tensor<double> X = features(2000);
  trace_ranks trace;
  run_late_ranks(2, [&](communicator& here) {
    const distributed_graph part(parts, here);
    (void)compile<twice>()(part, x = part.rows(X));
  });
  for (const int rank : {0, 1}) {
    const auto names = events_of(trace, rank);
    const auto interior = place_of(names, ", interior"), boundary = place_of(names, ", boundary");
    ASSERT_GE(interior, 0) << testing::PrintToString(names);
    EXPECT_LT(interior, first_wait(names)) << testing::PrintToString(names);
    EXPECT_LT(first_wait(names), boundary);
    EXPECT_GT(trace.times(rank).rows, 0);
    double waited = 0;
    for (const waited_message& m : trace.messages(rank)) {
      EXPECT_THAT(m.name, HasSubstr("wait for %"));
      waited += m.waited;
      EXPECT_LE(m.meanwhile, trace.times(rank).compute + 1e-9);  // two may be under way at once
    }
    EXPECT_LE(waited, trace.times(rank).wait_rows + trace.times(rank).wait_sums + 1e-9);
  }
  expect_whole<twice>(on, parts);
}

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;
constexpr auto cites = relation<"cites", paper, paper>;
constexpr auto of_author = author.feature<"of_author", f64, 6>;
constexpr auto of_paper = paper.feature<"of_paper", f64, 6>;

/// Rows of papers are awaited along one relation, rows of authors along the other and then along both at once.
constexpr auto of_two_sets = [](auto g) {
  auto papers = g(paper);
  auto authors = g(author);
  auto by = papers.in_edges(writes);
  auto first = tanh(mean(papers.in_edges(cites).src(papers(of_paper))));
  auto second = mean(papers.in_edges(cites).src(first)) + sum(by.src(authors(of_author)));
  auto heard = tanh(max(authors.out_edges(writes).dst(second)));
  return sum(by.src(heard)) + max(papers.in_edges(cites).src(tanh(second)));
};
/// A path of papers, whose authors are their own ones but for one in seven.
graphs library(std::int64_t papers) {
  std::vector<std::int64_t> from, into, writers, written;
  for (std::int64_t p = 0; p < papers; ++p) {
    if (p + 1 < papers) from.insert(from.end(), {p, p + 1}), into.insert(into.end(), {p + 1, p});
    writers.push_back(p % 7 == 0 ? (p * 31 + 5) % papers : p);
    written.push_back(p);
  }
  graphs g;
  g.add_vertices(author, papers).add_vertices(paper, papers);
  g.add_edges(writes, writers, written).add_edges(cites, from, into);
  return g;
}

/// Messages take 30 ms, and the first sweep has no other work than its interior rows.
TEST(overlap, traces_have_what_ran_while_a_message_was_on_its_way) {
  const graph on = path(40000);
  const cut parts = cut::by_ranges(on, 2);
  const tensor<double> X = features(40000);
  trace_ranks trace;
  run_ranks(2,
            [&](communicator& here) {
              const distributed_graph part(parts, here);
              barrier(here);
              (void)compile<twice>()(part, x = part.rows(X));
            },
            {.delay = std::chrono::milliseconds(30)});
  double meanwhile = 0;
  for (const int rank : {0, 1}) {
    const auto all = trace.messages(rank);
    ASSERT_FALSE(all.empty());
    EXPECT_THAT(all[0].name, HasSubstr("wait for %"));
    EXPECT_LE(all[0].meanwhile, trace.times(rank).compute + 1e-9);
    EXPECT_LE(all[0].waited, trace.times(rank).wait_rows + trace.times(rank).wait_sums + 1e-9);
    meanwhile += all[0].meanwhile;
  }
  EXPECT_GT(meanwhile, 0);  // of a rank that sent no later than the other one
}

/// Each row once, whichever ranks it waits for: the bits of one rank, and the numbers of the whole graphs.
TEST(overlap, interior_rows_of_several_vertex_sets_go_by_their_relations) {
  const graphs on = library(700);
  const cut parts = cut::by_ranges(on, 4);
  const tensor<double> A = features(700), P = features(700);
  const tensor<double> whole = compile<of_two_sets>()(on, of_author = A, of_paper = P);
  std::vector<double> of_one;
  for (const int ranks : {1, 2, 3, 4}) {
    trace_ranks trace;
    run_late_ranks(ranks, [&](communicator& here) {
      const distributed_graphs part(parts, here);
      const tensor<double> all = part.gathered(
          paper, compile<of_two_sets>()(part, of_author = part.rows(author, A), of_paper = part.rows(paper, P)));
      if (here.rank() != 0) return;
      const std::vector<double> numbers(all.data(), all.data() + all.size());
      if (ranks == 1) of_one = numbers;
      EXPECT_EQ(numbers, of_one);
      for (std::size_t k = 0; k < numbers.size(); ++k)
        EXPECT_NEAR(numbers[k], whole.data()[k], 1e-12) << k << " of " << ranks;
    });
    if (ranks == 1) continue;
    const auto names = events_of(trace, 0);
    const auto interiors =
        std::count_if(names.begin(), names.end(), [](const std::string& n) { return n.ends_with(", interior"); });
    EXPECT_EQ(interiors, 3) << testing::PrintToString(names);
    EXPECT_LT(place_of(names, ", interior"), first_wait(names)) << testing::PrintToString(names);
  }
}

/// As a draft, whose products are units of their own: compiled, this one is in a chain with what waits.
TEST(overlap, units_that_need_no_message_run_ahead) {
  const graph on = path(500);
  const cut parts = cut::by_ranges(on, 2);
  const tensor<double> X = features(500);
  auto params = parameters<and_a_product>();
  initialize(params, 1);
  std::vector<double> of(2);
  double of_one = 0;
  trace_ranks trace;
  run_late_ranks(2, [&](communicator& here) {
    const distributed_graph part(parts, here);
    of[static_cast<std::size_t>(here.rank())] = compile<and_a_product>(draft())(part, x = part.rows(X), params).item();
  });
  const auto names = events_of(trace, 0);
  EXPECT_GE(place_of(names, " ahead"), 0) << testing::PrintToString(names);
  EXPECT_LT(place_of(names, " ahead"), first_wait(names)) << testing::PrintToString(names);
  run_ranks(1, [&](communicator& here) {
    const distributed_graph part(parts, here);
    of_one = compile<and_a_product>(draft())(part, x = part.rows(X), params).item();
  });
  EXPECT_EQ(of[0], of_one);
  EXPECT_EQ(of[1], of_one);
}

/// Rows of the sweep, its maximum and rows of the product are sent together, so the product does not run ahead of the
/// sweep.
TEST(overlap, values_that_are_read_later_are_one_message_where_that_is_asked_for) {
  const graph on = path(500);
  const cut parts = cut::by_ranges(on, 4);
  const tensor<double> X = features(500);
  auto params = parameters<product_behind_a_sweep>();
  initialize(params, 1);
  const auto posts = [&](auto model, std::vector<double>& numbers, int ranks) {
    trace_ranks trace;
    run_late_ranks(ranks, [&](communicator& here) {
      const distributed_graph part(parts, here);
      const tensor<double> all = part.gathered(model(part, x = part.rows(X), params));
      if (here.rank() == 0) numbers.assign(all.data(), all.data() + all.size());
    });
    const auto names = events_of(trace, 0);
    return std::count_if(names.begin(), names.end(), [](const std::string& n) { return n.starts_with("post"); });
  };
  std::vector<double> one, apart, together;
  posts(compile<with<product_behind_a_sweep, merged>>(draft()), one, 1);
  const auto plainly = posts(compile<product_behind_a_sweep>(draft()), apart, 4);
  EXPECT_EQ(posts(compile<with<product_behind_a_sweep, merged>>(draft()), together, 4), plainly - 2);
  EXPECT_EQ(apart, one);
  EXPECT_EQ(together, one);
  EXPECT_THAT((explain_exchanges<with<product_behind_a_sweep, merged>>(parts, 4)), HasSubstr("sent behind unit"));
  EXPECT_EQ(explain_exchanges<product_behind_a_sweep>(parts, 4).find("sent behind"), std::string::npos);
}

/// Each of four products is a message; those of a region are one, and those of two regions are two.
TEST(overlap, values_of_a_region_are_one_message_where_the_lambda_or_its_schedule_says_so) {
  const graph on = path(60);
  const cut parts = cut::by_ranges(on, 2);
  const tensor<double> X = features(60);
  auto params = parameters<towers>();
  initialize(params, 1);
  std::vector<double> of_one;
  const auto messages = [&](auto model, int ranks = 2) {
    std::int64_t sent = 0;
    run_ranks(ranks, [&](communicator& here) {
      const distributed_graph part(parts, here);
      const std::int64_t before = here.sent_messages();
      const tensor<double> mine = model(part, x = part.rows(X), params);
      if (here.rank() == 0) sent = here.sent_messages() - before;
      const tensor<double> all = part.gathered(mine);
      if (here.rank() != 0) return;
      const std::vector<double> numbers(all.data(), all.data() + all.size());
      if (of_one.empty()) of_one = numbers;
      EXPECT_EQ(numbers, of_one);
    });
    return sent;
  };
  messages(compile<towers>(draft()), 1);
  const std::int64_t plainly = messages(compile<towers>(draft()));
  EXPECT_EQ(messages(compile<merged_in_a>(draft())), plainly - 1);
  EXPECT_EQ(messages(compile<with<merged_in_a, and_in_b>>(draft())), plainly - 2);
  EXPECT_EQ(messages(compile<with<towers, merged>>(draft())), plainly - 3);

  std::vector<std::string> said(2);
  run_ranks(2, [&](communicator& here) {
    const distributed_graph part(parts, here);
    try {
      if (here.rank() == 0) (void)compile<towers>(draft())(part, x = part.rows(X), params);
      else (void)compile<merged_in_a>(draft())(part, x = part.rows(X), params);
    } catch (const error& e) {
      said[static_cast<std::size_t>(here.rank())] = e.what();
    }
  });
  for (const std::string& text : said) EXPECT_THAT(text, HasSubstr("a rank has another program"));
}

TEST(overlap, units_that_read_what_is_not_sent_yet_stay_in_their_places) {
  const graph on = path(40);
  const cut parts = cut::by_ranges(on, 4);
  const tensor<double> X = features(40);
  auto params = parameters<made_early>();
  initialize(params, 1);
  std::vector<double> of_one, of_four;
  for (const int ranks : {1, 4}) {
    std::vector<double>& numbers = ranks == 1 ? of_one : of_four;
    run_late_ranks(ranks, [&](communicator& here) {
      const distributed_graph part(parts, here);
      const auto all = compile<with<made_early, merged>>(draft())(part, x = part.rows(X), params);
      for_each(all, [&](std::string_view, const auto& rows) {
        const tensor<double> whole = part.gathered(rows);
        if (here.rank() == 0) numbers.insert(numbers.end(), whole.data(), whole.data() + whole.size());
      });
    });
  }
  EXPECT_EQ(of_four, of_one);
}

/// Interior rows are computed before the other rank's have come, and the message is received once.
TEST(overlap, messages_by_hand_keep_their_places) {
  const graph on = path(600);
  const cut parts = cut::by_ranges(on, 6);
  const tensor<double> X = features(600);
  auto params = parameters<with_a_message>();
  initialize(params, 1);
  std::vector<double> found;
  for (const int ranks : {2, 3}) {
    trace_ranks trace;
    std::vector<double> of(static_cast<std::size_t>(ranks));
    run_late_ranks(ranks, [&](communicator& here) {
      const distributed_graph part(parts, here);
      const auto me = static_cast<std::size_t>(here.rank());
      of[me] = compile<with_a_message>()(part, x = part.rows(X), params).item();
    });
    found.insert(found.end(), of.begin(), of.end());
    const auto names = events_of(trace, 0);
    EXPECT_GE(place_of(names, ", interior"), 0) << testing::PrintToString(names);
    EXPECT_EQ(place_of(names, " ahead"), -1) << testing::PrintToString(names);
  }
  EXPECT_EQ(found, std::vector<double>(5, found[0]));
}

/// A vertex may be interior at one step and not at another.
TEST(overlap, steps_of_a_graph_that_changes_have_interior_rows_of_their_own) {
  constexpr std::int32_t n = 400;
  std::vector<snapshot_edges> steps(3);
  for (std::int32_t t = 0; t < 3; ++t)
    for (std::int32_t v = 0; v < n; ++v) {
      steps[static_cast<std::size_t>(t)].src.push_back(v);
      steps[static_cast<std::size_t>(t)].dst.push_back((v + 1 + 9 * t) % n);
    }
  const auto days = graph_sequence::from_steps(n, steps);
  const cut parts = cut::by_ranges(days, 4);
  const tensor<double> X = features(n);
  std::vector<double> of_one;
  for (const int ranks : {1, 2, 4}) {
    trace_ranks trace;
    run_late_ranks(ranks, [&](communicator& here) {
      const distributed_sequence part(days, parts, here);
      const tensor<double> all = compile<moved>()(part, x = part.rows(X));
      std::vector<double> numbers;
      for (std::int64_t t = 0; t < 3; ++t) {
        const tensor<double> step = part.gathered(all.row(t));
        numbers.insert(numbers.end(), step.data(), step.data() + step.size());
      }
      if (here.rank() != 0) return;
      if (ranks == 1) of_one = numbers;
      EXPECT_EQ(numbers, of_one);
    });
    const auto names = events_of(trace, 0);
    const auto interior = [](const std::string& name) { return name.ends_with(", interior"); };
    EXPECT_EQ(std::count_if(names.begin(), names.end(), interior), ranks == 1 ? 0 : 3) << testing::PrintToString(names);
  }
}

/// One of the numbers that ranks compare, one of both values, one of the result.
TEST(overlap, values_of_one_unit_are_one_message) {
  const graph on = path(60);
  const cut parts = cut::by_ranges(on, 2);
  const tensor<double> X = features(60);
  trace_ranks trace;
  run_ranks(2, [&](communicator& here) {
    const distributed_graph part(parts, here);
    const std::int64_t before = here.sent_messages();
    (void)compile<of_two>()(part, x = part.rows(X));
    EXPECT_EQ(here.sent_messages() - before, 3) << testing::PrintToString(events_of(trace, here.rank()));
  });
  expect_whole<of_two>(on, parts);
}

/// What is made of degrees and inputs is made again: nothing goes to the other rank but the result.
TEST(overlap, values_of_degrees_are_not_sent) {
  const graph on = path(60);
  const cut parts = cut::by_ranges(on, 2);
  const tensor<double> X = features(60);
  run_ranks(2, [&](communicator& here) {
    const distributed_graph part(parts, here);
    (void)compile<by_degrees>()(part, x = part.rows(X));
    const std::int64_t before = here.sent_bytes();
    (void)compile<by_degrees>()(part, x = part.rows(X));
    const std::int64_t numbers = 5 * 8, halo = 1, row = 6 * 8;
    EXPECT_LE(here.sent_bytes() - before, numbers + 2 * halo * row);
  });
  expect_whole<by_degrees>(on, parts);
}

TEST(overlap, traces_are_read_by_browsers) {
  const std::string path_of = testing::TempDir() + "stg_run.json";
  const graph on = path(300);
  const cut parts = cut::by_ranges(on, 3);
  const tensor<double> X = features(300);
  {
    trace_ranks trace(path_of);
    EXPECT_THROW(trace_ranks(), error);
    run_ranks(3, [&](communicator& here) {
      const distributed_graph part(parts, here);
      (void)compile<twice>()(part, x = part.rows(X));
    });
  }
  std::ifstream file(path_of);
  const auto all = nlohmann::json::parse(file);
  std::vector<int> lines(3), named(3);
  for (const auto& e : all["traceEvents"]) {
    const auto rank = e["tid"].get<std::size_t>();
    ASSERT_LT(rank, 3u);
    if (e["ph"] == "M") {
      ++named[rank];
      EXPECT_EQ(e["args"]["name"], "rank " + std::to_string(rank));
      continue;
    }
    ++lines[rank];
    EXPECT_EQ(e["ph"], "X");
    EXPECT_GE(e["dur"].get<long>(), 0);
    EXPECT_GT(e["ts"].get<long>(), 0);
    EXPECT_THAT((std::vector<std::string>{"compute", "post", "wait"}), testing::Contains(e["cat"].get<std::string>()));
  }
  for (const int n : lines) EXPECT_GT(n, 4);
  EXPECT_EQ(named, (std::vector<int>{1, 1, 1}));
  std::remove(path_of.c_str());
  try {
    trace_ranks("/no/folder/run.json");
    ADD_FAILURE();
  } catch (const error& e) {
    EXPECT_THAT(e.what(), HasSubstr("/no/folder/run.json cannot be written"));
  }
  trace_ranks another;  // the one that could not be written is none
}

}  // namespace
}  // namespace stg
