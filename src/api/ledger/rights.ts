/** Rights between their wire shape, one key around a value, and the ledger's. */
import {
  isPartyRight,
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

export function requestedRight({ kind }: Right): RequestedRight {
  if (kind === undefined) return undefined;
  const cases = kind as unknown as Readonly<Record<string, { readonly value?: { readonly party?: string } } | undefined>>;
  for (const name of partyRightKinds) if (name in cases) return { kind: name, party: cases[name]?.value?.party ?? "" };
  for (const name of plainRightKinds) if (name in cases) return { kind: name };
  return undefined;
}
