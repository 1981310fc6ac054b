/** Parties with keys of their own that have a wallet at a validator: that accepted its proposal to set them up, which gave it a right. */
import type { Party } from "../../ledger/index.js";
import { readNow, type Contract } from "../contracts.js";
import { templates } from "../names.js";
import type { ValidatorRight } from "../wallet-installs.js";
import type { Owner, WalletContext } from "./wallet-context.js";

/** The right is looked for among the party's own: a validator has one of each of its users. */
export async function hasExternalWallet({ contracts, ledger }: WalletContext, party: Party, validator: Owner): Promise<boolean> {
  if (!ledger.external.isExternal(party)) return false;
  const isOfValidator = ({ payload }: Contract<ValidatorRight>): boolean => payload.user === party && payload.validator === validator.party;
  const rights = await contracts.page({ templates: [templates.validatorRight], stakeholders: [party], limit: 1 }, isOfValidator);
  return readNow(rights).length > 0;
}
