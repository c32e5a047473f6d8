// device_links: the devices of ranks, joined for messages from one to another, and parts of cut graphs on them.
#pragma once

#include <memory>       // shared_ptr
#include <string>       // string
#include <string_view>  // string_view

#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/runtime/communicator.hpp>           // communicator
#include <stg/runtime/cuda.hpp>                   // cuda
#include <stg/runtime/graph.hpp>                  // graph

namespace stg {

namespace gpu {
class device_link;
}

/// How rows go from device to device.
enum class link_by {
  automatic,  // by NCCL if all ranks have it and each has a device of its own; else through the hosts
  nccl,
  host  // through the memory of the hosts, by the ranks' communicator
};

struct device_link_options {
  link_by by = link_by::automatic;
};

/// The device of this rank, and the ways from it to those of the other ranks. All ranks make them, in the same order,
/// and one rank one at a time. The communicator outlives them; graphs and results on the device keep them alive. A file
/// that is compiled as CUDA includes <stg/ranks_on_gpu.hpp>, for the kernels that pack rows. Errors, the same on all
/// ranks: link_by::nccl where a rank has no NCCL, or where two have one device.
///
///   stg::run_ranks(2, [&](stg::communicator& here) {
///     const stg::distributed_graph part(cut, here);
///     const stg::device_links links(here, stg::cuda(here.rank()));
///     const stg::graph there = links.to_device(part);
///     auto step = stg::value_and_grad<loss>(stg::cuda(here.rank()));
///     auto now = step(there, x = part.rows(X).to(links.place()), params.to(links.place()));
///   });
class device_links {
 public:
  device_links(communicator& ranks, const cuda& where, const device_link_options& how = {});

  location place() const;
  bool by_nccl() const;
  /// One sentence on why rows go through the hosts; empty where NCCL has them.
  const std::string& why_by_host() const;

  /// The rows of a part on this rank's device: it stands wherever the part does, in programs for that device. Tensors
  /// of rows come from the part itself, `part.rows(X).to(links.place())`. Error for the part of other ranks.
  graph to_device(const distributed_graph& part) const;

 private:
  std::shared_ptr<gpu::device_link> link_;
};

}  // namespace stg
