// SPDX-License-Identifier: GPL-2.0-only
#ifndef AIFABRIC_CSV_WRITER_H
#define AIFABRIC_CSV_WRITER_H

#include "ns3/fabric-time.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ns3::aifabric
{

class WholeFile;

/**
 * @ingroup ai-fabric-telemetry
 * Rows of fields as RFC 4180 has them, with a plain line feed at the end: text with a separator, a
 * quote or a line break in it is quoted. Numbers do not depend on the locale.
 */
class CsvWriter
{
  public:
    /// @param file where rows go; not committed by this class.
    explicit CsvWriter(WholeFile& file, char separator = ',');

    CsvWriter& Text(std::string_view text);
    CsvWriter& Number(uint64_t value);
    /// The shortest digits that read back as value; an empty field where it is not finite.
    CsvWriter& Number(double value);
    /// So many decimals; an empty field where it is not finite.
    CsvWriter& Fixed(double value, int decimals);
    /// In nanoseconds with three decimals, exactly; an empty field for kNever.
    CsvWriter& Nanoseconds(Tick t);
    CsvWriter& Empty();
    void EndRow();

    /// A row of column names, given as they stand in the file.
    void Header(std::string_view line);

  private:
    void Begin();
    void AppendNumber(uint64_t value);

    WholeFile& m_file;
    std::string& m_out;
    char m_separator;
    bool m_first{true};
};

} // namespace ns3::aifabric

#endif // AIFABRIC_CSV_WRITER_H
