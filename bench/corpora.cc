#include "bench/corpora.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "parsers/base/byte_writer.h"
#include "synth/prng.h"

namespace assay::bench {
namespace {

using synth::Prng;

double unit(Prng& prng) {
  return static_cast<double>(prng.next() >> 11) * 0x1.0p-53;
}

// --- Text
// -------------------------------------------------------------------------------------------------------------

// Prose of words whose frequency falls with their rank, headers of declarations, tables, and paragraphs that come
// again.
class TextMaker {
 public:
  explicit TextMaker(Prng& prng) : prng_(prng) {
    constexpr std::size_t kVocabulary = 4000;
    constexpr std::size_t kNotices = 12;
    for (std::size_t index = 0; index < kVocabulary; ++index) {
      words_.push_back(make_word());
    }
    for (std::size_t index = 0; index < kNotices; ++index) {
      notices_.push_back(paragraph("", 4 + prng_.index(8)));
    }
  }

  std::string section() {
    switch (prng_.below(8)) {
      case 0: return notice();
      case 1: return table();
      case 2: return paragraph("    ", 3 + prng_.index(6)) + "\n";
      case 3:
      case 4: return paragraph("", 3 + prng_.index(6)) + "\n";
      default: return declarations();
    }
  }

 private:
  std::string make_word() {
    static constexpr std::array<std::string_view, 24> kSyllables = {"ta",  "re", "con", "ing", "er", "st", "al",  "ion",
                                                                    "de",  "en", "men", "pro", "ar", "s",  "ed",  "in",
                                                                    "ble", "o",  "tic", "ly",  "un", "ma", "per", "ve"};
    std::string word;
    for (std::size_t syllables = 1 + prng_.index(4); syllables > 0; --syllables) {
      word += prng_.pick(kSyllables);
    }
    return word;
  }

  // Ranks are drawn so that each tenfold of ranks is equally likely, as in natural language. Some words are names that
  // do not come again.
  std::string word() {
    if (prng_.chance(9)) {
      std::string name(3 + prng_.index(5), ' ');
      std::generate(name.begin(), name.end(), [&] { return static_cast<char>('a' + prng_.index(26)); });
      return name;
    }
    const double rank = std::pow(static_cast<double>(words_.size()), unit(prng_));
    return words_[std::min(static_cast<std::size_t>(rank), words_.size()) - 1];
  }

  std::string paragraph(std::string_view indent, std::size_t lines) {
    std::string text;
    for (; lines > 0; --lines) {
      std::string line(indent);
      while (line.size() < 66) {
        line += word();
        line += prng_.chance(8) ? ", " : prng_.chance(6) ? ". " : " ";
      }
      line.back() = '\n';
      text += line;
    }
    return text;
  }

  std::string notice() {
    std::string text = "/*\n";
    const std::string& body = prng_.pick(notices_);
    for (std::size_t start = 0; start < body.size();) {
      const std::size_t end = body.find('\n', start) + 1;
      text += " * " + body.substr(start, end - start);
      start = end;
    }
    return text + " */\n\n";
  }

  std::string declarations() {
    const std::string module = word() + "_" + word();
    const std::string parameters = "(struct " + module + " *" + word() + ",\n                     const struct " +
                                   word() + " *" + word() + ", unsigned ";
    std::string text;
    for (std::size_t lines = 6 + prng_.index(24); lines > 0; --lines) {
      if (prng_.chance(30)) {
        text += "#define " + upper(module) + "_" + upper(word()) + "  0x" + std::to_string(prng_.below(100'000)) + "\n";
      } else if (prng_.chance(30)) {
        text += "/* " + word() + " " + word() + " " + word() + " " + word() + " */\n";
      } else {
        text.append("extern int ").append(module).append("_").append(word());
        text.append(parameters).append(word()).append(");\n");
      }
    }
    return text + "\n";
  }

  std::string table() {
    std::string text;
    const std::string head = word();
    for (std::size_t lines = 6 + prng_.index(12); lines > 0; --lines) {
      text += "  " + head + "." + word();
      text.append(4 + prng_.index(20), ' ');
      text += std::to_string(prng_.below(100'000)) + "  " + word() + "\n";
    }
    return text + "\n";
  }

  static std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
      return static_cast<char>(letter >= 'a' && letter <= 'z' ? letter - 32 : letter);
    });
    return text;
  }

  Prng& prng_;
  std::vector<std::string> words_;
  std::vector<std::string> notices_;
};

Buffer make_text(std::size_t size_bytes, Prng& prng) {
  TextMaker maker(prng);
  Buffer bytes;
  bytes.reserve(size_bytes + 4096);
  while (bytes.size() < size_bytes) {
    const std::string section = maker.section();
    bytes.insert(bytes.end(), section.begin(), section.end());
  }
  return bytes;
}

// --- Textures
// ---------------------------------------------------------------------------------------------------------

constexpr std::size_t kSide = 256;
using Image = std::vector<std::uint16_t>;

std::uint16_t opaque(std::uint64_t colour) {
  return static_cast<std::uint16_t>(0xF000U | (colour & 0xFFFU));
}
std::uint16_t any_colour(Prng& prng) {
  return opaque(prng.below(0x1000));
}

// Random numbers on a grid, with straight lines between them.
class SmoothNoise {
 public:
  SmoothNoise(std::size_t cells, Prng& prng) : cells_(cells), grid_((cells + 1) * (cells + 1)) {
    for (double& value : grid_) {
      value = unit(prng);
    }
  }

  [[nodiscard]] double at(std::size_t x, std::size_t y) const {
    const std::size_t column = x * cells_ / kSide;
    const std::size_t row = y * cells_ / kSide;
    const double right = static_cast<double>(x * cells_ % kSide) / kSide;
    const double down = static_cast<double>(y * cells_ % kSide) / kSide;
    const double* above = &grid_[row * (cells_ + 1) + column];
    const double* below = above + cells_ + 1;
    return (above[0] * (1 - right) + above[1] * right) * (1 - down) +
           (below[0] * (1 - right) + below[1] * right) * down;
  }

 private:
  std::size_t cells_;
  std::vector<double> grid_;
};

Image make_terrain(bool dithered, Prng& prng) {
  static constexpr std::array<int, 16> kBayer = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
  const SmoothNoise coarse(8, prng);
  const SmoothNoise fine(32, prng);
  std::array<double, 3> base{};
  std::array<double, 3> amplitude{};
  for (std::size_t channel = 0; channel < 3; ++channel) {
    base.at(channel) = unit(prng) * 0.5;
    amplitude.at(channel) = unit(prng) * 0.6 + 0.2;
  }
  Image image(kSide * kSide);
  for (std::size_t y = 0; y < kSide; ++y) {
    for (std::size_t x = 0; x < kSide; ++x) {
      const double height = coarse.at(x, y) * 0.7 + fine.at(x, y) * 0.3;
      const double threshold = dithered ? (kBayer.at(y % 4 * 4 + x % 4) + 0.5) / 16 : 0.5;
      std::uint64_t colour = 0;
      for (std::size_t channel = 0; channel < 3; ++channel) {
        const double level = std::clamp(base.at(channel) + amplitude.at(channel) * height, 0.0, 1.0) * 15 + threshold;
        colour = colour << 4 | std::min<std::uint64_t>(static_cast<std::uint64_t>(level), 15);
      }
      image[y * kSide + x] = opaque(colour);
    }
  }
  return image;
}

struct Sprite {
  std::size_t width = 0;
  std::size_t height = 0;
  Image pixels;
};

// A shaded disc with speckles and a translucent rim on a transparent ground.
Sprite make_sprite(const Image& palette, Prng& prng) {
  static constexpr std::array<std::size_t, 4> kSizes = {16, 24, 32, 48};
  Sprite sprite{.width = prng.pick(kSizes), .height = prng.pick(kSizes), .pixels = {}};
  const std::size_t shade = prng.index(6);
  for (std::size_t y = 0; y < sprite.height; ++y) {
    for (std::size_t x = 0; x < sprite.width; ++x) {
      const double across = 2.0 * static_cast<double>(x) / static_cast<double>(sprite.width) - 1;
      const double down = 2.0 * static_cast<double>(y) / static_cast<double>(sprite.height) - 1;
      const double radius = across * across + down * down;
      std::uint16_t pixel = 0;
      if (radius < 1) {
        const auto ring = static_cast<std::size_t>(radius * 5 + ((x ^ y) % 2 == 0 ? 0.0 : 0.5));
        pixel = prng.chance(93) ? palette[(ring + shade) % palette.size()] : prng.pick(palette);
      }
      sprite.pixels.push_back(radius > 0.9 && radius < 1 ? static_cast<std::uint16_t>((pixel & 0xFFF) | 0x8000)
                                                         : pixel);
    }
  }
  return sprite;
}

Image make_atlas(Prng& prng) {
  Image palette;
  for (std::size_t index = 0; index < 12; ++index) {
    palette.push_back(any_colour(prng));
  }
  std::vector<Sprite> sprites;
  for (std::size_t index = 0; index < 6; ++index) {
    sprites.push_back(make_sprite(palette, prng));
  }
  Image image(kSide * kSide);
  for (std::size_t count = 0; count < 40; ++count) {
    const Sprite& sprite = prng.pick(sprites);
    const std::size_t left = prng.index(kSide - sprite.width);
    const std::size_t top = prng.index(kSide - sprite.height);
    for (std::size_t index = 0; index < sprite.pixels.size(); ++index) {
      if (sprite.pixels[index] != 0) {
        image[(top + index / sprite.width) * kSide + left + index % sprite.width] = sprite.pixels[index];
      }
    }
  }
  return image;
}

// A panel with bevelled edges, flat or with its colour fading downwards.
void add_panel(Image& image, Prng& prng) {
  const std::size_t left = prng.index(kSide - 8);
  const std::size_t top = prng.index(kSide - 8);
  const std::size_t right = left + 4 + prng.index(kSide - left - 4);
  const std::size_t bottom = top + 4 + prng.index(kSide - top - 4);
  const std::uint16_t colour = any_colour(prng);
  const bool fades = prng.chance(40);
  for (std::size_t y = top; y < bottom; ++y) {
    const std::size_t left_over = fades ? bottom - y : bottom - top;
    const auto faded = [&](unsigned shift) { return (colour >> shift & 15U) * left_over / (bottom - top) << shift; };
    const std::uint16_t inside = opaque(faded(8) | faded(4) | (colour & 15U));
    for (std::size_t x = left; x < right; ++x) {
      const bool is_lit = x == left || y == top;
      const bool is_edge = is_lit || x == right - 1 || y == bottom - 1;
      image[y * kSide + x] = !is_edge ? inside : is_lit ? std::uint16_t{0xFFFF} : std::uint16_t{0xF222};
    }
  }
}

Image make_panels(Prng& prng) {
  constexpr std::size_t kGlyphWidth = 6;
  constexpr std::size_t kGlyphHeight = 8;
  Image image(kSide * kSide);
  for (std::size_t count = 0; count < 30; ++count) {
    add_panel(image, prng);
  }
  std::vector<std::uint64_t> glyphs(40);
  std::generate(glyphs.begin(), glyphs.end(), [&] { return prng.next(); });
  for (std::size_t count = 0; count < 600; ++count) {
    const std::size_t left = prng.index(kSide / kGlyphWidth) * kGlyphWidth;
    const std::size_t top = prng.index(kSide / 10) * 10;
    const std::uint64_t glyph = prng.pick(glyphs);
    for (std::size_t bit = 0; bit < kGlyphWidth * kGlyphHeight; ++bit) {
      if ((glyph >> bit & 1U) != 0) {
        image[(top + bit / kGlyphWidth) * kSide + left + bit % kGlyphWidth] = 0xFFFF;
      }
    }
  }
  return image;
}

Image make_image(std::size_t kind, Prng& prng) {
  switch (kind) {
    case 0: return make_terrain(true, prng);
    case 1: return make_atlas(prng);
    case 2: return make_panels(prng);
    default: return make_terrain(false, prng);
  }
}

Buffer make_textures(std::size_t size_bytes, Prng& prng) {
  ByteWriter writer(size_bytes + kSide * kSide * 2);
  for (std::size_t count = 0; writer.position() < size_bytes; ++count) {
    for (const std::uint16_t pixel : make_image(count % 4, prng)) {
      writer.write(pixel);
    }
  }
  return std::move(writer).take();
}

// --- Meshes
// -----------------------------------------------------------------------------------------------------------

using Vector3 = std::array<double, 3>;

// A grid of vertices laid over a torus, a height field or a box.
class MeshMaker {
 public:
  explicit MeshMaker(Prng& prng)
      : prng_(prng),
        rows_(12 + prng.index(48)),
        columns_(12 + prng.index(48)),
        shape_(prng.index(3)),
        radius_(1 + 39 * unit(prng)),
        tube_(radius_ * (0.1 + 0.5 * unit(prng))),
        steps_(std::array<double, 4>{0, 0, 256, 1024}.at(prng.index(4))) {
    for (double& height : heights_) {
      height = 2 * unit(prng) - 1;
    }
  }

  void write(ByteWriter& writer) {
    std::vector<Vector3> normals;
    for_each_vertex(
        [&](std::size_t row, std::size_t column) { normals.push_back(write_position(writer, row, column)); });
    for (const Vector3& normal : normals) {
      for (const double value : normal) {
        writer.write(static_cast<std::int8_t>(value * 127));
      }
      writer.write(std::int8_t{0});
    }
    for_each_vertex([&](std::size_t row, std::size_t column) {
      writer.write(static_cast<std::int16_t>(row * 1024 / rows_ * 2));
      writer.write(static_cast<std::int16_t>(column * 1024 / columns_ * 2));
    });
    write_triangles(writer);
  }

 private:
  template <typename Function>
  void for_each_vertex(Function function) const {
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t column = 0; column < columns_; ++column) {
        function(row, column);
      }
    }
  }

  // Gives the normal there.
  Vector3 write_position(ByteWriter& writer, std::size_t row, std::size_t column) {
    const double around = 2 * std::numbers::pi * static_cast<double>(row) / static_cast<double>(rows_ - 1);
    const double along = 2 * std::numbers::pi * static_cast<double>(column) / static_cast<double>(columns_ - 1);
    Vector3 position{};
    Vector3 normal{};
    if (shape_ == 0) {
      const double ring = radius_ + tube_ * std::cos(along);
      position = {ring * std::cos(around), ring * std::sin(around), tube_ * std::sin(along)};
      normal = {std::cos(along) * std::cos(around), std::cos(along) * std::sin(around), std::sin(along)};
    } else if (shape_ == 1) {
      const double height = heights_.at(row * 8 / rows_ * 9 + column * 8 / columns_);
      position = {static_cast<double>(row * 4), static_cast<double>(column * 4), height * radius_ * std::sin(around)};
      normal = {0, 0, 1};
    } else {
      const double side = prng_.chance(50) ? radius_ : -radius_;
      const double edge = std::array<double, 3>{-tube_, tube_, 0}.at(prng_.index(3));
      position = {side, edge, static_cast<double>(column) * 0.5};
      normal = {side > 0 ? 1.0 : -1.0, 0, 0};
    }
    for (const double value : position) {
      writer.write(static_cast<float>(steps_ == 0 ? value : std::round(value * steps_) / steps_));
    }
    return normal;
  }

  void write_triangles(ByteWriter& writer) const {
    for (std::size_t row = 0; row + 1 < rows_; ++row) {
      for (std::size_t column = 0; column + 1 < columns_; ++column) {
        const std::size_t corner = row * columns_ + column;
        for (const std::size_t vertex :
             {corner, corner + 1, corner + columns_, corner + 1, corner + columns_ + 1, corner + columns_}) {
          writer.write(static_cast<std::uint16_t>(vertex));
        }
      }
    }
  }

  Prng& prng_;
  std::size_t rows_;
  std::size_t columns_;
  std::size_t shape_;
  double radius_;
  double tube_;
  double steps_;  // positions are multiples of 1 / steps_, or anything where it is 0
  std::array<double, 81> heights_{};
};

Buffer make_meshes(std::size_t size_bytes, Prng& prng) {
  ByteWriter writer(size_bytes + (std::size_t{1} << 17));
  while (writer.position() < size_bytes) {
    MeshMaker(prng).write(writer);
  }
  return std::move(writer).take();
}

Buffer make_noise(std::size_t size_bytes, Prng& prng) {
  Buffer bytes(size_bytes);
  std::generate(bytes.begin(), bytes.end(), [&] { return prng.byte(); });
  return bytes;
}

}  // namespace

std::string_view name_of(Corpus corpus) {
  switch (corpus) {
    case Corpus::kText: return "text";
    case Corpus::kTexture: return "texture";
    case Corpus::kMesh: return "mesh";
    case Corpus::kNoise: return "noise";
    case Corpus::kOneByte: break;
  }
  return "one_byte";
}

Buffer make_corpus(Corpus corpus, std::size_t size_bytes) {
  Prng prng(static_cast<std::uint64_t>(corpus) + 1);
  Buffer bytes;
  switch (corpus) {
    case Corpus::kText: bytes = make_text(size_bytes, prng); break;
    case Corpus::kTexture: bytes = make_textures(size_bytes, prng); break;
    case Corpus::kMesh: bytes = make_meshes(size_bytes, prng); break;
    case Corpus::kNoise: bytes = make_noise(size_bytes, prng); break;
    case Corpus::kOneByte: break;
  }
  bytes.resize(size_bytes, 0x41);
  return bytes;
}

}  // namespace assay::bench
