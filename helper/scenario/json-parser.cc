// SPDX-License-Identifier: GPL-2.0-only
#include "json-parser.h"

#include "json-value.h"

#include "ns3/scenario-error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace ns3::aifabric
{

using Node = nlohmann::ordered_json;

std::string
Printable(const std::string& text)
{
    constexpr std::size_t kShown = 60;
    std::string shown = text;
    if (text.size() > kShown)
    {
        std::size_t end = kShown;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        {
            --end;
        }
        shown = text.substr(0, end) + "...";
    }
    std::string escaped =
        Node(shown).dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace);
    return escaped.substr(1, escaped.size() - 2);
}

std::string
Join(const std::string& path, const std::string& key)
{
    return path + (path.empty() ? "" : ".") + Printable(key);
}

std::string
Join(const std::string& path, std::size_t index)
{
    return path + "[" + std::to_string(index) + "]";
}

namespace
{

/// Follows the parser to know where it is, and refuses what the parser would let pass.
class Guard
{
  public:
    explicit Guard(const std::string& file)
        : m_file(file)
    {
    }

    void On(Node::parse_event_t event, const Node& parsed)
    {
        using Event = Node::parse_event_t;
        switch (event)
        {
        case Event::key:
            OnKey(parsed.get_ref<const std::string&>());
            break;
        case Event::object_start:
        case Event::array_start:
            Next();
            if (m_levels.size() == JsonValue::kMaxDepth)
            {
                Fail("nested more than " + std::to_string(JsonValue::kMaxDepth) + " deep");
            }
            m_levels.push_back({event == Event::array_start, 0, "", {}});
            break;
        case Event::object_end:
        case Event::array_end:
            m_levels.pop_back();
            break;
        case Event::value:
            Next();
            break;
        }
    }

    [[noreturn]] void Fail(const std::string& message) const
    {
        std::string path;
        for (const Level& level : m_levels)
        {
            path = level.array ? Join(path, level.index == 0 ? 0 : level.index - 1)
                               : (level.key.empty() ? path : Join(path, level.key));
        }
        throw ScenarioError(path, message).In(m_file);
    }

    /// The element that could not be read is the one after those seen.
    [[noreturn]] void FailAtNext(const std::string& message)
    {
        Next();
        Fail(message);
    }

  private:
    struct Level
    {
        bool array;
        std::size_t index; ///< of the element after the current one
        std::string key;
        std::set<std::string> seen;
    };

    void Next()
    {
        if (!m_levels.empty() && m_levels.back().array)
        {
            ++m_levels.back().index;
        }
    }

    void OnKey(const std::string& key)
    {
        Level& level = m_levels.back();
        level.key = key;
        if (!level.seen.insert(key).second)
        {
            Fail("this key is given twice");
        }
        if (level.seen.size() > JsonValue::kMaxKeys)
        {
            Fail("an object of more than " + std::to_string(JsonValue::kMaxKeys) + " keys");
        }
    }

    std::string m_file;
    std::vector<Level> m_levels;
};

/// "line 3, column 7" of byte (from 1).
std::string
Position(const std::string& text, std::size_t byte)
{
    std::size_t at = std::min(byte == 0 ? 0 : byte - 1, text.size());
    auto lines = std::count(text.begin(), text.begin() + at, '\n');
    std::size_t start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    std::size_t column = start == std::string::npos ? at + 1 : at - start;
    return "line " + std::to_string(lines + 1) + ", column " + std::to_string(column);
}

/// The library's sentence without its prefix and position, as ASCII of bounded length.
std::string
Reason(const std::string& what)
{
    std::size_t column = what.find("column ");
    std::size_t colon = what.find(": ", column == std::string::npos ? 0 : column);
    std::string reason = colon == std::string::npos ? what : what.substr(colon + 2);
    std::size_t read = reason.find("last read: '");
    std::size_t end = reason.rfind('\'');
    constexpr std::size_t kShown = 40;
    if (read != std::string::npos && end > read + 12 + kShown)
    {
        // Its end is what is wrong; the part after it says what was expected.
        std::size_t stop = reason.find("'; expected", read);
        std::string tail = stop == std::string::npos ? "'" : reason.substr(stop);
        std::size_t last = stop == std::string::npos ? reason.size() - 1 : stop;
        std::size_t first = std::max(read + 12, last - kShown);
        reason = reason.substr(0, read + 12) + "..." + reason.substr(first, last - first) + tail;
    }
    for (char& c : reason)
    {
        c = static_cast<unsigned char>(c) < 0x80 ? c : '?';
    }
    return reason;
}

} // namespace

std::shared_ptr<const void>
ParseJson(const std::string& text, const std::string& file)
{
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    {
        throw ScenarioError("line 1", "found nothing, expected a JSON object").In(file);
    }
    Guard guard(file);
    try
    {
        return std::make_shared<const Node>(
            Node::parse(text, [&](int, Node::parse_event_t event, Node& parsed) {
                guard.On(event, parsed);
                return true;
            }));
    }
    catch (const Node::parse_error& e)
    {
        throw ScenarioError(Position(text, e.byte), Reason(e.what())).In(file);
    }
    catch (const Node::out_of_range& e)
    {
        guard.FailAtNext("found a number that is too large for a double");
    }
}

} // namespace ns3::aifabric
