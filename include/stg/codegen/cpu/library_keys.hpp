// Which kernels the library holds, by key, written by the target library_keys from the programs in src/kernels/.
// clang-format off
#pragma once

#include <cstdint>  // uint64_t

namespace stg::cpu {

/// In ascending order.
inline constexpr std::uint64_t library_keys[] = {
    0x0273917b9e33514au,
    0x08087b908fa38d53u,
    0x0abf76fb1f9ad5a9u,
    0x169b8fa4330d4da0u,
    0x20130296de5393b9u,
    0x2cfbf08e2a269b77u,
    0x3594fcc7acf976bau,
    0x408b0188758f1c37u,
    0x4c2a0c84748f8f41u,
    0x528a7dcec7874747u,
    0x5ef7ae433a719890u,
    0x63450c31826f8f87u,
    0x66e9a3a105ad0125u,
    0x6d076953a95865c6u,
    0x758dd8a3990eef2au,
    0x94bee1528ae88fc8u,
    0x952506e4cd9a00b6u,
    0xa651b8edb44e5f45u,
    0xb0a48272ab068eaau,
    0xb52dbf93bc4dbd2du,
    0xbf1df9b9fb1f2c7fu,
    0xc242d4132738b96fu,
    0xc444473e2348d355u,
    0xc953a0bbc32a619au,
    0xd28c6d797b00c9ceu,
    0xd43c65a7dc524a95u,
    0xd5fd7d9440bf0807u,
    0xd8224779948d861au,
    0xdbfd48efce9f5459u,
    0xe0b5786e4ef380fdu,
    0xe794989339182195u,
    0xea6006553dd39d0fu,
    0xeaf0d121f52e0ec5u,
    0xec4785f4f4bcd846u,
    0xf145e7b9a71434cbu,
    0xf5173a9360439898u,
    0xf9c2fc1322a94d5du,
    0xfc9ea71c8bdbf782u,
};
inline constexpr int library_key_count = 38;

}  // namespace stg::cpu
