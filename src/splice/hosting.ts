/** Whose parties are at home on this node. */
import type { Participant, Party } from "../ledger/index.js";

export const isHosted = (ledger: Pick<Participant, "getParties">, party: Party): boolean =>
  ledger.getParties([party], "").some(({ isLocal }) => isLocal);

/** Others sign for themselves. */
export const mayActFor = (ledger: Pick<Participant, "getParties" | "external">, party: Party): boolean =>
  isHosted(ledger, party) && !ledger.external.isExternal(party);
