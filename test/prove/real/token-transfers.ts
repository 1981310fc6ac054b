/**
 * Holders who send each other tokens by the token standard, as a wallet does: the factory and its context from the registry, an
 * allocation, the context of the allocation, its execution. Nothing is refused, and no token is lost or made.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../support/random.js";
import { createdIn, eventFormat, eventsOf, exercise, ofTemplate, World, type Json } from "../../scenarios/world.js";
import { extraArgs, inSeconds } from "../../splice/token-standard.js";
import { tradingAmuletDar } from "../../splice/trade-model.js";

const names = {
  amulet: "#splice-amulet:Splice.Amulet:Amulet",
  rules: "#splice-amulet:Splice.AmuletRules:AmuletRules",
  external: "#splice-amulet:Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules",
  round: "#splice-amulet:Splice.Round:OpenMiningRound",
  allocation: "#splice-api-token-allocation-v1:Splice.Api.Token.AllocationV1:Allocation",
} as const;

/** Three times what Splice sees on average; each tenth second is a burst. */
export const transfersPerSecond = 60;
const inBurst = 100,
  burstEvery = 10;
export const transfersIn = (seconds: number): number => {
  const bursts = Math.floor(seconds / burstEvery);
  return (seconds - bursts) * transfersPerSecond + bursts * inBurst;
};
/** Commands of a transfer. */
export const transactionsEach = 2;

const holders = ["alice", "bob", "carol", "dave"] as const,
  holdingsEach = 40,
  lanes = 4,
  initially = 100_000;

interface Holding {
  readonly owner: string;
  readonly contractId: string;
}

export class TokenTransfers {
  readonly latenciesMs: number[] = [];
  readonly #free: Holding[];
  readonly #random: Random;
  /** The first one. */
  #failure: unknown;

  private constructor(
    private readonly world: World,
    readonly parties: readonly string[],
    private readonly dso: string,
    private readonly venue: string,
    { seed, free }: { readonly seed: number; readonly free: Holding[] },
  ) {
    this.#random = new Random(seed);
    this.#free = free;
  }

  /** On a node that has nothing of it yet. */
  static async begin(world: World, seed: number): Promise<TokenTransfers> {
    await world.upload(tradingAmuletDar);
    const [dso, venue] = await world.parties("dso", "venue"),
      owners = await Promise.all(holders.map((hint) => world.party(hint)));
    await world.create([dso], names.rules, { dso, isDevNet: true });
    await world.create([dso], names.external, { dso });
    for (const number of [0, 1, 2])
      await world.create([dso], names.round, {
        dso,
        round: { number: String(number) },
        opensAt: inSeconds(-3_600),
        targetClosesAt: inSeconds(86_400),
      });
    const free: Holding[] = [];
    for (let made = 0; made < holdingsEach; made++)
      for (const owner of owners) {
        const { contractId } = await world.create([dso, owner], names.amulet, {
          dso,
          owner,
          amount: { initialAmount: `${initially}.0`, createdAt: { number: "0" }, ratePerRound: { rate: "0.0" } },
        });
        free.push({ owner, contractId });
      }
    return new TokenTransfers(world, owners, dso, venue, { seed, free });
  }

  /** One after the other in some lanes, so that a node that has just begun is not asked for more than it can do by then. */
  async warmUp(transfers: number): Promise<void> {
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        for (let done = lane; done < transfers; done += lanes) await this.#transfer(performance.now());
      }),
    );
    this.latenciesMs.length = 0;
  }

  /** Each begins when it is due, whatever becomes of those before. */
  async run(seconds: number): Promise<void> {
    const begin = performance.now(),
      under: Promise<void>[] = [];
    for (let second = 0; second < seconds; second++) {
      const perSecond = second % burstEvery === burstEvery - 1 ? inBurst : transfersPerSecond;
      for (let index = 0; index < perSecond; index++) {
        const due = begin + second * 1_000 + (index * 1_000) / perSecond;
        await sleep(Math.max(0, due - performance.now()));
        if (this.#failure !== undefined) throw this.#failure; // an hour is not waited for in vain
        const transfer = this.#transfer(due);
        transfer.catch((error: unknown) => (this.#failure ??= error));
        under.push(transfer);
      }
    }
    await Promise.all(under);
  }

  async #transfer(due: number): Promise<void> {
    while (this.#free.length === 0) {
      if (this.#failure !== undefined) throw this.#failure; // nobody gives its holding back
      await sleep(1);
    }
    const [input] = this.#free.splice(this.#random.below(this.#free.length), 1) as [Holding],
      sender = input.owner,
      receivers = this.parties.filter((one) => one !== sender),
      receiver = receivers[this.#random.below(receivers.length)]!;
    const { allocation, change } = await this.#allocate(input, receiver);
    this.#free.push({ owner: sender, contractId: change });
    await this.#execute(allocation, sender, receiver);
    this.latenciesMs.push(performance.now() - due);
  }

  async #allocate({ owner: sender, contractId }: Holding, receiver: string): Promise<{ allocation: string; change: string }> {
    const allocation = {
      settlement: { executor: this.venue, settleBefore: inSeconds(600) },
      transferLegId: "leg",
      transferLeg: { sender, receiver, amount: "1.0", instrumentId: { admin: this.dso, id: "Amulet" } },
    };
    const argument = { expectedAdmin: this.dso, allocation, inputHoldingCid: contractId, extraArgs: extraArgs() },
      { factoryId, choiceContext } = await this.#registry("/allocation-instruction/v1/allocation-factory", { choiceArguments: argument });
    const allocated = await this.world.transact(
      [sender],
      [exercise(names.external, factoryId, "AllocationFactory_Allocate", { ...argument, extraArgs: extraArgs(choiceContext) })],
      { disclosedContracts: choiceContext.disclosedContracts },
    );
    return {
      allocation: createdIn(allocated, "AmuletAllocation").contractId,
      change: createdIn(allocated, "Amulet").contractId,
    };
  }

  async #execute(allocation: string, sender: string, receiver: string): Promise<void> {
    const context = await this.#registry(`/allocations/v1/${allocation}/choice-contexts/execute-transfer`, {}),
      executed = exercise(names.allocation, allocation, "Allocation_ExecuteTransfer", { extraArgs: extraArgs(context) });
    const done = await this.world.transact([this.venue, sender, receiver], [executed], { disclosedContracts: context.disclosedContracts });
    const [received] = eventsOf(done).filter(({ kind, templateId }) => kind === "created" && templateId.endsWith(":Amulet"));
    assert.equal(received?.createArgument.owner, receiver, "the receiver has it");
  }

  async #registry(path: string, body: object): Promise<Json> {
    const reply = await this.world.client.post(`/registry${path}`, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.json();
  }

  /** What all have together is what they had. */
  async checkConserved(): Promise<void> {
    const active = await this.world.stream("/v2/state/active-contracts", {
      activeAtOffset: await this.world.ledgerEnd(),
      eventFormat: eventFormat({ parties: [this.dso], filters: [ofTemplate(names.amulet)] }),
    });
    const amounts = active.map(({ contractEntry }) => contractEntry.JsActiveContract.createdEvent.createArgument.amount.initialAmount);
    const sum = amounts.reduce<number>((total, amount) => total + Number(amount), 0);
    assert.equal(sum, holders.length * holdingsEach * initially, "tokens are neither lost nor made");
  }
}
