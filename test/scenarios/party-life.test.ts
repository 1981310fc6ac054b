/** The life of parties (after the party suites of the Ledger API's own test tool, as far as JSON has their operations). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { limits } from "../../src/config.js";
import { AdministeredNode, mask, right } from "./administration-world.js";
import type { Json } from "./world.js";

let node: AdministeredNode;
before(async () => {
  node = await AdministeredNode.start();
});
after(() => node.stop());

const encode = encodeURIComponent;
const get = async (party: string, more = ""): Promise<Json[]> =>
  (await node.ask("GET", `/v2/parties/${encode(party)}${more}`)).partyDetails;
const namesOf = (details: Json[]): string[] => details.map(({ party }) => party);

async function pages(pageSize: number, filter = ""): Promise<string[][]> {
  const found: string[][] = [];
  for (let token = "", first = true; first || token !== ""; first = false) {
    const page = await node.ask("GET", `/v2/parties?pageSize=${pageSize}&filter-party=${filter}&pageToken=${encode(token)}`);
    found.push(namesOf(page.partyDetails));
    token = page.nextPageToken;
  }
  return found;
}

test("parties: the node tells its own id", async () => {
  const { participantId } = await node.ask("GET", "/v2/parties/participant-id");
  assert.match(participantId, /^[a-z]+::1220[0-9a-f]{64}$/);
});

test("parties: a hint begins the name; without one the node finds a name", async () => {
  const hint = node.fresh("hinted"),
    party = await node.party({ partyIdHint: hint, localMetadata: { annotations: { k: "v" } } });
  assert.deepEqual(
    [party.party.split("::")[0], party.isLocal, party.localMetadata],
    [hint, true, { resourceVersion: "0", annotations: { k: "v" } }],
  );
  const [first, second] = [await node.ask("POST", "/v2/parties", {}), await node.ask("POST", "/v2/parties", { partyIdHint: "" })].map(
    ({ partyDetails }) => partyDetails.party as string,
  );
  assert.match(first!, /^party-[0-9a-f-]{36}::1220/);
  assert.notEqual(first, second);
});

test("parties: the node's own can be allocated, too, once, which no topology tells of", async () => {
  const { participantId } = await node.ask("GET", "/v2/parties/participant-id"),
    [partyIdHint] = participantId.split("::"),
    end = await node.world.ledgerEnd();
  assert.equal((await get(participantId))[0]!.localMetadata.resourceVersion, "");
  const own = await node.party({ partyIdHint, localMetadata: { annotations: { k: "v" } } });
  assert.deepEqual([own.party, own.isLocal, own.localMetadata], [participantId, true, { resourceVersion: "0", annotations: { k: "v" } }]);
  assert.deepEqual(await get(participantId), [own]);
  assert.equal(await node.refusal("POST", "/v2/parties", { partyIdHint }), "400 INVALID_ARGUMENT");
  assert.equal(await node.world.ledgerEnd(), end);
});

test("parties: hints that are taken, too long, or have other letters are refused, and make no party", async () => {
  const { party } = await node.party(),
    before = await pages(limits.partiesPageElementsMax);
  const hints = [party.split("::")[0]!, "p".repeat(256), "\u{1F600}", "a::b", "a:", "no/good", "tab\there"];
  for (const partyIdHint of hints)
    assert.equal(await node.refusal("POST", "/v2/parties", { partyIdHint }), "400 INVALID_ARGUMENT", partyIdHint);
  assert.equal(
    await node.refusal("POST", "/v2/parties", { partyIdHint: node.fresh("p"), localMetadata: { annotations: { k: "" } } }),
    "400 INVALID_ARGUMENT",
  );
  assert.deepEqual(await pages(limits.partiesPageElementsMax), before);
});

test("parties: a hundred at once get a hundred names, and all of them are known", async () => {
  const made = await Promise.all(Array.from({ length: 100 }, () => node.party({ partyIdHint: "" })));
  const names = new Set(namesOf(made)),
    [known = []] = await pages(limits.partiesPageElementsMax);
  assert.equal(names.size, 100);
  assert.deepEqual(
    [...names].filter((name) => !known.includes(name)),
    [],
  );
});

test("parties: several are read at once, by their names, those that do not exist are left out, and none is an empty list", async () => {
  const [a, b] = [(await node.party()).party, (await node.party()).party],
    nobody = `nobody::${a.split("::")[1]}`;
  for (const [first, second] of [
    [a, b],
    [b, a],
  ] as const)
    assert.deepEqual(
      namesOf(await get(first, `?parties=${encode(second)}&parties=${encode(nobody)}&parties=${encode(first)}`)),
      [a, b].sort(),
    );
  assert.deepEqual(
    (await get(a)).map(({ isLocal }) => isLocal),
    [true],
  );
  assert.deepEqual(await get(nobody), []);
});

test("parties: another identity provider sees that they are there, and nothing else; without one it is told that they are local", async () => {
  const [mine, other] = [await node.provider(), await node.provider()],
    { party } = await node.party({ identityProviderId: mine, localMetadata: { annotations: { k: "v" } } });
  const seenBy = async (provider: string): Promise<Json> =>
    (await get(party, `?identity-provider-id=${provider}`)).map(({ isLocal, identityProviderId, localMetadata }) => [
      isLocal,
      identityProviderId,
      localMetadata.annotations,
    ]);
  assert.deepEqual(await seenBy(mine), [[true, mine, { k: "v" }]]);
  assert.deepEqual(await seenBy(other), [[false, "", {}]]);
  assert.deepEqual(await seenBy(""), [[true, "", {}]]);
});

test("parties: a new one is on the page where its name belongs, and moves no later page", async () => {
  const prefix = node.fresh("page"),
    add = (letter: string): Promise<Json> => node.party({ partyIdHint: `${prefix}${letter}` });
  for (const letter of ["b", "d", "f", "h"]) await add(letter);
  const first = await node.ask("GET", `/v2/parties?pageSize=2&filter-party=${prefix}`);
  const second = (): Promise<Json> =>
    node.ask("GET", `/v2/parties?pageSize=2&filter-party=${prefix}&pageToken=${encode(first.nextPageToken)}`);
  const lettersOf = ({ partyDetails }: Json): string[] => namesOf(partyDetails).map((name) => name.slice(prefix.length, prefix.length + 1));
  assert.deepEqual(
    [lettersOf(first), lettersOf(await second())],
    [
      ["b", "d"],
      ["f", "h"],
    ],
  );
  await add("a");
  assert.deepEqual(lettersOf(await second()), ["f", "h"]);
  await add("e");
  assert.deepEqual(lettersOf(await second()), ["e", "f"]);
  assert.deepEqual(lettersOf(await node.ask("GET", `/v2/parties?pageSize=2&filter-party=${prefix}`)), ["a", "b"]);
});

test("parties: behind a page that is full there is a token, also where nothing follows", async () => {
  const prefix = node.fresh("full");
  for (const letter of ["a", "b"]) await node.party({ partyIdHint: `${prefix}${letter}` });
  const page = (more: string): Promise<Json> => node.ask("GET", `/v2/parties?filter-party=${prefix}&${more}`);
  const full = await page("pageSize=2");
  assert.equal(full.partyDetails.length, 2);
  assert.deepEqual(await page(`pageSize=2&pageToken=${encode(full.nextPageToken)}`), { partyDetails: [], nextPageToken: "" });
  assert.equal((await page("pageSize=3")).nextPageToken, "");
});

test("parties: in a filter _ stands for any character, in pages too", async () => {
  const prefix = node.fresh("any");
  for (const end of ["axx", "bxy", "a_x", "axz"]) await node.party({ partyIdHint: `${prefix}${end}` });
  const ends = async (query: string): Promise<string[]> =>
    namesOf((await node.ask("GET", `/v2/parties?${query}`)).partyDetails).map((name) => name.slice(prefix.length).split("::")[0]!);
  assert.deepEqual(await ends(`filter-party=${prefix}a_x`), ["a_x", "axx"]);
  assert.deepEqual(await ends(`filter-party=${prefix}_x`), ["axx", "axz", "bxy"]);
  assert.deepEqual(await ends(`filter-party=${prefix}ax_::`), ["axx", "axz"]);
  const { nextPageToken } = await node.ask("GET", `/v2/parties?filter-party=${prefix}_x&pageSize=2`);
  assert.deepEqual(await ends(`filter-party=${prefix}_x&pageSize=2&pageToken=${encode(nextPageToken)}`), ["bxy"]);
});

test("parties: page by page the list ends, with every party once", async () => {
  const [all = []] = await pages(limits.partiesPageElementsMax),
    inPages = await pages(7);
  assert.deepEqual(inPages.flat(), all);
  assert.ok(inPages.every((page, index) => page.length === 7 || index === inPages.length - 1));
});

test("parties: page sizes beyond the maximum or below zero and tokens of nobody are refused; zero is the default", async () => {
  for (const query of [
    `pageSize=${limits.partiesPageElementsMax + 1}`,
    "pageSize=-1",
    "pageToken=not-a-token",
    `pageToken=${encode(Buffer.from("{}").toString("base64"))}`,
  ]) {
    assert.equal(await node.refusal("GET", `/v2/parties?${query}`), "400 INVALID_ARGUMENT", query);
  }
  assert.ok((await node.ask("GET", "/v2/parties?pageSize=0")).partyDetails.length > 1);
});

test("parties: a filter finds the names that begin with it", async () => {
  const { party } = await node.party();
  assert.deepEqual((await pages(10, encode(party))).flat(), [party]);
  assert.deepEqual((await pages(10, "nobody-is-called-so")).flat(), []);
});

test("parties: what is allocated for a user may be acted as by that user, also an existing right stays one", async () => {
  const { id } = await node.user(),
    { party } = await node.party({ userId: id });
  assert.deepEqual(await node.rightsOf(id), [right("CanActAs", party)]);
  assert.equal(await node.refusal("POST", "/v2/parties", { partyIdHint: party.split("::")[0], userId: id }), "400 INVALID_ARGUMENT");
  assert.equal(await node.refusal("POST", "/v2/parties", { partyIdHint: node.fresh("p"), userId: "nobody" }), "404 USER_NOT_FOUND");
});

const update = (party: string, fields: Json, ...paths: readonly string[]): readonly [string, string, Json] => [
  "PATCH",
  `/v2/parties/${encode(party)}`,
  { partyDetails: { party, ...fields }, updateMask: mask(...paths) },
];

test("party updates: everything that can change changes, and the party reads so afterwards", async () => {
  const { party } = await node.party({ localMetadata: { annotations: { k1: "v1", k2: "v2" } } });
  const { partyDetails } = await node.ask(
    ...update(party, { isLocal: true, localMetadata: { annotations: { k1: "v1a", k2: "", k3: "v3" } } }, "local_metadata"),
  );
  assert.deepEqual(partyDetails.localMetadata, { resourceVersion: "1", annotations: { k1: "v1a", k3: "v3" } });
  assert.deepEqual(await get(party), [partyDetails]);
});

test("party updates: whether a party is local cannot be changed, but may be said as it is", async () => {
  const { party } = await node.party();
  assert.equal(await node.refusal(...update(party, { isLocal: false }, "is_local")), "400 INVALID_PARTY_DETAILS_UPDATE_REQUEST");
  assert.equal((await node.ask(...update(party, { isLocal: true }, "is_local"))).partyDetails.isLocal, true);
});

test("party updates: metadata may be left out; details and an existing party may not", async () => {
  const { party } = await node.party({ localMetadata: { annotations: { k: "v" } } }),
    ghost = `ghost::${party.split("::")[1]}`;
  assert.deepEqual((await node.ask(...update(party, { isLocal: true }, "local_metadata"))).partyDetails.localMetadata.annotations, {
    k: "v",
  });
  assert.match(await node.refusal("PATCH", `/v2/parties/${encode(party)}`, { updateMask: mask("local_metadata") }), /^400/);
  assert.equal(await node.refusal(...update(ghost, {}, "local_metadata")), "404 PARTY_NOT_FOUND");
});
