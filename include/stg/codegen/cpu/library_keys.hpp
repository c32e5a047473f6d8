// Which kernels the library holds, by key, written by the target library_keys from the programs in src/kernels/.
// clang-format off
#pragma once

#include <cstdint>  // uint64_t

namespace stg::cpu {

/// In ascending order.
inline constexpr std::uint64_t library_keys[] = {
    0x0273917b9e33514au,
    0x08087b908fa38d53u,
    0x0d408147b005d027u,
    0x0ef067a0afcaa783u,
    0x103d38e8c17d340eu,
    0x10f202c8a0dca50eu,
    0x124ff7d6db5fd3d9u,
    0x169b8fa4330d4da0u,
    0x184a644e0dd05d46u,
    0x1fe2ceacdb0955eau,
    0x27175e40914f673bu,
    0x34c135fb80c551f7u,
    0x3594fcc7acf976bau,
    0x40830e70e2e8d784u,
    0x4c2a0c84748f8f41u,
    0x4fc17c4236e8e1dcu,
    0x528a7dcec7874747u,
    0x5563c19e64f7439au,
    0x58f672cd0c2dab32u,
    0x5b084c57c33aab13u,
    0x6085944729afbd13u,
    0x66e9a3a105ad0125u,
    0x6d71a19730960093u,
    0x758dd8a3990eef2au,
    0x778ccf2f0bc0f4c7u,
    0x7bc34227406adac0u,
    0x7ee134a5b78162d6u,
    0x8215b939d9793281u,
    0x8463803f01746252u,
    0x8b54b84a66bfc345u,
    0x9778e2113f1898a5u,
    0x98e71bd1feb0ae59u,
    0xa59a3f93b10fd353u,
    0xa78513a1291df810u,
    0xaae61b87e379d5dfu,
    0xb1ad9d95bc45ca43u,
    0xb31017b16781c4e1u,
    0xb52dbf93bc4dbd2du,
    0xba0610488738f76bu,
    0xbf1df9b9fb1f2c7fu,
    0xc242d4132738b96fu,
    0xc444473e2348d355u,
    0xc953a0bbc32a619au,
    0xd43c65a7dc524a95u,
    0xd5fd7d9440bf0807u,
    0xda4615fe8187cfbfu,
    0xe0b5786e4ef380fdu,
    0xe4fbe7cdcbc107e0u,
    0xea3ee17397967ac3u,
    0xea6006553dd39d0fu,
    0xeaf0d121f52e0ec5u,
    0xec8afb018042eec1u,
    0xf5173a9360439898u,
    0xf9c2fc1322a94d5du,
};
inline constexpr int library_key_count = 54;

}  // namespace stg::cpu
