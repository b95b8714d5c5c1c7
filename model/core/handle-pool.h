// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_HANDLE_POOL_H
#define AIFABRIC_HANDLE_POOL_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric
 * Values that are named by 32-bit handles and stay where they are: the rare parts of frames and
 * requests. Last out, first in.
 * @tparam T default-constructible.
 */
template <class T>
class HandlePool
{
  public:
    /// @return handle of a value as T{} makes it; never 0.
    uint32_t Take()
    {
        if (m_free.empty())
        {
            Grow();
        }
        const uint32_t handle = m_free.back();
        m_free.pop_back();
        return handle;
    }

    /// Gives a value back; 0 is none.
    void Return(uint32_t handle)
    {
        if (handle != 0)
        {
            (*this)[handle] = T{};
            m_free.push_back(handle);
        }
    }

    T& operator[](uint32_t handle) const
    {
        return m_chunks[(handle - 1) / kChunk][(handle - 1) % kChunk];
    }

    /// @return values taken and not given back.
    std::size_t Out() const
    {
        return m_chunks.size() * kChunk - m_free.size();
    }

  private:
    static constexpr uint32_t kChunk = 256;

    void Grow()
    {
        const auto first = static_cast<uint32_t>(m_chunks.size() * kChunk);
        m_chunks.push_back(std::make_unique<T[]>(kChunk));
        for (uint32_t i = kChunk; i > 0; --i)
        {
            m_free.push_back(first + i);
        }
    }

    std::vector<std::unique_ptr<T[]>> m_chunks;
    std::vector<uint32_t> m_free;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_HANDLE_POOL_H
