// Gradients of micro batches, joined by a binary tree: the rank of a node's first micro batch adds up its halves.
#include <stg/distributed/mean_over_ranks.hpp>

#include <stg/base/error.hpp>  // error

#include <algorithm>  // any_of, fill, min
#include <cstring>    // memcpy
#include <string>     // to_string
#include <utility>    // move, swap

#include "../sampling/vertex_numbers.hpp"  // at

namespace stg::detail {

namespace {

using numbers_of_node = std::vector<std::byte>;
using arrays = std::span<const parameter_update>;

/// Where an array's numbers are: at multiples of 8 bytes.
std::int64_t bytes_of(const parameter_update& array) { return (array.size * (array.in_double ? 8 : 4) + 7) / 8 * 8; }
std::int64_t bytes_of(const arrays& all) {
  std::int64_t bytes = 2 * sizeof(double);  // weight and loss
  for (const parameter_update& array : all) bytes += bytes_of(array);
  return bytes;
}
double* tail_of(numbers_of_node& node) { return reinterpret_cast<double*>(node.data() + node.size()) - 2; }

/// body(array, its numbers in the node) with their type.
template <class Body> void each_array(const arrays& all, numbers_of_node& node, const Body& body) {
  std::byte* next = node.data();
  for (const parameter_update& array : all) {
    if (array.in_double) body(array, reinterpret_cast<double*>(next));
    else body(array, reinterpret_cast<float*>(next));
    next += bytes_of(array);
  }
}

/// to += from, where both have a weight.
void join(numbers_of_node& to, numbers_of_node& from, const arrays& like) {
  if (tail_of(from)[0] == 0) return;
  if (tail_of(to)[0] == 0) return std::swap(to, from);
  std::byte* next = from.data();
  each_array(like, to, [&](const parameter_update& array, auto* sum) {
    const auto* const summand = reinterpret_cast<decltype(sum)>(next);
    for (std::int64_t i = 0; i < array.size; ++i) sum[i] += summand[i];
    next += bytes_of(array);
  });
  for (const int k : {0, 1}) tail_of(to)[k] += tail_of(from)[k];
}

}  // namespace

gradient_tree::gradient_tree(communicator& ranks, int leaves)
    : ranks_(&ranks),
      leaves_(leaves),
      first_own_(static_cast<int>(std::int64_t{leaves} * ranks.rank() / ranks.size())),
      last_own_(static_cast<int>(std::int64_t{leaves} * (ranks.rank() + 1) / ranks.size())) {
  while (tree_ < leaves_) tree_ *= 2;
}

int gradient_tree::owner(int leaf) const {
  return static_cast<int>(((std::int64_t{leaf} + 1) * ranks_->size() - 1) / leaves_);
}

void gradient_tree::add(int leaf, double weight, double loss, std::span<const parameter_update> gradients) {
  if (leaf < first_own_ || leaf >= last_own_ || leaf < next_)
    throw error("mean_over_ranks: micro batch " + std::to_string(leaf) + " is added " +
                (leaf < next_ ? "behind micro batch " + std::to_string(next_ - 1)
                              : "on rank " + std::to_string(ranks_->rank())) +
                "; add each once where it was loaded, and call all_reduce after each batch");
  next_ = leaf + 1;
  node added{leaf, 1, numbers_of_node(at(bytes_of(gradients)))};
  each_array(gradients, added.numbers, [&](const parameter_update& array, auto* to) {
    using T = std::remove_pointer_t<decltype(to)>;
    const auto* const from = static_cast<const T*>(array.gradient);
    for (std::int64_t i = 0; i < array.size; ++i) to[i] = static_cast<T>(weight * static_cast<double>(from[i]));
  });
  tail_of(added.numbers)[0] = weight;
  tail_of(added.numbers)[1] = weight * loss;
  nodes_.push_back(std::move(added));
  while (nodes_.size() > 1) {  // two halves of a node are one
    node &left = nodes_[nodes_.size() - 2], &right = nodes_.back();
    if (left.count != right.count || left.first % (2 * left.count) != 0 || left.first + left.count != right.first)
      break;
    join(left.numbers, right.numbers, gradients);
    left.count *= 2;
    nodes_.pop_back();
  }
}

double gradient_tree::reduce(std::span<const parameter_update> to) {
  next_ = 0;
  const std::uint64_t tag = ranks_->next_tag();  // and one for each node
  for (int n = 1; n < 2 * tree_; ++n) (void)ranks_->next_tag();
  numbers_of_node all = sum(0, tree_, tag + 1, to);
  nodes_.clear();
  all.resize(at(bytes_of(to)));
  spread(all, tag);
  const double weight = tail_of(all)[0];
  each_array(to, all, [&](const parameter_update& array, auto* sum) {
    using T = std::remove_pointer_t<decltype(sum)>;
    auto* const mean = static_cast<T*>(array.value);
    for (std::int64_t i = 0; i < array.size; ++i)
      mean[i] = weight == 0 ? T(0) : static_cast<T>(static_cast<double>(sum[i]) / weight);
  });
  return weight == 0 ? 0 : tail_of(all)[1] / weight;
}

/// The sum of a node, on the rank of its first leaf; on others that have leaves of it, nothing. The tags of its nodes
/// begin with `tag`, as many as 2 count - 1.
std::vector<std::byte> gradient_tree::sum(int first, int count, std::uint64_t tag,
                                          std::span<const parameter_update> like) {
  const int last = std::min(first + count, leaves_), middle = first + count / 2;
  if (last <= first_own_ || first >= last_own_) return {};
  if (first >= first_own_ && last <= last_own_) return sum_of_own(first, count, like);
  const auto below = static_cast<std::uint64_t>(count - 1);  // nodes of a half
  numbers_of_node left = sum(first, count / 2, tag + 1, like);
  if (middle >= leaves_) return left;
  numbers_of_node right = sum(middle, count / 2, tag + 1 + below, like);
  const int rank = ranks_->rank(), at_left = owner(first), at_right = owner(middle);
  if (at_left != at_right && rank == at_right)
    ranks_->send(at_left, tag, right.data(), static_cast<std::int64_t>(right.size()));
  if (rank != at_left) return {};
  if (at_left != at_right) {
    right.resize(at(bytes_of(like)));
    ranks_->expect(at_right, tag, right.data(), static_cast<std::int64_t>(right.size()));
    ranks_->receive(at_right, tag);
  }
  join(left, right, like);
  return left;
}

/// Of a node all of whose leaves are of this rank: zeros where nothing was added.
std::vector<std::byte> gradient_tree::sum_of_own(int first, int count, std::span<const parameter_update> like) {
  for (node& n : nodes_)
    if (n.first == first && n.count == count) return std::move(n.numbers);
  const auto lies_within = [&](const node& n) { return n.first >= first && n.first < first + count; };
  if (!std::any_of(nodes_.begin(), nodes_.end(), lies_within)) return numbers_of_node(at(bytes_of(like)));
  numbers_of_node left = sum_of_own(first, count / 2, like), right = sum_of_own(first + count / 2, count / 2, like);
  join(left, right, like);
  return left;
}

/// From rank 0 to all: each tells two more.
void gradient_tree::spread(std::vector<std::byte>& numbers, std::uint64_t tag) {
  const auto bytes = static_cast<std::int64_t>(numbers.size());
  const int rank = ranks_->rank();
  if (rank > 0) {
    ranks_->expect((rank - 1) / 2, tag, numbers.data(), bytes);
    ranks_->receive((rank - 1) / 2, tag);
  }
  for (const int to : {2 * rank + 1, 2 * rank + 2})
    if (to < ranks_->size()) ranks_->send(to, tag, numbers.data(), bytes);
}

}  // namespace stg::detail
