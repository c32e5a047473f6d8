// PT-Scotch: graphs whose ranks have a range of vertices each. The only file that includes its header.
#include <stg/distributed/partition_on_ranks.hpp>

#include <algorithm>  // max, sort, unique
#include <cstdio>     // FILE, which PT-Scotch's header asks for
#include <string>     // string, to_string
#include <vector>     // vector

#include <mpi.h>       // MPI_Comm_dup
#include <ptscotch.h>  // SCOTCH_dgraphPart

#include <stg/base/error.hpp>                 // error
#include <stg/distributed/vertex_owners.hpp>  // vertex_owners
#include <stg/runtime/out_of_memory.hpp>      // no_memory

#include "../sampling/vertex_numbers.hpp"  // at
#include "mpi_rank.hpp"                    // is_process

namespace stg {

namespace {

using detail::at;

static_assert(sizeof(SCOTCH_Num) == sizeof(std::int64_t), "stg internal: PT-Scotch of 64-bit indices is called");

void check(int status, const char* call) {
  if (status != 0)
    throw error(std::string("partition_on_ranks: ") + call + " of PT-Scotch failed; what it says is printed above");
}

/// The vertices of a rank, by numbers that go on from rank to rank, with their neighbours along edges of both
/// directions, each once.
class vertices_of_rank {
 public:
  template <class PlaceOf>
  void add(std::int64_t own, const adjacency& in, const adjacency& out, std::int64_t row, const PlaceOf& place_of) {
    row_.clear();
    for (const adjacency* edges : {&in, &out})
      for (auto k = edges->begin(row); k != edges->end(row); ++k) row_.push_back(place_of(edges->neighbour(k)));
    weights_.push_back(1 + static_cast<SCOTCH_Num>(row_.size()));
    std::sort(row_.begin(), row_.end());
    row_.erase(std::unique(row_.begin(), row_.end()), row_.end());
    for (const SCOTCH_Num other : row_)
      if (other != own) neighbours_.push_back(other);
    offsets_.push_back(static_cast<SCOTCH_Num>(neighbours_.size()));
  }

  /// The part of each vertex. All ranks call it.
  std::vector<SCOTCH_Num> parts(int count, std::uint64_t number) {
    distributed_lists lists;
    SCOTCH_randomSeed(static_cast<SCOTCH_Num>(number));
    SCOTCH_randomReset();
    neighbours_.reserve(1), weights_.reserve(1);  // addresses, where there are none
    const auto rows = static_cast<SCOTCH_Num>(weights_.size()), edges = static_cast<SCOTCH_Num>(neighbours_.size());
    check(SCOTCH_dgraphBuild(lists.graph, 0, rows, rows, offsets_.data(), offsets_.data() + 1, weights_.data(), nullptr,
                             edges, edges, neighbours_.data(), nullptr, nullptr),
          "SCOTCH_dgraphBuild");
    constexpr double most_work = 0.03;  // of a part beyond an even share; SCOTCH_STRATBALANCE would cut a fifth more
    check(SCOTCH_stratDgraphMapBuild(lists.how, SCOTCH_STRATQUALITY, lists.ranks, count, most_work),
          "SCOTCH_stratDgraphMapBuild");
    std::vector<SCOTCH_Num> found(std::max<std::size_t>(1, weights_.size()));
    check(SCOTCH_dgraphPart(lists.graph, count, lists.how, found.data()), "SCOTCH_dgraphPart");
    found.resize(weights_.size());
    return found;
  }

 private:
  /// What PT-Scotch works in, with a communicator of its own.
  struct distributed_lists {
    distributed_lists() {
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      MPI_Comm_size(comm, &ranks);
      check(SCOTCH_dgraphInit(graph, comm), "SCOTCH_dgraphInit");
      check(SCOTCH_stratInit(how), "SCOTCH_stratInit");
    }
    distributed_lists(const distributed_lists&) = delete;
    ~distributed_lists() {
      SCOTCH_stratExit(how);
      SCOTCH_dgraphExit(graph);
      MPI_Comm_free(&comm);
    }
    MPI_Comm comm = MPI_COMM_NULL;
    int ranks = 1;
    SCOTCH_Dgraph graph[1];
    SCOTCH_Strat how[1];
  };

  std::vector<SCOTCH_Num> offsets_{0}, neighbours_{}, weights_{}, row_{};
};

void check_call(const communicator& ranks, std::int64_t vertices, int parts) {
  if (!detail::is_process(ranks))
    throw error("partition_on_ranks: the ranks are threads of one process; run_mpi runs it, or write stg::partition");
  if (parts < 1 || parts > std::max<std::int64_t>(1, vertices))
    throw error("partition_on_ranks: " + std::to_string(parts) + " parts of a graph of " + std::to_string(vertices) +
                " vertices; ask for 1 part at least, and for no more than there are vertices");
}

/// While PT-Scotch's own messages are waited for, which the heartbeat knows nothing of.
class busy_rank {
 public:
  explicit busy_rank(communicator& rank) : rank_(rank) { rank_.busy(true); }
  ~busy_rank() { rank_.busy(false); }

 private:
  communicator& rank_;
};

}  // namespace

tensor<std::int32_t> partition_on_ranks(const graph& whole, communicator& ranks, int parts, std::uint64_t number) try {
  check_call(ranks, whole.vertices(), parts);
  const std::int64_t n = whole.vertices(), size = ranks.size();
  const busy_rank waits(ranks);
  vertices_of_rank mine;
  const adjacency in = whole.in_edges(), out = whole.out_edges();
  const auto first_of = [&](std::int64_t rank) { return n * rank / size; };
  for (std::int64_t v = first_of(ranks.rank()); v < first_of(ranks.rank() + 1); ++v)
    mine.add(v, in, out, v, [](std::int32_t other) { return SCOTCH_Num{other}; });
  const std::vector<SCOTCH_Num> found = mine.parts(parts, number);
  std::vector<std::int32_t> own(found.begin(), found.end());
  own.reserve(1);
  std::vector<int> counts, before;
  for (std::int64_t r = 0; r < size; ++r) {
    before.push_back(static_cast<int>(first_of(r)));
    counts.push_back(static_cast<int>(first_of(r + 1) - first_of(r)));
  }
  tensor<std::int32_t> all({n});
  check(MPI_Allgatherv(own.data(), counts[at(ranks.rank())], MPI_INT32_T, all.data(), counts.data(), before.data(),
                       MPI_INT32_T, MPI_COMM_WORLD),
        "MPI_Allgatherv beside that");
  return all;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

tensor<std::int32_t> partition_on_ranks(const distributed_graph& part, int parts, std::uint64_t number) try {
  check_call(part.ranks(), part.all_vertices(), parts);
  const vertex_owners owners = part.owners();
  std::vector<std::uint64_t> own(at(part.ranks().size()), 0);
  std::vector<std::int64_t> first{0};  // of each rank's vertices
  for (std::int64_t v = 0; v < part.all_vertices(); ++v) ++own[at(owners.rank_of(static_cast<std::int32_t>(v)))];
  for (const std::uint64_t count : own) first.push_back(first.back() + static_cast<std::int64_t>(count));
  tensor<std::int32_t> of_rows({part.vertices()});
  {
    const busy_rank waits(part.ranks());
    vertices_of_rank mine;
    const std::span<const std::int32_t> global = part.global_vertices();
    for (std::int64_t r = 0; r < part.own_vertices(); ++r)
      mine.add(first[at(part.ranks().rank())] + r, part.in_edges(), part.out_edges(), r, [&](std::int32_t other) {
        const std::int32_t v = global[at(other)];
        return static_cast<SCOTCH_Num>(first[at(owners.rank_of(v))] + owners.row_of(v));
      });
    const std::vector<SCOTCH_Num> found = mine.parts(parts, number);
    for (std::size_t r = 0; r < found.size(); ++r) of_rows.data()[r] = static_cast<std::int32_t>(found[r]);
  }
  return part.gathered(of_rows);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
