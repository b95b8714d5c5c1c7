// SPDX-License-Identifier: GPL-2.0-only
#include "csv-writer.h"

#include "whole-file.h"

#include <charconv>
#include <cmath>

namespace ns3::aifabric
{

CsvWriter::CsvWriter(WholeFile& file, char separator)
    : m_file(file),
      m_out(file.Pending()),
      m_separator(separator)
{
}

void
CsvWriter::Begin()
{
    if (!m_first)
    {
        m_out += m_separator;
    }
    m_first = false;
}

CsvWriter&
CsvWriter::Text(std::string_view text)
{
    Begin();
    if (text.find_first_of(std::string_view("\"\r\n")) == text.npos &&
        text.find(m_separator) == text.npos)
    {
        m_out += text;
        return *this;
    }
    m_out += '"';
    for (char c : text)
    {
        m_out.append(c == '"' ? 2 : 1, c);
    }
    m_out += '"';
    return *this;
}

void
CsvWriter::AppendNumber(uint64_t value)
{
    char digits[20];
    auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    m_out.append(digits, end);
}

CsvWriter&
CsvWriter::Number(uint64_t value)
{
    Begin();
    AppendNumber(value);
    return *this;
}

CsvWriter&
CsvWriter::Number(double value)
{
    Begin();
    if (std::isfinite(value))
    {
        char digits[32];
        auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        m_out.append(digits, end);
    }
    return *this;
}

CsvWriter&
CsvWriter::Fixed(double value, int decimals)
{
    Begin();
    if (std::isfinite(value))
    {
        char digits[400]; // the largest double has 309 before the point
        auto end =
            std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, decimals)
                .ptr;
        m_out.append(digits, end);
    }
    return *this;
}

CsvWriter&
CsvWriter::Nanoseconds(Tick t)
{
    Begin();
    if (t == kNever)
    {
        return *this;
    }
    uint64_t magnitude = t < 0 ? 0 - static_cast<uint64_t>(t) : static_cast<uint64_t>(t);
    if (t < 0)
    {
        m_out += '-';
    }
    AppendNumber(magnitude / kNanosecond);
    auto rest = static_cast<int>(magnitude % kNanosecond);
    char decimals[] = {'.',
                       static_cast<char>('0' + rest / 100),
                       static_cast<char>('0' + rest / 10 % 10),
                       static_cast<char>('0' + rest % 10)};
    m_out.append(decimals, sizeof decimals);
    return *this;
}

CsvWriter&
CsvWriter::Empty()
{
    Begin();
    return *this;
}

void
CsvWriter::EndRow()
{
    m_out += '\n';
    m_first = true;
    m_file.Drain();
}

void
CsvWriter::Header(std::string_view line)
{
    m_out += line;
    EndRow();
}

} // namespace ns3::aifabric
