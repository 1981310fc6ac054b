/** Who has a wallet here: those for whom this node may act, among those whom a validator has onboarded. */
import type { Party } from "../../ledger/index.js";
import { mayActFor } from "../hosting.js";
import { templates } from "../names.js";
import type { Economy } from "./trigger.js";

interface Install {
  readonly endUserParty: Party;
}

export async function walletOwnersOf({ contracts, ledger }: Economy): Promise<ReadonlySet<Party>> {
  const installs = await contracts.all<Install>(templates.walletAppInstall);
  return new Set(installs.map(({ payload }) => payload.endUserParty).filter((party) => mayActFor(ledger, party)));
}
