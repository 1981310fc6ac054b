/**
 * A node that is killed again and again while it is administered: users and rights, parties, uploads, vetting, pruning and backups, beside
 * commands. After each start all is there that was acknowledged, nothing by half, and nothing that was taken back.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAsset, prepare } from "../../crash/load.js";
import { Random } from "../../support/random.js";
import { buildDar, buildPackage, ModuleBuilder, type } from "../../support/lf-builder.js";
import { Client, type NodeProcess, type Reply, startNodeProcess, tested } from "../../support/node-process.js";
import type { Play, Scenario } from "../scenario.js";
import { runProgramWell } from "./backups.js";
import { Facts } from "./facts.js";

const writers = 2,
  administrators = 2,
  killAfterMsMax = 500,
  usersEach = 4,
  /** That pruning leaves. */
  keptOffsets = 20,
  backupKilledAfterMsMax = 250,
  elementsMax = 1_000_000;

const absent = "absent",
  there = "there",
  vetted = "there and vetted";

/** A package of its own, with a template. */
function dar(name: string): { readonly packageId: string; readonly bytes: Uint8Array } {
  const module = new ModuleBuilder("Main");
  module.template("Note", { fields: { owner: type.party }, signatories: (self) => [self("owner")] });
  const main = buildPackage({ name, version: "1.0.0", modules: [module] });
  return { packageId: main.id, bytes: buildDar(main) };
}

class AdministeredLedger {
  readonly #facts = new Facts();
  /** By package name. */
  readonly #packageIds = new Map<string, string>();
  #party = "";
  #prunedTo = 0;
  #created = 0;
  #attempted = 0;
  #copies = 0;
  #isKilled = false;

  constructor(
    private readonly play: Play,
    private readonly folder: string,
    private readonly random: Random,
  ) {}

  get #data(): string {
    return join(this.folder, "ledger");
  }

  async run(): Promise<void> {
    for (let kill = 0; kill <= this.play.size; kill++) {
      const node = await startNodeProcess(["--data", this.#data, "--list-elements-max", String(elementsMax)]),
        client = new Client(node.port, 16);
      try {
        if (kill === 0) this.#party = await prepare(client);
        await this.#check(client);
        if (kill < this.play.size) await this.#administerUntilKilled(node, client, kill);
      } finally {
        client.close();
        await node.stop(kill < this.play.size ? "SIGKILL" : "SIGTERM");
      }
      this.play.step();
    }
    assert.match(await runProgramWell("verify", "--data", this.#data), /The ledger is sound/);
    this.play.count("contracts", this.#created);
  }

  async #administerUntilKilled(node: NodeProcess, client: Client, kill: number): Promise<void> {
    this.#isKilled = false;
    const created = this.#created;
    const lanes = [
      ...Array.from({ length: writers }, (_, lane) => this.#repeat((index) => this.#create(client, `${kill}-${lane}-${index}`))),
      ...Array.from({ length: administrators }, (_, lane) => this.#repeat(() => this.#changeUser(client, `user-${lane}`))),
      this.#repeat((index) => this.#allocate(client, `party-${kill}-${index}`)),
      this.#repeat((index) => this.#changePackages(client, `pkg-${kill}-${index}`)),
      this.#repeat(() => this.#prune(client)),
      this.#repeat(() => this.#backUp()),
    ];
    const all = Promise.all(lanes);
    void all.catch(() => undefined);
    while (this.#created === created) await Promise.race([sleep(5), all]);
    await sleep(this.random.below(killAfterMsMax));
    this.#isKilled = true;
    await node.stop("SIGKILL");
    await all;
  }

  async #repeat(work: (index: number) => Promise<void>): Promise<void> {
    for (let index = 0; !this.#isKilled; index++) await work(index);
  }

  /** Undefined: nobody will ever say what became of it. */
  async #answer(reply: Promise<Reply>): Promise<Reply | undefined> {
    const answer = await reply.catch((error: unknown) => {
      if (!this.#isKilled) throw error;
      return undefined;
    });
    if (answer) assert.ok(answer.status === 200 || answer.status === 503, `${answer.status} ${answer.text}`);
    return answer;
  }

  /** Asks for another state of something; `before`: of what was never heard of. */
  async #change(name: string, before: string, next: string, ask: () => Promise<Reply>): Promise<void> {
    const former = this.#facts.stateOf(name, before);
    this.#facts.asked(name, before, next);
    const answer = await this.#answer(ask());
    if (answer === undefined) return;
    this.#facts.told(name, answer.status === 200 ? next : former);
    this.play.count(answer.status === 200 ? `changes of ${name.split(" ")[0]}` : "refused");
  }

  async #create(client: Client, commandId: string): Promise<void> {
    this.#attempted++;
    const answer = await this.#answer(createAsset(client, this.#party, commandId));
    if (answer?.status === 200) this.#created++;
  }

  /** One that is not there is made with a right, else it gets or loses one, or goes. */
  async #changeUser(client: Client, prefix: string): Promise<void> {
    const id = `${prefix}-${this.random.below(usersEach)}`,
      name = `user ${id}`,
      state = this.#facts.stateOf(name, absent);
    const acts = { kind: { CanActAs: { value: { party: this.#party } } } },
      reads = { kind: { CanReadAs: { value: { party: this.#party } } } };
    const user = { id, primaryParty: this.#party, isDeactivated: false, identityProviderId: "" };
    if (state === absent) await this.#change(name, absent, "CanActAs", () => client.post("/v2/users", { user, rights: [acts] }));
    else if (this.random.chance(0.3)) await this.#change(name, absent, absent, () => client.request("DELETE", `/v2/users/${id}`));
    else {
      const has = state === "CanActAs CanReadAs",
        body = { userId: id, identityProviderId: "", rights: [reads] };
      await this.#change(name, absent, has ? "CanActAs" : "CanActAs CanReadAs", () =>
        client.request(has ? "PATCH" : "POST", `/v2/users/${id}/rights`, body),
      );
    }
  }

  #allocate(client: Client, hint: string): Promise<void> {
    return this.#change(`party ${hint}`, absent, there, () => client.post("/v2/parties", { partyIdHint: hint, identityProviderId: "" }));
  }

  /** A package comes with an upload, vetted at once; some are not vetted afterwards. */
  async #changePackages(client: Client, packageName: string): Promise<void> {
    const { packageId, bytes } = dar(packageName);
    this.#packageIds.set(packageName, packageId);
    await this.#change(`package ${packageName}`, absent, vetted, () => client.post("/v2/dars", bytes));
    if (this.#isKilled || this.random.chance(0.5)) return;
    const changes = [{ operation: { Unvet: { value: { packages: [{ packageId, packageName: "", packageVersion: "" }] } } } }];
    await this.#change(`package ${packageName}`, absent, there, () => client.post("/v2/package-vetting/update", { changes }));
  }

  async #prune(client: Client): Promise<void> {
    await sleep(20);
    if (this.#isKilled) return;
    const end = await this.#answer(client.get("/v2/state/ledger-end")),
      pruneUpTo = (end?.json().offset ?? 0) - keptOffsets;
    if (pruneUpTo <= this.#prunedTo) return;
    const answer = await this.#answer(client.post("/admin/prune", { pruneUpTo }));
    if (answer?.status !== 200) return;
    this.#prunedTo = pruneUpTo;
    this.play.count("prunings");
  }

  /** A backup is killed, too, now and then: what it leaves is no ledger, or a sound one. */
  async #backUp(): Promise<void> {
    const copy = join(this.folder, `copy-${this.#copies++}`),
      mustDie = this.random.chance(0.3);
    const backup = spawn(tested.file, [...tested.args, "backup", copy, "--data", this.#data], { stdio: "ignore" }),
      ended = once(backup, "exit");
    if (mustDie) setTimeout(() => backup.kill("SIGKILL"), this.random.below(backupKilledAfterMsMax));
    const [code] = (await ended) as [number | null];
    assert.ok(code === 0 || mustDie, `a backup ended with ${code}`);
    const verify = spawn(tested.file, [...tested.args, "verify", "--data", copy], { stdio: "ignore" }),
      [verdict] = (await once(verify, "exit")) as [number | null];
    assert.ok(verdict === 0 || (code === null && verdict !== null), `a copy that was made with ${code} is verified with ${verdict}`);
    rmSync(copy, { recursive: true, force: true });
    this.play.count(code === 0 ? "copies" : "copies that were killed");
  }

  async #check(client: Client): Promise<void> {
    const get = async (path: string): Promise<any> => {
      const { status, text, json } = await client.get(path);
      assert.equal(status, 200, text);
      return json();
    };
    const parties: ReadonlySet<string> = new Set((await get("/v2/parties")).partyDetails.map(({ party }: any) => party.split("::")[0]));
    const packages: ReadonlySet<string> = new Set((await get("/v2/packages")).packageIds),
      vettedIds = await vettedPackages(client);
    for (const fact of this.#facts.names) {
      const [kind, name] = fact.split(" ") as [string, string];
      if (kind === "user") this.#facts.found(fact, await userState(client, name));
      else if (kind === "party") this.#facts.found(fact, parties.has(name) ? there : absent);
      else {
        const id = this.#packageIds.get(name)!;
        this.#facts.found(fact, vettedIds.has(id) ? vetted : packages.has(id) ? there : absent);
        assert.ok(packages.has(id) || !vettedIds.has(id), `${name} is vetted and not there`);
      }
    }
    await this.#checkContracts(client, (await get("/v2/state/latest-pruned-offsets")).participantPrunedUpToInclusive);
  }

  async #checkContracts(client: Client, prunedTo: number): Promise<void> {
    assert.ok(prunedTo >= this.#prunedTo, `pruned up to ${prunedTo}, and ${this.#prunedTo} was acknowledged`);
    this.#prunedTo = prunedTo;
    const { offset: activeAtOffset } = (await client.get("/v2/state/ledger-end")).json(),
      eventFormat = { filtersByParty: { [this.#party]: { cumulative: [] } }, verbose: false };
    const active = await client.post("/v2/state/active-contracts", { activeAtOffset, eventFormat });
    assert.equal(active.status, 200, active.text);
    const contracts = active.json().length as number;
    assert.ok(contracts >= this.#created, `${contracts} contracts are active, and ${this.#created} were acknowledged`);
    assert.ok(contracts <= this.#attempted, `${contracts} contracts are active, and ${this.#attempted} were asked for`);
    this.#created = this.#attempted = contracts;
  }
}

async function userState(client: Client, id: string): Promise<string> {
  const reply = await client.get(`/v2/users/${id}/rights`);
  if (reply.status === 404) return absent;
  assert.equal(reply.status, 200, reply.text);
  return reply
    .json()
    .rights.map(({ kind }: any) => Object.keys(kind)[0])
    .sort()
    .join(" ");
}

async function vettedPackages(client: Client): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let pageToken = ""; ;) {
    const reply = await client.post("/v2/package-vetting/list", { pageToken, pageSize: 100 });
    assert.equal(reply.status, 200, reply.text);
    const { vettedPackages: participants, nextPageToken } = reply.json();
    for (const { packages } of participants ?? []) for (const { packageId } of packages) ids.add(packageId);
    if (!nextPageToken) return ids;
    pageToken = nextPageToken;
  }
}

export const killedAdministration: Scenario = {
  name: "killed-administration",
  unit: "kills",
  sizes: { test: 3, ci: 15, night: 1_000 },
  holds:
    "a node that is killed amid users, rights, parties, uploads, vetting, pruning and backups has what it acknowledged, and nothing by half",
  async run(play) {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-administered-"));
    play.after(() => rmSync(folder, { recursive: true, force: true }));
    await new AdministeredLedger(play, folder, new Random(play.seed)).run();
  },
};
