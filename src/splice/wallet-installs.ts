/**
 * The contracts by which a validator does what the owner of a wallet asks for, and collects rewards that his payments bring. Wallets here
 * do without the first but where they act by themselves: software that works with the ledger alone finds them by it, and asks through it.
 */
import { isFailure, ok, type Result } from "../base/result.js";
import type { LedgerErrorData, Party } from "../ledger/index.js";
import { create, exercise } from "./commands.js";
import type { Contracts, PassedContract } from "./contracts.js";
import { mayActFor } from "./hosting.js";
import { templates } from "./names.js";
import type { Submitter } from "./submitter.js";

export interface WalletOf {
  readonly validator: Party;
  /** Of its owner. */
  readonly userName: string;
  readonly party: Party;
}
export interface Install {
  readonly dsoParty: Party;
  readonly validatorParty: Party;
  readonly endUserName: string;
  readonly endUserParty: Party;
}
/** By which a validator collects the rewards of a user. */
export interface ValidatorRight {
  readonly dso: Party;
  readonly user: Party;
  readonly validator: Party;
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
  if (!contracts.knows(templates.walletAppInstall)) return ok(undefined);
  const install = { dsoParty: dso, validatorParty: validator, endUserName: userName, endUserParty: party },
    isInstalled = (await installsOf(context, wallet)).some(({ payload }) => payload.endUserName === userName);
  const isGranted = !contracts.knows(templates.validatorRight) || (await rightsOf(context, party)).length > 0;
  const commands = [
    ...(isInstalled ? [] : [create(templates.walletAppInstall, install)]),
    ...(isGranted ? [] : [create(templates.validatorRight, { dso, user: party, validator })]),
  ];
  if (commands.length === 0) return ok(undefined);
  const made = await submitter.submit({ actAs: [...new Set([validator, party])], commands });
  return isFailure(made) ? made : ok(undefined);
}

/** The right goes with the last wallet that the validator has of its owner. */
export async function uninstallWallet(context: InstallContext, wallet: WalletOf): Outcome {
  const { validator, userName, party } = wallet,
    installs = await installsOf(context, wallet),
    ended = installs.filter(({ payload }) => payload.endUserName === userName);
  const rights = ended.length < installs.length ? [] : await rightsOf(context, party);
  const commands = [
    ...ended.map(({ contractId }) => exercise(templates.walletAppInstall, contractId, "Archive", {})),
    ...rights
      .filter(({ payload }) => payload.validator === validator)
      .map(({ contractId }) => exercise(templates.validatorRight, contractId, "Archive", {})),
  ];
  if (commands.length === 0) return ok(undefined);
  const done = await context.submitter.submit({ actAs: [...new Set([validator, party])], commands });
  return isFailure(done) ? done : ok(undefined);
}

/** Who provides a party's wallet; undefined: it has none of those that this node's validators do. */
export async function providerOf(
  { contracts, ledger }: Pick<InstallContext, "contracts"> & { readonly ledger: Parameters<typeof mayActFor>[0] },
  party: Party,
): Promise<Party | undefined> {
  const installs = await contracts.passed<Install>(templates.walletAppInstall, party);
  return installs
    .filter(({ payload }) => payload.endUserParty === party)
    .map(({ payload }) => payload.validatorParty)
    .find((validator) => mayActFor(ledger, validator));
}

/** Of a party at a validator, by whichever user. */
const installsOf = async (
  { contracts }: InstallContext,
  { validator, party }: Pick<WalletOf, "validator" | "party">,
): Promise<readonly PassedContract<Install>[]> =>
  (await contracts.passed<Install>(templates.walletAppInstall, party)).filter(
    ({ payload }) => payload.validatorParty === validator && payload.endUserParty === party,
  );

/** That a user gave, to whichever validator. */
const rightsOf = async ({ contracts }: InstallContext, user: Party): Promise<readonly PassedContract<ValidatorRight>[]> =>
  (await contracts.passed<ValidatorRight>(templates.validatorRight, user)).filter(({ payload }) => payload.user === user);
