// SPDX-License-Identifier: GPL-2.0-only
#include "error-of.h"

#include "ns3/json-value.h"
#include "ns3/scenario-error.h"

#include <gtest/gtest.h>

using namespace ns3::aifabric;

namespace
{

std::string
Refusal(const std::string& text)
{
    return ErrorOf([&] { JsonValue::Parse(text, "a.json"); });
}

} // namespace

TEST(JsonValue, SyntaxErrorsHaveLineAndColumn)
{
    EXPECT_EQ(Refusal("{\n  \"a\": 1,\n  \"b\" 2\n}").rfind("a.json: line 3, column 7: ", 0), 0U);
    EXPECT_EQ(Refusal("").rfind("a.json: line 1: found nothing", 0), 0U);
    EXPECT_NE(Refusal("{\"a\": [1, 2").find("unexpected end of input"), std::string::npos);
    EXPECT_NE(Refusal("{\"a\": NaN}").find("line 1, column 7"), std::string::npos);
}

TEST(JsonValue, RefusesWhatTheParserWouldPass)
{
    EXPECT_EQ(Refusal("{\"a\": {\"b\": 1, \"c\": 2, \"b\": 3}}"),
              "a.json: a.b: this key is given twice");
    EXPECT_EQ(Refusal("{\"a\": [1, {\"b\": 1, \"b\": 3}]}"),
              "a.json: a[1].b: this key is given twice");
    EXPECT_EQ(Refusal("{\"a\": [1, 2, 1e999]}").rfind("a.json: a[2]: ", 0), 0U);
    EXPECT_EQ(Refusal("{\"a\": 1e999}").rfind("a.json: a: ", 0), 0U);
    EXPECT_NE(Refusal(std::string(100000, '[')).find("nested more than 64"), std::string::npos);
    EXPECT_EQ(Refusal(std::string(64, '[') + std::string(64, ']')), "no error");
}

TEST(JsonValue, ReadsValuesOfTheirTypeOnly)
{
    JsonValue json =
        JsonValue::Parse(R"({"i": 3, "e": 2e6, "f": 1.5, "big": 18446744073709551615, "n": -1})");
    EXPECT_EQ(json["i"].AsUnsigned(), 3U);
    EXPECT_EQ(json["e"].AsUnsigned(), 2000000U);
    EXPECT_EQ(json["big"].AsUnsigned(), 18446744073709551615ULL);
    EXPECT_EQ(json["n"].AsInteger(), -1);
    EXPECT_DOUBLE_EQ(json["f"].AsNumber(), 1.5);
    EXPECT_THROW(json["f"].AsUnsigned(), ScenarioError);
    EXPECT_THROW(json["n"].AsUnsigned(), ScenarioError);
    EXPECT_THROW(json["big"].AsInteger(), ScenarioError);
    EXPECT_THROW(json["absent"].AsNumber(), ScenarioError);
    EXPECT_THROW(json["i"].AsString(), ScenarioError);
}

TEST(JsonValue, OverridesByPath)
{
    JsonValue json = JsonValue::Parse(R"({"a": {"b": [1, {"c": 2}]}})");
    EXPECT_EQ(json.With("a.b.1.c", "7").ToText(), R"({"a":{"b":[1,{"c":7}]}})");
    EXPECT_EQ(json.With("a.b.2", "dcqcn").ToText(), R"({"a":{"b":[1,{"c":2},"dcqcn"]}})");
    EXPECT_EQ(json.With("x.y.z", "{\"k\": true}")["x"].ToText(), R"({"y":{"z":{"k":true}}})");
    EXPECT_EQ(json.With("a.b", "null").ToText(), R"({"a":{"b":null}})");
    EXPECT_EQ(json.With("l.0.m", "1")["l"].ToText(), R"([{"m":1}])");
    EXPECT_EQ(json.ToText(), R"({"a":{"b":[1,{"c":2}]}})");
    for (const char* path : {"a.b.9", "a.b.x", "a.b.0.c", "", ".", "a..b", "a.", "a.b.4294967296"})
    {
        EXPECT_THROW(json.With(path, "1"), ScenarioError) << path;
    }
    EXPECT_THROW(json.With("a", "\xff\xfe"), ScenarioError);
    EXPECT_THROW(json.With("a\xff", "1"), ScenarioError);
}

TEST(JsonValue, MessagesAreOneShortLine)
{
    JsonValue json = JsonValue::Of(std::string(1000, 'x') + "\n");
    EXPECT_LT(json.Describe().size(), 100U);
    JsonValue odd = JsonValue::Parse("{\"a\\nb\": 1}");
    EXPECT_EQ(odd["a\nb"].GetPath(), "a\\nb");
}
