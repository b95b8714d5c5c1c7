// SPDX-License-Identifier: GPL-2.0-only
#include "text-table.h"

#include <algorithm>

namespace ns3::aifabric
{

namespace
{

std::size_t
Width(const std::string& text)
{
    return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

} // namespace

TextTable::TextTable(std::size_t leftColumns)
    : m_leftColumns(leftColumns)
{
}

void
TextTable::Row(std::vector<std::string> cells)
{
    m_rows.push_back(std::move(cells));
}

std::string
TextTable::Text(std::size_t indent) const
{
    std::vector<std::size_t> widths;
    for (const auto& row : m_rows)
    {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t c = 0; c < row.size(); ++c)
        {
            widths[c] = std::max(widths[c], Width(row[c]));
        }
    }
    std::string text;
    for (const auto& row : m_rows)
    {
        text.append(indent, ' ');
        for (std::size_t c = 0; c < row.size(); ++c)
        {
            std::string fill(widths[c] - Width(row[c]), ' ');
            text += c == 0 ? "" : "  ";
            text += c < m_leftColumns ? row[c] + fill : fill + row[c];
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text;
}

} // namespace ns3::aifabric
