// Which kernels the library holds, by key, written by the target library_keys from the programs in src/kernels/.
// clang-format off
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // uint64_t

namespace stg::cpu {

/// In ascending order.
inline constexpr std::uint64_t library_keys[] = {
    0x00b0db9edcc78ab3u,
    0x00de3160e8406965u,
    0x0273917b9e33514au,
    0x049d54ea325d2969u,
    0x051b29e0cdfdf4c4u,
    0x053104158f41b259u,
    0x066a0ef9706b2b58u,
    0x071648775e347b69u,
    0x0a18b98090a430d8u,
    0x0a994d599c9ed31du,
    0x1a0e0463f24e7058u,
    0x1adeef4d7daa4e91u,
    0x1fe2ceacdb0955eau,
    0x25d33e3f3b274bb4u,
    0x28cfd724f8561daau,
    0x29c4899d88530978u,
    0x2e143fa4ca2c4a8fu,
    0x39a2efe049b3598fu,
    0x3adcbb72b2ab6605u,
    0x41b325019eb29ea1u,
    0x43eaf858a1aabe43u,
    0x4540dc116b52c286u,
    0x489e326fbd76a746u,
    0x4aeb878cc294690bu,
    0x4de64b2bb04f4ad9u,
    0x5103fbc3a42aeee1u,
    0x5449184cb47862ecu,
    0x5a7b896908b51f60u,
    0x5d6eb36864d26bc8u,
    0x6085944729afbd13u,
    0x6e853a7b9a454aa9u,
    0x6f7be10d8be1a601u,
    0x70351960445a0d63u,
    0x79400b4596cfc050u,
    0x8929de8e854ae0acu,
    0x94bfa74a8f3c0797u,
    0x9dfadcac3168ac0eu,
    0xa378529b6b35942cu,
    0xa40d383dd0f4c11du,
    0xa78513a1291df810u,
    0xa7bdb904ba1f6233u,
    0xad5438f9f1fe936eu,
    0xaf90319afc197160u,
    0xb2d366c31ba498a2u,
    0xb6ed3c6c85415a3cu,
    0xbac74089d35eaec6u,
    0xbd79fca1cb1176d7u,
    0xbd9feb63160a4540u,
    0xbe1b3141e7b5b408u,
    0xc045a3bfbfe47e4eu,
    0xc07198779369ded3u,
    0xc319ff6579bd1876u,
    0xc481d33f58a74882u,
    0xca35859b78801422u,
    0xcb2270fccbfbd998u,
    0xcbae045aab8c46c7u,
    0xcc45683240ccf378u,
    0xd16ca1f98ae834e8u,
    0xd8d4917a0ddf4b33u,
    0xd9deeeaac51a84b8u,
    0xdb2e78d8f35e5deeu,
    0xe9b54e0d1e97970cu,
    0xea3ee17397967ac3u,
    0xea6006553dd39d0fu,
    0xeaab0b461000206fu,
    0xf7f423100ffdd0abu,
    0xfd4d05dbe5bd82b9u,
    0xff20aa83112a22f4u,
};
inline constexpr int library_key_count = 68;

}  // namespace stg::cpu
