// The gradient of a batch from those of its micro batches, joined over all ranks in one order.
#pragma once

#include <stg/distributed/distributed_loader_of.hpp>  // distributed_loader_of, micro_batch_of
#include <stg/runtime/gradients.hpp>                  // set_arrays
#include <stg/runtime/named_values.hpp>               // named_values, set_in_role

#include <cstddef>      // byte, size_t
#include <cstdint>      // int64_t, uint64_t
#include <span>         // span
#include <type_traits>  // remove_cvref_t
#include <vector>       // vector

namespace stg {

namespace detail {

/// Sums of weighted arrays by a binary tree over micro batches: the numbers of each, and behind them its weight and its
/// weighted loss. The tree does not depend on ranks, so neither do the sums, to the bit.
class gradient_tree {
 public:
  gradient_tree(communicator& ranks, int leaves);
  /// Adds weight · gradient, of arrays on the host. Errors: a micro batch of another rank, or not behind the last one.
  void add(int leaf, double weight, double loss, std::span<const parameter_update> gradients);
  /// Writes the weighted mean of all ranks' arrays to `value`, zeros where there are none, and returns the loss's. All
  /// ranks call it.
  double reduce(std::span<const parameter_update> to);

 private:
  struct node {
    int first = 0, count = 0;
    std::vector<std::byte> numbers{};
  };
  int owner(int leaf) const;
  std::vector<std::byte> sum(int first, int count, std::uint64_t tag, std::span<const parameter_update> like);
  std::vector<std::byte> sum_of_own(int first, int count, std::span<const parameter_update> like);
  void spread(std::vector<std::byte>& numbers, std::uint64_t tag);

  communicator* ranks_;
  int leaves_, tree_ = 1, first_own_, last_own_;
  int next_ = 0;
  std::vector<node> nodes_{};
};

}  // namespace detail

/// What all_reduce is to PyTorch's DistributedDataParallel: the mean of gradients over a batch, each micro batch by the
/// number of its seeds, or pairs of links, the same on all ranks. So a loss is the mean over its seeds; give `add`
/// another weight where it is a mean over fewer, and the weight 1 / 8 … of a sum. The same bits come out on any number
/// of ranks; of one process and one undivided batch they differ by rounding.
///
///   auto mean = stg::mean_over_ranks(params, loader);
///   for (const stg::batch_share& batch : loader.epoch(0)) {
///     for (const stg::micro_batch& b : batch) mean.add(b, step(b.blocks(), x = b[X], label = b[Y], params));
///     optimizer.step(mean.all_reduce());
///   }
template <class Set> class gradients_over_ranks {
  using gradients = typename detail::set_in_role<Set, as_gradients>::type;

 public:
  /// Zeros like a set of parameters, on the host; the loader's ranks outlive it.
  template <class Batch>
  gradients_over_ranks(const Set& like, const detail::distributed_loader_of<Batch>& loader)
      : mean_(like.zeros(host)), tree_(loader.ranks(), loader.micro_batches()) {}

  /// Adds the gradients and the loss of a step. Errors: micro batches that are not in ascending order, a gradient of
  /// another shape, and gradients on a device.
  template <class Batch, class Step> void add(const detail::micro_batch_of<Batch>& b, const Step& now) {
    add(b, now, static_cast<double>(b.pair_src.empty() ? b.seeds : static_cast<std::int64_t>(b.pair_src.size())));
  }
  template <class Batch, class Step> void add(const detail::micro_batch_of<Batch>& b, const Step& now, double weight) {
    const auto of_step = now.gradients.of(mean_);
    detail::set_arrays<gradients> arrays(mean_);
    std::size_t at = 0;
    boost::hana::for_each(mean_.items(), [&](const auto& item) {
      using Name = typename std::remove_cvref_t<decltype(item)>::name;
      const auto& t = detail::tensor_of(item.value);
      const auto& of =
          detail::tensor_of(of_step.template get<std::remove_cvref_t<decltype(of_step)>::template position<Name>()>());
      if (!(of.shape() == t.shape())) detail::wrong_summand(item.text(), t.shape(), of.shape());
      if (!(of.place() == arrays.where)) detail::scattered_set(item.text(), of.place(), arrays.where);
      arrays.all[at++].gradient = of.data();
    });
    tree_.add(b.micro, weight, static_cast<double>(now.loss), arrays.all);
  }
  /// The mean of all that was added on all ranks since the last time, which all ranks ask for, once for a batch: a view
  /// of it stays until the next.
  const gradients& all_reduce() {
    loss_ = tree_.reduce(detail::set_arrays<gradients>(mean_).all);
    return mean_;
  }
  /// The mean of the losses, as of the last all_reduce.
  double loss() const { return loss_; }

 private:
  gradients mean_;
  detail::gradient_tree tree_;
  double loss_ = 0;
};

template <class Set, class Batch>
gradients_over_ranks<Set> mean_over_ranks(const Set& parameters, const detail::distributed_loader_of<Batch>& loader) {
  return gradients_over_ranks<Set>(parameters, loader);
}

}  // namespace stg
