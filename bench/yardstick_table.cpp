// One table, measured in turn: the gather floor, kernels by hand, and stg's for the same lambdas; yardstick_table
// [ROUNDS [GRAPH [KERNEL]]], where KERNEL is the beginning of a kernel's name
#include "fill.hpp"       // filled
#include "graphs.hpp"     // arxiv_like, reddit_like
#include "layers.hpp"     // of_width, attention_of
#include "rounds.hpp"     // medians
#include "yardstick.hpp"  // weighted_sum, attention

#include <stg/runtime/parallel.hpp>  // set_threads
#include <stg/runtime/probe.hpp>     // gather

#include <algorithm>  // min
#include <cstdio>     // printf
#include <cstdlib>    // atoi
#include <map>        // map

namespace {

int round_count = 9;
std::string only;  // kernels that are measured: those whose names begin so

struct subject {
  std::string name;
  stg::graph graph;
  yardstick::graph prepared;
};

std::map<std::string, double> milliseconds(const std::vector<rounds::contestant>& contestants) {
  std::map<std::string, double> result;
  for (const rounds::median& m : rounds::medians(contestants, round_count)) result[m.part] = 1e3 * m.seconds;
  return result;
}

rounds::contestant floor_of(const stg::graph& g, std::int64_t width) {
  auto probe = std::make_shared<stg::probe::gather>(g, width);
  return {{"read0", "read8", "read16", "write"}, [probe] {
            return std::vector<double>{probe->read(0), probe->read(8), probe->read(16), probe->write()};
          }};
}
double floor_in(std::map<std::string, double>& ms) {
  return std::min({ms["read0"], ms["read8"], ms["read16"]}) + ms["write"];
}

void heading() {
  std::printf("%-12s %-14s %8s | %8s %8s %6s %6s %6s | %8s %8s %6s | %8s %8s %6s\n", "graph", "kernel", "floor",
              "forward", "stg", "/hand", "fl/st", "fl/hd", "backward", "stg", "/hand", "step", "stg", "/hand");
}
/// A step by hand is `hand_record`, where training's forward is another, or `hand`, and `hand_back`.
void line(const std::string& graph, const std::string& kernel, std::map<std::string, double> ms) {
  const double floor = floor_in(ms);
  const double hand_step = ms[ms.contains("hand_record") ? "hand_record" : "hand"] + ms["hand_back"];
  const double stg_step = ms["stg_record"] + ms["stg_back"];
  std::printf("%-12s %-14s %8.2f | %8.2f %8.2f %6.2f %6.2f %6.2f | %8.2f %8.2f %6.2f | %8.2f %8.2f %6.2f\n",
              graph.c_str(), kernel.c_str(), floor, ms["hand"], ms["stg"], ms["stg"] / ms["hand"], floor / ms["stg"],
              floor / ms["hand"], ms["hand_back"], ms["stg_back"], ms["stg_back"] / ms["hand_back"], hand_step,
              stg_step, stg_step / hand_step);
  std::fflush(stdout);
}

/// stg's backward: a call is recorded and differentiated, both are timed.
template <class Trainer, class Cotangent, class... Arg>
rounds::contestant training(Trainer& trainer, const stg::graph& g, const Cotangent& cotangent, const Arg&... args) {
  return {
      {"stg_record", "stg_back"}, [&trainer, &g, &cotangent, &args...] {
        std::vector<double> seconds;
        using tape_type = decltype(trainer.record(g, args...));
        std::unique_ptr<tape_type> tape;
        seconds.push_back(rounds::seconds_of([&] { tape = std::make_unique<tape_type>(trainer.record(g, args...)); }));
        seconds.push_back(rounds::seconds_of([&] { tape->backward(cotangent); }));
        return seconds;
      }};
}

template <int Width> void weighted_sum(const subject& s, bool edge_weights) {
  using layer = layers::of_width<Width>;
  const std::string name = (edge_weights ? "edge sum " : "sum ") + std::to_string(Width);
  if (!name.starts_with(only)) return;
  const std::int64_t rows = s.graph.vertices();
  floats x = filled(rows * Width, 1), c = filled(rows, 2), w = filled(s.graph.edges(), 3), dy = filled(rows * Width, 4);
  floats y(rows * Width), dx(rows * Width);
  auto X = x.as({rows, Width}), C = c.as({rows}), D = dy.as({rows, Width}), Y = y.as({rows, Width});
  const auto W = stg::edge_values<float>::in_id_order(w.as({s.graph.edges()}));
  const auto bx = layer::x = X;
  const auto bc = layer::c = C;
  const auto bw = layer::w = W;
  if (edge_weights) {
    auto model = stg::compile<layer::edge_weighted_sum>();
    auto trainer = stg::compile_for_training<layer::edge_weighted_sum>();
    line(s.name, name,
         milliseconds(
             {floor_of(s.graph, Width),
              rounds::timed("hand",
                            [&] { yardstick::edge_weighted_sum(s.prepared, w.data(), x.data(), y.data(), Width); }),
              rounds::timed("stg", [&] { model.into(Y, s.graph, bx, bw); }),
              rounds::timed(
                  "hand_back",
                  [&] { yardstick::edge_weighted_sum_backward(s.prepared, w.data(), dy.data(), dx.data(), Width); }),
              training(trainer, s.graph, D, bx, bw)}));
  } else {
    auto model = stg::compile<layer::weighted_sum>();
    auto trainer = stg::compile_for_training<layer::weighted_sum>();
    line(s.name, name,
         milliseconds(
             {floor_of(s.graph, Width),
              rounds::timed("hand", [&] { yardstick::weighted_sum(s.prepared, c.data(), x.data(), y.data(), Width); }),
              rounds::timed("stg", [&] { model.into(Y, s.graph, bx, bc); }),
              rounds::timed(
                  "hand_back",
                  [&] { yardstick::weighted_sum_backward(s.prepared, c.data(), dy.data(), dx.data(), Width); }),
              training(trainer, s.graph, D, bx, bc)}));
  }
}

template <int Heads, int Dim> void attention(const subject& s) {
  using layer = layers::attention_of<Heads, Dim>;
  const std::string name = "attention " + std::to_string(Heads) + "x" + std::to_string(Dim);
  if (!name.starts_with(only)) return;
  const std::int64_t rows = s.graph.vertices(), width = Heads * Dim;
  floats h = filled(rows * width, 1), el = filled(rows * Heads, 2), er = filled(rows * Heads, 3);
  floats dout = filled(rows * width, 4), out(rows * width), y(rows * width), dh(rows * width), del(rows * Heads),
         der(rows * Heads);
  auto H = h.as({rows, Heads, Dim}), L = el.as({rows, Heads, 1}), R = er.as({rows, Heads, 1}),
       D = dout.as({rows, Heads, Dim}), Y = y.as({rows, Heads, Dim});
  const auto bh = layer::h = H;
  const auto bl = layer::el = L;
  const auto br = layer::er = R;
  yardstick::attention hand(s.prepared, Heads, Dim);
  auto model = stg::compile<layer::attention>();
  auto trainer = stg::compile_for_training<layer::attention>();
  line(
      s.name, name,
      milliseconds(
          {floor_of(s.graph, width),
           rounds::timed("hand", [&] { hand.forward(el.data(), er.data(), h.data(), out.data()); }),
           rounds::timed("stg", [&] { model.into(Y, s.graph, bh, bl, br); }),
           rounds::timed("hand_record", [&] { hand.forward_in_training(el.data(), er.data(), h.data(), out.data()); }),
           rounds::timed(
               "hand_back",
               [&] { hand.backward(el.data(), h.data(), out.data(), dout.data(), del.data(), der.data(), dh.data()); }),
           training(trainer, s.graph, D, bh, bl, br)}));
}

void measure(const subject& s) {
  heading();
  weighted_sum<64>(s, false);
  weighted_sum<128>(s, false);
  weighted_sum<64>(s, true);
  weighted_sum<128>(s, true);
  attention<8, 8>(s);
  attention<1, 64>(s);
}

template <int Width> rounds::contestant sum_of(const subject& s, int threads, const std::string& name) {
  using layer = layers::of_width<Width>;
  const std::int64_t rows = s.graph.vertices();
  auto x = std::make_shared<floats>(filled(rows * Width, 1)), c = std::make_shared<floats>(filled(rows, 2)),
       y = std::make_shared<floats>(rows * Width);
  return rounds::timed(name, [x, c, y, rows, threads, &s, model = stg::compile<layer::weighted_sum>()] {
    stg::set_threads(threads);
    auto X = x->as({rows, Width}), C = c->as({rows}), Y = y->as({rows, Width});
    model.into(Y, s.graph, layer::x = X, layer::c = C);
  });
}

/// One thread against all, and a width that is no multiple of a register against its neighbours.
void scaling(const subject& s) {
  const int all = stg::threads();
  auto ms = milliseconds({sum_of<64>(s, all, "64"), sum_of<64>(s, 1, "64 alone"), sum_of<128>(s, all, "128"),
                          sum_of<128>(s, 1, "128 alone"), sum_of<96>(s, all, "96"), sum_of<100>(s, all, "100"),
                          sum_of<112>(s, all, "112")});
  stg::set_threads(all);
  std::printf("%s: %d threads against one: width 64 %.2f x, width 128 %.2f x\n", s.name.c_str(), all,
              ms["64 alone"] / ms["64"], ms["128 alone"] / ms["128"]);
  const double per = ms["100"] / 100;
  std::printf("%s: width 100 per feature against 96: %.3f, against 112: %.3f (%.2f, %.2f, %.2f ms)\n", s.name.c_str(),
              per / (ms["96"] / 96), per / (ms["112"] / 112), ms["96"], ms["100"], ms["112"]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) round_count = std::max(1, std::atoi(argv[1]));
  for (const std::string name : {"arxiv_like", "reddit_like"}) {
    if (argc > 2 && name != argv[2]) continue;
    if (argc > 3) only = argv[3];
    subject s{name, *graphs::named(name), {}};
    s.prepared = yardstick::prepare(s.graph);
    measure(s);
    if (only.empty()) scaling(s);
  }
  const stg::probe::bandwidth memory = stg::probe::memory_bandwidth();
  std::printf("memory: read %.1f, write %.1f, triad %.1f GB/s; arithmetic %.0f GFLOP/s; %d threads, medians of %d\n",
              memory.read / 1e9, memory.write / 1e9, memory.triad / 1e9, stg::probe::arithmetic_peak() / 1e9,
              stg::threads(), round_count);
}
