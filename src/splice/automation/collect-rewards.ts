/**
 * When a round begins to issue, each wallet here makes Amulet of its rewards, and one contract of what it held until then: through its
 * validator, as Splice's wallets do. What comes later waits for the next round.
 */
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { parseDecimal } from "../decimal.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import { configOf, inputsMaxOf, type IssuingMiningRound, type OpenMiningRound } from "../network.js";
import type { Submission, Submitted } from "../submitter.js";
import type { Install } from "../wallet-installs.js";
import { amuletInput, hasSomething, heldBy, partsOf, redeeming, type Held } from "./redemption.js";
import { rewardsOf, type Reward } from "./rewards.js";
import type { Economy, Task, Trigger } from "./trigger.js";
import { walletsOf } from "./wallet-owners.js";

export const collectRewards: Trigger = {
  name: "collect-rewards",
  what: "makes Amulet of the rewards of wallets, and one contract of what they hold, when a round begins to issue",
  restSeconds: limits.rewardsRestSeconds,
  restsAnyway: true,
  async due(economy, now) {
    const rounds = await economy.network.issuingRounds(economy.dso),
      issuing = rounds.filter(({ payload }) => instantOf(payload.opensAt) <= now);
    const nextAt = rounds.map(({ payload }) => instantOf(payload.opensAt)).find((at) => at > now),
      open = await economy.network.usableRound(economy.dso);
    if (issuing.length === 0 || open.error !== undefined) return { tasks: [], nextAt };
    const wallets = await walletsOf(economy),
      validators = new Set(wallets.map(({ payload }) => payload.validatorParty));
    const collection = new Collection(economy, { issuing, open: open.ok, now, validators }),
      tasks: Task[] = [];
    for (const wallet of wallets) {
      if (tasks.length === limits.automationContractsMax) break; // the others are looked at once these are done
      if ((await collection.of(wallet)) !== undefined) tasks.push(collection.taskOf(wallet));
    }
    return { tasks, nextAt };
  },
};

interface Moment {
  /** By number; not empty. */
  readonly issuing: readonly Contract<IssuingMiningRound>[];
  readonly open: Contract<OpenMiningRound>;
  readonly now: bigint;
  /** Of the wallets. */
  readonly validators: ReadonlySet<Party>;
}
interface Collected {
  readonly rewards: readonly Reward[];
  /** The most valuable first. */
  readonly held: readonly Held[];
}

class Collection {
  readonly #economy: Economy;
  readonly #moment: Moment;
  /** When the newest round began to issue. */
  readonly #since: bigint;

  constructor(economy: Economy, moment: Moment) {
    this.#economy = economy;
    this.#moment = moment;
    this.#since = instantOf(moment.issuing.at(-1)!.payload.opensAt);
  }

  /** Undefined: there is nothing to do for a wallet. */
  async of({ payload: { endUserParty: owner } }: Contract<Install>): Promise<Collected | undefined> {
    const { issuing: rounds, now, validators } = this.#moment,
      isValidator = validators.has(owner);
    if (!isValidator && !(await hasSomething(this.#economy, owner))) return undefined;
    const rewards = await rewardsOf(this.#economy, { owner, rounds, now, isValidator }),
      held = [...(await heldBy(this.#economy, owner))].reverse();
    const isDue = ({ round, createdAt }: Reward): boolean => round !== undefined || createdAt < this.#since,
      waiting = held.filter(({ createdAt }) => instantOf(createdAt) < this.#since);
    if (!rewards.some(isDue) && waiting.length < 2) return undefined;
    const worth = [...rewards.map((reward) => reward.worth), ...held.map(partsOf)].reduce((sum, parts) => sum + parts, 0n);
    return worth > feeIn(this.#economy, this.#moment.open) ? { rewards, held } : undefined;
  }

  taskOf(wallet: Contract<Install>): Task {
    return { key: wallet.contractId, since: this.#since, submission: () => this.#submissionFor(wallet), problemOf };
  }

  async #submissionFor(wallet: Contract<Install>): Promise<Submission | undefined> {
    const { dso, amuletRules, packagePreference } = this.#economy,
      collected = await this.of(wallet);
    if (collected === undefined) return undefined;
    const { rewards, held } = collected,
      max = inputsMaxOf(amuletRules.payload),
      large = held.slice(0, prioritized(held.length + rewards.length, max));
    const redeemed = rewards.slice(0, max - large.length),
      inputs = [...large.map(amuletInput), ...redeemed.map(({ input }) => input), ...held.slice(large.length).map(amuletInput)];
    return {
      actAs: [wallet.payload.validatorParty],
      readAs: [dso],
      commands: [
        exercise(templates.walletAppInstall, wallet.contractId, "WalletAppInstall_ExecuteBatch", {
          context: redeeming(this.#economy, this.#moment.open.contractId, redeemed),
          inputs: inputs.slice(0, max),
          operations: [{ tag: "CO_MergeTransferInputs", value: {} }],
        }),
      ],
      packagePreference,
    };
  }
}

/** How many of the largest amulets are taken before rewards, of so many inputs: large payments should not wait for small change. */
const prioritized = (inputs: number, max: number): number => Math.min(max, Math.max(2, Math.round(Math.max(inputs, max) / 10)));

const one = 10_000_000_000n;
/** What the older rules take for the contract that is made, in parts of an Amulet. */
function feeIn({ amuletRules }: Economy, { payload: { amuletPrice } }: Contract<OpenMiningRound>): bigint {
  return (parseDecimal(configOf(amuletRules.payload).transferConfig.createFee.fee) * one) / parseDecimal(amuletPrice);
}

interface Outcome {
  readonly tag: string;
  readonly value: unknown;
}
/** A batch goes through also where its operations fail. */
function problemOf({ exerciseResult }: Submitted): string | undefined {
  const { outcomes } = exerciseResult as { readonly outcomes: readonly Outcome[] };
  const failed = outcomes.find(({ tag }) => tag === "COO_Error");
  return failed && `the batch's operation failed: ${JSON.stringify(failed.value)}`;
}
