/** What a template says of a contract: its parties, its key and its normalised argument. */
import { type DefinitionId, showId } from "../ast.js";
import { limits } from "../../config.js";
import { fatal, type FatalError } from "../errors.js";
import { keyHash, type KeyWithMaintainers, type SerializationVersion } from "../transaction/index.js";
import { type Allowance, toJson, toLedgerValue } from "../conversion/index.js";
import type { LedgerValue, RecordValue, Value } from "../value/index.js";
import type { KeyDefinition, TemplateDefinition } from "./definitions.js";
import { labelledValue } from "./labelled-value.js";
import { partiesOfList, type PartySet, union } from "./parties.js";

export interface ContractInfo {
  readonly templateId: DefinitionId;
  readonly packageName: string;
  readonly argument: LedgerValue;
  readonly signatories: PartySet;
  /** As the template computes them: signatories may be among them. */
  readonly observers: PartySet;
  readonly stakeholders: PartySet;
  readonly key: KeyWithMaintainers | undefined;
  readonly version: SerializationVersion;
}

/** Nodes with a contract key need version "2". */
export const serializationVersion = (key: KeyWithMaintainers | undefined): SerializationVersion => (key === undefined ? "2.1" : "2");

/** `normalised`: the payload as it is stored, where that is known. */
export interface PayloadFacts {
  readonly allowance?: Allowance;
  readonly normalised?: LedgerValue | undefined;
}

/** In this order: ensure, signatories, observers, key, maintainers, then normalisation. May throw a Daml exception. */
export function computeContractInfo(
  template: TemplateDefinition,
  payload: RecordValue,
  { allowance, normalised }: PayloadFacts,
): ContractInfo {
  const { compiled } = template;
  if (!compiled.precondition(payload)) throw preconditionViolated(template, payload, allowance);
  const signatories = partiesOfList(compiled.signatories(payload));
  const observers = partiesOfList(compiled.observers(payload));
  const key =
    template.key === undefined ? undefined : keyWithMaintainers(template, template.key, template.key.compiled.key(payload), allowance);
  return {
    templateId: template.id,
    packageName: compiled.packageName,
    argument: normalised ?? toLedgerValue(template.type, payload, allowance),
    signatories,
    observers,
    stakeholders: union(signatories, observers),
    key,
    version: serializationVersion(key),
  };
}

/** Evaluates the maintainers of a key, then checks and hashes it. */
export function keyWithMaintainers(
  template: TemplateDefinition,
  key: KeyDefinition,
  value: Value,
  allowance?: Allowance,
): KeyWithMaintainers {
  const maintainers = partiesOfList(key.compiled.maintainers(value));
  const normalised = toLedgerValue(key.type, value, allowance);
  if (findContractId(normalised) !== undefined) {
    throw fatal("ContractIdInContractKey", `contract ids are not supported in contract keys (template ${showId(template.id)})`, {
      key: labelledValue(key.type, value),
    });
  }
  const hash = Buffer.from(keyHash(template.compiled.packageName, template.id, key.type, normalised)).toString("hex");
  return { key: normalised, maintainers, hash };
}

/** The first contract id in a value that is of interest. */
export function findContractId(value: LedgerValue, isWanted: (hex: string) => boolean = () => true): string | undefined {
  switch (value.kind) {
    case "contractId":
      return isWanted(value.hex) ? value.hex : undefined;
    case "optional":
      return value.value && findContractId(value.value, isWanted);
    case "variant":
      return findContractId(value.value, isWanted);
    case "list":
      return firstDefined(value.elements, (element) => findContractId(element, isWanted));
    case "record":
      return firstDefined(value.fields, (field) => findContractId(field.value, isWanted));
    case "textMap":
      return firstDefined(value.entries, ([, item]) => findContractId(item, isWanted));
    case "genMap":
      return firstDefined(value.entries, ([key, item]) => findContractId(key, isWanted) ?? findContractId(item, isWanted));
    default:
      return undefined;
  }
}

function firstDefined<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** That the payload is a value that a ledger takes comes first. Of the argument there is as much as its message shows. */
function preconditionViolated(template: TemplateDefinition, payload: RecordValue, allowance: Allowance | undefined): FatalError {
  toLedgerValue(template.type, payload, allowance);
  const templateId = showId(template.id),
    arg = labelledValue(template.type, payload, { charsLeft: limits.errorCauseCharsMax });
  const shown = toJson(template.type, arg).slice(0, limits.errorCauseCharsMax);
  return fatal("TemplatePreconditionViolated", `the precondition of ${templateId} does not hold for ${shown}`, { templateId, arg });
}
