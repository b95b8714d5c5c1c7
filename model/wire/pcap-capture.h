// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_PCAP_CAPTURE_H
#define AIFABRIC_PCAP_CAPTURE_H

#include "frame-codec.h"
#include "frame-tap.h"

#include "ns3/pcap-file.h"

#include <cstdint>
#include <queue>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * What one port sends and receives, as a pcap file with FCS and with times in nanoseconds: a frame
 * that it sends at the start of transmission, one that it receives at its arrival. What the link
 * destroys is sent and not received.
 *
 * Frames are whole; those of other header profiles have the headers of RoCEv2 all the same. The file
 * has its name only from Close() on.
 */
class PcapCapture
{
  public:
    /// @throws ScenarioError where no file can be written.
    PcapCapture(const std::string& path, const FrameCodec& codec);
    /// Leaves nothing behind unless Close() succeeded.
    ~PcapCapture();
    PcapCapture(const PcapCapture&) = delete;
    PcapCapture& operator=(const PcapCapture&) = delete;

    /// @return the tap for the way out of the port.
    FrameTap& GetSent()
    {
        return m_sent;
    }

    /// @return the tap for its far end's way out.
    FrameTap& GetReceived()
    {
        return m_received;
    }

    /// Ends the file. Call it once the simulation has ended. @throws ScenarioError where that fails.
    void Close();

  private:
    struct Tap final : FrameTap
    {
        Tap(PcapCapture& capture, bool receives)
            : capture(capture),
              receives(receives)
        {
        }

        void OnFrame(const Frame& f, Tick start, Tick arrival, bool lost) override;

        PcapCapture& capture;
        const bool receives;
    };

    struct Seen
    {
        Tick at;
        uint64_t order;
        std::vector<uint8_t> bytes;

        bool operator>(const Seen& o) const
        {
            return at != o.at ? at > o.at : order > o.order;
        }
    };

    void Add(const Frame& f, Tick at, Tick flight);
    void WriteFirst();
    [[noreturn]] void Fail() const;

    const std::string m_path;
    const std::string m_aside;
    const FrameCodec m_codec;
    PcapFile m_file;
    Tap m_sent{*this, false};
    Tap m_received{*this, true};
    // Departures are told late and arrivals early: the file waits for what may come before.
    std::priority_queue<Seen, std::vector<Seen>, std::greater<>> m_waiting;
    Tick m_latest{0};
    Tick m_longestFlight{0};
    uint64_t m_order{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_PCAP_CAPTURE_H
