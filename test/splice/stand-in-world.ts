/** A node with stand-ins of a Splice network on its ledger, asked over HTTP. */
import assert from "node:assert/strict";
import { create, exercise, World, type Json } from "../scenarios/world.js";
import { amuletDar, governanceDar, teamDar } from "./stand-in-model.js";

export const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();
const amulet = (entity: string): string => `#splice-amulet:${entity}`;

export const names = {
  amulet: amulet("Splice.Amulet:Amulet"),
  locked: amulet("Splice.Amulet:LockedAmulet"),
  featured: amulet("Splice.Amulet:FeaturedAppRight"),
  rules: amulet("Splice.AmuletRules:AmuletRules"),
  preapproval: amulet("Splice.AmuletRules:TransferPreapproval"),
  external: amulet("Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules"),
  configState: amulet("Splice.ExternalPartyConfigState:ExternalPartyConfigState"),
  round: amulet("Splice.Round:OpenMiningRound"),
  license: amulet("Splice.ValidatorLicense:ValidatorLicense"),
  transferCommand: amulet("Splice.ExternalPartyAmuletRules:TransferCommand"),
  transfer: amulet("Splice.AmuletTransferInstruction:AmuletTransferInstruction"),
  allocation: amulet("Splice.AmuletAllocation:AmuletAllocation"),
  allocationV2: amulet("Splice.AmuletAllocationV2:AmuletAllocationV2"),
  dsoRules: "#splice-dso-governance:Splice.DsoRules:DsoRules",
  token: "#team-token:Team:Token",
  teamAllocation: "#team-token:Team:TeamAllocation",
} as const;

/** What transfers cost, of a round. */
export const transferConfigUsd = {
  createFee: { fee: "0.03" },
  holdingFee: { rate: "0.0" },
  lockHolderFee: { fee: "0.005" },
  transferFee: { initialRate: "0.01", steps: [{ _1: "100.0", _2: "0.001" }] },
} as const;

export const standInDars: readonly Uint8Array[] = [amuletDar("0.1.22"), governanceDar, teamDar];

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

export class StandInWorld {
  private constructor(
    readonly world: World,
    readonly dso: string,
    readonly alice: string,
    readonly bob: string,
    readonly venue: string,
  ) {}

  /** Without a network: it begins with `bootstrap`. */
  static async start(args?: readonly string[]): Promise<StandInWorld> {
    const world = await World.start(standInDars, args);
    const [dso, alice, bob, venue] = await world.parties("dso", "alice", "bob", "venue");
    return new StandInWorld(world, dso, alice, bob, venue);
  }

  /** On two synchronizers: packages and parties are on both, and contracts may move. */
  static async startOnTwo(): Promise<{ readonly net: StandInWorld; readonly synchronizers: readonly [string, string] }> {
    const world = await World.start([], ["--memory", "--synchronizers", "one,two"]);
    const [one, two] = (await world.client.get("/v2/state/connected-synchronizers"))
      .json()
      .connectedSynchronizers.map(({ synchronizerId }: Json) => synchronizerId);
    const parties = new Map<string, string>();
    for (const synchronizer of [one, two]) {
      const query = `?synchronizerId=${encodeURIComponent(synchronizer)}`;
      for (const dar of standInDars) assert.equal((await world.client.post(`/v2/dars${query}`, dar)).status, 200);
      for (const partyIdHint of ["dso", "alice", "bob", "venue"]) {
        const reply = await world.client.post("/v2/parties", { partyIdHint, synchronizerId: synchronizer });
        parties.set(partyIdHint, reply.json().partyDetails.party);
      }
    }
    const party = (hint: string): string => parties.get(hint)!;
    return { net: new StandInWorld(world, party("dso"), party("alice"), party("bob"), party("venue")), synchronizers: [one, two] };
  }

  /** Rules and three rounds, of which two are open. */
  async bootstrap(): Promise<void> {
    await this.make(names.rules, { configSchedule: "", isDevNet: true });
    await this.make(names.external, {});
    for (const [number, opensIn] of [
      [0, -7_200],
      [1, -3_600],
      [2, 3_600],
    ] as const)
      await this.round(number, opensIn);
  }

  round(number: number, opensInSeconds: number): Promise<Json> {
    return this.make(names.round, this.#roundOf(number, opensInSeconds));
  }
  /** In one transaction; their contract ids. */
  async rounds(numbers: readonly number[]): Promise<readonly string[]> {
    const commands = numbers.map((number) => create(names.round, { dso: this.dso, ...this.#roundOf(number, 60) }));
    const { events } = await this.world.transact([this.dso], commands);
    return events.map(({ CreatedEvent }: Json) => CreatedEvent.contractId);
  }
  #roundOf(number: number, opensInSeconds: number): Json {
    return {
      round: { number: String(number) },
      amuletPrice: "0.5",
      opensAt: ago(-opensInSeconds),
      targetClosesAt: ago(-opensInSeconds - 7_200),
      tickDuration: { microseconds: "600000000" },
      transferConfigUsd,
    };
  }

  /** A contract of the DSO's. */
  make(template: string, fields: Json): Promise<Json> {
    return this.world.create([this.dso], template, { dso: this.dso, ...fields });
  }
  spend(template: string, contractId: string): Promise<Json> {
    return this.world.transact([this.dso], [exercise(template, contractId, "Spend")]);
  }

  coin(owner: string, initialAmount: string, round = 0, rate = "0.0"): Json {
    return { dso: this.dso, owner, amount: { initialAmount, createdAt: { number: String(round) }, ratePerRound: { rate } } };
  }
  amulet(owner: string, amount: string, round?: number, rate?: string): Promise<Json> {
    return this.make(names.amulet, this.coin(owner, amount, round, rate));
  }
  amulets(owner: string, amounts: readonly string[]): Promise<Json> {
    return this.world.transact(
      [this.dso],
      amounts.map((amount) => create(names.amulet, this.coin(owner, amount))),
    );
  }
  locked(owner: string, amount: string): Promise<Json> {
    return this.make(names.locked, { amulet: this.coin(owner, amount), lock: { holders: [this.dso], expiresAt: ago(-3_600) } });
  }

  specification(executor = this.venue, admin = this.dso): Json {
    return {
      settlement: { executor, settleBefore: ago(-3_600) },
      transferLeg: { sender: this.alice, instrumentId: { admin, id: "Amulet" } },
    };
  }
  allocation(lockedAmulet: string): Promise<Json> {
    return this.make(names.allocation, { lockedAmulet, allocation: this.specification(), expiresAt: null });
  }
  allocationV2(lockedAmulet: string | null): Promise<Json> {
    return this.make(names.allocationV2, { lockedAmulet, allocation: { admin: this.dso, settlementDeadline: null } });
  }
  transferOf(sender: string, receiver: string): Json {
    return { sender, receiver, amount: "1.0", instrumentId: { admin: this.dso, id: "Amulet" }, executeBefore: ago(-3_600) };
  }

  async get(path: string): Promise<Answer> {
    return answer(await this.world.client.get(path));
  }
  async post(path: string, body: Json = {}): Promise<Answer> {
    return answer(await this.world.client.post(path, body));
  }
  /** The body of a request that must succeed. */
  async ask(path: string, body: Json = {}): Promise<Json> {
    const { status, body: answered } = await this.post(path, body);
    assert.equal(status, 200, `${path}: ${JSON.stringify(answered)}`);
    return answered;
  }

  context(kind: string, contractId: string, step: string, body: Json = {}): Promise<Answer> {
    return this.post(`/registry/${kind}/${contractId}/choice-contexts/${step}`, body);
  }
}

const answer = (reply: { readonly status: number; readonly text: string }): Answer => ({
  status: reply.status,
  body: reply.text === "" ? undefined : JSON.parse(reply.text),
});

/** Names of what is disclosed, in order. */
export const disclosedIn = (context: Json): readonly string[] =>
  context.disclosedContracts.map(({ templateId }: Json) => templateId.split(":").at(-1));
