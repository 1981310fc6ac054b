/**
 * Bodies that cost as much as a body can: from the document's own types every list, map, text and free value that a request
 * may have is found, and each is filled up to a size, in the rest of a request that would be served.
 */
import { limits } from "../../src/config.js";
import { Generator } from "../properties/generate.js";
import { resolve, type Schema } from "../properties/schema.js";

/** A place in a request, by the names on the way; `*` is any member of a map or list, `|n` the n-th form of a choice. */
type Step = string;
export interface Spot {
  readonly path: readonly Step[];
  readonly kind: "list" | "map" | "text" | "any";
  readonly schema: Schema;
}

export interface WorstBody {
  readonly spot: string;
  readonly filler: string;
  text(bytes: number): string;
}

const depthMax = 14,
  hole = "\u0001hole\u0001";

export class WorstBodies {
  constructor(readonly generator: Generator) {}

  *of(schema: Schema): Generator_<WorstBody> {
    const seen = new Set<string>();
    for (const spot of [{ path: [], kind: "any", schema: {} } as Spot, ...this.#spots(schema, [])]) {
      const name = spot.path.filter((step) => !step.startsWith("|")).join(".") || "(all)",
        frame = JSON.stringify(this.#planted(schema, "body", spot.path)).split(JSON.stringify(hole));
      if (seen.has(name)) continue;
      seen.add(name);
      for (const [filler, fill] of this.#fillers(spot))
        yield { spot: name, filler, text: (bytes) => frame.join(fill(Math.max(0, bytes - frame.join("").length))) };
    }
  }

  *#spots(schema: Schema, path: readonly Step[]): Generator_<Spot> {
    if (path.length > depthMax) return;
    const resolved = resolve(schema, this.generator.components),
      { allOf, oneOf, type, items, properties, additionalProperties } = resolved;
    if (allOf !== undefined) yield* this.#spots(allOf[0]!, path);
    else if (oneOf !== undefined) for (const [index, arm] of oneOf.entries()) yield* this.#spots(arm, [...path, `|${index}`]);
    else if (type === "array") {
      yield { path, kind: "list", schema: items ?? {} };
      yield* this.#spots(items ?? {}, [...path, "*"]);
    } else if (type === "object" && typeof additionalProperties === "object") {
      yield { path, kind: "map", schema: additionalProperties };
      yield* this.#spots(additionalProperties, [...path, "*"]);
    } else if (type === "object")
      for (const [name, property] of Object.entries(properties ?? {})) yield* this.#spots(property, [...path, name]);
    else if (type === "string") yield { path, kind: "text", schema: resolved };
    else if (type === undefined) yield { path, kind: "any", schema: resolved };
  }

  /** A request that would be served, but for the hole at the path. */
  #planted(schema: Schema, name: string, [step, ...rest]: readonly Step[]): unknown {
    if (step === undefined) return hole;
    const { allOf, oneOf, type, items, properties = {}, additionalProperties, required = [] } = resolve(schema, this.generator.components);
    if (allOf !== undefined) return this.#planted(allOf[0]!, name, [step, ...rest]);
    if (oneOf !== undefined) return this.#planted(oneOf[Number(step.slice(1))]!, name, rest);
    if (type === "array") return [this.#planted(items ?? {}, name, rest)];
    if (typeof additionalProperties === "object")
      return { [String(this.generator.value({ type: "string" }, ""))]: this.#planted(additionalProperties, "", rest) };
    const others = Object.entries(properties).filter(
      ([other]) => other !== step && (required.includes(other) || other in this.generator.words),
    );
    return {
      ...Object.fromEntries(others.map(([other, property]) => [other, this.generator.value(property, other)])),
      [step]: this.#planted(properties[step]!, step, rest),
    };
  }

  #fillers({ kind, schema, path }: Spot): readonly (readonly [string, Fill])[] {
    const name = path.findLast((step) => step !== "*" && !step.startsWith("|")) ?? "";
    const valid = JSON.stringify(this.generator.value(schema, kind === "map" ? "" : (singular[name] ?? name)));
    const nested = JSON.stringify(grown(JSON.parse(valid))),
      most = limits.requestElementsMax,
      several = Math.floor(limits.requestValuesMax / (grownTo * 4));
    switch (kind) {
      case "list":
        return [
          ["zeros", many("0")],
          ["all valid", many(valid)],
          ["as many zeros as may be", many("0", most)],
          ["as many objects as may be", many("{}", most)],
          ["as many texts as may be", numbered((n) => `"n${n}::1220ab"`, most)],
          ["as many valid as may be", many(valid, most)],
          ["valid with many in each", many(nested, several)],
          ["a few valid", many(valid, 1_000)],
        ];
      case "map":
        return [
          ["zeros", members(() => "0")],
          ["all valid", members(() => valid)],
          ["as many zeros as may be", members(() => "0", most)],
          ["as many objects as may be", members(() => "{}", most)],
          ["as many texts as may be", members((n) => `"${n}"`, most)],
          ["as many valid as may be", members(() => valid, most)],
          ["valid with many in each", members(() => nested, several)],
          ["a few valid", members(() => valid, 1_000)],
        ];
      case "text":
        return [
          ["ascii", (bytes) => `"${"A".repeat(bytes - 2)}"`],
          ["escapes", (bytes) => `"${"\\u0041".repeat((bytes - 2) / 6)}"`],
          ["wide", (bytes) => `"${"é😀".repeat((bytes - 2) / 6)}"`],
        ];
      case "any":
        return [
          ["zeros", many("0")],
          ["objects", many("{}")],
          ["lists", many("[]")],
          ["members", members(() => "0")],
          ["numbers", many("1.2345678901234567e-300")],
          ["shapes", numbered((n) => `{"k${n}":0}`)],
          ["deep", (bytes) => `${"[".repeat(900)}${many("[[]]")(bytes - 1_800)}${"]".repeat(900)}`],
          ["deeper", many(`${"[".repeat(900)}${"]".repeat(900)}`)],
          ["open", (bytes) => "[".repeat(bytes)],
          ["broken", (bytes) => `[${"0,".repeat(bytes / 2 - 1)}x`],
          ["text", (bytes) => `"${"\\u0041".repeat((bytes - 2) / 6)}"`],
          ["wide", (bytes) => `"${"é😀".repeat((bytes - 2) / 6)}"`],
          ["blank", (bytes) => " ".repeat(bytes - 1) + "0"],
          ["as many shapes as may be", numbered((n) => `{"k${n}":0}`, most)],
        ];
    }
  }
}

type Fill = (bytes: number) => string;

type Generator_<T> = globalThis.Generator<T, void>;

/** Words are kept by the name of the list. */
const singular: Readonly<Record<string, string>> = {
  parties: "party",
  actAs: "party",
  readAs: "party",
  packageIds: "packageId",
  participantIds: "participantId",
  synchronizerIds: "synchronizerId",
};

const grownTo = 60;

/** With each list in it as long as that. */
function grown(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : Array<unknown>(grownTo).fill(value[0]);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, grown(member)]));
}

const many =
  (element: string, countMax = Infinity): Fill =>
  (bytes) =>
    `[${Array<string>(Math.max(1, Math.min(countMax, Math.floor(bytes / (element.length + 1)))))
      .fill(element)
      .join(",")}]`;

const numbered =
  (element: (n: number) => string, countMax = Infinity): Fill =>
  (bytes) =>
    `[${filled(element, bytes, countMax)}]`;
const members =
  (value: (n: number) => string, countMax = Infinity): Fill =>
  (bytes) =>
    `{${filled((n) => `"n${n}::1220ab":${value(n)}`, bytes, countMax)}}`;

function filled(element: (n: number) => string, bytes: number, countMax: number): string {
  const elements: string[] = [];
  for (let n = 0, left = bytes - 2; left > 0 && n < countMax; n++) {
    const text = element(n);
    left -= text.length + 1;
    elements.push(text);
  }
  return elements.join(",");
}
