#include "parsers/resource/materials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsers/resource/resource_test_support.h"
#include "synth/memory_store.h"

namespace assay::resource {
namespace {

class MaterialsTest : public ::testing::Test {
 protected:
  // "ENTRY (STEP)" or the code, and whether the rule that is not enabled would have helped.
  std::string find(std::string_view name, const RuleSet& rules = RuleSet::compatible()) {
    Archives archives(tree_, {.rules = rules});
    bool would_help = false;
    const auto found = find_material(archives, name, would_help);
    const std::string text = found ? std::string(as_text(found->entry.member().name)) + " (" +
                                         std::string(material_step_text(found->step)) + ')'
                                   : std::string(code_text(found.error().code));
    return would_help ? text + ", would help" : text;
  }

  synth::MemoryStore store_;
  FileTree tree_{{&store_}};
};

TEST_F(MaterialsTest, TheFallbackRuleTakesDefaultAndThenTheFirst) {
  store_.put("Material.lib",
             nres_of({{"text", {}, "DATA"}, {"M_1", {}, "MAT0"}, {"Default", {}, "MAT0"}, {"m_2.0", {}, "MAT0"}}));
  EXPECT_EQ(find("m_1"), "M_1 (named)");
  EXPECT_EQ(find("m_9"), "Default (DEFAULT)");
  EXPECT_EQ(find("m_2"), "Default (DEFAULT)");
  EXPECT_EQ(find("text"), "Default (DEFAULT)");
  EXPECT_EQ(find("default", RuleSet::strict()), "Default (named)");
  EXPECT_EQ(find("m_9", RuleSet::strict()), "missing_material, would help");
  store_.put("Material.lib", nres_of({{"DEFAULT", {}, "DATA"}, {"M_1", {}, "MAT0"}, {"M_0", {}, "MAT0"}}));
  EXPECT_EQ(find("m_9"), "M_1 (first entry)");
  EXPECT_EQ(find("default"), "M_1 (first entry)");
  EXPECT_EQ(find("m_0"), "M_0 (named)");
}

TEST_F(MaterialsTest, WithoutAnyMaterialNothingStandsIn) {
  EXPECT_EQ(find("m_9"), "missing_file");
  store_.put("Material.lib", nres_of({{"DEFAULT", {}, "DATA"}}));
  EXPECT_EQ(find("m_9"), "missing_material");
  EXPECT_EQ(find("m_9", RuleSet::strict()), "missing_material");
}

TEST_F(MaterialsTest, TexturesAndLightmapsAreLookedForInTheirOwnArchiveAlone) {
  store_.put("Textures.lib", nres_of({{"T.0", {}, "Texm"}, {"other", {}, "DATA"}}));
  store_.put("LightMap.lib", nres_of({{"L.0", {}, "Texm"}}));
  Archives archives(tree_, {});
  EXPECT_TRUE(find_texture(archives, "t.0"));
  EXPECT_EQ(find_texture(archives, "L.0").error().code, Code::kMissingTexture);
  EXPECT_EQ(find_texture(archives, "other").error().code, Code::kMissingTexture);
  EXPECT_TRUE(find_lightmap(archives, "l.0"));
  EXPECT_EQ(find_lightmap(archives, "T.0").error().code, Code::kMissingLightmap);
}

TEST_F(MaterialsTest, TheTableOfAMeshLiesBesideIt) {
  store_.put("bases.rlb",
             nres_of({{"a.b.msh", {}}, {"A.B.WEA", {}}, {"a.wea", {}}, {"bare", {}}, {"bare.wea", {}}, {"c.msh", {}}}));
  Archives archives(tree_, {});
  const auto table_of = [&](std::string_view mesh) {
    const auto table = find_wear(*find_entry(archives, "bases.rlb", mesh));
    return table ? std::string(as_text(table->member().name)) : std::string(code_text(table.error().code));
  };
  EXPECT_EQ(table_of("a.b.msh"), "A.B.WEA");
  EXPECT_EQ(table_of("bare"), "bare.wea");
  EXPECT_EQ(table_of("c.msh"), "missing_entry");
}

}  // namespace
}  // namespace assay::resource
