#include "fuzz/seeds/seed_functions.h"

namespace assay::fuzz {

// The first byte says what a script starts from, the steps are those of EditedGame::step().
std::vector<TargetSeed> graph_seeds(std::string_view /*target*/) {
  return {
      {"whole", {1}},
      {"doubled_chain", {0, 12, 12, 0xF6}},
      {"whole_cycle", {1, 12, 5, 3}},
      {"sound", {0}},
      {"drop_file", {0, 0, 4}},
      {"rename_file", {0, 1, 4, 1, 1}},
      {"copy_file", {0, 2, 2, 0, 0, 20}},
      {"swap_files", {0, 3, 1, 2}},
      {"cut_file", {0, 4, 0, 100, 0, 0}},
      {"patch_file", {0, 4, 0, 20, 0, 4, 1, 2, 3, 4}},
      {"drop_member", {0, 5, 0, 1}},
      {"rename_member", {0, 6, 1, 0, 1, 30}},
      {"copy_member", {0, 7, 0, 2, 0, 8, 40}},
      {"retag_member", {0, 8, 1, 0, 3, 6}},
      {"swap_payloads", {0, 9, 1, 0, 1, 1}},
      {"damage_member", {0, 10, 1, 0, 40, 8, 1, 2, 3, 4, 5, 6, 7, 8}},
      {"write_prototype", {0, 11, 0, 3, 0, 0, 30, 1, 0, 28, 0, 31, 0, 1, 5, 12}},
      {"chain", {0, 12, 33, 0xF0}},
      {"longest_chain", {0, 12, 32, 0xF0}},
      {"without_default", {0, 5, 4, 5, 14, 5, 1, 0xF1, 'x'}},
      {"without_default_2", {0, 5, 4, 5, 14, 5, 1, 0xF1, 'y'}},
      {"without_default_3", {0, 5, 4, 5, 14, 5, 1, 0xF1, 'z'}},
      // Two missions enter a cycle of two controllers at different places.
      {"cycle_of_controllers",
       {1,    11,   1,    1,   1,   0xF9, 'b',  'a', 's', 'e', 's', '.',  'r',  'l',  'b',  0xFA, 'r', '_', 'h', '_',
        '0',  '1',  '.',  'c', 't', 'l',  13,   1,   4,   4,   2,   0xF0, 0xF8, 'b',  'o',  'o',  'm', '.', 'e', 'x',
        'p',  0xF0, 0xF4, 'g', 'o', 'n',  'e',  0,   13,  1,   5,   4,    2,    0xF0, 0xFA, 'r',  '_', 'h', '_', '0',
        '1',  '.',  'c',  't', 'l', 0xF0, 0xF1, 'x', 0,   14,  0,   1,    0xF6, 'r',  '_',  'h',  '_', '0', '1', 0xF0,
        0xF0, 0xF0, 14,   1,   1,   0xF8, 'i',  '_', 'e', 'n', 'g', 'i',  'n',  'e',  0xF0, 0xF0, 0xF0}},
      {"twin_folder", {0, 2, 31, 0, 0xFC, 'd', 'a', 't', 'a', '/', 'M', 'A', 'P', 'S', '/', 'b', 'c'}},
      {"cycle", {0, 12, 5, 3}},
      {"write_wear", {0, 13, 1, 1, 0, 2, 0, 40, 1, 41, 0}},
      {"write_explosion", {0, 13, 1, 5, 3, 1, 0, 30, 0, 32, 0}},
      {"write_mission", {0, 14, 0, 3, 0, 30, 3, 31, 0xF3, 'a', '.', 'b', 0, 30, 0, 31, 0, 32}},
      {"write_unit", {0, 14, 2, 3, 0, 30, 4, 31, 1, 32}}};
}

}  // namespace assay::fuzz
