// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_BIG_ENDIAN_H
#define AIFABRIC_BIG_ENDIAN_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/// Appends a number of that many bytes, the highest first.
template <std::size_t kBytes>
void
PutBigEndian(std::vector<uint8_t>& to, uint64_t value)
{
    for (std::size_t i = kBytes; i-- > 0;)
    {
        to.push_back(static_cast<uint8_t>(value >> 8 * i));
    }
}

/// @return the number of that many bytes, the highest first.
template <std::size_t kBytes>
uint64_t
GetBigEndian(const uint8_t* from)
{
    uint64_t value = 0;
    for (std::size_t i = 0; i < kBytes; ++i)
    {
        value = value << 8 | from[i];
    }
    return value;
}

} // namespace ns3::aifabric

#endif // AIFABRIC_BIG_ENDIAN_H
