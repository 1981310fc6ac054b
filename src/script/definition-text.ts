/** Names of definitions as the engine and nodes write them. */
import type { DefinitionId } from "../lf/index.js";

/** `packageId:Module:Entity`; what is no text names nothing. */
export function definitionOfText(shown: unknown): DefinitionId {
  const [packageId = "", module = "", name = ""] = (typeof shown === "string" ? shown : "").split(":");
  return { packageId, module, name };
}
