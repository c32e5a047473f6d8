// Which kernels the library holds, by key, written by the target library_keys from the programs in src/kernels/.
// clang-format off
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // uint64_t

namespace stg::cpu {

/// In ascending order.
inline constexpr std::uint64_t library_keys[] = {
    0x01ad07c97b67575bu,
    0x05a7c8c2007cbad0u,
    0x094a0ecf2c107961u,
    0x0b7848e2e0b3daf7u,
    0x13ca40d612b0dad6u,
    0x1c2ba190d5d99074u,
    0x25951869e454ba54u,
    0x28f535e6249756e2u,
    0x296ff5b1ee6887d7u,
    0x2d1d43740ed9ab86u,
    0x2fba068f9c6dc3b8u,
    0x31fed01c65e72f68u,
    0x325f344209f08778u,
    0x32ef334c2cbbbebcu,
    0x3334a2a3c99844b6u,
    0x3d274d45d6ca0a27u,
    0x4d8a6c3cc691178du,
    0x512f441d27a44c90u,
    0x56d8530cf279cceeu,
    0x5b72909245cc2eb5u,
    0x61703abcb015c325u,
    0x6c88d0f15a0096b7u,
    0x6d2efd96e21bbef1u,
    0x6f7bc1f8f8c7c5e9u,
    0x7502fa1e2fd72ea9u,
    0x78cd3fc08fb819ecu,
    0x7aad7b49b427b36du,
    0x7eb338b1e6a5dfc1u,
    0x838efba5d199e51eu,
    0x83951109a460edd1u,
    0x888383249dc86822u,
    0x8de90702e704360au,
    0x93aca1d0bd9ad4c2u,
    0x9746251beb9ba660u,
    0xa41babea2ca0cbc2u,
    0xa7ecf4e5515de3aeu,
    0xaa1d90cffe01e81cu,
    0xaba5f6f8c24940a2u,
    0xac5bf1d734bccc6fu,
    0xae667d4891548879u,
    0xbb7fd49006a360d2u,
    0xc1e89bc068826cb8u,
    0xc2ca192d8f4e7c2eu,
    0xc91426e1b00e99b4u,
    0xc934f2592813f6fbu,
    0xcad548ccd0b39f5cu,
    0xce53b5e64ea21f0au,
    0xd2355a738ea0c86au,
    0xd706583ab0a5329cu,
    0xdb312c9648738addu,
    0xdca0e438f709568eu,
    0xdcfbd68a1489e31au,
    0xdd035ab0101244c1u,
    0xddf56fb3acdaffd2u,
    0xdf3ca03123cb6f88u,
    0xe01ceae624b345e4u,
    0xe0497c54b195b7aau,
    0xe11557df27db5689u,
    0xe43eef2fd4411f2bu,
    0xe4bde9ca9222421cu,
    0xe4ff691509fec5acu,
    0xe589d38fbae0cd75u,
    0xeab1bffd4de13d5bu,
    0xeadf4b29713f2b11u,
    0xeb2a9cf2e36d5de2u,
    0xef9f4996834e46f4u,
    0xeff9dca2d6ba249eu,
    0xf4b5a9315b92965cu,
};
inline constexpr int library_key_count = 68;

}  // namespace stg::cpu
