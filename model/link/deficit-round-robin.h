// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_DEFICIT_ROUND_ROBIN_H
#define AIFABRIC_DEFICIT_ROUND_ROBIN_H

#include <array>
#include <cstdint>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Deficit-weighted round robin over priorities (Shreedhar and Varghese, SIGCOMM'95), in the form
 * that needs no frame size in advance: a queue is served while it has credit left, and may overdraw
 * by one frame.
 */
class DeficitRoundRobin
{
  public:
    /// @param quanta bytes per round; 0 for priorities that take no part.
    explicit DeficitRoundRobin(const std::array<uint32_t, 8>& quanta = {})
        : m_quanta(quanta)
    {
    }

    /**
     * @param eligible priorities that may send now, one bit each, at least one with a quantum.
     * @param backlogged priorities with frames; the others lose their credit.
     * @return the priority to serve.
     */
    int Choose(uint32_t eligible, uint32_t backlogged)
    {
        for (;;)
        {
            if (eligible >> m_turn & 1 && m_deficit[m_turn] > 0)
            {
                return m_turn;
            }
            m_turn = (m_turn + 1) % 8;
            if (eligible >> m_turn & 1)
            {
                m_deficit[m_turn] += m_quanta[m_turn];
            }
            else if (!(backlogged >> m_turn & 1))
            {
                m_deficit[m_turn] = 0;
            }
        }
    }

    /// That many bytes of the priority chosen last have been sent.
    void Charge(int priority, uint32_t bytes)
    {
        m_deficit[priority] -= bytes;
    }

  private:
    std::array<uint32_t, 8> m_quanta;
    std::array<int64_t, 8> m_deficit{};
    int m_turn{0};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_DEFICIT_ROUND_ROBIN_H
