/** Requests made from our own OpenAPI document, with what a running node really has in it. */
import type { Json, World } from "../scenarios/world.js";
import type { Generator, Words } from "./generate.js";
import type { Components, Schema } from "./schema.js";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: Schema;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Components };
}
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** What the fields of requests can really hold on this node. */
export async function vocabulary(world: World, dar: Uint8Array): Promise<Words> {
  const [alice, bob] = await world.parties("alice", "bob");
  const asset = { issuer: alice, owner: alice, name: "gold", amount: "1" },
    template = "#ref-model:M:Asset";
  const contracts: Json[] = [];
  for (let index = 0; index < 3; index++) contracts.push(await world.create([alice], template, asset));
  const { updateId } = (await world.submit([alice], [{ CreateCommand: { templateId: template, createArguments: asset } }])).json();
  const synchronizer = (await world.client.get("/v2/state/connected-synchronizers")).json().connectedSynchronizers[0].synchronizerId;
  const participant = (await world.client.get("/v2/parties/participant-id")).json().participantId;
  const packages = (await world.client.get("/v2/packages")).json().packageIds as string[];
  const prepared = (
    await world.client.post("/v2/interactive-submission/prepare", {
      ...world.commands([alice], [{ CreateCommand: { templateId: template, createArguments: asset } }]),
      synchronizerId: synchronizer,
      packageIdSelectionPreference: [],
    })
  ).json();
  for (const id of ["u1", "u2"]) await world.client.post("/v2/users", { user: { id }, rights: [] });
  await world.client.post("/v2/idps", {
    identityProviderConfig: { identityProviderId: "idp1", issuer: "https://idp1.example", jwksUrl: "https://idp1.example/jwks" },
  });
  const end = await world.ledgerEnd();
  const offsets = [0, 1, end - 1, end, end + 1, -1],
    parties = [[alice], [bob], [alice, bob], []],
    userIds = ["tester", "u1", "u2", "participant_admin", ""],
    providers = ["", "idp1", "idp2"];
  const names = contracts.map(({ contractId }) => contractId);
  return {
    "": [alice, bob, alice, "k"],
    party: [alice, bob, "nobody::1220"],
    parties,
    actAs: parties,
    readAs: parties,
    requestingParties: parties,
    queryingParties: parties,
    submitter: [alice],
    primaryParty: [alice, ""],
    "filter-party": ["alice", ""],
    partyIdHint: ["carol", "dave", ""],
    partyHint: ["ext", "alice"],
    participantId: [participant, ""],
    participantIds: [[participant], []],
    synchronizer: [synchronizer],
    synchronizerId: [synchronizer, ""],
    "synchronizer-id": [synchronizer, ""],
    synchronizerIds: [[synchronizer], []],
    source: [synchronizer],
    target: [synchronizer],
    templateId: [template, contracts[0].templateId, "#ref-model:M:Nope", "nonsense"],
    interfaceId: ["#ref-model:M:I"],
    contractId: names,
    choice: ["Transfer", "Archive", "Nope"],
    choiceArgument: [{ newOwner: bob }, {}],
    createArguments: [asset, { ...asset, amount: 1 }, { ...asset, owner: bob }],
    createdEventBlob: [contracts[0].createdEventBlob, ""],
    packageId: [packages[0], template],
    "package-id": [packages[0]!, contracts[0].templateId.split(":")[0], "ab".repeat(32)],
    packageIds: [[packages[0]], []],
    packageName: ["ref-model", "nope"],
    "package-name": ["ref-model", "nope"],
    packageNamePrefixes: [["ref"], []],
    packageVersion: ["1.0.0", ""],
    packageIdSelectionPreference: [[], [contracts[0].templateId.split(":")[0]]],
    userId: userIds,
    "user-id": userIds,
    id: userIds,
    identityProviderId: providers,
    "identity-provider-id": providers,
    "idp-id": ["idp1", "idp2", "nope"],
    sourceIdentityProviderId: providers,
    targetIdentityProviderId: providers,
    issuer: ["https://idp1.example", "https://idp2.example"],
    jwksUrl: ["https://idp1.example/jwks", "nonsense"],
    paths: [
      ["is_deactivated"],
      ["primary_party"],
      ["metadata"],
      ["audience"],
      ["local_metadata"],
      ["local_metadata.annotations"],
      [],
      ["nope"],
    ],
    resourceVersion: ["", "0", "7"],
    updateId: [updateId],
    "update-id": [updateId, "1220ab"],
    offset: offsets,
    beginExclusive: offsets,
    endInclusive: offsets,
    activeAtOffset: offsets,
    beginOffsetExclusive: offsets,
    endOffsetInclusive: offsets,
    limit: [1, 10, 0],
    maxPageSize: [1, 10, 0],
    pageSize: [0, 2, 10_000],
    pageToken: ["", "bm8="],
    stream_idle_timeout_ms: [1, 5],
    // A command may ask to be held until a later time, for minutes: not here.
    minLedgerTimeRel: [null, { seconds: 0, nanos: 1 }],
    minLedgerTime: [null],
    minLedgerTimeAbs: [null, "1970-01-01T00:00:00Z"],
    commandId: ["c1", "c2", "c3", "c4", "c5", "c6", "c7", ""],
    submissionId: ["", "s1"],
    workflowId: ["", "w1"],
    seconds: [0, 60],
    nanos: [0, 1],
    tapsMaxPasses: [null, 3],
    annotations: [{}, { k: "v" }, { k: "" }],
    audience: ["", "a"],
    preparedTransaction: [prepared.preparedTransaction, "AAAA"],
    hashingSchemeVersion: ["HASHING_SCHEME_VERSION_V2", "HASHING_SCHEME_VERSION_V3"],
    bytes: [dar, Buffer.from("zz"), new Uint8Array(0)],
  };
}

/** Fields of a body that name what the path names. */
const sameAs: Readonly<Record<string, readonly string[]>> = {
  "user-id": ["userId", "id"],
  "idp-id": ["identityProviderId"],
  party: ["party"],
};

const queryText = (name: string, value: unknown): string =>
  (Array.isArray(value) ? value : [value]).map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(String(item))}`).join("&");

export function ask(method: string, path: string, { parameters = [], requestBody }: Operation, generator: Generator): Asked {
  const { random } = generator,
    value = ({ name, schema }: Parameter): unknown => generator.value(schema, name);
  const named: Record<string, readonly unknown[]> = {};
  const filled = parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((text, parameter) => {
      const part = value(parameter);
      for (const name of sameAs[parameter.name] ?? []) named[name] = [part];
      return text.replace(`{${parameter.name}}`, encodeURIComponent(String(part)) || "-");
    }, path);
  const query = parameters
    .filter((parameter) => parameter.in === "query" && (parameter.required || random.below(2) === 0))
    .map((parameter) => queryText(parameter.name, value(parameter)))
    .join("&");
  const [[type, { schema }] = ["", { schema: {} }]] = Object.entries(requestBody?.content ?? {});
  const body =
    type === ""
      ? undefined
      : type === "application/octet-stream"
        ? random.one(generator.words["bytes"]!)
        : bodyOf(schema, generator.with(named));
  return { method, path: query === "" ? filled : `${filled}?${query}`, body };
}

function bodyOf(schema: Schema, generator: Generator): string {
  const { random } = generator,
    valid = generator.value({ ...schema, nullable: false }, "body");
  const value = random.below(2) === 0 ? valid : generator.damage(valid),
    text = JSON.stringify(value);
  return random.below(25) === 0 ? text.slice(0, random.below(text.length + 1)) : text;
}
