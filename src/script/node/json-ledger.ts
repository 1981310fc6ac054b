/** A running node, asked over the Ledger JSON API. */
import { randomUUID } from "node:crypto";
import { isFailure } from "../../base/result.js";
import { type DefinitionId, type LedgerValue, showId } from "../../lf/index.js";
import { parseTimestamp, showTimestamp } from "../../lf/running-code.js";
import type {
  ActiveContract, InterfaceContract, KnownParty, LedgerCommand, LedgerSubmission, PackageNameVersion, ScriptLedger, ScriptUser, SubmitAnswer, UserRight, UserRightKind,
} from "../ledger.js";
import { failedSubmission } from "../memory/failed-submission.js";
import type { ScriptPackages } from "../packages.js";
import { questionFailed, refusal } from "../stop.js";
import { type Json, JsonApi, type NodeAnswer, type NodeError, type Participant, refusedByNode } from "./json-api.js";
import { submitErrorOfNode } from "./node-errors.js";
import { NodeValues } from "./node-values.js";

export interface JsonLedgerOptions {
  readonly packages: ScriptPackages;
  readonly participant: Participant;
  /** The node's clock stands still and is moved by the script. */
  readonly staticTime: boolean;
}

type EventFilter = Readonly<Record<string, unknown>>;

export class JsonLedger implements ScriptLedger {
  readonly api: JsonApi;
  readonly #options: JsonLedgerOptions;
  readonly #values: NodeValues;
  #synchronizer: string | undefined;

  constructor(options: JsonLedgerOptions) {
    this.#options = options;
    this.api = new JsonApi(options.participant);
    this.#values = new NodeValues(options.packages);
  }

  // Submissions

  async submit(submission: LedgerSubmission): Promise<SubmitAnswer> {
    const { actAs, readAs, commands, disclosures, packagePreference, prefetchKeys } = submission;
    const synchronizerId = disclosures.length === 0 ? "" : await this.#synchronizerId();
    const answer = await this.api.ask("POST", "/v2/commands/submit-and-wait-for-transaction", {
      commands: {
        commandId: randomUUID(), userId: this.#options.participant.userId, actAs, readAs, commands: commands.map((command) => this.#command(command)),
        packageIdSelectionPreference: packagePreference,
        disclosedContracts: disclosures.map(({ templateId, contractId, blob }) => ({ templateId: showId(templateId), contractId, createdEventBlob: Buffer.from(blob, "hex").toString("base64"), synchronizerId })),
        prefetchContractKeys: prefetchKeys.map(({ template, key }) => ({ templateId: this.#byName(template), contractKey: this.#key(template, key) })),
      },
      transactionFormat: { eventFormat: eventFormat([...actAs, ...readAs], wildcard), transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" },
    });
    return "json" in answer ? { kind: "committed", events: this.#values.events(answer.json.transaction.events as Json[]) } : this.#failed(submission, answer.refused);
  }

  #failed(submission: LedgerSubmission, error: NodeError): SubmitAnswer {
    const hint = error.code === "UNRESOLVED_PACKAGE_NAME" || error.code === "TEMPLATES_OR_INTERFACES_NOT_FOUND" || error.code === "PACKAGE_NAMES_NOT_FOUND" ? "Does the node have the packages of the DAR? --upload-dar brings them there." : undefined;
    return {
      kind: "failed", error: submitErrorOfNode(error), class_: "StatusRuntimeException", message: `${error.code}: ${error.cause}`, ...(hint === undefined ? {} : { hint }),
      submission: () => failedSubmission({ submission, soFar: undefined, engineError: undefined, packages: this.#options.packages, labelOf: (contractId) => `${contractId.slice(0, 12)}...`, step: 0 }),
    };
  }

  #command(command: LedgerCommand): unknown {
    const { template, exactPackage } = command, templateId = exactPackage ? showId(template) : this.#byName(template);
    const choice = () => {
      const { choice: name, argument } = command as Exclude<LedgerCommand, { kind: "create" }>;
      return { choice: name, choiceArgument: this.#values.show(this.#values.argumentType(template, name), argument) };
    };
    const payload = (argument: LedgerValue): unknown => this.#values.show({ kind: "con", id: template }, argument);
    switch (command.kind) {
      case "create": return { CreateCommand: { templateId, createArguments: payload(command.argument) } };
      case "exercise": return { ExerciseCommand: { templateId, contractId: command.contractId, ...choice() } };
      case "exerciseByKey": return { ExerciseByKeyCommand: { templateId, contractKey: this.#key(template, command.key), ...choice() } };
      case "createAndExercise": return { CreateAndExerciseCommand: { templateId, createArguments: payload(command.createArgument), ...choice() } };
    }
  }

  #byName({ packageId, module, name }: DefinitionId): string { return `#${this.#options.packages.package(packageId)?.name ?? packageId}:${module}:${name}`; }

  #key(template: DefinitionId, key: LedgerValue): unknown {
    const type = this.#options.packages.engine.packages.template(template)?.key?.type;
    if (type === undefined) throw questionFailed("RuntimeException", `template ${showId(template)} has no contract key`);
    return this.#values.show(type, key);
  }

  async #synchronizerId(): Promise<string> {
    return (this.#synchronizer ??= (await this.api.get("/v2/state/connected-synchronizers")).connectedSynchronizers?.[0]?.synchronizerId as string | undefined ?? "");
  }

  // Queries

  async activeContracts(parties: readonly string[], template: DefinitionId): Promise<readonly ActiveContract[]> {
    const filter = { TemplateFilter: { value: { templateId: this.#byName(template), includeCreatedEventBlob: true } } };
    return (await this.#active(parties, filter)).map((created) => this.#contract(created));
  }

  #contract(created: Json): ActiveContract {
    const templateId = this.#values.templateOf(created.templateId as string, created.packageName as string);
    return { contractId: created.contractId as string, templateId, argument: this.#values.read({ kind: "con", id: templateId }, created.createArgument), blob: Buffer.from((created.createdEventBlob as string | null) ?? "", "base64") };
  }

  /** Created events of all pages, at one offset. */
  async #active(parties: readonly string[], filter: EventFilter): Promise<readonly Json[]> {
    const { offset: activeAtOffset } = await this.api.get("/v2/state/ledger-end");
    const found: Json[] = [];
    for (let pageToken: string | undefined = ""; pageToken !== undefined;) {
      const page: Json = await this.api.post("/v2/state/active-contracts-page", { activeAtOffset, eventFormat: eventFormat(parties, filter), ...(pageToken === "" ? {} : { pageToken }) });
      for (const { contractEntry } of page.activeContracts as Json[]) if (contractEntry?.JsActiveContract !== undefined) found.push(contractEntry.JsActiveContract.createdEvent);
      pageToken = (page.nextPageToken as string | null | undefined) || undefined;
    }
    return found;
  }

  async contract(parties: readonly string[], template: DefinitionId, contractId: string): Promise<ActiveContract | undefined> {
    const created = await this.#created(parties, contractId, { TemplateFilter: { value: { templateId: this.#byName(template), includeCreatedEventBlob: true } } });
    return created && { ...this.#contract(created), templateId: template };
  }

  /** Undefined when it is archived, or not seen. */
  async #created(parties: readonly string[], contractId: string, filter: EventFilter): Promise<Json | undefined> {
    const answer = await this.api.ask("POST", "/v2/events/events-by-contract-id", { contractId, eventFormat: eventFormat(parties, filter) });
    if ("refused" in answer) return absentOr(answer, ["CONTRACT_EVENTS_NOT_FOUND", "CONTRACT_NOT_FOUND"]);
    const { created, archived } = answer.json;
    return archived || !created ? undefined : created.createdEvent;
  }

  /** A node lists by template: those with another key are left out here. */
  async contractsByKey(parties: readonly string[], template: DefinitionId, key: LedgerValue, limit: number): Promise<readonly ActiveContract[]> {
    const { engine } = this.#options.packages, type = engine.packages.template(template)?.key?.type, wanted = engine.keyHash(template, key);
    if (type === undefined || isFailure(wanted)) throw questionFailed("RuntimeException", `template ${showId(template)} has no contract key, or the key is none that it could have`);
    const all = await this.#active(parties, { TemplateFilter: { value: { templateId: this.#byName(template), includeCreatedEventBlob: true } } });
    const found = all.filter(({ contractKey }: Json) => {
      const hash = contractKey === undefined || contractKey === null ? undefined : engine.keyHash(template, this.#values.read(type, contractKey));
      return hash !== undefined && !isFailure(hash) && hash.ok === wanted.ok;
    });
    return found.reverse().slice(0, limit).map((created) => this.#contract(created)); // the newest first
  }

  async interfaceContracts(parties: readonly string[], interface_: DefinitionId): Promise<readonly InterfaceContract[]> {
    return (await this.#active(parties, this.#interfaceFilter(interface_))).map((created) => this.#viewed(created, interface_));
  }

  async interfaceContract(parties: readonly string[], interface_: DefinitionId, contractId: string): Promise<InterfaceContract | undefined> {
    const created = await this.#created(parties, contractId, this.#interfaceFilter(interface_));
    return created && this.#viewed(created, interface_);
  }

  #interfaceFilter(interface_: DefinitionId): EventFilter { return { InterfaceFilter: { value: { interfaceId: this.#byName(interface_), includeInterfaceView: true } } }; }

  #viewed(created: Json, interface_: DefinitionId): InterfaceContract {
    const [view] = (created.interfaceViews ?? []) as Json[], type = this.#options.packages.engine.packages.interface(interface_)?.view;
    const isComputed = view?.viewValue !== undefined && view.viewValue !== null && type !== undefined;
    return { contractId: created.contractId as string, view: isComputed ? this.#values.read(type, view.viewValue) : undefined };
  }

  // Parties and time

  async allocateParty(hint: string, participants: readonly string[]): Promise<string> {
    if (participants.length > 1) throw refusal("A party on several participants cannot be allocated over the JSON API;", "the ledger in memory (--memory) can.");
    return (await this.api.post("/v2/parties", { partyIdHint: hint, identityProviderId: "" })).partyDetails.party as string;
  }

  async knownParties(): Promise<readonly KnownParty[]> {
    const found: KnownParty[] = [];
    for (let pageToken: string | undefined = ""; pageToken !== undefined;) {
      const page: Json = await this.api.get(`/v2/parties${pageToken === "" ? "" : `?pageToken=${encodeURIComponent(pageToken)}`}`);
      found.push(...(page.partyDetails as Json[]).map(({ party, isLocal }) => ({ party: party as string, isLocal: isLocal as boolean })));
      pageToken = (page.nextPageToken as string | null | undefined) || undefined;
    }
    return found;
  }

  async time(): Promise<bigint> {
    if (!this.#options.staticTime) return BigInt(Date.now()) * 1000n;
    const { currentTime } = await this.api.get("/admin/time"), time = parseTimestamp(currentTime as string);
    if (time === undefined) throw questionFailed("RuntimeException", `The node tells a time that is none: ${String(currentTime)}`);
    return time;
  }

  async setTime(time: bigint): Promise<void> {
    if (!this.#options.staticTime) throw refusal("setTime is not supported in wall-clock mode;", "a node with --static-time can (then run with --static-time), and so can the ledger in memory (--memory).");
    const answer = await this.api.ask("POST", "/admin/time", { newTime: showTimestamp(time) });
    if ("refused" in answer) throw refusedByNode(answer.refused);
  }

  // Users

  async createUser({ userId, primaryParty }: ScriptUser, rights: readonly UserRight[]): Promise<boolean> {
    const answer = await this.api.ask("POST", "/v2/users", {
      user: { id: userId, primaryParty: primaryParty ?? "", isDeactivated: false, identityProviderId: "", metadata: { resourceVersion: "", annotations: {} } }, rights: rights.map(rightToJson),
    });
    return "json" in answer || absentOr(answer, ["USER_ALREADY_EXISTS"]) !== undefined;
  }

  async getUser(userId: string): Promise<ScriptUser | undefined> {
    const answer = await this.api.ask("GET", userPath(userId));
    return "json" in answer ? userOfJson(answer.json.user) : absentOr(answer, ["USER_NOT_FOUND"]);
  }

  async deleteUser(userId: string): Promise<boolean> {
    const answer = await this.api.ask("DELETE", userPath(userId));
    return "json" in answer || absentOr(answer, ["USER_NOT_FOUND"]) !== undefined;
  }

  async listUsers(): Promise<readonly ScriptUser[]> {
    const found: ScriptUser[] = [];
    for (let pageToken: string | undefined = ""; pageToken !== undefined;) {
      const page: Json = await this.api.get(`/v2/users${pageToken === "" ? "" : `?pageToken=${encodeURIComponent(pageToken)}`}`);
      found.push(...(page.users as Json[]).map(userOfJson));
      pageToken = (page.nextPageToken as string | null | undefined) || undefined;
    }
    return found;
  }

  async grantRights(userId: string, rights: readonly UserRight[]): Promise<readonly UserRight[] | undefined> {
    const answer = await this.api.ask("POST", `${userPath(userId)}/rights`, { userId, rights: rights.map(rightToJson), identityProviderId: "" });
    return "json" in answer ? rightsOfJson(answer.json.newlyGrantedRights) : absentOr(answer, ["USER_NOT_FOUND"]);
  }

  async revokeRights(userId: string, rights: readonly UserRight[]): Promise<readonly UserRight[] | undefined> {
    const answer = await this.api.ask("PATCH", `${userPath(userId)}/rights`, { userId, rights: rights.map(rightToJson), identityProviderId: "" });
    return "json" in answer ? rightsOfJson(answer.json.newlyRevokedRights) : absentOr(answer, ["USER_NOT_FOUND"]);
  }

  async listRights(userId: string): Promise<readonly UserRight[] | undefined> {
    const answer = await this.api.ask("GET", `${userPath(userId)}/rights`);
    return "json" in answer ? rightsOfJson(answer.json.rights) : absentOr(answer, ["USER_NOT_FOUND"]);
  }

  // Packages

  async vetPackages(packages: readonly PackageNameVersion[]): Promise<void> { await this.#vet("Vet", packages); }
  async unvetPackages(packages: readonly PackageNameVersion[]): Promise<void> { await this.#vet("Unvet", packages); }

  async #vet(operation: "Vet" | "Unvet", packages: readonly PackageNameVersion[]): Promise<void> {
    const value = { packages: packages.map(({ name, version }) => ({ packageId: "", packageName: name, packageVersion: version })) };
    await this.api.post("/v2/package-vetting/update", {
      changes: [{ operation: { [operation]: { value } } }], dryRun: false,
      ...(operation === "Unvet" ? { updateVettedPackagesForceFlags: ["UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES"] } : {}),
    });
  }

  async vettedPackages(): Promise<readonly PackageNameVersion[]> {
    const found: PackageNameVersion[] = [];
    for (let pageToken: string | undefined = ""; pageToken !== undefined;) {
      const page: Json = await this.api.post("/v2/package-vetting/list", pageToken === "" ? {} : { pageToken });
      for (const { packages } of (page.vettedPackages ?? []) as Json[]) found.push(...(packages as Json[]).map(({ packageName, packageVersion }) => ({ name: packageName as string, version: packageVersion as string })));
      pageToken = (page.nextPageToken as string | null | undefined) || undefined;
    }
    return found;
  }

  /** A node lists ids only: those that the DAR has are told by name. */
  async allPackages(): Promise<readonly PackageNameVersion[]> {
    const { packageIds } = await this.api.get("/v2/packages");
    return (packageIds as string[]).flatMap((id) => this.#options.packages.package(id) ?? []).map(({ name, version }) => ({ name, version }));
  }

  async uploadDar(bytes: Uint8Array): Promise<void> { await this.api.post("/v2/dars", bytes); }
}

const wildcard: EventFilter = { WildcardFilter: { value: { includeCreatedEventBlob: false } } };

const eventFormat = (parties: readonly string[], identifierFilter: EventFilter) =>
  ({ filtersByParty: Object.fromEntries([...new Set(parties)].map((party) => [party, { cumulative: [{ identifierFilter }] }])), verbose: false });

/** Codes that say that something is not there are an answer; any other refusal is none. */
function absentOr({ refused }: Extract<NodeAnswer, { refused: NodeError }>, codes: readonly string[]): undefined {
  if (!codes.includes(refused.code)) throw refusedByNode(refused);
  return undefined;
}

const userPath = (userId: string): string => `/v2/users/${encodeURIComponent(userId)}`;
const userOfJson = ({ id, primaryParty }: Json): ScriptUser => ({ userId: id as string, primaryParty: (primaryParty as string) || undefined });
const rightToJson = ({ kind, party }: UserRight) => ({ kind: { [kind]: { value: party === undefined ? {} : { party } } } });

/** Rights that scripts do not know (of identity providers) are left out. */
const scriptRights: ReadonlySet<string> = new Set<UserRightKind>(["ParticipantAdmin", "CanActAs", "CanReadAs", "CanReadAsAnyParty", "CanExecuteAs", "CanExecuteAsAnyParty", "CanActAsAnyParty"]);

const rightsOfJson = (rights: Json): readonly UserRight[] => ((rights ?? []) as Json[]).flatMap(({ kind }) => {
  const [name, { value }] = Object.entries(kind)[0] as [UserRightKind, { value: { party?: string } }];
  return scriptRights.has(name) ? [{ kind: name, party: value.party }] : [];
});
