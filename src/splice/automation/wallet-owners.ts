/** Wallets here: of those for whom this node may act, among those whom a validator has onboarded. */
import type { Party } from "../../ledger/index.js";
import type { Contract } from "../contracts.js";
import { mayActFor } from "../hosting.js";
import { templates } from "../names.js";
import type { Install } from "../wallet-installs.js";
import type { Economy } from "./trigger.js";

const installsOf = ({ contracts }: Economy): Promise<readonly Contract<Install>[]> => contracts.all<Install>(templates.walletAppInstall);

export async function walletOwnersOf(economy: Economy): Promise<ReadonlySet<Party>> {
  const installs = await installsOf(economy);
  return new Set(installs.map(({ payload }) => payload.endUserParty).filter((party) => mayActFor(economy.ledger, party)));
}

/** One for each owner, the oldest, through which his validator acts. */
export async function walletsOf(economy: Economy): Promise<readonly Contract<Install>[]> {
  const { ledger, dso } = economy,
    installs = (await installsOf(economy)).filter(({ payload }) => payload.dsoParty === dso);
  const first = new Map([...installs].reverse().map((install) => [install.payload.endUserParty, install]));
  return [...first.values()]
    .reverse()
    .filter(({ payload: { validatorParty, endUserParty } }) => [validatorParty, endUserParty].every((party) => mayActFor(ledger, party)));
}
