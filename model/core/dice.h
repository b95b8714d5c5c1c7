// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_DICE_H
#define AIFABRIC_DICE_H

#include "random-stream.h"

#include <boost/random/taus88.hpp>

namespace ns3::aifabric
{

/// Draws of one of very many that draw: 12 bytes, 32 bits a draw.
using Dice = boost::random::taus88;

/**
 * @ingroup ai-fabric
 * Makes dice, each seeded by a draw from a RandomStream: in order of their making, by ns-3's seed and
 * run.
 */
class DiceMaker
{
  public:
    Dice Make()
    {
        return Dice(static_cast<uint32_t>(m_seeds.Uniform() * 0x1p32));
    }

  private:
    /// Behind those of all switches.
    RandomStream m_seeds{1LL << 53};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_DICE_H
