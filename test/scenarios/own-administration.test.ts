/** Who may administer what with a token: users themselves, administrators of a provider what lies in it (after Canton's suites of both). */
import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { good, hs256, keyHolder, type KeyHolder } from "../auth/tokens.js";
import { mask, right } from "./administration-world.js";
import { World, type Json } from "./world.js";

const secret = "own-administration",
  quota = 2;
let world: World, keys: KeyHolder, keyServer: http.Server, keyAddress: string;
before(async () => {
  keys = await keyHolder("RS256", "key-1");
  keyServer = http.createServer((_, response) => response.end(keys.keySet)).listen(0, "127.0.0.1");
  await new Promise((resolve) => keyServer.once("listening", resolve));
  keyAddress = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys`;
  world = await World.start([], ["--memory", "--auth", `hs256:${secret}`, "--self-allocated-parties-max", String(quota)]);
});
after(async () => {
  await world.stop();
  keyServer.close();
});

let names = 0;
const fresh = (prefix: string): string => `${prefix}-${++names}`;
const tokenOf = (userId: string): string => hs256(good(userId), secret);
const admin = (): string => tokenOf("participant_admin");

const ask = async (token: string, method: string, path: string, body?: Json): Promise<{ readonly word: string; readonly json: Json }> => {
  const { status, text } = await world.client.request(method, path, body, { authorization: `Bearer ${token}` });
  const json = JSON.parse(text);
  return { word: status === 200 ? "200" : `${status} ${json.code}`, json };
};
const succeeded = async (token: string, method: string, path: string, body?: Json): Promise<Json> => {
  const { word, json } = await ask(token, method, path, body);
  assert.equal(word, "200", JSON.stringify(json));
  return json;
};
const hidden = "403 NA";

const newUser = (token: string, id: string, rights: readonly Json[] = [], identityProviderId = ""): ReturnType<typeof ask> =>
  ask(token, "POST", "/v2/users", { user: { id, identityProviderId }, rights });
async function user(rights: readonly Json[] = [], identityProviderId = ""): Promise<string> {
  const id = fresh("user");
  assert.equal((await newUser(admin(), id, rights, identityProviderId)).word, "200");
  return id;
}

type Allocation = (token: string, of?: Json) => ReturnType<typeof ask>;
const local: Allocation = (token, of) => ask(token, "POST", "/v2/parties", { partyIdHint: fresh("local"), ...of });
const external: Allocation = async (token, of) => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519"),
    { connectedSynchronizers } = await succeeded(admin(), "GET", "/v2/state/connected-synchronizers"),
    synchronizer = connectedSynchronizers[0].synchronizerId;
  const publicKeyOf = {
    format: "CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO",
    keyData: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    keySpec: "SIGNING_KEY_SPEC_EC_CURVE25519",
  };
  const topology = await succeeded(admin(), "POST", "/v2/parties/external/generate-topology", {
    synchronizer,
    partyHint: fresh("external"),
    publicKey: publicKeyOf,
  });
  const signature = {
    format: "SIGNATURE_FORMAT_CONCAT",
    signature: sign(null, Buffer.from(topology.multiHash, "base64"), privateKey).toString("base64"),
    signedBy: topology.publicKeyFingerprint,
    signingAlgorithmSpec: "SIGNING_ALGORITHM_SPEC_ED25519",
  };
  return ask(token, "POST", "/v2/parties/external/allocate", {
    synchronizer,
    onboardingTransactions: topology.topologyTransactions.map((transaction: string) => ({ transaction })),
    multiHashSignatures: [signature],
    ...of,
  });
};
const allocations = { local, external };
const partyOf = ({ json }: { readonly json: Json }): string => json.partyId ?? json.partyDetails.party;
const details = (token: string, ...parties: readonly string[]): ReturnType<typeof ask> => {
  const [first, ...others] = parties.map(encodeURIComponent);
  return ask(token, "GET", `/v2/parties/${first!}?${others.map((party) => `parties=${party}`).join("&")}`);
};

interface Provider {
  readonly id: string;
  /** Of a user that administers it. */
  readonly token: string;
  readonly tokenOf: (userId: string, claims?: Json) => Promise<string>;
}
async function provider(fields: Json = {}): Promise<Provider> {
  const id = fresh("provider"),
    issuer = `https://${id}.example`;
  const identityProviderConfig = { identityProviderId: id, issuer, jwksUrl: keyAddress, ...fields };
  await succeeded(admin(), "POST", "/v2/idps", { identityProviderConfig });
  const of = (userId: string, claims: Json = {}): Promise<string> => keys.sign(good(userId, { iss: issuer, ...claims }));
  return { id, token: await of(await user([right("IdentityProviderAdmin")], id)), tokenOf: of };
}

test("own administration: a user reads itself, its rights and the parties it may do anything for, and nobody else's", async () => {
  const [read, act, execute] = (await Promise.all([local(admin()), local(admin()), external(admin())])).map(partyOf) as [
    string,
    string,
    string,
  ];
  const some = await user([right("CanReadAs", read), right("CanActAs", act), right("CanExecuteAs", execute)]),
    anyReader = await user([right("CanReadAsAnyParty")]),
    anyExecutor = await user([right("CanExecuteAsAnyParty")]);
  for (const id of [some, anyReader, anyExecutor])
    assert.equal((await details(tokenOf(id), read, act, execute)).json.partyDetails?.length, 3, id);
  const fewer = await user([right("CanReadAs", read), right("CanActAs", act)]);
  assert.equal((await details(tokenOf(fewer), read, act)).word, "200");
  assert.equal((await details(tokenOf(fewer), read, act, execute)).word, hidden);
  for (const path of ["", "/rights"]) {
    assert.equal((await ask(tokenOf(fewer), "GET", `/v2/users/${fewer}${path}`)).word, "200");
    assert.equal((await ask(tokenOf(fewer), "GET", `/v2/users/${some}${path}`)).word, hidden);
  }
});

for (const [kind, allocate] of Object.entries(allocations)) {
  test(`own administration: parties of its own (${kind}) a user allocates for itself alone, until its rights name as many as the quota`, async () => {
    const id = await user(),
      token = tokenOf(id),
      first = partyOf(await allocate(token, { userId: id }));
    assert.deepEqual((await succeeded(token, "GET", `/v2/users/${id}/rights`)).rights, [right("CanActAs", first)]);
    assert.equal((await details(token, first)).json.partyDetails[0].party, first);
    for (const userId of ["", await user()]) assert.equal((await allocate(token, { userId })).word, hidden);
    assert.equal((await allocate(token, { userId: id })).word, "200");
    assert.equal((await allocate(token, { userId: id })).word, hidden);

    const [one, other] = (await Promise.all([allocate(admin()), allocate(admin())])).map(partyOf) as [string, string];
    const full = await user([right("CanReadAs", one), right("CanActAs", other)]),
      twiceOne = await user([right("CanReadAs", one), right("CanActAs", one)]);
    assert.equal((await allocate(tokenOf(full), { userId: full })).word, hidden);
    assert.equal((await allocate(tokenOf(twiceOne), { userId: twiceOne })).word, "200");
  });

  test(`providers: a party (${kind}) is allocated for a user of its own provider only, whoever asks`, async () => {
    const [here, there] = [await provider(), await provider()],
      identityProviderId = here.id;
    const [own, foreign, ofNone, unknown] = [await user([], here.id), await user([], there.id), await user(), fresh("nobody")];
    for (const token of [here.token, admin()]) {
      assert.equal((await allocate(token, { userId: own, identityProviderId })).word, "200");
      assert.equal((await allocate(token, { userId: unknown, identityProviderId })).word, "404 USER_NOT_FOUND");
      for (const userId of [foreign, ofNone]) assert.equal((await allocate(token, { userId, identityProviderId })).word, hidden);
    }
    assert.equal((await allocate(here.token, { userId: own })).word, "200");
    assert.equal((await allocate(admin(), { userId: own })).word, hidden);
  });
}

test("providers: an administrator grants rights on parties of the own provider, and none that reach beyond it", async () => {
  const [here, there] = [await provider(), await provider()];
  const allocated = async (identityProviderId: string): Promise<string> => partyOf(await local(admin(), { identityProviderId }));
  const [own, foreign, ofNone] = [await allocated(here.id), await allocated(there.id), await allocated("")];
  const onCreation = (token: string, ...rights: readonly Json[]): Promise<string> =>
    newUser(token, fresh("user"), rights, here.id).then(({ word }) => word);
  const onGrant = async (token: string, ...rights: readonly Json[]): Promise<string> => {
    const userId = await user([], here.id);
    return (await ask(token, "POST", `/v2/users/${userId}/rights`, { userId, rights, identityProviderId: here.id })).word;
  };
  for (const granted of [onCreation, onGrant]) {
    assert.equal(await granted(here.token, right("CanReadAs", own), right("CanActAs", own), right("IdentityProviderAdmin")), "200");
    for (const party of [foreign, ofNone, "nobody"]) {
      assert.equal(await granted(here.token, right("CanReadAs", own), right("CanActAs", party)), "404 UNKNOWN_RESOURCE");
      assert.equal(await granted(admin(), right("CanReadAs", own), right("CanActAs", party)), "200");
    }
    for (const kind of ["ParticipantAdmin", "CanReadAsAnyParty", "CanExecuteAsAnyParty"])
      assert.equal(await granted(here.token, right(kind)), hidden, kind);
  }
});

test("providers: its tokens are for its audience and no other provider, and for as long as it is active", async () => {
  const audience = "https://audience.example",
    strict = await provider({ audience }),
    other = await provider(),
    id = await user([right("IdentityProviderAdmin")], strict.id);
  const allocated = async (claims: Json, identityProviderId = strict.id): Promise<string> =>
    (await local(await strict.tokenOf(id, claims), { identityProviderId })).word;
  assert.equal(await allocated({ aud: [audience] }), "200");
  assert.equal(await allocated({ aud: [audience] }, other.id), hidden);
  for (const claims of [{ aud: [] }, { aud: ["https://other.example"] }, { aud: [audience], iss: undefined }])
    assert.equal(await allocated(claims), "401 NA", JSON.stringify(claims));
  await succeeded(admin(), "PATCH", `/v2/idps/${strict.id}`, {
    identityProviderConfig: { identityProviderId: strict.id, isDeactivated: true },
    updateMask: mask("is_deactivated"),
  });
  assert.equal(await allocated({ aud: [audience] }), "401 NA");
});

test("own administration: no administrator deactivates or deletes itself, nor gives up the right to administer", async () => {
  const id = await user([right("ParticipantAdmin")]);
  for (const [says, method, path, body] of [
    ["self-deactivate", "PATCH", "", { user: { id, isDeactivated: true }, updateMask: mask("is_deactivated") }],
    ["remove own admin rights", "PATCH", "/rights", { userId: id, rights: [right("ParticipantAdmin")] }],
    ["delete itself", "DELETE", "", undefined],
  ] as const) {
    const { word, json } = await ask(tokenOf(id), method, `/v2/users/${id}${path}`, body);
    assert.equal(word, "400 INVALID_ARGUMENT");
    assert.match(json.cause, new RegExp(`Requesting user cannot ${says}`));
  }
  assert.deepEqual((await succeeded(admin(), "GET", `/v2/users/${id}/rights`)).rights, [right("ParticipantAdmin")]);
});
