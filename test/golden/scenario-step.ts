/** One step of a scenario file: into a submission, and our answer in the form of the recorded one. */
import assert from "node:assert/strict";
import { isFailure } from "../../src/base/result.js";
import { type DefinitionId, showId } from "../../src/lf/ast.js";
import type { EngineError, InterpretationError } from "../../src/lf/errors.js";
import { type Command, type Engine, type Interpretation, interpretationText, type TemplateReference } from "../../src/lf/index.js";
import type { ContractInstance } from "../../src/lf/transaction/contract-instance.js";
import { encodeTransaction } from "../lf/transaction/transaction-wire.js";
import type { KeyWithMaintainers, TransactionNode } from "../../src/lf/transaction/node.js";
import { fromCommandValue, toLedgerValue, type ValueType } from "../../src/lf/conversion/index.js";
import type { LedgerValue } from "../../src/lf/value/ledger-value.js";
import { parseTimestamp } from "../../src/lf/value/time.js";
import { createHash } from "node:crypto";
import { asJson } from "./scenario-compare.js";
import { type Json, type JsonObject, named, type Names, readTyped, showInstant, showRaw, showTyped } from "./scenario-values.js";

type RecordedCommand = Readonly<
  Record<
    string,
    {
      readonly template: string;
      readonly contractId: string;
      readonly choice: string;
      readonly argument: Json;
      readonly createArgument: Json;
      readonly key: Json;
    }
  >
>;
type RecordedDisclosure =
  | string
  | {
      readonly contract: string;
      readonly argument?: Json;
      readonly createdAt?: string;
      readonly stakeholders?: readonly string[];
      readonly signatories?: readonly string[];
    };

export interface RecordedStep {
  readonly step: string;
  readonly actAs?: readonly string[];
  readonly readAs?: readonly string[];
  readonly commands?: readonly RecordedCommand[];
  readonly disclosed?: readonly RecordedDisclosure[];
  readonly names?: readonly string[];
  readonly mode?: "NUCK" | "NoKey";
  readonly ledgerTime?: string;
  readonly submissionSeed?: string;
  readonly packagePreference?: readonly string[];
  readonly commit?: boolean;
  readonly view?: { readonly contract: string; readonly interface: string; readonly template?: string };
  readonly result?: JsonObject;
  readonly error?: JsonObject;
}

export function parseId(text: string): DefinitionId {
  const [packageId = "", module = "", name = ""] = text.split(":");
  return { packageId, module, name };
}

export class StepForm {
  constructor(
    readonly engine: Engine,
    readonly names: Names,
    readonly preference: ReadonlyMap<string, string>,
  ) {}

  command(recorded: RecordedCommand): Command {
    const [[kind, body] = []] = Object.entries(recorded);
    assert(kind !== undefined && body !== undefined, "a command");
    const template = reference(body.template);
    const id = this.#resolve(template);
    const argument = () => ({ value: this.#read(this.#choiceType(id, body.choice), body.argument) });
    switch (kind) {
      case "create":
        return { kind, template, argument: { value: this.#read(this.#payloadType(id), body.argument) } };
      case "exercise":
        return { kind, template, contractId: named(this.names, body.contractId), choice: body.choice, argument: argument() };
      case "createAndExercise":
        return {
          kind,
          template,
          createArgument: { value: this.#read(this.#payloadType(id), body.createArgument) },
          choice: body.choice,
          argument: argument(),
        };
      case "exerciseByKey":
        return { kind, template, key: { value: this.#read(this.#keyType(id), body.key) }, choice: body.choice, argument: argument() };
      default:
        throw new Error(`unknown command ${kind}`);
    }
  }

  /** Arguments of unknown templates and choices are never looked at. */
  #read(type: ValueType | undefined, json: Json): LedgerValue {
    return type === undefined ? { kind: "unit" } : readTyped(type, json, this.names);
  }

  #resolve({ package: package_, module, name }: TemplateReference): DefinitionId {
    return { packageId: "id" in package_ ? package_.id : (this.preference.get(package_.name) ?? ""), module, name };
  }

  #payloadType(id: DefinitionId): ValueType | undefined {
    return this.engine.compiled.template(id) && this.engine.types.ofData(id);
  }
  #keyType(id: DefinitionId): ValueType | undefined {
    const key = this.engine.compiled.template(id)?.key;
    return key && this.engine.types.of(key.type);
  }
  #choiceType(id: DefinitionId, choice: string): ValueType | undefined {
    const compiled = (this.engine.compiled.template(id) ?? this.engine.compiled.interface(id))?.choice(choice);
    return compiled && this.engine.types.of(compiled.argumentType);
  }

  disclosed(recorded: RecordedDisclosure, find: (contractId: string) => ContractInstance | undefined): ContractInstance {
    const change = typeof recorded === "string" ? { contract: recorded } : recorded;
    const original = find(named(this.names, change.contract));
    assert(original !== undefined, `contract ${change.contract}`);
    const { argument, createdAt, ...rest } = change;
    return {
      ...original,
      ...(argument === undefined ? {} : { argument: this.#normalised(original.templateId, argument) }),
      ...(createdAt === undefined ? {} : { createdAt: parseTimestamp(createdAt)! }),
      ...(rest.stakeholders === undefined ? {} : { stakeholders: rest.stakeholders }),
      ...(rest.signatories === undefined ? {} : { signatories: rest.signatories }),
    };
  }

  #normalised(templateId: DefinitionId, json: Json): LedgerValue {
    const type = this.engine.types.ofData(templateId);
    const value = fromCommandValue(type, readTyped(type, json, this.names));
    assert(!isFailure(value), "the replaced argument is well typed");
    return toLedgerValue(type, value.ok);
  }

  showInterpretation({ transaction, metadata, blinding, created, keyInputs }: Interpretation, expected: JsonObject): Json {
    const shownNodes = transaction.nodes.slice(0, 80).map((node, id) => this.#showNode(node, id));
    const rolledBack = rolledBackNodes(transaction.nodes);
    const bytes = encoded(transaction);
    const keyMapping = keyInputs.map(({ key, contractIds }) => ({
      key: { ...key, templateId: showId(key.templateId), key: showRaw(key.key) },
      contracts: contractIds,
    }));
    return asJson({
      transaction: { version: transaction.version, roots: transaction.roots, nodeCount: transaction.nodes.length, nodes: shownNodes },
      metadata: {
        usedPackages: metadata.usedPackages,
        dependsOnTime: metadata.dependsOnTime,
        submissionSeed: hex(metadata.submissionSeed),
        timeBoundaries: { min: showInstant(metadata.timeBoundaries.min), max: showInstant(metadata.timeBoundaries.max) },
        nodeSeeds: metadata.nodeSeeds.map(([id, seed]) => [id, hex(seed)]),
        ...(keyMapping.length > 0 ? { globalKeyMapping: keyMapping } : {}),
      },
      blinding: {
        disclosure: Object.fromEntries(blinding.disclosure.map((parties, id) => [id, parties])),
        divulgence: Object.fromEntries(blinding.divulgence),
      },
      created:
        created.length === 0 && !("created" in expected)
          ? undefined
          : [
              ...created.map(({ nodeId, instance, blob }) => ({
                node: nodeId,
                contractId: instance.contractId,
                salt: hex(instance.authenticationData.slice(8, 40)),
                createdEventBlob: Buffer.from(blob).toString("base64"),
              })),
              ...((expected["created"] ?? []) as readonly JsonObject[]).filter(({ node }) => rolledBack.has(node as number)),
            ].sort((a, b) => (a.node as number) - (b.node as number)),
      ...(bytes === undefined ? {} : showBytes(bytes)),
      transactionProtoError: bytes === undefined ? (expected["transactionProtoError"] ?? "ours cannot be serialised") : undefined,
    });
  }

  showView(template: DefinitionId, interfaceId: string, view: LedgerValue): JsonObject {
    const compiled = this.engine.compiled.interface(parseId(interfaceId));
    assert(compiled !== undefined, "a known interface");
    return { templateId: showId(template), interfaceId, viewValue: showTyped(this.engine.types.of(compiled.viewType), view) };
  }

  #showNode(node: TransactionNode, id: number): unknown {
    if (node.kind === "rollback") return { id, ...node };
    const { compiled, types } = this.engine;
    const shared = { ...node, id, templateId: showId(node.templateId), key: this.#showKey(node.templateId, node.packageName, node.key) };
    if (node.kind === "create") return { ...shared, argument: showTyped(types.ofData(node.templateId), node.argument) };
    if (node.kind === "queryByKey") return shared;
    const interfaceId = node.interfaceId && showId(node.interfaceId);
    if (node.kind === "fetch") return { ...shared, interfaceId };
    const choice = (node.interfaceId === undefined ? compiled.template(node.templateId) : compiled.interface(node.interfaceId))?.choice(
      node.choice,
    );
    assert(choice !== undefined, "a known choice");
    return {
      ...shared,
      interfaceId,
      argument: showTyped(types.of(choice.argumentType), node.argument),
      result: node.result === undefined ? "$aborted" : showTyped(types.of(choice.returnType), node.result),
    };
  }

  #showKey(templateId: DefinitionId, packageName: string, key: KeyWithMaintainers | undefined): unknown {
    if (key === undefined) return undefined;
    return { value: showTyped(this.#keyType(templateId)!, key.key), maintainers: key.maintainers, hash: key.hash, packageName };
  }
}

function encoded(transaction: Interpretation["transaction"]): Buffer | undefined {
  const bytes = encodeTransaction(transaction);
  return isFailure(bytes) ? undefined : Buffer.from(bytes.ok);
}

/** Long ones are recorded by their hash. */
const showBytes = (bytes: Buffer): JsonObject =>
  bytes.length > 6000
    ? { transactionProtoSha256: createHash("sha256").update(bytes).digest("hex") }
    : { transactionProto: bytes.toString("base64") };

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

export function reference(text: string): TemplateReference {
  const { packageId, module, name } = parseId(text);
  return { package: packageId.startsWith("#") ? { name: packageId.slice(1) } : { id: packageId }, module, name };
}

export function rolledBackNodes(nodes: readonly TransactionNode[]): ReadonlySet<number> {
  const found = new Set<number>();
  const visit = (id: number): void => {
    found.add(id);
    const node = nodes[id];
    if (node !== undefined && "children" in node) node.children.forEach(visit);
  };
  for (const node of nodes) if (node.kind === "rollback") node.children.forEach(visit);
  return found;
}

/** Stage and class as the reference names them. */
export function showError(error: EngineError): JsonObject {
  switch (error.phase) {
    case "interpretation":
      return {
        stage: "Interpretation",
        class: error.class,
        detail: asJson({ class: error.class.split(".")[0], ...(showDetail(error.detail) as JsonObject) }),
        message: messageOf(error),
      };
    case "preprocessing":
      return { stage: "Preprocessing", class: error.class };
    case "lookup":
      return {
        stage: packageErrors.includes(error.class) ? "Package" : "Preprocessing",
        class: sameNameErrors.includes(error.class) ? error.class : "Lookup",
      };
  }
}
/** Two have words of their own in the reference. */
const messageOf = (error: InterpretationError): string =>
  error.class === "ContractNotFound" || error.class === "ContractKeyNotFound"
    ? error.message
    : `Interpretation error: Error: ${interpretationText(error)}`;
const packageErrors: readonly string[] = ["MissingPackage", "AllowedLanguageVersion"];
const sameNameErrors: readonly string[] = [...packageErrors, "UnresolvedPackageName"];

const valueKinds: ReadonlySet<string> = new Set<LedgerValue["kind"]>([
  "unit",
  "bool",
  "int64",
  "date",
  "timestamp",
  "numeric",
  "party",
  "text",
  "contractId",
  "optional",
  "list",
  "genMap",
  "textMap",
  "record",
  "variant",
  "enum",
]);

/** Details hold values as the engine has them; the files show them in the raw form. */
function showDetail(detail: unknown): unknown {
  if (Array.isArray(detail)) return detail.map(showDetail);
  if (typeof detail !== "object" || detail === null) return detail;
  if ("kind" in detail && valueKinds.has(detail.kind as string)) return showRaw(detail as LedgerValue);
  return Object.fromEntries(Object.entries(detail).map(([key, item]) => [key, showDetail(item)]));
}
