/** Public packages that others compiled, over HTTP: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { isFailure } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import { readDar } from "../../src/lf/archive/index.js";
import { createdIn, eventsOf, exercise, ledgerEffects, World, type Json } from "./world.js";
import { text } from "../support/knobs.js";

const folder = text("LEDGERLINE_REAL_DARS");
const skip = folder === undefined ? "LEDGERLINE_REAL_DARS names no folder of DARs" : false;

/** Refused by name: LF 1, LF 2.dev, and one that its makers ill-formed on purpose. */
const refusals: Readonly<Record<string, string>> = {
  "dummy-1.15.dar": "ALLOWED_LANGUAGE_VERSIONS",
  "DamlDefinitionsServiceMain.dar": "DAR_PARSE_ERROR",
  "illformed.dar": "DAR_VALIDATION_ERROR",
};

const nameOf = (file: string): string => file.replace(/-[\d.]+\.dar$/, "");
const versionOf = (file: string): number[] => (/-([\d.]+)\.dar$/.exec(file)?.[1] ?? "0").split(".").map(Number);
/** A version goes in before those that upgrade it. */
function byAge(left: string, right: string): number {
  if (nameOf(left) !== nameOf(right)) return nameOf(left) < nameOf(right) ? -1 : 1;
  const versions = [versionOf(left), versionOf(right)] as const;
  const at = versions[0].findIndex((part, index) => part !== versions[1][index]);
  return at < 0 ? 0 : versions[0][at]! - (versions[1][at] ?? 0);
}

describe("public packages", { skip }, () => {
  let world: World;
  before(async () => {
    world = await World.start([], ["--memory"]);
  });
  after(() => world.stop());

  it("every DAR is taken or refused for its reason, and every package is given back byte by byte", { timeout: 600_000 }, async (t) => {
    const files = readdirSync(folder!)
      .filter((file) => file.endsWith(".dar"))
      .sort(byAge);
    const payloads = new Map<string, Uint8Array>();
    for (const file of files) {
      const bytes = readFileSync(join(folder!, file)),
        reply = await world.client.post("/v2/dars", bytes);
      assert.equal(reply.status === 200 ? undefined : reply.json().code, refusals[file], `${file}: ${reply.text}`);
      if (reply.status !== 200) continue;
      const dar = readDar(bytes, limits);
      assert.ok(!isFailure(dar));
      for (const { id, payload } of dar.ok.archives) payloads.set(id, payload);
    }
    const listed: string[] = (await world.client.get("/v2/packages")).json().packageIds;
    for (const [id, payload] of payloads) {
      assert.ok(listed.includes(id), id);
      const { bytes } = await world.client.get(`/v2/packages/${id}`);
      assert.ok(bytes.equals(payload));
      assert.equal(createHash("sha256").update(bytes).digest("hex"), id);
    }
    t.diagnostic(`${files.length} DARs, ${payloads.size} packages`);
  });

  const needs = (file: string): { skip: string | false } => ({
    skip: folder !== undefined && existsSync(join(folder, file)) ? false : `${file} is not in the folder`,
  });

  it("quickstart-tally: who is let writes, who is shown sees", needs("quickstart-tally-0.0.1.dar"), async () => {
    const tally = "#quickstart-tally:Tally.Tally:Tally",
      writer = "#quickstart-tally:Tally.Tally:TallyWriter";
    const [issuer, user, viewer] = await world.parties("issuer", "user", "viewer");
    const made = await world.create([issuer], tally, { issuer, value: "0", writers: [], viewers: { map: [] } });
    const granted = await world.transact([issuer], [exercise(tally, made.contractId, "Tally_GrantWriter", { newWriter: user })]);
    const { _1: tallyId, _2: writerId } = eventsOf(granted)[0].exerciseResult;
    const counted = await world.transact([user], [exercise(writer, writerId, "TallyWriter_Increment", { tallyId })], { readAs: [issuer] });
    const next = createdIn(counted, "Tally");
    assert.equal(next.createArgument.value, "1");
    await world.transact([issuer], [exercise(tally, next.contractId, "Tally_GrantViewer", { newViewer: viewer })]);
    const [seen] = await world.activeContracts({ parties: [viewer] });
    assert.deepEqual([seen.createArgument.value, seen.createArgument.viewers], ["1", { map: [[viewer, {}]] }]);
    assert.notEqual((await world.submit([viewer], [exercise(tally, seen.contractId, "Tally_Increment")])).status, 200);
  });

  it(
    "richtypes: a value of every type comes back unchanged, by create, active contracts, updates and events",
    needs("richtypes.dar"),
    async () => {
      const owner = await world.party("owner");
      const marker = (await world.create([owner], "#richtypes:RichTypes:Marker", { owner })).contractId;
      const common = {
        owner,
        amount: "12345678901234567.0123456789",
        active: true,
        tags: ["a", "", "ü"],
        marker,
        profile: { nickname: "n", level: "-1" },
        fee: "0.05",
      };
      const values: readonly Json[] = [
        {
          ...common,
          count: "9223372036854775807",
          label: '"quoted" \\ \n 日本 😀',
          asOf: "9999-12-31",
          observedAt: "1970-01-01T00:00:00.000001Z",
          note: "some",
          attributes: { b: "2", a: "1", __proto__: "x" },
          outcome: { tag: "Win", value: { prize: "10.50", tier: "gold" } },
        },
        {
          ...common,
          count: "-9223372036854775808",
          label: "",
          asOf: "0001-01-01",
          observedAt: "9999-12-31T23:59:59.999999Z",
          note: null,
          attributes: {},
          outcome: { tag: "Pending", value: {} },
          active: false,
          tags: [],
          amount: "-0.0000000001",
          fee: "0.00",
        },
      ].map(
        ({ owner: first, count, amount, label, active, asOf, observedAt, note, tags, attributes, marker: of, profile, outcome, fee }) => ({
          owner: first,
          count,
          amount,
          label,
          active,
          asOf,
          observedAt,
          note,
          tags,
          attributes,
          marker: of,
          profile,
          outcome,
          fee,
        }),
      );
      for (const value of values) {
        const begin = await world.ledgerEnd();
        const { contractId, createArgument } = await world.create([owner], "#richtypes:RichTypes:RichRecord", value);
        const active = (await world.activeContracts({ parties: [owner] })).find((created) => created.contractId === contractId);
        const [updated] = await world.transactions({ parties: [owner], shape: ledgerEffects, begin });
        const events = (await world.eventsByContractId(contractId, [owner])).json().created.createdEvent;
        for (const echoed of [createArgument, active.createArgument, createdIn(updated).createArgument, events.createArgument])
          assert.deepEqual(echoed, value);
        const relabelled = createdIn(
          await world.transact([owner], [exercise("#richtypes:RichTypes:RichRecord", contractId, "Relabel", { newLabel: "new" })]),
        );
        assert.deepEqual(relabelled.createArgument, { ...value, label: "new" });
      }
    },
  );

  it(
    "splice-token-test-trading-app: a proposal is accepted by both traders and becomes a trade that asks for allocations",
    needs("splice-token-test-trading-app-1.0.0.dar"),
    async () => {
      const proposal = "#splice-token-test-trading-app:Splice.Testing.Apps.TradingApp:OTCTradeProposal";
      const [venue, alice, bob, admin] = await world.parties("venue", "alice", "bob", "admin");
      const leg = (sender: string, receiver: string, amount: string): Json => ({
        sender,
        receiver,
        amount,
        instrumentId: { admin, id: "Coin" },
        meta: { values: {} },
      });
      const transferLegs = { leg0: leg(alice, bob, "100.0000000000"), leg1: leg(bob, alice, "20.0000000000") };
      const proposed = await world.create([alice], proposal, { venue, tradeCid: null, transferLegs, approvers: [alice] });
      assert.equal(
        (
          await world.refused([alice], [exercise(proposal, proposed.contractId, "OTCTradeProposal_Accept", { approver: bob })], {
            readAs: [bob],
          })
        ).code,
        "DAML_AUTHORIZATION_ERROR",
      );
      const accepted = createdIn(
        await world.transact([bob], [exercise(proposal, proposed.contractId, "OTCTradeProposal_Accept", { approver: bob })], {
          readAs: [alice],
        }),
      );
      assert.deepEqual([...accepted.createArgument.approvers].sort(), [alice, bob].sort());
      const hour = 3_600_000,
        at = (ms: number): string => new Date(Date.now() + ms).toISOString();
      const initiated = await world.transact(
        [venue],
        [
          exercise(proposal, accepted.contractId, "OTCTradeProposal_InitiateSettlement", {
            prepareUntil: at(hour),
            settleBefore: at(2 * hour),
          }),
        ],
      );
      const trade = createdIn(initiated, "OTCTrade");
      assert.deepEqual(Object.keys(trade.createArgument.transferLegs), ["leg0", "leg1"]);
      const reply = await world.client.post("/v2/state/active-contracts?limit=10", {
        activeAtOffset: await world.ledgerEnd(),
        eventFormat: {
          filtersByParty: {
            [alice]: {
              cumulative: [
                {
                  identifierFilter: {
                    InterfaceFilter: {
                      value: {
                        interfaceId: "#splice-api-token-allocation-request-v1:Splice.Api.Token.AllocationRequestV1:AllocationRequest",
                        includeInterfaceView: true,
                        includeCreatedEventBlob: false,
                      },
                    },
                  },
                },
              ],
            },
          },
          verbose: true,
        },
      });
      const [
        {
          interfaceViews: [view],
          contractId,
        },
      ] = reply.json().map((entry: Json) => entry.contractEntry.JsActiveContract.createdEvent);
      assert.equal(contractId, trade.contractId);
      assert.deepEqual([view.viewStatus.code, view.viewValue.transferLegs, view.viewValue.settlement.executor], [0, transferLegs, venue]);
    },
  );
});
