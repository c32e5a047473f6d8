// Speeds of roads an hour ahead: a recurrent cell over the road network goes through the last hour in steps of five
// minutes, and what it remembers gives the next twelve. Zhao et al., T-GCN, IEEE T-ITS 21, 2020.
#include <common/finite.hpp>    // require_finite
#include <common/options.hpp>   // options, run_example
#include <common/progress.hpp>  // progress

#include <stg/data/search.hpp>    // find_dataset
#include <stg/data/temporal.hpp>  // read_graph_signal_folder
#include <stg/data/windows.hpp>   // standardize, split_by_time
#include <stg/stg.hpp>            // the language

#include <algorithm>  // shuffle
#include <chrono>     // steady_clock
#include <cmath>      // cos, sin, sqrt
#include <cstdio>     // printf
#include <limits>     // numeric_limits
#include <numbers>    // pi
#include <numeric>    // iota
#include <random>     // mt19937_64
#include <string>     // string
#include <vector>     // vector

constexpr int steps = 12, hidden = 32, day = 288;  // of five minutes

inline constexpr auto x =
    stg::over<"T">(stg::vertex_feature<"x", 3>);                  // speed, and the time of day as a point of a circle
inline constexpr auto last = stg::vertex_feature<"last">;         // speed as it is now
inline constexpr auto past = stg::vertex_feature<"past", steps>;  // a day before what is asked for
inline constexpr auto y = stg::vertex_feature<"y", steps>;
inline constexpr auto w = stg::edge_feature<"w">;
inline constexpr auto W = stg::parameter<"W", 3, hidden>;
inline constexpr auto I = stg::parameter<"I", hidden, 3 * hidden>;
inline constexpr auto U = stg::parameter<"U", hidden, 2 * hidden>;
inline constexpr auto C = stg::parameter<"C", hidden, hidden>;
inline constexpr auto b = stg::parameter<"b", 3 * hidden>;
inline constexpr auto R = stg::parameter<"R", hidden + steps, steps>;
inline constexpr auto c = stg::parameter<"c", steps>;

inline constexpr auto ahead = [](auto v) {
  auto cell = stg::nn::tgcn{W, I, U, C, b};
  auto h = stg::scan<"T">(
      v, [=](auto v, auto h) { return cell(stg::nn::weighted(v, w), v(x), h); }, stg::zeros<hidden>(v));
  auto seen = concat<stg::axis<0>>(h, v(past) - v(last));
  return v(last) + linear(seen, R, c);  // (12): how much it will differ from now
};
inline constexpr auto loss = [](auto v) { return l1(ahead(v), v(y)); };

/// The data set, or, where METR-LA is in none of the places that stg::find_dataset looks in, waves around a ring road.
static stg::graph_signal load(const std::string& name) {
  const std::string wanted = name == "auto" ? "metr_la" : name;
  const stg::search_result found = stg::find_dataset(wanted);
  if (name != "auto" || !found.folder.empty())
    return stg::read_graph_signal_folder(found.folder.empty() ? wanted : found.folder);
  std::fprintf(stderr, "05_traffic: no metr_la in $STG_DATA_DIR or ~/.cache/stg; 24 sensors of a ring road instead\n");
  stg::graph_signal made;
  made.vertices = 24;
  for (std::int64_t v = 0; v < 24; ++v)
    for (const std::int64_t to : {v, (v + 1) % 24, (v + 23) % 24}) {
      made.edges.src.push_back(v);
      made.edges.dst.push_back(to);
      made.edges.weights.push_back(1);
    }
  made.signal = stg::tensor<double>({5 * day, 24});
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, 1);
  for (std::int64_t t = 0; t < 5 * day; ++t)
    for (std::int64_t v = 0; v < 24; ++v)
      made.signal(t, v) =
          50 + 15 * std::sin(2 * std::numbers::pi * (static_cast<double>(t) / day + static_cast<double>(v) / 24)) +
          noise(random);
  return made;
}

/// Many windows at once are one graph of as many parts.
struct windows_at_once {
  stg::graph graph;
  stg::tensor<float> x, last, past, y;
  stg::edge_values<float> w;

  windows_at_once(const stg::graph_signal& of, std::int64_t count) {
    std::vector<std::int64_t> src, dst;
    std::vector<float> all;
    for (std::int64_t k = 0; k < count; ++k)
      for (std::size_t e = 0; e < of.edges.src.size(); ++e) {
        src.push_back(of.edges.src[e] + k * of.vertices);
        dst.push_back(of.edges.dst[e] + k * of.vertices);
        all.push_back(of.edges.weights.empty() ? 1 : static_cast<float>(of.edges.weights[e]));
      }
    const std::int64_t n = count * of.vertices;
    graph = stg::graph::from_edges(n, std::span<const std::int64_t>(src), std::span<const std::int64_t>(dst));
    w = graph.edge_values(stg::tensor<float>::from({graph.edges()}, all));
    x = stg::tensor<float>({steps, n, 3});
    last = stg::tensor<float>({n});
    past = stg::tensor<float>({n, steps});
    y = stg::tensor<float>({n, steps});
  }
  /// Puts the window that begins at step t, a day after the first one or later, in place k.
  void put(std::int64_t k, const stg::tensor<float>& speed, std::int64_t t) {
    const std::int64_t places = speed.extent(1);
    for (std::int64_t v = 0; v < places; ++v) {
      const std::int64_t row = k * places + v;
      for (std::int64_t s = 0; s < steps; ++s) {
        const double angle = 2 * std::numbers::pi * static_cast<double>((t + s) % day) / day;
        x(s, row, 0) = speed(t + s, v);
        x(s, row, 1) = static_cast<float>(std::sin(angle));
        x(s, row, 2) = static_cast<float>(std::cos(angle));
        past(row, s) = speed(t + steps + s - day, v);
        y(row, s) = speed(t + steps + s, v);
      }
      last(row) = speed(t + steps - 1, v);
    }
  }
};

/// Errors in miles per hour at 15, 30 and 60 minutes.
struct errors {
  double absolute[3] = {}, squared[3] = {};
  std::int64_t count = 0;
  static constexpr int at[3] = {2, 5, 11};

  template <class Predicted> void add(const Predicted& predicted, const stg::tensor<float>& real) {
    for (int k = 0; k < 3; ++k) {
      const double d = predicted(at[k]) - real.data()[at[k]];
      absolute[k] += std::abs(d);
      squared[k] += d * d;
    }
    ++count;
  }
  double mae(int k) const { return absolute[k] / static_cast<double>(count); }
  double rmse(int k) const { return std::sqrt(squared[k] / static_cast<double>(count)); }
};

static void train(const common::options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const stg::graph_signal data = load(options.dataset);
  const std::int64_t places = data.signal.extent(1), times = data.signal.extent(0);
  stg::tensor<float> raw({times, places}), speed({times, places});
  for (std::int64_t i = 0; i < raw.size(); ++i) raw.data()[i] = static_cast<float>(data.signal.data()[i]);
  std::copy(raw.begin(), raw.end(), speed.begin());
  const auto parts = stg::split_by_time(times - 2 * steps + 1, 0.7, 0.1);
  const auto scale = stg::standardization_of(speed.rows(0, parts.train.last + steps));
  stg::standardize(speed, scale);
  constexpr std::int64_t batch = 16;
  windows_at_once now(data, batch);

  auto step = stg::value_and_grad<loss>();
  const auto predict = stg::compile<ahead>();
  common::progress progress(options);
  for (int seed = 0; seed < options.seeds; ++seed) {
    auto params = stg::parameters<loss>();
    stg::initialize(params, static_cast<std::uint64_t>(seed));
    stg::adam optimizer(params, {.learning_rate = 0.005});
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::vector<std::int64_t> order(static_cast<std::size_t>(parts.train.last - day));
    std::iota(order.begin(), order.end(), std::int64_t{day});
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
      std::shuffle(order.begin(), order.end(), random);
      double sum = 0;
      int count = 0;
      for (std::size_t at = 0; at + batch <= order.size(); at += batch) {
        for (std::int64_t k = 0; k < batch; ++k) now.put(k, speed, order[at + static_cast<std::size_t>(k)]);
        auto result = step(now.graph, x = now.x, last = now.last, past = now.past, y = now.y, w = now.w, params);
        common::require_finite(result.loss, seed, epoch);
        optimizer.step(result.gradients);
        sum += result.loss;
        ++count;
      }
      progress.update(seed, epoch, sum / count, std::numeric_limits<double>::quiet_NaN());
    }
    progress.clear();
    errors model, as_now, as_yesterday;
    windows_at_once one(data, 1);
    for (std::int64_t t = parts.test.first; t < parts.test.last; ++t) {
      one.put(0, speed, t);
      const stg::tensor<float> found =
          predict(one.graph, x = one.x, last = one.last, past = one.past, w = one.w, params);
      for (std::int64_t v = 0; v < places; ++v) {
        stg::tensor<float> real({steps});
        for (std::int64_t s = 0; s < steps; ++s) real(s) = raw(t + steps + s, v);
        const double mean = scale.mean(v), deviation = scale.deviation(v);
        model.add([&](int s) { return found(v, s) * deviation + mean; }, real);
        as_now.add([&](int) { return double{raw(t + steps - 1, v)}; }, real);
        as_yesterday.add([&](int s) { return double{raw(t + steps + s - day, v)}; }, real);
      }
    }
    for (const auto& [name, e] : {std::pair{"tgcn", &model}, {"as now", &as_now}, {"as yesterday", &as_yesterday}})
      std::printf("%-12s  15 min: mae %.2f rmse %.2f  30 min: %.2f %.2f  60 min: %.2f %.2f\n", name, e->mae(0),
                  e->rmse(0), e->mae(1), e->rmse(1), e->mae(2), e->rmse(2));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("result dataset=%s model=tgcn seed=%d mae_15=%.3f mae_30=%.3f mae_60=%.3f rmse_60=%.3f seconds=%.1f\n",
                options.dataset.c_str(), seed, model.mae(0), model.mae(1), model.mae(2), model.rmse(2), seconds);
  }
}

int main(int argc, char** argv) {
  return common::run_example(argc, argv, {.seeds = 1, .epochs = 10}, "predicts the speed of roads an hour ahead",
                             train);
}
