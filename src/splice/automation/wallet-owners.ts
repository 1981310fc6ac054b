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

/** One for each owner, the oldest of those through which his validator acts here. */
export async function walletsOf(economy: Economy): Promise<readonly Contract<Install>[]> {
  const { ledger, dso } = economy;
  const installs = (await installsOf(economy)).filter(
    ({ payload: { dsoParty, validatorParty, endUserParty } }) =>
      dsoParty === dso && [validatorParty, endUserParty].every((party) => mayActFor(ledger, party)),
  );
  const first = new Map([...installs].reverse().map((install) => [install.payload.endUserParty, install]));
  return [...first.values()].reverse();
}

/** By owner, the validator through whom automation does what his wallet would. */
export const walletProvidersOf = async (economy: Economy): Promise<ReadonlyMap<Party, Party>> =>
  new Map((await walletsOf(economy)).map(({ payload }) => [payload.endUserParty, payload.validatorParty]));
