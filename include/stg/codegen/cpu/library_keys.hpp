// Which kernels the library holds, by key, written by the target library_keys from the programs in src/kernels/.
// clang-format off
#pragma once

#include <cstdint>  // uint64_t

namespace stg::cpu {

/// In ascending order.
inline constexpr std::uint64_t library_keys[] = {
    0x0273917b9e33514au,
    0x10eae42bd7c7c156u,
    0x134b6a6b680da3c7u,
    0x15155cd7ef8fa839u,
    0x16a7a771805ef8f9u,
    0x1bf28ff39552a886u,
    0x2d3c635f43f73962u,
    0x4e19458ea8ac32e4u,
    0x51b423f512ab388fu,
    0x64241ff9197fa58du,
    0x6a76480f0fd1d217u,
    0x715c55d93d223a4cu,
    0x7abff11dca3a9d3cu,
    0x810c96e8c2098234u,
    0x820f52c3944b38a8u,
    0x8547b1574b93bb38u,
    0x88dac7e2f40d5daau,
    0x931105bb735f4590u,
    0x9695a5097b72248du,
    0x9dd910376cea4e2fu,
    0x9e05855c87be50d8u,
    0x9f58345bc4e2b66bu,
    0xa651b8edb44e5f45u,
    0xa9d73206f2384a4au,
    0xaf6076ec1da8be59u,
    0xb5ae9957edc9ca4cu,
    0xbcc5b1defec43946u,
    0xc2d64b7014d82dbeu,
    0xc399dcebb558a629u,
    0xd31991ff6a140faeu,
    0xd7a1d660f88a8bc4u,
    0xe3dd1c8949da0047u,
    0xe98f0a581c4edd05u,
    0xea6006553dd39d0fu,
    0xef5318975dd49c79u,
    0xf0ff8b4cff12a1fcu,
    0xf9e59dcdbc920c40u,
    0xfb84208d078c4cdcu,
};
inline constexpr int library_key_count = 38;

}  // namespace stg::cpu
