#include "parsers/formats/raw_document.h"

#include "parsers/base/record_cursor.h"

namespace assay {
namespace {

class RawDocument final : public PlainDocument {
 public:
  RawDocument(Bytes image, ByteMap map, std::vector<DocumentFact> observations)
      : PlainDocument(image, std::move(map)), observations_(std::move(observations)) {}

  [[nodiscard]] std::vector<DocumentFact> facts() const override { return observations_; }

 private:
  std::vector<DocumentFact> observations_;
};

}  // namespace

Result<std::unique_ptr<Document>> parse_raw(Bytes image, const ParseContext& context,
                                            std::vector<DocumentFact> observations) {
  ASSAY_TRY(check_input_size(image, context));
  ByteMap map;
  RecordCursor cursor(image, context.origin, map);
  ASSAY_TRY(cursor.read_opaque("content", image.size()));
  return std::make_unique<RawDocument>(image, std::move(map), std::move(observations));
}

}  // namespace assay
