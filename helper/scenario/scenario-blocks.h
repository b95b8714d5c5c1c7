// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_SCENARIO_BLOCKS_H
#define AIFABRIC_SCENARIO_BLOCKS_H

#include "json-value.h"

#include "ns3/object.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-scenario
 * The configured objects of one section of a scenario (`node`, `network`, a job, ...), by the name of
 * their block. The keys of a section that belong to no block are in the block "settings".
 *
 * A block that the scenario does not have, and that no default brings, is absent.
 */
class BlockSet
{
  public:
    /**
     * @tparam T type of the block, or its family.
     * @param name as in the scenario file: "nic" in a node, "ecn" in a network; or "settings".
     * @return the object, or null when there is no such block or it is no T.
     */
    template <class T = Object>
    Ptr<T> Get(const std::string& name) const
    {
        auto found = m_blocks.find(name);
        return found == m_blocks.end() ? nullptr : DynamicCast<T>(found->second);
    }

    void Set(const std::string& name, Ptr<Object> object)
    {
        m_blocks[name] = object;
    }

    /// @return all of them, sorted by name.
    const std::map<std::string, Ptr<Object>>& All() const
    {
        return m_blocks;
    }

  private:
    std::map<std::string, Ptr<Object>> m_blocks;
};

/// @ingroup ai-fabric-scenario
/// A block of a section, and the ns-3 type that its keys are attributes of.
struct BlockType
{
    const char* section;   ///< "network"
    const char* key;       ///< "ecn"; "settings" are the section's own keys
    const char* type;      ///< "EcnSettings", or a family of plug-ins, in ns3::aifabric
    const char* defaultId; ///< of a family: what to take where none is given
    bool standard;         ///< there with its defaults even where the scenario does not name it

    /// @return whether this build has the type, and which it is.
    bool Find(TypeId* type) const;
};

/// @return the one table of all sections and blocks.
const std::vector<BlockType>& BlockTypes();

/// @ingroup ai-fabric-scenario
/// Keys that scenarios have for what this version does not simulate.
struct RefusedKey
{
    const char* section;
    const char* key;
    const char* reason;
};

/// @return the table of all refused keys.
const std::vector<RefusedKey>& RefusedKeys();

/**
 * Makes the blocks of a section.
 * @param section "node", "network", "transport", "collectives", "job", "collective_job",
 *        "simulation", "outputs", "price_list".
 * @param layers the section, in as many objects as there are to look at: a later one changes what
 *        an earlier one said (a template, the file; the scenario's transport, a job's own).
 * @param others keys that the caller reads itself.
 * @throws ScenarioError for unknown and refused keys, blocks whose type this build lacks, and what
 *         ApplyAttributes throws.
 */
BlockSet ReadBlocks(const std::string& section,
                    const std::vector<JsonValue>& layers,
                    const std::vector<std::string>& others = {});

/// @return all blocks with all their values, as ReadBlocks reads them.
JsonValue ResolveBlocks(const std::string& section, const BlockSet& blocks);

} // namespace ns3::aifabric

#endif // AIFABRIC_SCENARIO_BLOCKS_H
