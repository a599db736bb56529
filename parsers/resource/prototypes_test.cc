#include "parsers/resource/prototypes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsers/resource/resource_test_support.h"
#include "synth/memory_store.h"

namespace assay::resource {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using State = PrototypeState;

// A small game: objects.rlb of the given prototypes, and two archives of models.
class PrototypesTest : public ::testing::Test {
 protected:
  PrototypesTest() {
    store_.put("bases.rlb", nres_of({{"R_1.msh", {}}, {"bare", {}}, {"both.msh", {}}}));
    store_.put("fortif.rlb", nres_of({{"fr_1.msh", {}}, {"fr_2.msh", {}}, {"fr_2.bas", {}}}));
  }

  void put_registry(std::vector<TestPrototype> prototypes) { store_.put("objects.rlb", registry_of(prototypes)); }
  Prototype resolve(std::string_view key) { return *prototypes_.resolve(key); }
  Prototype resolve_strict(std::string_view key) {
    Archives strict(tree_, {});
    return *Prototypes(strict).resolve(key);
  }
  static std::string mesh_of(const Prototype& prototype) {
    return prototype.mesh ? prototype.mesh->archive + "::" + prototype.mesh->entry : "none";
  }
  static std::vector<std::string> names_of(const Prototype& prototype) {
    std::vector<std::string> names;
    for (const EffectiveReference& reference : prototype.references) {
      names.push_back(reference.resource + " of " + reference.origin_key + '[' +
                      std::to_string(reference.origin_index) + ']');
    }
    return names;
  }

  synth::MemoryStore store_;
  FileTree tree_{{&store_}};
  Archives archives_{tree_, {.rules = RuleSet::compatible()}};
  Prototypes prototypes_{archives_};
};

TEST_F(PrototypesTest, TakesTheMeshThatIsNamedWithoutCase) {
  put_registry({{"R_1", {{"BASES.rlb", "r_1.MSH"}, {"bases.rlb", "r_1.wea"}}}});
  const Prototype found = resolve("r_1");
  EXPECT_EQ(found.state, State::kMesh);
  EXPECT_EQ(found.key, "R_1");
  EXPECT_EQ(mesh_of(found), "BASES.rlb::R_1.msh");
  EXPECT_EQ(found.mesh->reference, 0U);
  EXPECT_THAT(names_of(found), ElementsAre("r_1.MSH of R_1[0]", "r_1.wea of R_1[1]"));
  EXPECT_THAT(found.rules, IsEmpty());
}

TEST_F(PrototypesTest, AKeyThatIsNotThereIsNotFound) {
  put_registry({{"a", {}}});
  const Prototype missing = resolve("b");
  EXPECT_EQ(missing.state, State::kNotFound);
  EXPECT_EQ(missing.diagnostic.code, Code::kUnresolvedPrototype);
  store_.remove("objects.rlb");
  EXPECT_EQ(resolve("a").state, State::kNotFound);
  EXPECT_EQ(resolve("a").diagnostic.code, Code::kMissingFile);
}

TEST_F(PrototypesTest, PayloadsAreWholeReferences) {
  const Buffer one = references_of({{"bases.rlb", "R_1.msh"}});
  store_.put("objects.rlb", nres_of({{"short", Buffer(one.begin(), one.end() - 1)}, {"one", one}, {"none", {}}}));
  EXPECT_EQ(resolve("short").state, State::kUnreadable);
  EXPECT_EQ(resolve("short").diagnostic.code, Code::kSizeMismatch);
  EXPECT_EQ(resolve("one").references.size(), 1U);
  EXPECT_EQ(resolve("none").state, State::kNonGeometric);
}

TEST_F(PrototypesTest, SplicesAParentWhereItStands) {
  put_registry({{"child", {{"bases.rlb", "first.cpt"}, {"Objects.RLB", "parent"}, {"fortif.rlb", "last.bas"}}},
                {"parent", {{"fortif.rlb", "fr_1.msh"}, {"objects.rlb", "grand"}}},
                {"grand", {{"fortif.rlb", "grand.wea"}, {"", "unset"}, {"fortif.rlb", ""}}}});
  const Prototype found = resolve("child");
  EXPECT_THAT(names_of(found), ElementsAre("first.cpt of child[0]", "fr_1.msh of parent[0]", "grand.wea of grand[0]",
                                           "last.bas of child[2]"));
  EXPECT_THAT(found.parents, ElementsAre(ParentLink{"child", 1, "parent"}, ParentLink{"parent", 1, "grand"}));
  EXPECT_EQ(mesh_of(found), "fortif.rlb::fr_1.msh");
}

TEST_F(PrototypesTest, KeepsWhatIsInheritedTwice) {
  put_registry(
      {{"child", {{"objects.rlb", "parent"}, {"objects.rlb", "parent"}}}, {"parent", {{"fortif.rlb", "fr_1.msh"}}}});
  EXPECT_EQ(resolve("child").references.size(), 2U);
}

TEST_F(PrototypesTest, RefusesCycles) {
  put_registry({{"self", {{"objects.rlb", "SELF"}}},
                {"a", {{"objects.rlb", "b"}}},
                {"b", {{"bases.rlb", "R_1.msh"}, {"objects.rlb", "A"}}},
                {"beside", {{"objects.rlb", "b"}}}});
  for (const auto& [key, trail] : {std::pair<std::string, std::vector<std::string>>{"self", {"self", "self"}},
                                   {"a", {"a", "b", "a"}},
                                   {"b", {"b", "a", "b"}},
                                   {"beside", {"beside", "b", "a", "b"}}}) {
    const Prototype found = resolve(key);
    EXPECT_EQ(found.state, State::kCycle) << key;
    EXPECT_EQ(found.diagnostic.code, Code::kInheritanceCycle) << key;
    EXPECT_EQ(found.trail, trail) << key;
    EXPECT_FALSE(found.mesh) << key;
  }
}

TEST_F(PrototypesTest, ThirtyThreeLevelsAreFineAndThirtyFourAreNot) {
  std::vector<TestPrototype> chain;
  for (int level = 0; level < 34; ++level) {
    chain.push_back({"p" + std::to_string(level), {{"objects.rlb", "p" + std::to_string(level + 1)}}});
  }
  chain.back().references = {{"bases.rlb", "R_1.msh"}};
  put_registry(chain);
  EXPECT_EQ(resolve("p1").state, State::kMesh);
  const Prototype deep = resolve("p0");
  EXPECT_EQ(deep.state, State::kTooDeep);
  EXPECT_EQ(deep.diagnostic.code, Code::kInheritanceTooDeep);
  EXPECT_EQ(deep.trail.size(), 34U);
  EXPECT_EQ(deep.trail.back(), "p33");
}

TEST_F(PrototypesTest, BoundsTheWorkWhereEachLevelNamesItsParentTwice) {
  std::vector<TestPrototype> chain;
  for (int level = 0; level < 30; ++level) {
    const std::string parent = "p" + std::to_string(level + 1);
    chain.push_back({"p" + std::to_string(level), {{"objects.rlb", parent}, {"objects.rlb", parent}}});
  }
  chain.push_back({"p30", {}});
  put_registry(chain);
  EXPECT_EQ(resolve("p0").state, State::kTooDeep);
  EXPECT_EQ(resolve("p0").diagnostic.code, Code::kLimitExceeded);
}

TEST_F(PrototypesTest, BoundsTheSlots) {
  const std::vector<TestReference> parents(100, {"objects.rlb", "parent"});
  put_registry({{"child", parents}, {"parent", std::vector<TestReference>(100, {"fortif.rlb", "any"})}});
  const Prototype found = resolve("child");
  EXPECT_EQ(found.state, State::kTooDeep);
  EXPECT_EQ(found.diagnostic.code, Code::kLimitExceeded);
  EXPECT_EQ(found.references.size() + found.parents.size(), kMaxInheritedSlots);
}

TEST_F(PrototypesTest, NamesTheParentThatIsMissing) {
  put_registry({{"child", {{"objects.rlb", "parent"}}}, {"parent", {{"objects.rlb", "nobody"}}}});
  const Prototype found = resolve("child");
  EXPECT_EQ(found.state, State::kMissingParent);
  EXPECT_EQ(found.diagnostic.code, Code::kMissingParent);
  EXPECT_THAT(found.trail, ElementsAre("child", "parent", "nobody"));
  EXPECT_FALSE(found.parents.back().found);
}

TEST_F(PrototypesTest, CollectsWhatStandsBehindAFailure) {
  put_registry({{"child", {{"objects.rlb", "nobody"}, {"objects.rlb", "child"}, {"fortif.rlb", "own.bas"}}}});
  const Prototype found = resolve("child");
  EXPECT_EQ(found.state, State::kMissingParent);
  EXPECT_THAT(found.trail, ElementsAre("child", "nobody"));
  EXPECT_THAT(names_of(found), ElementsAre("own.bas of child[2]"));
  EXPECT_EQ(found.parents.size(), 2U);
}

TEST_F(PrototypesTest, TheFirstMeshThatExistsWins) {
  put_registry(
      {{"second",
        {{"bases.rlb", "gone.msh"}, {"nowhere.rlb", "R_1.msh"}, {"bases.rlb", "R_1.msh"}, {"bases.rlb", "both.msh"}}},
       {"broken", {{"bases.rlb", "gone.msh"}, {"nowhere.rlb", "R_1.msh"}, {"c:/x", "R_1.msh"}}}});
  const Prototype second = resolve("second");
  EXPECT_EQ(mesh_of(second), "bases.rlb::R_1.msh");
  EXPECT_EQ(second.mesh->reference, 2U);
  const Prototype broken = resolve("broken");
  EXPECT_EQ(broken.state, State::kBrokenReference);
  EXPECT_THAT(broken.tried, ElementsAre(TriedMesh{"bases.rlb", "gone.msh", Code::kMissingEntry},
                                        TriedMesh{"nowhere.rlb", "R_1.msh", Code::kMissingFile},
                                        TriedMesh{"c:/x", "R_1.msh", Code::kInvalidPath}));
}

TEST_F(PrototypesTest, WithoutAnyMeshItIsNonGeometric) {
  put_registry({{"sun_01", {{"system.rlb", "sun.sun"}}, "SUNO"}, {"odd", {{"bases.rlb", "x.msh.bak"}}, "STAT"}});
  EXPECT_EQ(resolve("sun_01").state, State::kNonGeometric);
  EXPECT_TRUE(resolve("sun_01").may_lack_mesh());
  EXPECT_EQ(resolve("odd").state, State::kNonGeometric);
  EXPECT_FALSE(resolve("odd").may_lack_mesh());
}

TEST_F(PrototypesTest, TheFirstBaseWithAMeshOfItsStemWins) {
  put_registry({{"two", {{"fortif.rlb", "none.bas"}, {"bases.rlb", "R_1.bas"}, {"fortif.rlb", "fr_2.bas"}}}});
  const Prototype found = resolve("two");
  EXPECT_EQ(mesh_of(found), "bases.rlb::R_1.msh");
  ASSERT_EQ(found.rules.size(), 1U);
  EXPECT_EQ(found.rules[0].rule, RuleId::kBasStemMesh);
  EXPECT_EQ(found.rules[0].subject, "R_1.bas");
}

TEST_F(PrototypesTest, TheOrderOfTheRegistryChangesNothing) {
  std::vector<TestPrototype> prototypes{{"child", {{"objects.rlb", "parent"}, {"fortif.rlb", "own.bas"}}},
                                        {"parent", {{"fortif.rlb", "fr_1.msh"}}}};
  put_registry(prototypes);
  const std::vector<std::string> names = names_of(resolve("child"));
  std::ranges::reverse(prototypes);
  put_registry(prototypes);
  EXPECT_EQ(names_of(resolve("child")), names);
}

TEST_F(PrototypesTest, ResolvesAnewWhenAFileThatItDependsOnChanges) {
  put_registry({{"a", {{"new.rlb", "a.msh"}, {"bases.rlb", "R_1.msh"}}}});
  const auto first = prototypes_.resolve("a");
  EXPECT_EQ(mesh_of(*first), "bases.rlb::R_1.msh");
  EXPECT_EQ(prototypes_.resolve("A"), first);
  store_.put("unrelated.rlb", nres_of({}));
  EXPECT_EQ(prototypes_.resolve("a"), first);
  store_.put("new.rlb", nres_of({{"a.msh", {}}}));
  EXPECT_EQ(mesh_of(resolve("a")), "new.rlb::a.msh");
  store_.put("new.rlb", nres_of({{"b.msh", {}}}));
  EXPECT_EQ(mesh_of(resolve("a")), "bases.rlb::R_1.msh");
  put_registry({{"a", {}}});
  EXPECT_EQ(resolve("a").state, State::kNonGeometric);
  EXPECT_EQ(mesh_of(*first), "bases.rlb::R_1.msh");
}

TEST_F(PrototypesTest, ListsItsKeysInDirectoryOrder) {
  put_registry({{"b", {}}, {"A", {}}});
  EXPECT_THAT(*prototypes_.keys(), ElementsAre("b", "A"));
}

// Each rule fires on its predicate, not one step beside it, and is refused and named in strict.

TEST_F(PrototypesTest, TheKeySuffixRuleFindsTheOtherSpelling) {
  put_registry({{"with.msh", {{"bases.rlb", "R_1.msh"}}}, {"bare", {{"bases.rlb", "bare.msh"}}}, {"x.wea", {}}});
  const RuleUse applied{RuleId::kRegistryKeySuffix, true, "with"};
  EXPECT_EQ(resolve("with").key, "with.msh");
  EXPECT_THAT(resolve("with").rules, ElementsAre(applied));
  EXPECT_THAT(resolve("with.msh").rules, IsEmpty());
  EXPECT_EQ(resolve("BARE.MSH").key, "bare");
  EXPECT_EQ(mesh_of(resolve("bare")), "bases.rlb::bare");
  EXPECT_EQ(resolve("x").state, State::kNotFound);
  EXPECT_THAT(resolve("x").rules, IsEmpty());
  const Prototype strict = resolve_strict("with");
  EXPECT_EQ(strict.state, State::kNotFound);
  EXPECT_THAT(strict.rules, ElementsAre(RuleUse{RuleId::kRegistryKeySuffix, false, "with"}));
  EXPECT_EQ(resolve_strict("bare").state, State::kBrokenReference);
}

TEST_F(PrototypesTest, TheSpellingThatIsAskedForComesFirst) {
  store_.put("two.rlb", nres_of({{"m.msh", {}}, {"m", {}}}));
  put_registry(
      {{"a.msh", {{"two.rlb", "m.msh"}}}, {"a", {{"two.rlb", "m"}, {"two.rlb", "m.msh"}}}, {"b", {}}, {"b.msh", {}}});
  for (const char* key : {"a", "a.msh", "b", "b.msh"}) {
    EXPECT_EQ(resolve(key).key, key);
    EXPECT_THAT(resolve(key).rules, IsEmpty()) << key;
    EXPECT_EQ(resolve_strict(key).key, key);
  }
  EXPECT_EQ(resolve("a.msh").mesh->index, 0U) << "likewise of two entries of an archive";
}

TEST_F(PrototypesTest, TheNameTrimRuleTakesBlanksOff) {
  put_registry({{"a", {{"bases.rlb ", "\tR_1.msh"}}},
                {"inner", {{"bases.rlb", "R 1.msh"}}},
                {"child", {{" objects.rlb", "a "}}},
                {"blank", {{"bases.rlb", "  "}}}});
  EXPECT_EQ(mesh_of(resolve("a")), "bases.rlb::R_1.msh");
  EXPECT_THAT(resolve("a").rules, ElementsAre(RuleUse{RuleId::kRegistryNameTrim, true, "a reference[0]"}));
  EXPECT_EQ(mesh_of(resolve("child")), "bases.rlb::R_1.msh");
  EXPECT_THAT(resolve("inner").rules, IsEmpty());
  EXPECT_THAT(resolve("blank").references, IsEmpty());
  const Prototype strict = resolve_strict("a");
  EXPECT_EQ(strict.state, State::kBrokenReference);
  EXPECT_THAT(strict.rules, ElementsAre(RuleUse{RuleId::kRegistryNameTrim, false, "a reference[0]"}));
  for (const char blank : {' ', '\t', '\r', '\n', '\v', '\f'}) {
    put_registry({{"b", {{"bases.rlb", std::string("R_1.msh") + blank}}}});
    EXPECT_EQ(mesh_of(resolve("b")), "bases.rlb::R_1.msh") << int{blank};
    EXPECT_EQ(resolve("b").rules.size(), 1U) << int{blank};
  }
}

TEST_F(PrototypesTest, TheBaseStemRuleLooksBesideTheOutline) {
  put_registry({{"fr_2", {{"fortif.rlb", "fr_2.bas"}}},
                {"inherits", {{"objects.rlb", "parent"}, {"fortif.rlb", "fr_2.bas"}}},
                {"parent", {{"fortif.rlb", "fr_1.msh"}}},
                {"alone", {{"fortif.rlb", "fr_9.bas"}}},
                {"elsewhere", {{"bases.rlb", "fr_2.bas"}}},
                {"broken", {{"fortif.rlb", "gone.msh"}, {"fortif.rlb", "fr_2.bas"}}}});
  EXPECT_EQ(mesh_of(resolve("fr_2")), "fortif.rlb::fr_2.msh");
  EXPECT_THAT(resolve("fr_2").rules, ElementsAre(RuleUse{RuleId::kBasStemMesh, true, "fr_2.bas"}));
  EXPECT_EQ(mesh_of(resolve("inherits")), "fortif.rlb::fr_1.msh");
  EXPECT_THAT(resolve("inherits").rules, IsEmpty());
  for (const std::string key : {"alone", "elsewhere"}) {
    EXPECT_EQ(resolve(key).state, State::kNonGeometric) << key;
    EXPECT_THAT(resolve(key).rules, IsEmpty()) << key;
  }
  EXPECT_EQ(resolve("broken").state, State::kBrokenReference);
  const Prototype strict = resolve_strict("fr_2");
  EXPECT_EQ(strict.state, State::kNonGeometric);
  EXPECT_THAT(strict.rules, ElementsAre(RuleUse{RuleId::kBasStemMesh, false, "fr_2.bas"}));
}

}  // namespace
}  // namespace assay::resource
