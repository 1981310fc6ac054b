/** Parties with keys of their own that have a wallet at a validator: those that accepted its proposal to set them up, which gave it a right. */
import type { Party } from "../../ledger/index.js";
import { templates } from "../names.js";
import type { ValidatorRight } from "../wallet-installs.js";
import type { Owner, WalletContext } from "./wallet-context.js";

export async function externalWalletsAt({ contracts, ledger }: WalletContext, validator: Owner): Promise<ReadonlySet<Party>> {
  const rights = await contracts.all<ValidatorRight>(templates.validatorRight, validator.party),
    users = rights.filter(({ payload }) => payload.validator === validator.party).map(({ payload }) => payload.user);
  return new Set(users.filter((user) => ledger.external.isExternal(user)));
}
