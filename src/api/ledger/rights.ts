/** Rights between their wire shape, one key around a value, and the ledger's. */
import {
  isPartyRight,
  type PartyRight,
  partyRightKinds,
  plainRightKinds,
  type RequestedRight,
  type Right as LedgerRight,
} from "../../ledger/admin/index.js";
import type { Right, RightKind } from "./types/users.js";

export function rightOf(right: LedgerRight): Right {
  const value = isPartyRight(right) ? { party: right.party } : {};
  return { kind: { [right.kind]: { value } } as unknown as RightKind };
}

/** Of several kinds in one right the first by name counts, as where the reference decodes it. */
export function requestedRight({ kind }: Right): RequestedRight {
  if (kind === undefined) return undefined;
  const cases = kind as unknown as Readonly<Record<string, { readonly value?: { readonly party?: string } } | undefined>>,
    name = kindsByName.find((one) => one in cases);
  if (name === undefined || name === "Empty") return undefined;
  return isPartyKind(name) ? { kind: name, party: cases[name]?.value?.party ?? "" } : { kind: name };
}

const kindsByName = [...partyRightKinds, ...plainRightKinds, "Empty" as const].sort();
const isPartyKind = (kind: LedgerRight["kind"]): kind is PartyRight["kind"] => (partyRightKinds as readonly string[]).includes(kind);
