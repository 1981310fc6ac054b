/** Recorded scenarios of the reference engine (test/data/engine/scenarios), read into the types of the product. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DefinitionId, Package, PackageId, TemplateChoice } from "../../../src/lf/ast.js";
import { decodePackage, readDar, stablePackages } from "../../../src/lf/archive/index.js";
import { PackageInterface } from "../../../src/lf/package-interface.js";
import type { KeyWithMaintainers, SerializationVersion, Transaction, TransactionNode } from "../../../src/lf/transaction/node.js";
import { fromCommandValue, toLedgerValue, type ValueType, ValueTypes } from "../../../src/lf/conversion/index.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import { parseTimestamp } from "../../../src/lf/value/time.js";
import { type Json, readTyped } from "../../golden/scenario-values.js";
import { testData } from "../../support/paths.js";

const darLimits = { darEntriesMax: 1000, darEntryBytesMax: 2 ** 26, darTotalBytesMax: 2 ** 26, darInflationMax: 1032 };

export function loadPackages(...folders: readonly string[]): Map<PackageId, Package> {
  const packages = new Map<PackageId, Package>();
  const add = ({ id, payload }: { readonly id: PackageId; readonly payload: Uint8Array }): void => {
    if (packages.has(id)) return;
    const decoded = decodePackage(id, payload);
    assert(decoded.ok !== undefined, decoded.error?.message);
    packages.set(id, decoded.ok);
  };
  stablePackages().forEach(add); // our DARs refer to them and do not carry them
  for (const folder of folders) {
    for (const file of readdirSync(testData(folder)).filter((name) => name.endsWith(".dar"))) {
      const dar = readDar(readFileSync(testData(folder, file)), darLimits);
      assert(dar.ok !== undefined, `${file}: ${dar.error?.message}`);
      dar.ok.archives.forEach(add);
    }
  }
  return packages;
}

/** JSON as recorded; only what the tests look at has a type. */
export interface RecordedStep {
  readonly step: string;
  readonly submissionSeed?: string;
  readonly result?: {
    readonly transaction?: {
      readonly version: SerializationVersion;
      readonly roots: readonly number[];
      readonly nodeCount: number;
      readonly nodes: readonly RecordedNode[];
    };
    readonly metadata?: { readonly submissionSeed: string; readonly nodeSeeds: readonly (readonly [number, string])[] };
    readonly blinding?: {
      readonly disclosure: Readonly<Record<string, readonly string[]>>;
      readonly divulgence: Readonly<Record<string, readonly string[]>>;
    };
    readonly created?: readonly {
      readonly node: number;
      readonly contractId: string;
      readonly salt: string;
      readonly createdEventBlob: string;
    }[];
    readonly transactionProto?: string | { readonly sha256: string; readonly size?: number };
    readonly transactionProtoSha256?: string;
    readonly transactionProtoError?: string;
  };
}
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type RecordedNode = any;

export interface RecordedScenario {
  readonly name: string;
  readonly file: string;
  readonly ledgerTime?: string;
  readonly steps: readonly (RecordedStep & { readonly ledgerTime?: string })[];
}

export function recordedScenarios(): readonly RecordedScenario[] {
  const folder = testData("engine", "scenarios");
  return readdirSync(folder)
    .sort()
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(folder, file), "utf8")) as Omit<RecordedScenario, "file">[]).map((scenario) => ({ ...scenario, file })),
    );
}

/** The result of an exercise that an exception ended. */
const aborted = "$aborted";

export function microsOf(isoText: string): bigint {
  const micros = parseTimestamp(isoText);
  assert(micros !== undefined, isoText);
  return micros;
}
export const defaultLedgerTime = "2024-01-01T00:00:00Z";

export function parseId(text: string): DefinitionId {
  const [packageId, module, name] = text.split(":") as [string, string, string];
  return { packageId, module, name };
}

/** Types and values of recorded nodes. */
export class RecordedNodes {
  readonly packages: PackageInterface;
  readonly types: ValueTypes;
  constructor(packages: ReadonlyMap<PackageId, Package>) {
    this.packages = new PackageInterface({ getPackage: (id) => packages.get(id) });
    this.types = new ValueTypes(this.packages);
  }

  value(type: ValueType, json: unknown): LedgerValue {
    const decoded = fromCommandValue(type, readTyped(type, json as Json, new Map()));
    assert(decoded.ok !== undefined, decoded.error?.message);
    return toLedgerValue(type, decoded.ok);
  }

  transaction(recorded: NonNullable<NonNullable<RecordedStep["result"]>["transaction"]>): Transaction {
    return { version: recorded.version, roots: recorded.roots, nodes: recorded.nodes.map((node) => this.node(node)) };
  }

  node(node: RecordedNode): TransactionNode {
    if (node.kind === "rollback") return { kind: "rollback", children: node.children };
    const templateId = parseId(node.templateId);
    const common = { packageName: node.packageName, templateId, version: node.version };
    const key = node.key && this.#key(templateId, node.key);
    switch (node.kind) {
      case "create":
        return {
          kind: "create",
          ...common,
          contractId: node.contractId,
          argument: this.value(this.types.ofData(templateId), node.argument),
          signatories: node.signatories,
          stakeholders: node.stakeholders,
          key,
        };
      case "fetch":
        return {
          kind: "fetch",
          ...common,
          contractId: node.contractId,
          actingParties: node.actingParties,
          signatories: node.signatories,
          stakeholders: node.stakeholders,
          key,
          byKey: node.byKey,
          interfaceId: node.interfaceId && parseId(node.interfaceId),
        };
      case "exercise":
        return this.#exercise(node, common, key);
      case "queryByKey":
        return { kind: "queryByKey", ...common, key, result: node.result, exhaustive: node.exhaustive };
      default:
        throw new Error(`unknown node kind ${node.kind}`);
    }
  }

  #exercise(
    node: RecordedNode,
    common: { packageName: string; templateId: DefinitionId; version: SerializationVersion },
    key: KeyWithMaintainers | undefined,
  ): TransactionNode {
    const interfaceId = node.interfaceId && parseId(node.interfaceId);
    const choice = this.choice(interfaceId ?? common.templateId, node.choice);
    return {
      kind: "exercise",
      ...common,
      contractId: node.contractId,
      interfaceId,
      choice: node.choice,
      consuming: node.consuming,
      actingParties: node.actingParties,
      choiceObservers: node.choiceObservers,
      choiceAuthorizers: node.choiceAuthorizers,
      argument: this.value(this.types.of(choice.argBinder.type), node.argument),
      result: node.result === aborted ? undefined : this.value(this.types.of(choice.returnType), node.result),
      signatories: node.signatories,
      stakeholders: node.stakeholders,
      key,
      byKey: node.byKey,
      children: node.children,
    };
  }

  choice(id: DefinitionId, name: string): TemplateChoice {
    const choice = (this.packages.template(id) ?? this.packages.interface(id))?.choices.get(name);
    assert(choice !== undefined, `${id.module}:${id.name} has a choice ${name}`);
    return choice;
  }

  keyType(templateId: DefinitionId): ValueType {
    const key = this.packages.template(templateId)?.key;
    assert(key !== undefined, "the template has a key");
    return this.types.of(key.type);
  }

  #key(templateId: DefinitionId, key: RecordedNode): KeyWithMaintainers {
    return { key: this.value(this.keyType(templateId), key.value), maintainers: key.maintainers, hash: key.hash };
  }
}
