// The few numbers of the ZIP format (APPNOTE 6.3.10) that reading and writing NPZ files share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace noema::zip {

inline constexpr std::uint32_t local_signature = 0x04034B50;
inline constexpr std::uint32_t descriptor_signature = 0x08074B50;
inline constexpr std::uint32_t central_signature = 0x02014B50;
inline constexpr std::uint32_t end64_signature = 0x06064B50;
inline constexpr std::uint32_t locator64_signature = 0x07064B50;
inline constexpr std::uint32_t end_signature = 0x06054B50;

inline constexpr std::size_t local_size = 30;
inline constexpr std::size_t central_size = 46;
inline constexpr std::size_t end64_size = 56;
inline constexpr std::size_t locator64_size = 20;
inline constexpr std::size_t end_size = 22;

inline constexpr std::uint16_t flag_encrypted = 1U << 0;
inline constexpr std::uint16_t flag_descriptor = 1U << 3;  ///< sizes and CRC follow the content
inline constexpr std::uint16_t flag_strong_encryption = 1U << 6;
inline constexpr std::uint16_t flag_utf8 = 1U << 11;
inline constexpr std::uint16_t flag_masked = 1U << 13;

inline constexpr std::uint16_t method_stored = 0;
inline constexpr std::uint16_t method_deflated = 8;

inline constexpr std::uint16_t extra_zip64 = 0x0001;
inline constexpr std::uint16_t extra_alignment = 0xD935;  ///< padding as of Android's zipalign

inline constexpr std::uint16_t version_zip64 = 45;
inline constexpr std::uint16_t in_zip64_16 = 0xFFFF;  ///< "see the ZIP64 record"
inline constexpr std::uint32_t in_zip64_32 = 0xFFFFFFFF;

}  // namespace noema::zip
