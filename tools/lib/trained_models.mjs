// The project's trained models: a folder each below models/.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const kModels = fileURLToPath(new URL("../../models", import.meta.url));
/** What is computed with; a folder has more, such as a recipe and a card. */
export const kOfModel = ["config.json", "model.safetensors", "tokenizer.json"];
/** That of the opening scene. */
export const kSceneModel = "first-words";

/** The names of those that are trained: a folder may have its recipe alone, which is written before. */
export const trained_models = () =>
  readdirSync(kModels).filter((name) => kOfModel.every((file) => existsSync(join(kModels, name, file))));
