/**
 * The contract by which a validator does what the owner of a wallet asks for. Wallets here do without: software that works with the
 * ledger alone finds them by it, and asks through it.
 */
import { isFailure, ok, type Result } from "../base/result.js";
import type { LedgerErrorData, Party } from "../ledger/index.js";
import { create, exercise } from "./commands.js";
import type { Contract, Contracts } from "./contracts.js";
import { templates } from "./names.js";
import type { Submitter } from "./submitter.js";

export interface WalletOf {
  readonly validator: Party;
  /** Of its owner. */
  readonly userName: string;
  readonly party: Party;
}
interface Install {
  readonly validatorParty: Party;
  readonly endUserName: string;
  readonly endUserParty: Party;
}
export interface InstallContext {
  readonly contracts: Contracts;
  readonly submitter: Submitter;
}
type Outcome = Promise<Result<undefined, LedgerErrorData>>;

/** Once: what is there is left as it is. Without the package of wallets there is nothing to make. */
export async function installWallet(context: InstallContext, wallet: WalletOf & { readonly dso: Party }): Outcome {
  const { contracts, submitter } = context,
    { validator, userName, party, dso } = wallet;
  if (!contracts.knows(templates.walletAppInstall) || (await installsOf(context, wallet)).length > 0) return ok(undefined);
  const install = { dsoParty: dso, validatorParty: validator, endUserName: userName, endUserParty: party };
  const made = await submitter.submit({
    actAs: [...new Set([validator, party])],
    commands: [create(templates.walletAppInstall, install)],
  });
  return isFailure(made) ? made : ok(undefined);
}

export async function uninstallWallet(context: InstallContext, wallet: WalletOf): Outcome {
  for (const { contractId, payload } of await installsOf(context, wallet)) {
    const ended = await context.submitter.submit({
      actAs: [...new Set([payload.validatorParty, payload.endUserParty])],
      commands: [exercise(templates.walletAppInstall, contractId, "Archive", {})],
    });
    if (isFailure(ended)) return ended;
  }
  return ok(undefined);
}

const installsOf = async ({ contracts }: InstallContext, { validator, userName, party }: WalletOf): Promise<readonly Contract<Install>[]> =>
  (await contracts.all<Install>(templates.walletAppInstall, party)).filter(
    ({ payload }) => payload.validatorParty === validator && payload.endUserName === userName,
  );
