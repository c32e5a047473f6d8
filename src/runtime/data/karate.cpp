// Zachary's karate club, written out.
#include <stg/data/karate.hpp>            // karate_club
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // sort
#include <utility>    // pair
#include <vector>     // vector

namespace stg {

namespace {

constexpr int members = 34;

/// Friendships, the lower number first.
constexpr struct {
  std::int32_t a, b;
} friends[] = {
    {0, 1},   {0, 2},   {0, 3},   {0, 4},   {0, 5},   {0, 6},   {0, 7},   {0, 8},   {0, 10},  {0, 11},
    {0, 12},  {0, 13},  {0, 17},  {0, 19},  {0, 21},  {0, 31},  {1, 2},   {1, 3},   {1, 7},   {1, 13},
    {1, 17},  {1, 19},  {1, 21},  {1, 30},  {2, 3},   {2, 7},   {2, 8},   {2, 9},   {2, 13},  {2, 27},
    {2, 28},  {2, 32},  {3, 7},   {3, 12},  {3, 13},  {4, 6},   {4, 10},  {5, 6},   {5, 10},  {5, 16},
    {6, 16},  {8, 30},  {8, 32},  {8, 33},  {9, 33},  {13, 33}, {14, 32}, {14, 33}, {15, 32}, {15, 33},
    {18, 32}, {18, 33}, {19, 33}, {20, 32}, {20, 33}, {22, 32}, {22, 33}, {23, 25}, {23, 27}, {23, 29},
    {23, 32}, {23, 33}, {24, 25}, {24, 27}, {24, 31}, {25, 31}, {26, 29}, {26, 33}, {27, 33}, {28, 31},
    {28, 33}, {29, 32}, {29, 33}, {30, 32}, {30, 33}, {31, 32}, {31, 33}, {32, 33},
};
static_assert(std::size(friends) == 78);

constexpr std::int32_t communities[members] = {1, 1, 1, 1, 3, 3, 3, 1, 0, 1, 3, 1, 1, 1, 0, 0, 3,
                                               1, 0, 1, 0, 1, 0, 0, 2, 2, 0, 0, 2, 0, 0, 2, 0, 0};
constexpr std::int32_t factions[members] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0,
                                            0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

}  // namespace

node_classification karate_club(karate_labels which) try {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  for (const auto [a, b] : friends) {
    edges.emplace_back(a, b);
    edges.emplace_back(b, a);
  }
  std::sort(edges.begin(), edges.end());
  std::vector<std::int32_t> src, dst;
  for (const auto& [s, d] : edges) {
    src.push_back(s);
    dst.push_back(d);
  }

  node_classification club;
  club.name = "karate_club";
  club.graph = graph::from_edges(members, std::span<const std::int32_t>(src), std::span<const std::int32_t>(dst));
  club.features = tensor<float>({members, members});
  for (int v = 0; v < members; ++v) club.features(v, v) = 1;
  club.labels = tensor<std::int32_t>::from({members}, which == karate_labels::communities ? communities : factions);
  club.classes = which == karate_labels::communities ? 4 : 2;
  club.train = tensor<bool>({members});
  club.val = tensor<bool>({members});
  club.test = tensor<bool>::full({members}, true);
  std::vector<bool> seen(static_cast<std::size_t>(club.classes));
  for (int v = 0; v < members; ++v) {
    const auto label = static_cast<std::size_t>(club.labels(v));
    club.train(v) = !seen[label];
    club.test(v) = seen[label];
    seen[label] = true;
  }
  return club;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
