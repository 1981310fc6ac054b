/** Reads the nodes of a prepared transaction. */
import type {
  CreateNode,
  ExerciseNode,
  FetchNode,
  KeyWithMaintainers,
  NodeId,
  Party,
  QueryByKeyNode,
  SerializationVersion,
  TransactionNode,
} from "../transaction/index.js";
import type { DefinitionId } from "../ast.js";
import { checkName, checkPackageName, checkParty, type LedgerValue } from "../value/index.js";
import { ApiValueReader, delimited, type ProtoReader, readApiIdentifier, varint } from "../wire/index.js";
import * as fields from "./fields.js";
import { checked, ContentFailure, contentRules, contractId, readMessage, required } from "./content.js";

const readApiValue = (input: ProtoReader): LedgerValue => new ApiValueReader(input, contentRules).value();

/** `Node` of the data version 1. */
export function readNode(input: ProtoReader): TransactionNode {
  let node: TransactionNode | undefined;
  readMessage(input, {
    [delimited(fields.nodeType.create)]: () => {
      node = readCreate(input);
    },
    [delimited(fields.nodeType.fetch)]: () => {
      node = readFetch(input);
    },
    [delimited(fields.nodeType.exercise)]: () => {
      node = readExercise(input);
    },
    [delimited(fields.nodeType.rollback)]: () => {
      node = readRollback(input);
    },
    [delimited(fields.nodeType.queryByKey)]: () => {
      node = readQueryByKey(input);
    },
  });
  return required(node, "node_type");
}

/** What nodes have in common, as it comes. */
class Parts {
  version = "";
  contractId = "";
  packageName = "";
  templateId: DefinitionId | undefined;
  interfaceId: DefinitionId | undefined;
  argument: LedgerValue | undefined;
  key: GlobalKey | undefined;
  byKey = false;
  readonly signatories: Party[] = [];
  readonly stakeholders: Party[] = [];
  readonly actingParties: Party[] = [];
}

interface GlobalKey extends KeyWithMaintainers {
  readonly templateId: DefinitionId;
  readonly packageName: string;
}

const party = (input: ProtoReader): Party => checked(checkParty, input.text());

/** Sets are signed sorted. */
const set = (parties: readonly Party[]): readonly Party[] => [...new Set(parties)].sort();

const versions: ReadonlySet<string> = new Set<SerializationVersion>(["2.1", "2"]);

export function readVersion(text: string): SerializationVersion {
  if (!versions.has(text)) throw new ContentFailure(`unsupported serialisation version ${JSON.stringify(text.slice(0, 40))}`);
  return text as SerializationVersion;
}

function common(parts: Parts): { readonly version: SerializationVersion; readonly packageName: string; readonly templateId: DefinitionId } {
  return {
    version: readVersion(parts.version),
    packageName: checked(checkPackageName, parts.packageName),
    templateId: required(parts.templateId, "template_id"),
  };
}

function contract(parts: Parts): ReturnType<typeof common> & {
  readonly contractId: string;
  readonly signatories: readonly Party[];
  readonly stakeholders: readonly Party[];
} {
  return {
    ...common(parts),
    contractId: contractId(parts.contractId),
    signatories: set(parts.signatories),
    stakeholders: set(parts.stakeholders),
  };
}

/** The key of a node is one of its template, so its own names only repeat the node's. */
function keyOf(parts: Parts): KeyWithMaintainers | undefined {
  const { key, packageName, templateId } = parts;
  if (key === undefined) return undefined;
  if (parts.version === "2.1") throw new ContentFailure("a contract key needs serialisation version 2");
  const isSame =
    key.packageName === packageName
    && templateId !== undefined
    && key.templateId.packageId === templateId.packageId
    && key.templateId.module === templateId.module
    && key.templateId.name === templateId.name;
  if (!isSame) throw new ContentFailure("the key of a node names another template than the node");
  return { key: key.key, maintainers: key.maintainers, hash: key.hash };
}

function byKeyOf(parts: Parts): boolean {
  if (parts.byKey && parts.version === "2.1") throw new ContentFailure("by_key needs serialisation version 2");
  return parts.byKey;
}

export function readCreate(input: ProtoReader): CreateNode {
  const f = fields.create,
    parts = new Parts();
  readMessage(input, {
    ...contractFields(f, parts, input),
    [delimited(f.argument)]: () => {
      parts.argument = readApiValue(input);
    },
    [delimited(f.key)]: () => {
      parts.key = readKey(input);
    },
  });
  return { kind: "create", ...contract(parts), argument: required(parts.argument, "argument"), key: keyOf(parts) };
}

type Reading = Readonly<Record<number, () => void>>;
type Numbers<F extends string> = Readonly<Record<F, number>>;
type ContractField = "lfVersion" | "contractId" | "packageName" | "templateId" | "signatories" | "stakeholders";

/** `f`: the numbers of the fields, which differ by the kind of node; as in the next two. */
function contractFields(f: Numbers<ContractField>, parts: Parts, input: ProtoReader): Reading {
  return {
    [delimited(f.lfVersion)]: () => {
      parts.version = input.text();
    },
    [delimited(f.contractId)]: () => {
      parts.contractId = input.text();
    },
    [delimited(f.packageName)]: () => {
      parts.packageName = input.text();
    },
    [delimited(f.templateId)]: () => {
      parts.templateId = readApiIdentifier(input, contentRules);
    },
    [delimited(f.signatories)]: () => {
      parts.signatories.push(party(input));
    },
    [delimited(f.stakeholders)]: () => {
      parts.stakeholders.push(party(input));
    },
  };
}

/** Who uses a contract, and as what. */
function useFields(f: Numbers<"actingParties" | "interfaceId">, parts: Parts, input: ProtoReader): Reading {
  return {
    [delimited(f.actingParties)]: () => {
      parts.actingParties.push(party(input));
    },
    [delimited(f.interfaceId)]: () => {
      parts.interfaceId = readApiIdentifier(input, contentRules);
    },
  };
}

/** The key of a contract that is used, and whether it was found by that. */
function keyFields(f: Numbers<"key" | "byKey">, parts: Parts, input: ProtoReader): Reading {
  return {
    [delimited(f.key)]: () => {
      parts.key = readKey(input);
    },
    [varint(f.byKey)]: () => {
      parts.byKey = input.bool();
    },
  };
}

function readFetch(input: ProtoReader): FetchNode {
  const f = fields.fetch,
    parts = new Parts();
  readMessage(input, {
    ...contractFields(f, parts, input),
    ...useFields(f, parts, input),
    ...keyFields(f, parts, input),
  });
  return {
    kind: "fetch",
    ...contract(parts),
    interfaceId: parts.interfaceId,
    actingParties: set(parts.actingParties),
    key: keyOf(parts),
    byKey: byKeyOf(parts),
  };
}

function readExercise(input: ProtoReader): ExerciseNode {
  const f = fields.exercise,
    parts = new Parts(),
    children: NodeId[] = [],
    observers: Party[] = [];
  let choice = "",
    consuming = false,
    result: LedgerValue | undefined;
  readMessage(input, {
    ...contractFields(f, parts, input),
    ...useFields(f, parts, input),
    [delimited(f.choice)]: () => {
      choice = checked(checkName, input.text());
    },
    [delimited(f.argument)]: () => {
      parts.argument = readApiValue(input);
    },
    [varint(f.consuming)]: () => {
      consuming = input.bool();
    },
    [delimited(f.children)]: () => {
      children.push(nodeId(input.text()));
    },
    [delimited(f.result)]: () => {
      result = readApiValue(input);
    },
    [delimited(f.choiceObservers)]: () => {
      observers.push(party(input));
    },
    ...keyFields(f, parts, input),
  });
  return {
    kind: "exercise",
    ...contract(parts),
    interfaceId: parts.interfaceId,
    actingParties: set(parts.actingParties),
    choice: checked(checkName, choice),
    consuming,
    argument: required(parts.argument, "chosen_value"),
    result,
    children,
    choiceObservers: set(observers),
    choiceAuthorizers: undefined,
    key: keyOf(parts),
    byKey: byKeyOf(parts),
  };
}

function readRollback(input: ProtoReader): TransactionNode {
  const children: NodeId[] = [];
  readMessage(input, {
    [delimited(1)]: () => {
      children.push(nodeId(input.text()));
    },
  });
  return { kind: "rollback", children };
}

function readQueryByKey(input: ProtoReader): QueryByKeyNode {
  const f = fields.queryByKey,
    parts = new Parts(),
    result: string[] = [];
  let exhaustive = false;
  readMessage(input, {
    [delimited(f.lfVersion)]: () => {
      parts.version = input.text();
    },
    [delimited(f.packageName)]: () => {
      parts.packageName = input.text();
    },
    [delimited(f.templateId)]: () => {
      parts.templateId = readApiIdentifier(input, contentRules);
    },
    [varint(f.exhaustive)]: () => {
      exhaustive = input.bool();
    },
    [delimited(f.key)]: () => {
      parts.key = readKey(input);
    },
    [delimited(f.result)]: () => {
      result.push(contractId(input.text()));
    },
  });
  return { kind: "queryByKey", ...common(parts), key: required(keyOf(parts), "key"), result, exhaustive };
}

const keyHashBytes = 32;

function readKey(input: ProtoReader): GlobalKey {
  const maintainers: Party[] = [],
    f = fields.globalKey;
  let templateId: DefinitionId | undefined,
    packageName = "",
    key: LedgerValue | undefined,
    hash: string | undefined;
  readMessage(input, {
    [delimited(1)]: () =>
      readMessage(input, {
        [delimited(f.templateId)]: () => {
          templateId = readApiIdentifier(input, contentRules);
        },
        [delimited(f.packageName)]: () => {
          packageName = input.text();
        },
        [delimited(f.key)]: () => {
          key = readApiValue(input);
        },
        [delimited(f.hash)]: () => {
          hash = input.hex();
        },
      }),
    [delimited(2)]: () => {
      maintainers.push(party(input));
    },
  });
  const given = required<string>(hash, "the hash of a key");
  if (given.length !== keyHashBytes * 2) throw new ContentFailure(`the hash of a key has ${keyHashBytes} bytes`);
  return {
    templateId: required<DefinitionId>(templateId, "the template of a key"),
    packageName,
    key: required<LedgerValue>(key, "a key's value"),
    maintainers: set(maintainers),
    hash: given,
  };
}

export function nodeId(text: string): NodeId {
  if (!/^(0|[1-9][0-9]{0,8})$/.test(text)) throw new ContentFailure(`${JSON.stringify(text)} is no node id`);
  return Number(text);
}
