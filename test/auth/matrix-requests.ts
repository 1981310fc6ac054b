import { encodePrepared } from "../../src/lf/interactive/index.js";

/** One request for every line of the recorded matrix. Commands and formats are as small as authorisation needs them. */
export interface MatrixWorld {
  readonly A: string;
  readonly B: string;
  readonly P1: string;
  readonly user: string;
  readonly principal: string;
  /** A name that nothing has yet. */
  fresh(prefix: string): string;
  victim(identityProviderId: string): Promise<string>;
  provider(): Promise<string>;
}

export interface MatrixRequest {
  readonly path: string;
  readonly body?: unknown;
}
type Make = (world: MatrixWorld) => MatrixRequest | Promise<MatrixRequest>;

const encode = encodeURIComponent;
const wild = { cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }] };
const formatOf = (...parties: readonly string[]) => ({
  filtersByParty: Object.fromEntries(parties.map((party) => [party, wild])),
  verbose: false,
});
const anyParty = { filtersForAnyParty: wild, verbose: false };
const transactions = (eventFormat: unknown) => ({ eventFormat, transactionShape: "TRANSACTION_SHAPE_ACS_DELTA" });
const updates = (eventFormat: unknown) => ({ includeTransactions: transactions(eventFormat) });
const topology = (...parties: readonly string[]) => ({ includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties } } });
const create = { CreateCommand: { templateId: "#m:M:T", createArguments: {} } };
const commands = (actAs: readonly string[], readAs: readonly string[] = []) => ({ commands: [create], commandId: "c", actAs, readAs });
const preparation = (actAs: readonly string[], readAs: readonly string[] = []) => ({
  ...commands(actAs, readAs),
  synchronizerId: "",
  packageIdSelectionPreference: [],
});
/** Nobody signed it: whoever may execute is told so. */
const execution = (actAs: string) => ({
  preparedTransaction: preparedFor(actAs),
  partySignatures: {},
  deduplicationPeriod: { Empty: {} },
  submissionId: "s",
  hashingSchemeVersion: "HASHING_SCHEME_VERSION_V2",
});
const preparedFor = (actAs: string): string =>
  Buffer.from(
    encodePrepared({
      transaction: { version: "2.1", roots: [], nodes: new Map(), nodeSeeds: new Map() },
      metadata: {
        actAs: [actAs],
        commandId: "c",
        synchronizerId: "s",
        mediatorGroup: 0,
        transactionUuid: "",
        preparationTime: 0n,
        inputContracts: [],
        minLedgerTime: undefined,
        maxLedgerTime: undefined,
        maxRecordTime: undefined,
      },
    }),
  ).toString("base64");
const reassignment = (submitter: string) => ({ reassignmentCommands: { commandId: "c", submitter, commands: [] } });
const mask = (...paths: readonly string[]) => ({ paths });
const right = (kind: string, party?: string) => ({ kind: { [kind]: { value: party === undefined ? {} : { party } } } });
const provider = (id: string) => ({
  identityProviderConfig: {
    identityProviderId: id,
    isDeactivated: false,
    issuer: `https://${id}.example`,
    jwksUrl: "https://keys.example/jwks",
    audience: "",
  },
});

/** The targets of most reading operations, over one way to make a body of a format. */
const formats = (path: string, bodyOf: (format: unknown) => unknown): Readonly<Record<string, Make>> => ({
  A: ({ A }) => ({ path, body: bodyOf(formatOf(A)) }),
  B: ({ B }) => ({ path, body: bodyOf(formatOf(B)) }),
  "any-party": () => ({ path, body: bodyOf(anyParty) }),
});
const parties = (make: (party: string) => MatrixRequest): Readonly<Record<string, Make>> => ({
  A: ({ A }) => make(A),
  B: ({ B }) => make(B),
});
const always = (path: string, body?: unknown): Readonly<Record<string, Make>> => ({
  "-": () => (body === undefined ? { path } : { path, body }),
});

const range = { beginExclusive: 0, endInclusive: 7 };
const vet = { changes: [{ operation: { Vet: { value: { packages: [{ packageId: "ab".repeat(32) }] } } } }], dryRun: true };
const activeContracts = (format: unknown) => ({ activeAtOffset: 7, eventFormat: format });
const updatesOf = (format: unknown) => ({ ...range, updateFormat: updates(format) });
const legacyOf = (filter: unknown) => ({ ...range, filter, verbose: false });
const completions = (path: string): Readonly<Record<string, Make>> => ({
  ...parties((party) => ({ path, body: { parties: [party], beginExclusive: 0 } })),
  "A, other user": ({ A }) => ({ path, body: { userId: "u-all", parties: [A], beginExclusive: 0 } }),
  none: () => ({ path, body: { parties: [], beginExclusive: 0 } }),
});
const allocation =
  (fields: (world: MatrixWorld) => object): Make =>
  (world) => ({ path: "/v2/parties", body: { partyIdHint: world.fresh("p"), ...fields(world) } });
const creation =
  (identityProviderId: string, rights: (world: MatrixWorld) => readonly unknown[] = () => []): Make =>
  (world) => ({ path: "/v2/users", body: { user: { id: world.fresh("n"), identityProviderId }, rights: rights(world) } });
const rightsChange =
  (userId: string, identityProviderId: string, kind: string, onA = false): Make =>
  ({ A }) => ({ path: `/v2/users/${userId}/rights`, body: { userId, identityProviderId, rights: [onA ? right(kind, A) : right(kind)] } });
const rightsChanges: Readonly<Record<string, Make>> = {
  "ActAs A": rightsChange("victim", "", "CanActAs", true),
  "ActAs A, idp1": rightsChange("idp1-victim", "idp1", "CanActAs", true),
  "IdpAdmin, idp1": rightsChange("idp1-victim", "idp1", "IdentityProviderAdmin"),
  Admin: rightsChange("victim", "", "ParticipantAdmin"),
  ReadAny: rightsChange("victim", "", "CanReadAsAnyParty"),
  "ReadAny, idp1": rightsChange("idp1-victim", "idp1", "CanReadAsAnyParty"),
  ExecuteAny: rightsChange("victim", "", "CanExecuteAsAnyParty"),
};
const userPatch =
  (id: (world: MatrixWorld) => string, identityProviderId: string): Make =>
  (world) => {
    const userId = id(world);
    return {
      path: `/v2/users/${encode(userId)}`,
      body: { user: { id: userId, identityProviderId, primaryParty: "" }, updateMask: mask("primary_party") },
    };
  };
const partyPatch =
  (party: (world: MatrixWorld) => string, identityProviderId: string): Make =>
  (world) => ({
    path: `/v2/parties/${encode(party(world))}`,
    body: {
      partyDetails: { party: party(world), identityProviderId, localMetadata: { annotations: { k: "v" } } },
      updateMask: mask("local_metadata.annotations"),
    },
  });
const move =
  (source: string, target: string): Make =>
  async (world) => {
    const userId = await world.victim(source);
    return {
      path: `/v2/users/${userId}/identity-provider-id`,
      body: { userId, sourceIdentityProviderId: source, targetIdentityProviderId: target },
    };
  };
/** Rights on themselves that would change what later requests may do are left empty, as when the matrix was recorded. */
const changesItself = (principal: string): boolean => principal === "act-A" || principal.startsWith("idp-") || principal === "admin";

export const matrixRequests: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
  "GET /livez": always("/livez"),
  "GET /readyz": always("/readyz"),
  "GET /v2/version": always("/v2/version"),
  "GET /v2/authenticated-user": {
    ...always("/v2/authenticated-user"),
    idp1: () => ({ path: "/v2/authenticated-user?identity-provider-id=idp1" }),
  },
  "GET /v2/state/ledger-end": always("/v2/state/ledger-end"),
  "GET /v2/state/latest-pruned-offsets": always("/v2/state/latest-pruned-offsets"),
  "GET /v2/state/connected-synchronizers": {
    ...always("/v2/state/connected-synchronizers"),
    ...parties((party) => ({ path: `/v2/state/connected-synchronizers?party=${encode(party)}` })),
  },
  "POST /v2/state/active-contracts": formats("/v2/state/active-contracts?limit=1", activeContracts),
  "GET /v2/state/active-contracts-page": formats("/v2/state/active-contracts-page", (format) => ({
    ...activeContracts(format),
    maxPageSize: 1,
  })),
  "POST /v2/state/active-contracts-page": formats("/v2/state/active-contracts-page", (format) => ({
    ...activeContracts(format),
    maxPageSize: 1,
  })),
  "POST /v2/updates": {
    ...formats("/v2/updates?limit=1", updatesOf),
    "A+B": ({ A, B }) => ({ path: "/v2/updates?limit=1", body: updatesOf(formatOf(A, B)) }),
    "topology-A": ({ A }) => ({ path: "/v2/updates?limit=1", body: { ...range, updateFormat: topology(A) } }),
    "topology-all": () => ({ path: "/v2/updates?limit=1", body: { ...range, updateFormat: topology() } }),
  },
  "POST /v2/updates/flats": formats("/v2/updates/flats?limit=1", legacyOf),
  "POST /v2/updates/trees": formats("/v2/updates/trees?limit=1", legacyOf),
  "POST /v2/updates/get-updates-page": formats("/v2/updates/get-updates-page", (format) => ({
    beginOffsetExclusive: 0,
    endOffsetInclusive: 7,
    maxPageSize: 1,
    updateFormat: updates(format),
  })),
  "POST /v2/updates/update-by-id": formats("/v2/updates/update-by-id", (format) => ({ updateId: "1220ab", updateFormat: updates(format) })),
  "POST /v2/updates/update-by-offset": formats("/v2/updates/update-by-offset", (format) => ({ offset: 7, updateFormat: updates(format) })),
  "POST /v2/updates/transaction-by-id": formats("/v2/updates/transaction-by-id", (format) => ({
    updateId: "1220ab",
    transactionFormat: transactions(format),
  })),
  "POST /v2/updates/transaction-by-offset": formats("/v2/updates/transaction-by-offset", (format) => ({
    offset: 7,
    transactionFormat: transactions(format),
  })),
  "GET /v2/updates/transaction-tree-by-id/{update-id}": {
    ...parties((party) => ({ path: `/v2/updates/transaction-tree-by-id/1220ab?parties=${encode(party)}` })),
    none: () => ({ path: "/v2/updates/transaction-tree-by-id/1220ab" }),
  },
  "GET /v2/updates/transaction-tree-by-offset/{offset}": {
    ...parties((party) => ({ path: `/v2/updates/transaction-tree-by-offset/7?parties=${encode(party)}` })),
    none: () => ({ path: "/v2/updates/transaction-tree-by-offset/7" }),
  },
  "POST /v2/events/events-by-contract-id": formats("/v2/events/events-by-contract-id", (format) => ({
    contractId: "00ab",
    eventFormat: format,
  })),
  "POST /v2/contracts/contract-by-id": {
    ...parties((party) => ({ path: "/v2/contracts/contract-by-id", body: { contractId: "00ab", queryingParties: [party] } })),
    none: () => ({ path: "/v2/contracts/contract-by-id", body: { contractId: "00ab", queryingParties: [] } }),
  },
  "POST /v2/commands/completions": completions("/v2/commands/completions?limit=1"),
  "POST /v2/commands/command-completions": completions("/v2/commands/command-completions?limit=1"),
  "GET /v2/packages": always("/v2/packages"),
  "GET /v2/packages/{package-id}": always(`/v2/packages/${"ab".repeat(32)}`),
  "GET /v2/packages/{package-id}/status": always(`/v2/packages/${"ab".repeat(32)}/status`),
  "GET /v2/package-vetting": always("/v2/package-vetting", { pageSize: 1 }),
  "POST /v2/package-vetting/list": always("/v2/package-vetting/list", { pageSize: 1 }),
  "GET /v2/parties": {
    default: () => ({ path: "/v2/parties?pageSize=1" }),
    idp1: () => ({ path: "/v2/parties?pageSize=1&identity-provider-id=idp1" }),
  },
  "GET /v2/parties/participant-id": always("/v2/parties/participant-id"),
  "GET /v2/parties/{party}": {
    ...parties((party) => ({ path: `/v2/parties/${encode(party)}` })),
    "A+B": ({ A, B }) => ({ path: `/v2/parties/${encode(A)}?parties=${encode(B)}` }),
    "P1, idp1": ({ P1 }) => ({ path: `/v2/parties/${encode(P1)}?identity-provider-id=idp1` }),
    "A, idp1": ({ A }) => ({ path: `/v2/parties/${encode(A)}?identity-provider-id=idp1` }),
  },
  "GET /v2/users": always("/v2/users?pageSize=1"),
  "GET /v2/users/{user-id}": {
    self: ({ user }) => ({ path: `/v2/users/${encode(user)}` }),
    other: () => ({ path: "/v2/users/victim" }),
    "other, idp1": () => ({ path: "/v2/users/idp1-victim?identity-provider-id=idp1" }),
    unknown: () => ({ path: "/v2/users/no-such-user" }),
  },
  "GET /v2/users/{user-id}/rights": {
    self: ({ user }) => ({ path: `/v2/users/${encode(user)}/rights` }),
    other: () => ({ path: "/v2/users/victim/rights" }),
    "other of idp1": () => ({ path: "/v2/users/idp1-victim/rights" }),
  },
  "GET /v2/idps": always("/v2/idps"),
  "GET /v2/idps/{idp-id}": { idp1: () => ({ path: "/v2/idps/idp1" }), unknown: () => ({ path: "/v2/idps/no-such-idp" }) },
  "POST /v2/interactive-submission/preferred-packages": parties((party) => ({
    path: "/v2/interactive-submission/preferred-packages",
    body: { packageVettingRequirements: [{ parties: [party], packageName: "m" }] },
  })),
  "GET /v2/interactive-submission/preferred-package-version": parties((party) => ({
    path: `/v2/interactive-submission/preferred-package-version?parties=${encode(party)}&package-name=m`,
  })),
  "POST /v2/parties/external/generate-topology": always("/v2/parties/external/generate-topology", {}),
  "POST /v2/interactive-submission/prepare": {
    ...parties((party) => ({ path: "/v2/interactive-submission/prepare", body: preparation([party]) })),
    "A, read B": ({ A, B }) => ({ path: "/v2/interactive-submission/prepare", body: preparation([A], [B]) }),
    "A, other user": ({ A }) => ({ path: "/v2/interactive-submission/prepare", body: { ...preparation([A]), userId: "u-all" } }),
  },
  "POST /v2/dars/validate": always("/v2/dars/validate", Buffer.from("PK")),
  "POST /v2/dars": always("/v2/dars", Buffer.from("PK")),
  "POST /v2/packages": always("/v2/packages", Buffer.from("PK")),
  "POST /v2/package-vetting": always("/v2/package-vetting", vet),
  "POST /v2/package-vetting/update": always("/v2/package-vetting/update", vet),
  "POST /v2/commands/submit-and-wait": {
    ...parties((party) => ({ path: "/v2/commands/submit-and-wait", body: commands([party]) })),
    "A, read B": ({ A, B }) => ({ path: "/v2/commands/submit-and-wait", body: commands([A], [B]) }),
    "A+B": ({ A, B }) => ({ path: "/v2/commands/submit-and-wait", body: commands([A, B]) }),
    "A, other user": ({ A }) => ({ path: "/v2/commands/submit-and-wait", body: { ...commands([A]), userId: "u-all" } }),
    none: () => ({ path: "/v2/commands/submit-and-wait", body: commands([]) }),
  },
  "POST /v2/commands/submit-and-wait-for-transaction": {
    ...parties((party) => ({ path: "/v2/commands/submit-and-wait-for-transaction", body: { commands: commands([party]) } })),
    "A, format B": ({ A, B }) => ({
      path: "/v2/commands/submit-and-wait-for-transaction",
      body: { commands: commands([A]), transactionFormat: transactions(formatOf(B)) },
    }),
    "A, format any": ({ A }) => ({
      path: "/v2/commands/submit-and-wait-for-transaction",
      body: { commands: commands([A]), transactionFormat: transactions(anyParty) },
    }),
  },
  "POST /v2/commands/submit-and-wait-for-transaction-tree": parties((party) => ({
    path: "/v2/commands/submit-and-wait-for-transaction-tree",
    body: commands([party]),
  })),
  "POST /v2/commands/submit-and-wait-for-reassignment": {
    ...parties((party) => ({ path: "/v2/commands/submit-and-wait-for-reassignment", body: reassignment(party) })),
    "A, format B": ({ A, B }) => ({
      path: "/v2/commands/submit-and-wait-for-reassignment",
      body: { ...reassignment(A), eventFormat: formatOf(B) },
    }),
  },
  "POST /v2/commands/async/submit": parties((party) => ({ path: "/v2/commands/async/submit", body: commands([party]) })),
  "POST /v2/commands/async/submit-reassignment": parties((party) => ({
    path: "/v2/commands/async/submit-reassignment",
    body: reassignment(party),
  })),
  "POST /v2/interactive-submission/execute": parties((party) => ({ path: "/v2/interactive-submission/execute", body: execution(party) })),
  "POST /v2/interactive-submission/executeAndWait": parties((party) => ({
    path: "/v2/interactive-submission/executeAndWait",
    body: execution(party),
  })),
  "POST /v2/interactive-submission/executeAndWaitForTransaction": {
    ...parties((party) => ({ path: "/v2/interactive-submission/executeAndWaitForTransaction", body: execution(party) })),
    "A, format A": ({ A }) => ({
      path: "/v2/interactive-submission/executeAndWaitForTransaction",
      body: { ...execution(A), transactionFormat: transactions(formatOf(A)) },
    }),
    "A, format B": ({ A, B }) => ({
      path: "/v2/interactive-submission/executeAndWaitForTransaction",
      body: { ...execution(A), transactionFormat: transactions(formatOf(B)) },
    }),
  },
  "POST /v2/parties": {
    default: allocation(() => ({})),
    idp1: allocation(() => ({ identityProviderId: "idp1" })),
    "self (userId)": allocation(({ user }) => ({ userId: user })),
    "other userId": allocation(() => ({ userId: "victim" })),
  },
  "PATCH /v2/parties/{party}": {
    A: partyPatch(({ A }) => A, ""),
    B: partyPatch(({ B }) => B, ""),
    "P1, idp1": partyPatch(({ P1 }) => P1, "idp1"),
  },
  "POST /v2/parties/external/allocate": {
    default: () => ({ path: "/v2/parties/external/allocate", body: {} }),
    idp1: () => ({ path: "/v2/parties/external/allocate", body: { identityProviderId: "idp1" } }),
  },
  "POST /v2/users": {
    default: creation(""),
    idp1: creation("idp1"),
    "with ActAs A": creation("", ({ A }) => [right("CanActAs", A)]),
    "with IdpAdmin": creation("", () => [right("IdentityProviderAdmin")]),
    "with Admin": creation("", () => [right("ParticipantAdmin")]),
    "with ReadAny": creation("", () => [right("CanReadAsAnyParty")]),
    "with ExecuteAny": creation("", () => [right("CanExecuteAsAnyParty")]),
  },
  "PATCH /v2/users/{user-id}": {
    other: userPatch(() => "victim", ""),
    self: userPatch(({ user }) => user, ""),
    "other, idp1": userPatch(() => "idp1-victim", "idp1"),
  },
  "POST /v2/users/{user-id}/rights": {
    ...rightsChanges,
    "ActAs A, self": ({ user, principal, A }) => ({
      path: `/v2/users/${encode(user)}/rights`,
      body: { userId: user, rights: changesItself(principal) ? [] : [right("CanActAs", A)] },
    }),
  },
  "PATCH /v2/users/{user-id}/rights": rightsChanges,
  "PATCH /v2/users/{user-id}/identity-provider-id": { "to idp1": move("", "idp1"), "from idp1": move("idp1", "") },
  "DELETE /v2/users/{user-id}": {
    other: async (world) => ({ path: `/v2/users/${await world.victim("")}` }),
    "other of idp1": async (world) => ({ path: `/v2/users/${await world.victim("idp1")}` }),
  },
  "POST /v2/idps": { "-": (world) => ({ path: "/v2/idps", body: provider(world.fresh("idp")) }) },
  "PATCH /v2/idps/{idp-id}": {
    temporary: async (world) => {
      const id = await world.provider();
      return { path: `/v2/idps/${id}`, body: { ...provider(id), updateMask: mask("audience") } };
    },
    idp1: () => ({
      path: "/v2/idps/idp1",
      body: { identityProviderConfig: { identityProviderId: "idp1", audience: "" }, updateMask: mask("audience") },
    }),
  },
  "DELETE /v2/idps/{idp-id}": { temporary: async (world) => ({ path: `/v2/idps/${await world.provider()}` }) },
  "WS /v2/commands/completions": completions("/v2/commands/completions"),
  "WS /v2/commands/command-completions": completions("/v2/commands/command-completions"),
  "WS /v2/state/active-contracts": formats("/v2/state/active-contracts", activeContracts),
  "WS /v2/updates": formats("/v2/updates", updatesOf),
  "WS /v2/updates/flats": formats("/v2/updates/flats", legacyOf),
  "WS /v2/updates/trees": formats("/v2/updates/trees", legacyOf),
};
