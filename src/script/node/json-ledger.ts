/** A running node, asked over the Ledger JSON API. */
import { setTimeout as wait } from "node:timers/promises";
import { limits } from "../../config.js";
import type { DefinitionId, LedgerValue } from "../../lf/index.js";
import { parseTimestamp, showTimestamp } from "../../lf/running-code.js";
import type {
  ActiveContract,
  InterfaceContract,
  KnownParty,
  LedgerSubmission,
  PackageNameVersion,
  ScriptLedger,
  ScriptUser,
  SubmitAnswer,
  UserRight,
} from "../ledger.js";
import type { ScriptPackages } from "../packages.js";
import { questionFailed, refusal } from "../stop.js";
import { type Json, JsonApi, type Participant } from "./json-api.js";
import { NodeQueries } from "./node-queries.js";
import { NodeSubmissions } from "./node-submissions.js";
import { NodeUsers } from "./node-users.js";
import { NodeValues } from "./node-values.js";

export interface JsonLedgerOptions {
  readonly packages: ScriptPackages;
  readonly participant: Participant;
  /** The node's clock stands still and is moved by the script. */
  readonly staticTime: boolean;
}

export class JsonLedger implements ScriptLedger {
  readonly #options: JsonLedgerOptions;
  readonly #api: JsonApi;
  readonly #submissions: NodeSubmissions;
  readonly #queries: NodeQueries;
  readonly #users: NodeUsers;

  constructor(options: JsonLedgerOptions) {
    const values = new NodeValues(options.packages);
    this.#options = options;
    this.#api = new JsonApi(options.participant);
    this.#submissions = new NodeSubmissions(this.#api, values);
    this.#queries = new NodeQueries(this.#api, values);
    this.#users = new NodeUsers(this.#api);
  }

  submit(submission: LedgerSubmission): Promise<SubmitAnswer> {
    return this.#submissions.submit(submission);
  }

  // Queries

  activeContracts(parties: readonly string[], template: DefinitionId): Promise<readonly ActiveContract[]> {
    return this.#queries.byTemplate(parties, template);
  }
  contract(parties: readonly string[], template: DefinitionId, contractId: string): Promise<ActiveContract | undefined> {
    return this.#queries.byId(parties, template, contractId);
  }
  contractsByKey(parties: readonly string[], template: DefinitionId, key: LedgerValue, limit: number): Promise<readonly ActiveContract[]> {
    return this.#queries.byKey(parties, template, key, limit);
  }
  interfaceContracts(parties: readonly string[], interface_: DefinitionId): Promise<readonly InterfaceContract[]> {
    return this.#queries.byInterface(parties, interface_);
  }
  interfaceContract(parties: readonly string[], interface_: DefinitionId, contractId: string): Promise<InterfaceContract | undefined> {
    return this.#queries.throughInterface(parties, interface_, contractId);
  }

  // Parties and time

  async allocateParty(hint: string, participants: readonly string[]): Promise<string> {
    if (participants.length > 1)
      throw refusal("A party on several participants cannot be allocated over the JSON API;", "the ledger in memory (--memory) can.");
    const { partyDetails } = await this.#api.post("/v2/parties", { partyIdHint: hint, identityProviderId: "" }),
      party = partyDetails.party as string;
    await this.#connected(party);
    return party;
  }

  /** A node may answer before a synchronizer lets the party submit. Who may not know where it is goes on at once. */
  async #connected(party: string): Promise<void> {
    for (let attempt = 1; attempt <= limits.scriptPartyAttemptsMax; attempt++) {
      const answer = await this.#api.ask("GET", `/v2/state/connected-synchronizers?party=${encodeURIComponent(party)}`);
      if ("refused" in answer || answer.json.connectedSynchronizers?.length > 0) return;
      if (attempt < limits.scriptPartyAttemptsMax) await wait(limits.scriptPartyRetryMs);
    }
    throw questionFailed("TimeoutException", `No synchronizer knows party ${party} a second after it was allocated.`);
  }

  async knownParties(): Promise<readonly KnownParty[]> {
    const found: KnownParty[] = [];
    for await (const { partyDetails } of this.#api.getPages("/v2/parties"))
      found.push(...(partyDetails as Json[]).map(({ party, isLocal }) => ({ party: party as string, isLocal: isLocal as boolean })));
    return found;
  }

  async time(): Promise<bigint> {
    if (!this.#options.staticTime) return BigInt(Date.now()) * 1000n;
    const { currentTime } = await this.#api.get("/admin/time"),
      time = parseTimestamp(currentTime as string);
    if (time === undefined) throw questionFailed("RuntimeException", `The node tells a time that is none: ${String(currentTime)}`);
    return time;
  }

  async setTime(time: bigint): Promise<void> {
    if (!this.#options.staticTime)
      throw refusal(
        "setTime is not supported in wall-clock mode;",
        "a node with --static-time can (then run with --static-time), and so can the ledger in memory (--memory).",
      );
    await this.#api.post("/admin/time", { newTime: showTimestamp(time) });
  }

  // Users

  createUser(user: ScriptUser, rights: readonly UserRight[]): Promise<boolean> {
    return this.#users.create(user, rights);
  }
  getUser(userId: string): Promise<ScriptUser | undefined> {
    return this.#users.get(userId);
  }
  deleteUser(userId: string): Promise<boolean> {
    return this.#users.delete(userId);
  }
  listUsers(): Promise<readonly ScriptUser[]> {
    return this.#users.list();
  }
  grantRights(userId: string, rights: readonly UserRight[]): Promise<readonly UserRight[] | undefined> {
    return this.#users.grant(userId, rights);
  }
  revokeRights(userId: string, rights: readonly UserRight[]): Promise<readonly UserRight[] | undefined> {
    return this.#users.revoke(userId, rights);
  }
  listRights(userId: string): Promise<readonly UserRight[] | undefined> {
    return this.#users.rights(userId);
  }

  // Packages

  async vetPackages(packages: readonly PackageNameVersion[]): Promise<void> {
    await this.#vet("Vet", packages);
  }
  async unvetPackages(packages: readonly PackageNameVersion[]): Promise<void> {
    await this.#vet("Unvet", packages);
  }

  async #vet(operation: "Vet" | "Unvet", packages: readonly PackageNameVersion[]): Promise<void> {
    const value = { packages: packages.map(({ name, version }) => ({ packageId: "", packageName: name, packageVersion: version })) };
    await this.#api.post("/v2/package-vetting/update", {
      changes: [{ operation: { [operation]: { value } } }],
      dryRun: false,
      ...(operation === "Unvet"
        ? { updateVettedPackagesForceFlags: ["UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES"] }
        : {}),
    });
  }

  async vettedPackages(): Promise<readonly PackageNameVersion[]> {
    const found: PackageNameVersion[] = [];
    for await (const { vettedPackages } of this.#api.pages((token) => this.#api.post("/v2/package-vetting/list", token))) {
      for (const { packages } of (vettedPackages ?? []) as Json[])
        found.push(
          ...(packages as Json[]).map(({ packageName, packageVersion }) => ({
            name: packageName as string,
            version: packageVersion as string,
          })),
        );
    }
    return found;
  }

  /** A node lists ids only: those that the DAR has are told by name. */
  async allPackages(): Promise<readonly PackageNameVersion[]> {
    const { packageIds } = await this.#api.get("/v2/packages");
    return (packageIds as string[])
      .flatMap((id) => this.#options.packages.package(id) ?? [])
      .map(({ name, version }) => ({ name, version }));
  }
}
