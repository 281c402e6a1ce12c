#include "project_folder.h"

namespace attn::test {

const char* const kProjectFolder = ATTN_PROJECT_FOLDER;

}  // namespace attn::test
