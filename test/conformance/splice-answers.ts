/** Whether an answer is what Splice publishes for its operation. */
import { flat, operationsOf, published, type Document, type DocumentedOperation, type PublishedSchema } from "./splice-documents.js";

interface Known {
  readonly pattern: RegExp;
  readonly route: string;
  readonly operation: DocumentedOperation;
  readonly document: Document;
}

const surfaces: readonly (readonly [prefix: string, names: readonly string[]])[] = [
  [
    "",
    [
      "token-metadata-v1",
      "transfer-instruction-v1",
      "transfer-instruction-v2",
      "allocation-instruction-v1",
      "allocation-instruction-v2",
      "allocation-v1",
      "allocation-v2",
    ],
  ],
  [
    "/api/validator/v0/scan-proxy",
    [
      "token-metadata-v1",
      "transfer-instruction-v1",
      "transfer-instruction-v2",
      "allocation-instruction-v1",
      "allocation-instruction-v2",
      "allocation-v1",
      "allocation-v2",
    ],
  ],
  ["/api/scan", ["scan"]],
  ["/api/validator", ["scan-proxy", "validator-internal", "wallet-internal", "wallet-external"]],
  ["/api/sv", ["sv-internal"]],
];

/** Counts what it looked at. */
export class AnswerChecks {
  readonly #known: readonly Known[];
  readonly operations = new Set<string>();
  answers = 0;
  readonly problems: string[] = [];

  constructor() {
    this.#known = surfaces
      .flatMap(([prefix, names]) =>
        names.map(published).flatMap((document) =>
          operationsOf(document).map(([route, operation]) => {
            const [method, path] = route.split(" ") as [string, string];
            // a literal segment comes before a parameter
            return {
              pattern: new RegExp(`^${method} ${prefix}${path.replace(/\{[^}]+\}/g, "[^/]+")}$`),
              route: `${method} ${prefix}${path}`,
              operation,
              document,
            };
          }),
        ),
      )
      .sort((a, b) => a.route.split("{").length - b.route.split("{").length);
  }

  check(method: string, path: string, status: number, body: unknown): void {
    const known = this.#known.find(({ pattern }) => pattern.test(`${method} ${path.split("?")[0]}`));
    if (!known) return;
    this.operations.add(known.route);
    this.answers += 1;
    const response = known.operation.responses[String(status)],
      schema = response?.content?.["application/json"]?.schema,
      isBodiless = response !== undefined && response.content === undefined && response.$ref === undefined;
    const problem =
      status >= 400 && !schema && !isBodiless
        ? failureProblem(body)
        : schema
          ? valueProblem(schema, known.document, body, "$")
          : response && body !== undefined && "a body where none is published";
    if (problem) this.problems.push(`${known.route} ${status}: ${problem}`);
  }
}

const failureProblem = (body: unknown): string | undefined =>
  typeof (body as { error?: unknown } | undefined)?.error === "string" ? undefined : `no {error}: ${JSON.stringify(body)}`;

/** Splice's servers have null there, which clients compare with, though their document has not: in names of the network's operators, and where nothing follows. */
const nullAsServed = /^\$\.(entr(y|ies\[\d+\])\.(contract_id|expires_at)|next_page_token|featured_app_right)$/;

function valueProblem(schema: PublishedSchema, document: Document, value: unknown, at: string): string | undefined {
  const own = flat(schema, document);
  if (value === null) return schema.nullable || own.nullable || nullAsServed.test(at) ? undefined : `${at} is null`;
  if (own.oneOf)
    return own.oneOf.some((arm) => valueProblem(arm, document, value, at) === undefined)
      ? undefined
      : `${at} is no arm: ${JSON.stringify(value).slice(0, 200)}`;
  if (own.enum && !own.enum.includes(value as string)) return `${at} is none of ${own.enum.join(", ")}: ${JSON.stringify(value)}`;
  switch (own.type ?? (own.properties ? "object" : undefined)) {
    case "string":
      return typeof value === "string" ? undefined : `${at} is no text: ${JSON.stringify(value)}`;
    case "integer":
      return Number.isInteger(value) ? undefined : `${at} is no integer: ${JSON.stringify(value)}`;
    case "number":
      return typeof value === "number" ? undefined : `${at} is no number`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `${at} is no boolean`;
    case "array":
      return Array.isArray(value)
        ? first(value.map((each, index) => own.items && valueProblem(own.items, document, each, `${at}[${index}]`)))
        : `${at} is no array`;
    case "object":
      return objectProblem(own, document, value, at);
    default:
      return undefined;
  }
}

function objectProblem(
  { required = [], properties = {} }: PublishedSchema,
  document: Document,
  value: unknown,
  at: string,
): string | undefined {
  if (typeof value !== "object" || Array.isArray(value)) return `${at} is no object: ${JSON.stringify(value)}`;
  const fields = value as Readonly<Record<string, unknown>>,
    missing = required.filter((name) => !(name in fields));
  if (missing.length > 0) return `${at} lacks ${missing.join(", ")}`;
  return first(
    Object.entries(properties).map(([name, schema]) =>
      fields[name] === undefined ? undefined : valueProblem(schema, document, fields[name], `${at}.${name}`),
    ),
  );
}

const first = (problems: readonly (string | undefined)[]): string | undefined => problems.find((problem) => problem !== undefined);
