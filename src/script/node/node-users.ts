/** Users of a node and their rights. */
import type { ScriptUser, UserRight, UserRightKind } from "../ledger.js";
import { absentOr, type Json, type JsonApi, type NodeAnswer } from "./json-api.js";

export class NodeUsers {
  readonly #api: JsonApi;
  constructor(api: JsonApi) {
    this.#api = api;
  }

  async create({ userId, primaryParty }: ScriptUser, rights: readonly UserRight[]): Promise<boolean> {
    const answer = await this.#api.ask("POST", "/v2/users", {
      user: {
        id: userId,
        primaryParty: primaryParty ?? "",
        isDeactivated: false,
        identityProviderId: "",
        metadata: { resourceVersion: "", annotations: {} },
      },
      rights: rights.map(rightToJson),
    });
    return "json" in answer || absentOr(answer, ["USER_ALREADY_EXISTS"]) !== undefined;
  }

  async get(userId: string): Promise<ScriptUser | undefined> {
    const answer = await this.#api.ask("GET", userPath(userId));
    return "json" in answer ? userOfJson(answer.json.user) : absentOr(answer, noSuchUser);
  }

  async delete(userId: string): Promise<boolean> {
    const answer = await this.#api.ask("DELETE", userPath(userId));
    return "json" in answer || absentOr(answer, noSuchUser) !== undefined;
  }

  async list(): Promise<readonly ScriptUser[]> {
    const found: ScriptUser[] = [];
    for await (const { users } of this.#api.getPages("/v2/users")) found.push(...(users as Json[]).map(userOfJson));
    return found;
  }

  async grant(userId: string, rights: readonly UserRight[]): Promise<readonly UserRight[] | undefined> {
    return changed(await this.#api.ask("POST", rightsPath(userId), rightsBody(userId, rights)), "newlyGrantedRights");
  }
  async revoke(userId: string, rights: readonly UserRight[]): Promise<readonly UserRight[] | undefined> {
    return changed(await this.#api.ask("PATCH", rightsPath(userId), rightsBody(userId, rights)), "newlyRevokedRights");
  }
  async rights(userId: string): Promise<readonly UserRight[] | undefined> {
    return changed(await this.#api.ask("GET", rightsPath(userId)), "rights");
  }
}

const noSuchUser = ["USER_NOT_FOUND"];
const userPath = (userId: string): string => `/v2/users/${encodeURIComponent(userId)}`;
const rightsPath = (userId: string): string => `${userPath(userId)}/rights`;

const userOfJson = ({ id, primaryParty }: Json): ScriptUser => ({
  userId: id as string,
  primaryParty: (primaryParty as string) || undefined,
});
const rightToJson = ({ kind, party }: UserRight) => ({ kind: { [kind]: { value: party === undefined ? {} : { party } } } });
const rightsBody = (userId: string, rights: readonly UserRight[]) => ({ userId, rights: rights.map(rightToJson), identityProviderId: "" });

const changed = (answer: NodeAnswer, member: string): readonly UserRight[] | undefined =>
  "json" in answer ? rightsOfJson(answer.json[member]) : absentOr(answer, noSuchUser);

/** Rights that scripts do not know (of identity providers) are left out. */
const scriptRights: ReadonlySet<string> = new Set<UserRightKind>([
  "ParticipantAdmin",
  "CanActAs",
  "CanReadAs",
  "CanReadAsAnyParty",
  "CanExecuteAs",
  "CanExecuteAsAnyParty",
  "CanActAsAnyParty",
]);

const rightsOfJson = (rights: Json): readonly UserRight[] =>
  ((rights ?? []) as Json[]).flatMap(({ kind }) => {
    const [name, { value }] = Object.entries(kind)[0] as [UserRightKind, { value: { party?: string } }];
    return scriptRights.has(name) ? [{ kind: name, party: value.party }] : [];
  });
