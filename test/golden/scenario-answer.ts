/**
 * Answers to steps in a form in which a recorded one and ours can be held together: without the order of maps, and without prose where it
 * is not that of an interpretation.
 */
import { isFailure, type Result } from "../../src/base/result.js";
import type { EngineError } from "../../src/lf/errors.js";
import type { DefinitionId, Interpretation, ViewResult } from "../../src/lf/index.js";
import { type RecordedStep, showError, type StepForm } from "./scenario-step.js";
import { isObject, type Json, type JsonObject } from "./scenario-values.js";

export const recordedAnswer = ({ error, result = {} }: RecordedStep): JsonObject =>
  error === undefined ? { result: withoutOrder(result) } : { error: comparable(error) };

export function shownInterpretation(form: StepForm, step: RecordedStep, result: Result<Interpretation, EngineError>): JsonObject {
  if (isFailure(result)) return { error: comparable(showError(result.error)) };
  return { result: withoutOrder(form.showInterpretation(result.ok, step.result ?? {}) as JsonObject) };
}

export function shownView(
  form: StepForm,
  of: { readonly template: DefinitionId; readonly interface: string },
  result: Result<ViewResult, EngineError>,
): JsonObject {
  return isFailure(result)
    ? { error: comparable(showError(result.error)) }
    : { result: form.showView(of.template, of.interface, result.ok.view) };
}

/** The mapping of keys is a map: recordings list it in any order. */
function withoutOrder(result: JsonObject): JsonObject {
  const metadata = result["metadata"];
  if (!isObject(metadata) || !Array.isArray(metadata["globalKeyMapping"])) return result;
  const byHash = (entry: Json): string => (entry as { readonly key: { readonly hash: string } }).key.hash;
  const globalKeyMapping = [...(metadata["globalKeyMapping"] as readonly Json[])].sort((a, b) => (byHash(a) < byHash(b) ? -1 : 1));
  return { ...result, metadata: { ...metadata, globalKeyMapping } };
}

/** The order of sets is not compared; of a crash of the reference only that it is one. */
function comparable(error: JsonObject): JsonObject {
  const { stage = null, class: class_ = null, detail, message = "" } = error;
  if (class_ === "Internal" || detail === undefined) return { stage, class: class_ };
  return { stage, class: class_, detail: withoutProse(detail), ...comparableText(message as string) };
}

/** Of what is found while the model runs. What has no such opening has an answer of its own in a ledger. */
function comparableText(message: string): JsonObject {
  if (!message.startsWith(opening)) return {};
  const [first, ...effects] = message.split(/(?<=\)),? \n|(?<=node\(s\): )/);
  return { message: [first!, ...effects.sort()] };
}
const opening = "Interpretation error: Error: ";

function withoutProse(json: Json): Json {
  if (Array.isArray(json)) return json.map((item) => withoutProse(item as Json));
  if (!isObject(json)) return json;
  const kept = Object.entries(json).filter(([key, item]) => !(prose.has(key) && typeof item === "string") && key !== "location");
  return Object.fromEntries(
    kept.map(([key, item]) => [
      key,
      key === "nodes" && Array.isArray(item) ? [...item].map((node) => JSON.stringify(node)).sort() : withoutProse(item),
    ]),
  );
}
/** `message` is a recorded fact where an application wrote it (`UserError`), prose where the engine did. */
const prose: ReadonlySet<string> = new Set(["msg"]);
