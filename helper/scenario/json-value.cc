// SPDX-License-Identifier: GPL-2.0-only
#include "json-value.h"

#include "json-parser.h"

#include "ns3/scenario-error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace ns3::aifabric
{

namespace
{

using Node = nlohmann::ordered_json;

constexpr double kExactIntegers = 9007199254740992.0; // 2^53

const Node&
In(const std::shared_ptr<const void>& node)
{
    return *static_cast<const Node*>(node.get());
}

bool
HoldsNull(const Node& node)
{
    return node.is_null() ||
           (node.is_structured() && std::any_of(node.begin(), node.end(), HoldsNull));
}

std::shared_ptr<const void>
Own(Node node)
{
    return std::make_shared<const Node>(std::move(node));
}

bool
IsUtf8(const std::string& text)
{
    try
    {
        Node(text).dump();
        return true;
    }
    catch (const Node::type_error&)
    {
        return false;
    }
}

std::vector<std::string>
SplitAtDots(const std::string& keyPath)
{
    std::vector<std::string> keys;
    std::istringstream in(keyPath);
    for (std::string key; std::getline(in, key, '.');)
    {
        keys.push_back(key);
    }
    bool hollow = keys.empty() || keyPath.back() == '.' ||
                  std::find(keys.begin(), keys.end(), "") != keys.end();
    if (hollow || keys.size() > JsonValue::kMaxDepth)
    {
        throw ScenarioError("", "'" + Printable(keyPath) + "' is no path of keys like a.b.0.c");
    }
    return keys;
}

bool
IsIndex(const std::string& key)
{
    return key.size() < 10 &&
           std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isdigit(c); });
}

void
SetAt(Node& root, const std::string& keyPath, Node value)
{
    Node* node = &root;
    std::string path;
    for (const std::string& key : SplitAtDots(keyPath))
    {
        if (node->is_null())
        {
            *node = key == "0" ? Node::array() : Node::object();
        }
        if (node->is_array())
        {
            std::size_t index = IsIndex(key) ? std::stoul(key) : node->size() + 1;
            if (index > node->size())
            {
                throw ScenarioError(path,
                                    "found '" + Printable(key) + "' in the path '" +
                                        Printable(keyPath) + "', expected an index from 0 to " +
                                        std::to_string(node->size()));
            }
            if (index == node->size())
            {
                node->push_back(nullptr);
            }
            node = &(*node)[index];
            path = Join(path, index);
            continue;
        }
        if (!node->is_object())
        {
            throw ScenarioError(path, "cannot set '" + Printable(key) + "' in what is no object");
        }
        node = &(*node)[key];
        path = Join(path, key);
    }
    *node = std::move(value);
}

void
Merge(Node& defaults, const Node& over)
{
    if (!defaults.is_object() || !over.is_object())
    {
        defaults = over;
        return;
    }
    for (const auto& [key, value] : over.items())
    {
        Merge(defaults[key], value);
    }
}

} // namespace

JsonValue::JsonValue()
    : JsonValue(Own(nullptr), "", nullptr)
{
}

JsonValue::JsonValue(std::shared_ptr<const void> node,
                     const std::string& path,
                     std::shared_ptr<const std::string> file)
    : m_node(std::move(node)),
      m_path(path),
      m_file(std::move(file))
{
}

JsonValue
JsonValue::Parse(const std::string& text, const std::string& file)
{
    return {ParseJson(text, file),
            "",
            file.empty() ? nullptr : std::make_shared<const std::string>(file)};
}

JsonValue
JsonValue::ReadFile(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
        throw ScenarioError("", "is a directory, expected a JSON file").In(path);
    }
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (!in || (in.peek() != EOF && !(text << in.rdbuf())))
    {
        throw ScenarioError("", "no such file, or it cannot be read").In(path);
    }
    return Parse(text.str(), path);
}

JsonValue
JsonValue::Object()
{
    return {Own(Node::object()), "", nullptr};
}

JsonValue
JsonValue::Array()
{
    return {Own(Node::array()), "", nullptr};
}

JsonValue
JsonValue::Of(bool value)
{
    return {Own(value), "", nullptr};
}

JsonValue
JsonValue::Of(int64_t value)
{
    return {Own(value), "", nullptr};
}

JsonValue
JsonValue::Of(uint64_t value)
{
    return {Own(value), "", nullptr};
}

JsonValue
JsonValue::Of(double value)
{
    if (std::abs(value) < kExactIntegers && value == std::floor(value))
    {
        return Of(static_cast<int64_t>(value));
    }
    return {std::isfinite(value) ? Own(value) : Own(nullptr), "", nullptr};
}

JsonValue
JsonValue::Of(const std::string& value)
{
    return {Own(value), "", nullptr};
}

JsonValue
JsonValue::Of(const char* value)
{
    return Of(std::string(value));
}

bool
JsonValue::IsNull() const
{
    return In(m_node).is_null();
}

bool
JsonValue::IsObject() const
{
    return In(m_node).is_object();
}

bool
JsonValue::IsArray() const
{
    return In(m_node).is_array();
}

bool
JsonValue::IsString() const
{
    return In(m_node).is_string();
}

bool
JsonValue::IsNumber() const
{
    return In(m_node).is_number();
}

bool
JsonValue::IsBool() const
{
    return In(m_node).is_boolean();
}

std::vector<std::string>
JsonValue::Keys() const
{
    std::vector<std::string> keys;
    if (IsObject())
    {
        for (const auto& item : In(m_node).items())
        {
            keys.push_back(item.key());
        }
    }
    return keys;
}

bool
JsonValue::Has(const std::string& key) const
{
    return IsObject() && In(m_node).contains(key);
}

JsonValue
JsonValue::operator[](const std::string& key) const
{
    std::string path = Join(m_path, key);
    if (!Has(key))
    {
        return {Own(nullptr), path, m_file};
    }
    return {{m_node, &In(m_node).at(key)}, path, m_file};
}

JsonValue
JsonValue::operator[](const char* key) const
{
    return (*this)[std::string(key)];
}

std::size_t
JsonValue::Size() const
{
    return IsArray() || IsObject() ? In(m_node).size() : 0;
}

JsonValue
JsonValue::At(std::size_t i) const
{
    return {{m_node, &In(m_node).at(i)}, Join(m_path, i), m_file};
}

const JsonValue&
JsonValue::ExpectObject() const
{
    if (!IsObject())
    {
        Fail("found " + Describe() + ", expected an object");
    }
    return *this;
}

const JsonValue&
JsonValue::ExpectArray() const
{
    if (!IsArray())
    {
        Fail("found " + Describe() + ", expected an array");
    }
    return *this;
}

bool
JsonValue::AsBool() const
{
    if (!IsBool())
    {
        Fail("found " + Describe() + ", expected true or false");
    }
    return In(m_node).get<bool>();
}

const std::string&
JsonValue::AsString() const
{
    if (!IsString())
    {
        Fail("found " + Describe() + ", expected a string");
    }
    return In(m_node).get_ref<const std::string&>();
}

double
JsonValue::AsNumber() const
{
    if (!IsNumber())
    {
        Fail("found " + Describe() + ", expected a number");
    }
    return In(m_node).get<double>();
}

int64_t
JsonValue::AsInteger() const
{
    const Node& node = In(m_node);
    if (node.is_number_unsigned())
    {
        auto value = node.get<uint64_t>();
        if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
        {
            return static_cast<int64_t>(value);
        }
    }
    else if (node.is_number_integer())
    {
        return node.get<int64_t>();
    }
    else if (node.is_number_float())
    {
        auto value = node.get<double>();
        if (std::abs(value) <= kExactIntegers && value == std::floor(value))
        {
            return static_cast<int64_t>(value);
        }
    }
    Fail("found " + Describe() + ", expected an integer");
}

uint64_t
JsonValue::AsUnsigned() const
{
    const Node& node = In(m_node);
    if (node.is_number_unsigned())
    {
        return node.get<uint64_t>();
    }
    if (!IsNumber() || node.get<double>() < 0)
    {
        Fail("found " + Describe() + ", expected an integer from 0");
    }
    return static_cast<uint64_t>(AsInteger());
}

void
JsonValue::ExpectKeys(const std::vector<std::string>& valid) const
{
    for (const auto& key : ExpectObject().Keys())
    {
        if (std::find(valid.begin(), valid.end(), key) == valid.end())
        {
            (*this)[key].Fail("unknown key '" + Printable(key) + "'" + SuggestFrom(key, valid));
        }
    }
}

void
JsonValue::ExpectNoNull() const
{
    if (!HoldsNull(In(m_node)))
    {
        return;
    }
    if (IsNull())
    {
        Fail("found null, expected a value or no such key");
    }
    for (const std::string& key : Keys())
    {
        (*this)[key].ExpectNoNull();
    }
    for (std::size_t i = 0; IsArray() && i < Size(); ++i)
    {
        At(i).ExpectNoNull();
    }
}

std::string
JsonValue::ToText(int indent) const
{
    return In(m_node).dump(indent);
}

std::string
JsonValue::Describe() const
{
    const Node& node = In(m_node);
    if (node.is_string())
    {
        return "the string '" + Printable(node.get_ref<const std::string&>()) + "'";
    }
    if (node.is_object() || node.is_array())
    {
        return node.is_object() ? "an object" : "an array";
    }
    return (node.is_number() ? "the number " : "") + node.dump();
}

const std::string&
JsonValue::GetPath() const
{
    return m_path;
}

std::string
JsonValue::GetFile() const
{
    return m_file ? *m_file : "";
}

void
JsonValue::Fail(const std::string& message) const
{
    throw ScenarioError(m_path, message).In(GetFile());
}

void
JsonValue::Fail(const ScenarioError& inside) const
{
    throw inside.Under(m_path).In(GetFile());
}

void
JsonValue::Set(const std::string& key, const JsonValue& value)
{
    Node node = In(m_node);
    node[key] = In(value.m_node);
    m_node = Own(std::move(node));
}

void
JsonValue::Append(const JsonValue& value)
{
    Node node = In(m_node);
    node.push_back(In(value.m_node));
    m_node = Own(std::move(node));
}

JsonValue
JsonValue::With(const std::string& keyPath, const std::string& value) const
{
    for (const std::string& text : {keyPath, value})
    {
        if (!IsUtf8(text))
        {
            Fail("found '" + Printable(text) + "', expected UTF-8");
        }
    }
    bool json = nlohmann::json::accept(value);
    return With(keyPath, json ? Parse(value) : Of(value));
}

JsonValue
JsonValue::With(const std::string& keyPath, const JsonValue& value) const
{
    Node node = In(m_node);
    try
    {
        SetAt(node, keyPath, In(value.m_node));
    }
    catch (const ScenarioError& e)
    {
        throw e.In(GetFile());
    }
    return {Own(std::move(node)), m_path, m_file};
}

JsonValue
JsonValue::Over(const JsonValue& defaults) const
{
    Node node = In(defaults.m_node);
    Merge(node, In(m_node));
    return {Own(std::move(node)), m_path, m_file};
}

} // namespace ns3::aifabric
