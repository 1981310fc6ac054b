/** Tokens of lists: whoever changes one, or uses it elsewhere, gets nothing for it. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { eventFormat, World, type Json } from "./world.js";
import { storyDar, storyTemplate } from "./story-model.js";
import type { Reply } from "../support/node-process.js";

/** How a list is asked for; `filter` makes it another request of the same list. */
interface TokenList {
  readonly name: string;
  readonly filters: readonly Json[];
  ask(filter: Json, token?: string): Promise<Reply>;
  tokenOf(reply: Json): string;
}

let world: World, end: number;
const withToken = (token: string | undefined, field = "pageToken"): Json => (token === undefined ? {} : { [field]: token });
const updateFormat = (format: Json): Json => ({
  includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: format },
});
const tokenOfPage = ({ nextPageToken }: Json): string => nextPageToken;

before(async () => {
  world = await World.start([storyDar]);
  const parties = await world.parties("token-a", "token-b", "token-c", "other-a", "other-b");
  for (const id of ["token-x", "token-y"]) {
    await world.client.post("/v2/users", { user: { id, primaryParty: "", isDeactivated: false, identityProviderId: "" }, rights: [] });
  }
  for (const owner of parties)
    for (const text of ["one", "two"]) await world.create([owner], storyTemplate("Note"), { owner, reader: owner, text });
  end = await world.ledgerEnd();
  const [alice, bob] = parties,
    formats = [eventFormat({}), eventFormat({ parties: [alice] }), eventFormat({ parties: [bob] }), eventFormat({ parties: [alice, bob] })];
  const post = (route: string, request: Json): Promise<Reply> => world.client.post(route, request);
  const get = (route: string, query: Json): Promise<Reply> => world.client.get(`${route}?${new URLSearchParams(query)}`);
  const contractFilters = [
    ...formats.map((format) => ({ eventFormat: format, activeAtOffset: end })),
    { eventFormat: formats[0], activeAtOffset: end - 1 },
  ];
  const updateFilters = [
    ...formats.map((format) => ({ updateFormat: updateFormat(format) })),
    { updateFormat: updateFormat(formats[0]), descendingOrder: true },
  ].map((filter) => ({ beginOffsetExclusive: 0, endOffsetInclusive: end, ...filter }));
  lists.push(
    {
      name: "parties",
      filters: [{ "filter-party": "token" }, { "filter-party": "" }, { "filter-party": "other" }],
      tokenOf: tokenOfPage,
      ask: (filter, token) => get("/v2/parties", { pageSize: 1, ...filter, ...withToken(token) }),
    },
    { name: "users", filters: [{}], tokenOf: tokenOfPage, ask: (_, token) => get("/v2/users", { pageSize: 1, ...withToken(token) }) },
    {
      name: "vetted packages",
      filters: [{}, { packageMetadataFilter: { packageIds: [], packageNamePrefixes: ["daml"] } }],
      tokenOf: tokenOfPage,
      ask: (filter, token) => post("/v2/package-vetting/list", { pageSize: 1, ...filter, ...withToken(token) }),
    },
    {
      name: "updates",
      filters: updateFilters,
      tokenOf: tokenOfPage,
      ask: (filter, token) => post("/v2/updates/get-updates-page", { maxPageSize: 1, ...filter, ...withToken(token) }),
    },
    {
      name: "active contracts",
      filters: contractFilters,
      tokenOf: tokenOfPage,
      ask: (filter, token) => post("/v2/state/active-contracts-page", { maxPageSize: 1, ...filter, ...withToken(token) }),
    },
    {
      name: "streamed active contracts",
      filters: contractFilters,
      tokenOf: ([element]: Json) => element.streamContinuationToken,
      ask: (filter, token) => post("/v2/state/active-contracts?limit=1", { ...filter, ...withToken(token, "streamContinuationToken") }),
    },
  );
});
after(() => world.stop());

const lists: TokenList[] = [];
const names = ["parties", "users", "vetted packages", "updates", "active contracts", "streamed active contracts"];
const listOf = (name: string): TokenList => lists.find((list) => list.name === name)!;

async function tokenFor(list: TokenList, filter: Json): Promise<string> {
  const reply = await list.ask(filter);
  assert.equal(reply.status, 200, reply.text);
  const token = list.tokenOf(reply.json());
  assert.ok(token, `${list.name} gave a token`);
  return token;
}

/** Tokens that were answered with anything but a refusal, in words; their number and the first few. */
async function taken(list: TokenList, filter: Json, tokens: ReadonlyMap<string, string>): Promise<string[]> {
  const replies = await Promise.all([...tokens].map(async ([token, what]) => ({ what, reply: await list.ask(filter, token) })));
  const wrong = replies.filter(({ reply }) => reply.status !== 400).map(({ what, reply }) => `${what}: ${reply.status}`);
  return wrong.length > 3 ? [`${wrong.length} of ${tokens.size}`, ...wrong.slice(0, 3)] : wrong;
}

const partiesTurned = (filter: Json): Json =>
  JSON.parse(JSON.stringify(filter), (name, value: Json) =>
    name === "filtersByParty" ? Object.fromEntries(Object.entries(value).reverse()) : value,
  );

/** Every byte of it, and every character of its text. */
function changesOf(token: string): Map<string, string> {
  const changes = new Map<string, string>(),
    encoding = /[-_]/.test(token) ? "base64url" : "base64";
  const bytes = Buffer.from(token, "base64");
  for (let at = 0; at < bytes.length; at++)
    for (const mask of [1, 0x80]) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= mask;
      changes.set(changed.toString(encoding), `byte ${at} changed by ${mask}`);
    }
  for (let at = 0; at < token.length; at++)
    for (const letter of "AZaz09") {
      changes.set(token.slice(0, at) + letter + token.slice(at + 1), `letter ${at} is ${letter}`);
    }
  for (const cut of [1, 4, 8]) changes.set(token.slice(0, -cut), `cut by ${cut}`).set(token.slice(cut), `without the first ${cut}`);
  changes.delete(token);
  changes.delete("");
  return changes;
}

describe("tokens of lists", () => {
  for (const name of names) {
    it(`${name}: a token with a byte or a letter changed is refused`, async () => {
      const list = listOf(name),
        [filter] = list.filters,
        token = await tokenFor(list, filter);
      assert.equal((await list.ask(filter, token)).status, 200);
      assert.deepEqual(await taken(list, filter, changesOf(token)), []);
    });

    it(`${name}: a token of another list, or of this one with another filter, is refused`, async () => {
      const list = listOf(name),
        [filter] = list.filters,
        foreign = new Map<string, string>();
      for (const other of lists)
        for (const [index, otherFilter] of other.filters.entries()) {
          if (other !== list || index > 0) foreign.set(await tokenFor(other, otherFilter), `${other.name} ${index}`);
        }
      assert.deepEqual(await taken(list, filter, foreign), []);
    });
  }

  for (const name of ["updates", "active contracts", "streamed active contracts"]) {
    it(`${name}: a token is good for the same parties in any order`, async () => {
      const list = listOf(name),
        filter = list.filters.find((each) => JSON.stringify(partiesTurned(each)) !== JSON.stringify(each)),
        token = await tokenFor(list, filter),
        [next, turned] = [await list.ask(filter, token), await list.ask(partiesTurned(filter), token)];
      assert.equal(turned.status, 200, turned.text);
      assert.deepEqual(turned.json(), next.json());
    });
  }

  it("pages say by their code that a token belongs to another request", async () => {
    for (const [name, code] of [
      ["updates", "INVALID_UPDATES_PAGE_TOKEN"],
      ["active contracts", "INVALID_ACS_PAGE_TOKEN"],
    ] as const) {
      const list = listOf(name),
        [filter, another] = list.filters;
      assert.equal((await list.ask(another, await tokenFor(list, filter))).json().code, code);
    }
  });

  it("a token that is none is told as one of the request that it came with; of vetted packages, whose tokens are texts, any text is", async () => {
    for (const [name, code, told] of [
      ["updates", "INVALID_FIELD", / page_token: Invalid page token for GetUpdatesPageRequest$/],
      ["active contracts", "INVALID_FIELD", / page_token: Invalid page token for GetActiveContractsPageRequest$/],
      ["vetted packages", "PROTO_DESERIALIZATION_FAILURE", /page_token/],
    ] as const) {
      const list = listOf(name);
      for (const token of [Buffer.alloc(55).toString("base64"), ...(name === "vetted packages" ? ["NO_TOKEN!", "=="] : [])]) {
        const reply = await list.ask(list.filters[0], token);
        assert.deepEqual([reply.status, reply.json().code], [400, code], token);
        assert.match(name === "vetted packages" ? reply.json().context.reason : reply.json().cause, told);
      }
    }
  });

  it("nobody makes a token of what he knows", async () => {
    const list = listOf("parties"),
      [filter] = list.filters,
      party: string = (await list.ask(filter)).json().partyDetails[0].party;
    const texts = [party, `party:${party}`, JSON.stringify({ party }), `\n${party}`];
    const made = new Map<string, string>();
    for (const text of texts)
      for (const encoding of ["base64", "base64url", "hex"] as const)
        made.set(Buffer.from(text).toString(encoding), `${encoding} of ${text}`);
    for (const other of ["parties", "users"].map(listOf)) assert.deepEqual(await taken(other, other.filters[0], made), []);
  });
});
