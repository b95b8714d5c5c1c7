// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_TEXT_TABLE_H
#define AIFABRIC_TEXT_TABLE_H

#include <string>
#include <vector>

namespace ns3::aifabric
{

/**
 * @ingroup ai-fabric-run
 * Columns of text, aligned: the first to the left, the others to the right unless told otherwise.
 * Widths count characters of UTF-8, not bytes.
 */
class TextTable
{
  public:
    /// @param leftColumns how many of the first columns are aligned to the left.
    explicit TextTable(std::size_t leftColumns = 1);

    void Row(std::vector<std::string> cells);

    bool IsEmpty() const
    {
        return m_rows.empty();
    }

    /// @return the rows, each indented and ended by a line feed, without blanks at its end.
    std::string Text(std::size_t indent = 2) const;

  private:
    std::size_t m_leftColumns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace ns3::aifabric

#endif // AIFABRIC_TEXT_TABLE_H
