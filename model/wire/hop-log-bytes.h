// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HOP_LOG_BYTES_H
#define AIFABRIC_HOP_LOG_BYTES_H

#include "ns3/frame.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aifabric
{

/**
 * How what a frame is told on its way stands on the wire, behind its extended headers: this project's
 * own, after HPCC's (Li et al., SIGCOMM'19). Reserved bits in the ninth byte of the BTH tell that it is
 * there: 1 for records, 2 for a digest of one byte, 3 for one of two.
 *
 * Records begin with 2 bytes: 4 bits how many are filled, up to 7, 12 bits how many bytes the field has in all.
 * Each has 8 bytes: 4 bits rate (0: unknown, else place in a table), 24 bits time in ns, 20 bits sent in
 * 128 B, 16 bits queue in 80 B. All run round but the queue, which stops at its most. What does not
 * fill a record is zeros.
 */
enum class HopLogForm : uint8_t
{
    None,
    Records,
    Byte,
    TwoBytes
};

/// Unit of the bytes that have been sent by a port.
inline constexpr uint32_t kHopSentUnit = 128;
/// Unit of the bytes that wait.
inline constexpr uint32_t kHopQueueUnit = 80;

/// @return how a frame's log is written into so many bytes. @param f with a log or without.
HopLogForm GetHopLogForm(const Frame& f, uint32_t room);

/// Appends the log. @param room bytes for it.
void PutHopLog(std::vector<uint8_t>& to, const Frame& f, HopLogForm form, uint32_t room);

/**
 * Reads one into a new log of the frame.
 * @param size what there is to read, in bytes.
 * @return bytes read; 0 if that is none.
 */
std::size_t ReadHopLog(Frame& f, HopLogForm form, const uint8_t* bytes, std::size_t size);

} // namespace ns3::aifabric

#endif // AIFABRIC_HOP_LOG_BYTES_H
