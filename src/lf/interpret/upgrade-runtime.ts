/**
 * Using a contract at another version of its package: its argument is typed afresh for the target template,
 * everything that the template says of it is computed again, and must come out as it was; then the contract must match
 * its id. The same steps run when the version does not change, as nothing from outside is trusted; what the ledger made
 * itself, as that very template, is as it was.
 */
import { isFailure } from "../../base/result.js";
import { type DefinitionId, showId } from "../ast.js";
import { fatal, type FatalError } from "../errors.js";
import type { CompiledPackages } from "../runtime/index.js";
import {
  type ContractInstance,
  contractHash,
  type Hashing,
  isSuffixed,
  type KeyWithMaintainers,
  matchesTypedId,
} from "../transaction/index.js";
import { encodeValue } from "../wire/index.js";
import { fromStoredValue, type ValueType } from "../conversion/index.js";
import type { Mistranslation } from "../interpretation-error.js";
import type { LedgerValue, RecordValue } from "../value/index.js";
import { computeContractInfo, type ContractInfo, findContractId, serializationVersion } from "./contract-info.js";
import { keyDetail } from "./contract-state.js";
import { sameDefinition, type TemplateDefinition } from "./definitions.js";
import { uncatchable } from "./exceptions.js";
import { difference, type PartySet, sameParties } from "./parties.js";

/** A contract as it was created. */
export interface SourceContract {
  readonly contractId: string;
  readonly templateId: DefinitionId;
  readonly packageName: string;
  readonly argument: LedgerValue;
  readonly signatories: PartySet;
  readonly stakeholders: PartySet;
  readonly key: KeyWithMaintainers | undefined;
  readonly origin: LedgerOrigin | LocalOrigin;
}

/** What the id of a contract of the ledger is checked against: its salt, and what else it was made with. */
export interface LedgerOrigin {
  readonly kind: "ledger";
  readonly isOwn: boolean;
  readonly instance: ContractInstance;
  readonly hashing: Hashing;
}

/** A contract of this transaction needs only keep its hash. */
export interface LocalOrigin {
  readonly kind: "local";
  readonly type: ValueType;
}

export interface TypedContract {
  readonly payload: RecordValue;
  readonly info: ContractInfo;
}

export function useAs(compiled: CompiledPackages, source: SourceContract, target: TemplateDefinition): TypedContract {
  const payload = retype(source, target),
    isSame = sameDefinition(source.templateId, target.id);
  if (isSame && source.origin.kind === "ledger" && source.origin.isOwn) return { payload, info: infoAsCreated(source) };
  // What has the type of the very same template was in normal form.
  const normalised = isSame && hasNoTrailingNone(source.origin) ? source.argument : undefined;
  const info = contractInfo(compiled, target, { payload, normalised });
  checkUnchanged(source, info);
  checkAuthentic(source, target, info);
  return { payload, info };
}

function infoAsCreated({ templateId, packageName, argument, signatories, stakeholders, key }: SourceContract): ContractInfo {
  const observers = difference(stakeholders, signatories);
  return { templateId, packageName, argument, signatories, observers, stakeholders, key, version: serializationVersion(key) };
}

function contractInfo(
  compiled: CompiledPackages,
  target: TemplateDefinition,
  { payload, normalised }: { readonly payload: RecordValue; readonly normalised: LedgerValue | undefined },
): ContractInfo {
  try {
    return computeContractInfo(target, payload, { normalised });
  } catch (error) {
    throw uncatchable(compiled, error);
  }
}

/**
 * A contract of the ledger can only mention contracts of the ledger: those have suffixes. One that does not is told before anything else.
 */
function retype({ contractId, templateId, argument, origin }: SourceContract, target: TemplateDefinition): RecordValue {
  const isOfLedger = origin.kind === "ledger";
  const typed = fromStoredValue(target.type, argument, {
    forbidTrailingNone: hasNoTrailingNone(origin),
    suffixedOnly: isOfLedger,
  });
  if (!isFailure(typed)) return typed.ok as RecordValue;
  const local = isOfLedger ? findContractId(argument, (hex) => !isSuffixed(hex)) : undefined;
  throw translationFailed(
    argument,
    templateId,
    target,
    contractId,
    local === undefined
      ? typed.error
      : {
          class: "NonSuffixedV1ContractId",
          message: `its argument mentions ${local}, which has no suffix`,
          detail: { class: "NonSuffixedV1ContractId", cid: local },
        },
  );
}

/** Values of contracts are stored without trailing None since contract ids of version 11. */
const hasNoTrailingNone = (origin: SourceContract["origin"]): boolean => origin.kind === "local" || origin.hashing !== "legacy";

export function retypePayload(argument: LedgerValue, from: DefinitionId, target: TemplateDefinition): RecordValue {
  const typed = fromStoredValue(target.type, argument, { forbidTrailingNone: true });
  if (!isFailure(typed)) return typed.ok as RecordValue;
  throw translationFailed(argument, from, target, undefined, typed.error);
}

interface NotTyped {
  readonly class: Mistranslation["class"];
  readonly message: string;
  readonly detail: object;
}

function translationFailed(
  argument: LedgerValue,
  from: DefinitionId,
  target: TemplateDefinition,
  contractId: string | undefined,
  error: NotTyped,
): FatalError {
  return fatal(
    `Upgrade.TranslationFailed.${error.class}` as const,
    `contract ${contractId ?? "argument"} of ${showId(from)} cannot be used as ${showId(target.id)}: ${error.message}`,
    {
      error: {
        class: "TranslationFailed",
        coid: contractId ?? null,
        srcTemplateId: showId(from),
        dstTemplateId: showId(target.id),
        createArg: argument,
        error: error.detail as Mistranslation,
      },
    },
  );
}

function checkUnchanged(source: SourceContract, info: ContractInfo): void {
  if (isUnchanged(source, info)) return;
  const changes = [
    ...(sameParties(source.signatories, info.signatories) ? [] : ["signatories"]),
    ...(sameParties(source.stakeholders, info.stakeholders) ? [] : ["stakeholders"]),
    ...keyChanges(source.key, info.key),
    ...(source.packageName === info.packageName ? [] : ["package name"]),
  ];
  const { contractId, templateId } = source;
  throw fatal(
    "Upgrade.ValidationFailed",
    `contract ${contractId} of ${showId(templateId)} cannot be used as ${showId(info.templateId)}: other ${changes.join(", ")}`,
    {
      error: {
        class: "ValidationFailed",
        coid: contractId,
        srcTemplateId: showId(templateId),
        dstTemplateId: showId(info.templateId),
        srcPackageName: source.packageName,
        dstPackageName: info.packageName,
        originalSignatories: source.signatories,
        originalObservers: difference(source.stakeholders, source.signatories),
        originalKeyOpt: keyOption(source, source.key),
        recomputedSignatories: info.signatories,
        recomputedObservers: info.observers,
        recomputedKeyOpt: keyOption(info, info.key),
        msg: changes.map((change) => `${change} mismatch`).join(", "),
      },
    },
  );
}

const isUnchanged = (source: SourceContract, info: ContractInfo): boolean =>
  sameParties(source.signatories, info.signatories)
  && sameParties(source.stakeholders, info.stakeholders)
  && source.packageName === info.packageName
  && keyChanges(source.key, info.key).length === 0;

/** The values themselves: who discloses a contract may have given it another one beside the hash, which its id stands for. */
function keyChanges(original: KeyWithMaintainers | undefined, recomputed: KeyWithMaintainers | undefined): readonly string[] {
  if (original === recomputed) return [];
  if (original === undefined || recomputed === undefined) return ["key maintainers", "key value"];
  return [
    ...(sameParties(original.maintainers, recomputed.maintainers) ? [] : ["key maintainers"]),
    ...(isSameValue(original.key, recomputed.key) ? [] : ["key value"]),
  ];
}

const isSameValue = (a: LedgerValue, b: LedgerValue): boolean => Buffer.compare(encodeValue(a), encodeValue(b)) === 0;

const keyOption = (
  { templateId, packageName }: { readonly templateId: DefinitionId; readonly packageName: string },
  key: KeyWithMaintainers | undefined,
) =>
  key === undefined
    ? null
    : { globalKey: keyDetail({ templateId, packageName, key: key.key, hash: key.hash }), maintainers: key.maintainers };

function checkAuthentic(source: SourceContract, target: TemplateDefinition, info: ContractInfo): void {
  if (!isAuthentic(source, target, info)) throw authenticationFailed(source, target.id, info.argument);
}

export function authenticationFailed({ contractId, templateId }: SourceContract, target: DefinitionId, argument: LedgerValue): FatalError {
  return fatal("Upgrade.AuthenticationFailed", `contract ${contractId} of ${showId(templateId)} does not match its id`, {
    error: {
      class: "AuthenticationFailed",
      coid: contractId,
      srcTemplateId: showId(templateId),
      dstTemplateId: showId(target),
      createArg: argument,
      msg: "failed to authenticate contract",
    },
  });
}

function isAuthentic(source: SourceContract, target: TemplateDefinition, info: ContractInfo): boolean {
  const { origin } = source;
  // An older id was checked when the contract was found.
  if (origin.kind === "ledger") return origin.hashing !== "typed" || matchesTypedId(origin.instance, target.type, info.argument);
  const hashAs = (id: DefinitionId, type: ValueType, argument: LedgerValue) =>
    Buffer.from(contractHash(source.packageName, id, type, argument));
  return hashAs(source.templateId, origin.type, source.argument).equals(hashAs(target.id, target.type, info.argument));
}
