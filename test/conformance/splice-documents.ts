/**
 * The documents of Splice's servers as they are published, where they are at hand (they are not part of this project), and what
 * a client of them could miss in ours.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "../support/paths.js";

export interface PublishedSchema {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly items?: PublishedSchema;
  readonly enum?: readonly string[];
  readonly allOf?: readonly PublishedSchema[];
  readonly oneOf?: readonly PublishedSchema[];
  readonly nullable?: boolean;
  readonly type?: string;
  readonly additionalProperties?: PublishedSchema | boolean;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly $ref?: string;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: PublishedSchema }>>;
}
export interface DocumentedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string }>>;
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, PublishedSchema>> };
}

const folder = join(repositoryRoot(), "../shared/openapi/splice");
export const isPublishedAtHand = existsSync(folder);
export const published = (name: string): Document => parse(readFileSync(join(folder, `${name}.yaml`), "utf8")) as Document;

const methods = ["get", "post", "put", "patch", "delete"];
export const operationsOf = ({ paths }: Document): readonly (readonly [route: string, operation: DocumentedOperation])[] =>
  Object.entries(paths).flatMap(([path, entries]) =>
    Object.entries(entries).flatMap(([method, operation]) =>
      methods.includes(method) ? [[`${method.toUpperCase()} ${path}`, operation] as const] : [],
    ),
  );

/** What is asked of a client must not be more than is published, what it is promised not less. */
type Direction = "asked" | "answered";

export function operationDifferences(
  wanted: DocumentedOperation,
  wantedIn: Document,
  given: DocumentedOperation,
  givenIn: Document,
): readonly string[] {
  const found: string[] = [];
  const compare = new Comparison(wantedIn, givenIn, found);
  compare.sets("parameters", parametersOf(wanted), parametersOf(given));
  compare.schemas("asked", "body", jsonOf(wanted.requestBody), jsonOf(given.requestBody));
  compare.schemas("answered", "answer", jsonOf(wanted.responses["200"]), jsonOf(given.responses["200"]));
  return found;
}

const parametersOf = ({ parameters = [] }: DocumentedOperation): readonly string[] =>
  parameters.map(({ name, in: place, required = false }) => `${place} ${name} ${required}`).sort();
const jsonOf = (content: Content | undefined): PublishedSchema | undefined => content?.content?.["application/json"]?.schema;

class Comparison {
  readonly #seen = new Set<string>();
  constructor(
    private readonly wantedIn: Document,
    private readonly givenIn: Document,
    private readonly found: string[],
  ) {}

  sets(at: string, wanted: readonly string[], given: readonly string[]): void {
    if (JSON.stringify(wanted) !== JSON.stringify(given))
      this.found.push(`${at}: published ${wanted.join(", ")}; ours ${given.join(", ")}`);
  }

  schemas(direction: Direction, at: string, wanted: PublishedSchema | undefined, given: PublishedSchema | undefined): void {
    if (!wanted || !given) {
      if (wanted && Object.keys(flat(wanted, this.wantedIn).properties ?? {}).length > 0) this.found.push(`${at}: ours is empty`);
      return;
    }
    const pair = `${direction} ${wanted.$ref ?? ""} ${given.$ref ?? ""}`;
    if (wanted.$ref && given.$ref && this.#seen.has(pair)) return;
    this.#seen.add(pair);
    const left = flat(wanted, this.wantedIn),
      right = flat(given, this.givenIn);
    if (left.oneOf) return this.#arms(direction, at, left.oneOf, right.oneOf ?? [right]);
    const [less, more] = direction === "asked" ? [right, left] : [left, right];
    this.#contains(`${at} required`, less.required ?? [], more.required ?? []);
    if (left.enum) this.#contains(`${at} enum`, more.enum ?? (direction === "asked" ? left.enum : []), less.enum ?? []);
    this.#contains(`${at} fields`, Object.keys(left.properties ?? {}), Object.keys(right.properties ?? {}), isMap(right));
    for (const [name, field] of Object.entries(left.properties ?? {}))
      if (right.properties?.[name]) this.schemas(direction, `${at}.${name}`, field, right.properties[name]);
    if (left.items && right.items) this.schemas(direction, `${at}[]`, left.items, right.items);
  }

  /** An arm goes by the fields that it must have. */
  #arms(direction: Direction, at: string, wanted: readonly PublishedSchema[], given: readonly PublishedSchema[]): void {
    for (const arm of given) {
      const own = flat(arm, this.givenIn),
        keys = own.required ?? [];
      const like = wanted.filter((each) => (flat(each, this.wantedIn).required ?? []).every((key) => keys.includes(key)));
      if (like.length === 0) this.found.push(`${at}: no published arm has only ${keys.join(", ")}`);
      else if (like.length === 1) this.schemas(direction, at, like[0], arm);
    }
  }

  #contains(at: string, wanted: readonly string[], given: readonly string[], unless = false): void {
    const missing = unless ? [] : wanted.filter((each) => !given.includes(each));
    if (missing.length > 0) this.found.push(`${at}: ${missing.join(", ")} of ${wanted.join(", ")} not among ${given.join(", ")}`);
  }
}

const isMap = ({ properties, additionalProperties }: PublishedSchema): boolean =>
  Object.keys(properties ?? {}).length === 0 || (additionalProperties !== undefined && additionalProperties !== false);

/** References followed, what is joined made one. */
export function flat(schema: PublishedSchema, document: Document): PublishedSchema {
  if (schema.$ref) {
    const target = document.components.schemas[schema.$ref.split("/").at(-1)!];
    if (!target) throw new Error(`no component ${schema.$ref}`);
    return flat(target, document);
  }
  if (!schema.allOf) return schema;
  const parts = [...schema.allOf.map((part) => flat(part, document)), { ...schema, allOf: undefined } as unknown as PublishedSchema];
  return {
    ...(Object.assign({}, ...parts) as PublishedSchema),
    required: [...new Set(parts.flatMap(({ required = [] }) => required))],
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})) as Readonly<Record<string, PublishedSchema>>,
  };
}
