import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Cursor } from "../../src/base/element-writer.js";
import { Turns } from "../../src/base/turns.js";
import {
  activeContracts,
  contractIdOf,
  Collector,
  drain,
  failure,
  startLedger,
  submission,
  success,
  summaryOf,
  transactions,
  updates,
  wildcard,
  type Fixture,
  type Step,
} from "./support.js";

type Parties = { alice: string; bob: string };

async function fill(fixture: Fixture, count: number): Promise<void> {
  const { alice, bob } = fixture.parties as Parties;
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      fixture.ledger.submit(
        submission(
          [alice],
          [
            {
              create: `fill ${n}`,
              template: n % 3 === 0 ? "M:Other" : "M:Asset",
              signatories: [alice],
              observers: n % 2 === 0 ? [bob] : [],
            },
          ],
        ),
      ),
    ),
  );
}

describe("streams", () => {
  it("an open stream has the parties of its format, and not the request that named them", async (t) => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void,
      { ledger, parties } = await startLedger(t),
      { alice, bob } = parties as Parties;
    const open = (): readonly [Cursor<unknown>, WeakRef<object>] => {
      const format = updates(wildcard(alice, bob)),
        request = { beginExclusive: 0, endInclusive: undefined, format, form: "update", descending: false } as const;
      return [success(ledger.openUpdates(request)), new WeakRef(format)];
    };
    const [cursor, format] = open(),
      out = new Collector();
    await nextTurn();
    collect();
    assert.equal(format.deref(), undefined);
    await ledger.submit(submission([alice], [{ create: "a", signatories: [alice], observers: [bob] }]));
    await cursor.read(10, out);
    assert.ok(out.elements.length > 0);
    cursor.close();
  });

  it("a stream resumed at any offset has no gap and no repeat, with any batch size", async (t) => {
    const fixture = await startLedger(t),
      { alice, bob } = fixture.parties as Parties;
    await fill(fixture, 40);
    const format = updates(wildcard(alice, bob)),
      end = fixture.ledger.ledgerEnd();
    const all = (await transactions(fixture.ledger, wildcard(alice, bob))).map((one) => one.offset);
    assert.equal(all.length, 40);
    for (const cut of [0, 5, 17, 30, end]) {
      for (const batch of [1, 3, 100]) {
        const read = async (begin: number, to: number) =>
          (
            await drain(
              fixture.ledger.openUpdates({
                beginExclusive: begin,
                endInclusive: Math.max(to, 1),
                format,
                form: "update",
                descending: false,
              }),
              batch,
            )
          ).map((one) => one.update.Transaction.value.offset);
        assert.deepEqual([...(cut === 0 ? [] : await read(0, cut)), ...(await read(cut, end))], all);
      }
    }
  });

  it("descending order reverses exactly", async (t) => {
    const fixture = await startLedger(t),
      { alice } = fixture.parties as Parties;
    await fill(fixture, 25);
    const ascending = await transactions(fixture.ledger, wildcard(alice));
    assert.deepEqual((await transactions(fixture.ledger, wildcard(alice), "acsDelta", { descending: true })).reverse(), ascending);
  });

  it("a blocked reader is woken by a commit and reads on where it stopped", async (t) => {
    const fixture = await startLedger(t),
      { alice, bob } = fixture.parties as Parties;
    const cursor = success(
      fixture.ledger.openUpdates({
        beginExclusive: fixture.ledger.ledgerEnd(),
        endInclusive: undefined,
        format: updates(wildcard(bob)),
        form: "update",
        descending: false,
      }),
    );
    const out = new Collector();
    success(await fixture.ledger.submit(submission([alice], [{ create: "hidden", signatories: [alice] }])));
    assert.equal(await cursor.read(10, out), 0);
    const woken = cursor.wait(60_000, new AbortController().signal);
    success(await fixture.ledger.submit(submission([alice], [{ create: "shown", signatories: [alice], observers: [bob] }])));
    await woken;
    assert.equal(await cursor.read(10, out), 1);
    assert.equal(JSON.parse(out.elements[0]!).update.Transaction.value.offset, fixture.ledger.ledgerEnd());
    cursor.close();
  });

  it("an aborted or timed out wait ends without an error", async (t) => {
    const fixture = await startLedger(t),
      { alice } = fixture.parties as Parties;
    const cursor = success(
      fixture.ledger.openUpdates({
        beginExclusive: fixture.ledger.ledgerEnd(),
        endInclusive: undefined,
        format: updates(wildcard(alice)),
        form: "update",
        descending: false,
      }),
    );
    // A wait ends for a checkpoint, too, which must not be what ends it here.
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let ended = 0;
    const wait = (timeoutMs: number, signal: AbortSignal): void => void cursor.wait(timeoutMs, signal).then(() => (ended += 1));
    const abort = new AbortController();
    wait(60_000, abort.signal);
    await nextTurn();
    assert.equal(ended, 0);
    abort.abort();
    await nextTurn();
    assert.equal(ended, 1, "aborted");
    wait(5, new AbortController().signal);
    t.mock.timers.tick(4);
    await nextTurn();
    assert.equal(ended, 1);
    t.mock.timers.tick(1);
    await nextTurn();
    assert.equal(ended, 2, "timed out");
    t.mock.timers.reset();
    cursor.close();
  });

  it("an open stream without elements says how far it is", async (t) => {
    const fixture = await startLedger(t),
      { bob } = fixture.parties as Parties;
    await fill(fixture, 1);
    const cursor = success(fixture.ledger.openCompletions({ userId: "user", parties: [bob], beginExclusive: 0 }));
    const out = new Collector();
    const signal = new AbortController().signal;
    for (let tries = 0; out.elements.length === 0 && tries < 10; tries++)
      if ((await cursor.read(10, out)) === 0) await cursor.wait(1_000, signal);
    assert.equal(JSON.parse(out.elements[0]!).completionResponse.OffsetCheckpoint.value.offset, fixture.ledger.ledgerEnd());
    cursor.close();
  });

  it("ranges that make no sense have their codes", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as Parties;
    const end = ledger.ledgerEnd(),
      format = updates(wildcard(alice));
    const cases: [number, number | undefined, boolean, string][] = [
      [-1, end, false, "NEGATIVE_OFFSET"],
      [0, 0, false, "NON_POSITIVE_OFFSET"],
      [0, undefined, true, "DESCENDING_ORDER_MISSING_END"],
      [end + 1, undefined, false, "OFFSET_AFTER_LEDGER_END"],
      [0, end + 1, false, "OFFSET_AFTER_LEDGER_END"],
      [3, 2, false, "OFFSET_OUT_OF_RANGE"],
    ];
    for (const [beginExclusive, endInclusive, descending, code] of cases)
      assert.equal(failure(ledger.openUpdates({ beginExclusive, endInclusive, format, form: "update", descending })).code, code);
    assert.equal(failure(ledger.openActiveContracts({ activeAtOffset: end + 1, format: wildcard(alice) })).code, "OFFSET_AFTER_LEDGER_END");
    assert.equal(failure(ledger.openActiveContracts({ activeAtOffset: -1, format: wildcard(alice) })).code, "NEGATIVE_OFFSET");
    assert.deepEqual(
      await drain(ledger.openUpdates({ beginExclusive: end, endInclusive: end, format, form: "update", descending: false })),
      [],
    );
  });

  it("topology updates tell of allocated parties, to those who ask for them", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as Parties;
    const read = async (asked: string[]) =>
      (
        await drain(
          ledger.openUpdates({
            beginExclusive: 0,
            endInclusive: ledger.ledgerEnd(),
            form: "update",
            descending: false,
            format: { includeTransactions: undefined, includeReassignments: undefined, includeTopologyEvents: { parties: asked } },
          }),
        )
      ).map((one) => one.update.TopologyTransaction.value.events[0].event.ParticipantAuthorizationAdded.value.partyId);
    assert.deepEqual(await read([]), [ledger.participantId, ...Object.values(parties)]);
    assert.deepEqual(await read([alice]), [alice]);
  });

  it("a topology update carries the trace of the request that made the party", async (t) => {
    const { ledger } = await startLedger(t),
      trace = { traceparent: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`, tracestate: null };
    const { party } = success(
      await ledger.allocateParty({ hint: "erin", annotations: {}, identityProviderId: "", synchronizerId: "", userId: "", trace }),
    );
    const [update] = await drain(
      ledger.openUpdates({
        beginExclusive: 0,
        endInclusive: ledger.ledgerEnd(),
        form: "update",
        descending: false,
        format: { includeTransactions: undefined, includeReassignments: undefined, includeTopologyEvents: { parties: [party] } },
      }),
    );
    assert.deepEqual(update.update.TopologyTransaction.value.traceContext, trace);
  });

  it("the completions of a user and its parties come in order and show only the parties asked for", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice, bob } = parties as Parties;
    const shared = submission([alice, bob], [{ create: "shared", signatories: [alice] }]);
    const accepted = success(await ledger.submit(shared));
    failure(await ledger.submit(shared));
    success(await ledger.submit(submission([bob], [{ create: "own", signatories: [bob] }], { userId: "another" })));
    const read = async (userId: string | undefined, asked: string[]) =>
      (await drain(ledger.openCompletions({ userId, parties: asked, beginExclusive: 0 }))).map(
        (one) => one.completionResponse.Completion.value,
      );
    const own = await read("user", [alice]);
    assert.deepEqual(
      own.map((one) => [one.actAs, one.status.code, one.updateId]),
      [
        [[alice], 0, accepted.updateId],
        [[alice], 6, ""],
      ],
    );
    assert.equal(own[1].status.details[0].valueDecoded.metadata.completion_offset, String(accepted.completionOffset));
    assert.deepEqual(
      (await read(undefined, [])).map((one) => one.actAs),
      [[alice, bob], [alice, bob], [bob]],
    );
    assert.equal(failure(ledger.openCompletions({ userId: "user", parties: [], beginExclusive: 0 })).code, "MISSING_FIELD");
  });
});

describe("pages", () => {
  const body = (page: Uint8Array) => JSON.parse(Buffer.from(page).toString());
  const token = (page: { nextPageToken: string | null }) =>
    page.nextPageToken === null ? undefined : Buffer.from(page.nextPageToken, "base64");

  it("pages of active contracts of any size join to the whole, also while contracts are archived", async (t) => {
    const fixture = await startLedger(t),
      { alice } = fixture.parties as Parties;
    await fill(fixture, 23);
    const whole = (await activeContracts(fixture.ledger, wildcard(alice))).map((one) => one.contractId);
    for (const pageSize of [1, 4, 23, 100]) {
      const ids: string[] = [];
      for (let pageToken: Buffer | undefined; ;) {
        const page = body(
          success(
            await fixture.ledger.readActiveContractsPage({ activeAtOffset: undefined, pageSize, format: wildcard(alice), pageToken }),
          ),
        );
        ids.push(
          ...page.activeContracts.map(
            (one: { contractEntry: { JsActiveContract: { createdEvent: { contractId: string } } } }) =>
              one.contractEntry.JsActiveContract.createdEvent.contractId,
          ),
        );
        pageToken = token(page);
        if (!pageToken) break;
        if (pageSize === 4 && ids.length === 8)
          for (const n of [0, 9, 22]) success(await fixture.ledger.submit(submission([alice], [{ exercise: `fill ${n}`, by: [alice] }])));
      }
      if (pageSize <= 4) assert.deepEqual(ids, whole);
    }
  });

  it("what was read of active contracts before shows no archive late, and none too early", async (t) => {
    const fixture = await startLedger(t),
      { alice, bob } = fixture.parties as Parties,
      named = (from: number, to: number): Step[] =>
        Array.from({ length: to - from }, (_, index) => ({ create: `c ${from + index}`, signatories: [alice], observers: [bob] })),
      submit = async (steps: readonly Step[]): Promise<unknown> => success(await fixture.ledger.submit(submission([alice], steps))),
      idsAt = async (party: string, offset?: number): Promise<string[]> =>
        (await activeContracts(fixture.ledger, wildcard(party), offset)).map((one) => one.contractId);
    for (let from = 0; from < 1_500; from += 50) await submit(named(from, from + 50));
    let expected = (await idsAt(bob)).slice();
    assert.equal(expected.length, 1_500);
    for (const gone of [[3], [700, 701], [1_499], Array.from({ length: 300 }, (_, index) => 6 + 4 * index)]) {
      const before = expected,
        offset = fixture.ledger.ledgerEnd(),
        archived = new Set(gone.map((n) => contractIdOf(`c ${n}`)));
      await submit(gone.map((n) => ({ exercise: `c ${n}`, by: [alice] })));
      expected = before.filter((id) => !archived.has(id));
      assert.equal(expected.length, before.length - gone.length);
      for (const party of [alice, bob]) {
        assert.deepEqual(await idsAt(party), expected);
        assert.deepEqual(await idsAt(party, offset), before);
      }
    }
  });

  it("active contracts of a read that was cut short: where a filter means more by then, each still comes once", async (t) => {
    const noTime = new Turns(0),
      fixture = await startLedger(t, { turns: noTime, readerTurns: noTime }),
      { ledger, interpreter } = fixture,
      { alice } = fixture.parties as Parties,
      count = 60;
    const asOne = Array.from({ length: count }, (_, n): Step => ({ create: `c ${n}`, signatories: [alice] }));
    success(await ledger.submit(submission([alice], asOne)));
    const out = new Collector(),
      cursor = success(ledger.openActiveContracts({ activeAtOffset: ledger.ledgerEnd(), format: wildcard(alice) }));
    const first = await cursor.read(count, out);
    assert.ok(first > 0 && first < count, `${first} contracts in one turn`);
    const added = summaryOf({ packageId: "e".repeat(64), version: "1.1.0" });
    interpreter.dar = { ok: { mainPackageId: added.packageId, packages: [{ summary: added, payload: Buffer.from("more") }] } };
    success(await ledger.uploadDar(Buffer.from("dar"), { vetAllPackages: true, synchronizerId: "" }));
    for (let left = count - first; left > 0;) left -= await cursor.read(left, out);
    assert.equal(await cursor.read(1, out), 0);
    const ids = out.elements.map((element) => JSON.parse(element).contractEntry.JsActiveContract.createdEvent.contractId as string);
    assert.deepEqual(
      ids,
      asOne.map((_, n) => contractIdOf(`c ${n}`)),
    );
  });

  it("pages of updates join to the whole in both directions, and say their bounds", async (t) => {
    const fixture = await startLedger(t),
      { alice } = fixture.parties as Parties;
    await fill(fixture, 10);
    const whole = (await transactions(fixture.ledger, wildcard(alice))).map((one) => one.offset),
      end = fixture.ledger.ledgerEnd();
    for (const descending of [false, true]) {
      const offsets: number[] = [];
      let bound = descending ? end : 0;
      for (let pageToken: Buffer | undefined; ;) {
        const page = body(
          success(
            await fixture.ledger.readUpdatesPage({
              beginExclusive: 0,
              endInclusive: end,
              pageSize: 3,
              format: updates(wildcard(alice)),
              descending,
              pageToken,
            }),
          ),
        );
        offsets.push(
          ...page.updates.map((one: { update: { Transaction: { value: { offset: number } } } }) => one.update.Transaction.value.offset),
        );
        assert.equal(descending ? page.highestPageOffsetInclusive : page.lowestPageOffsetExclusive, bound);
        bound = descending ? page.lowestPageOffsetExclusive : page.highestPageOffsetInclusive;
        pageToken = token(page);
        if (!pageToken) break;
      }
      assert.deepEqual(offsets, descending ? [...whole].reverse() : whole);
      assert.equal(bound, descending ? 0 : end);
    }
  });

  it("a token of another request, a changed one and garbage are refused", async (t) => {
    const fixture = await startLedger(t),
      { alice, bob } = fixture.parties as Parties;
    await fill(fixture, 5);
    const request = { activeAtOffset: undefined, pageSize: 2, format: wildcard(alice), pageToken: undefined };
    const good = token(body(success(await fixture.ledger.readActiveContractsPage(request))))!;
    const changed = Buffer.from(good);
    changed[8]! ^= 1;
    const codes = await Promise.all(
      [{ format: wildcard(bob), pageToken: good }, { pageToken: changed }, { pageToken: Buffer.from("zz") }].map(
        async (change) => failure(await fixture.ledger.readActiveContractsPage({ ...request, ...change })).code,
      ),
    );
    assert.deepEqual(codes, ["INVALID_ACS_PAGE_TOKEN", "INVALID_ACS_PAGE_TOKEN", "INVALID_FIELD"]);
    assert.equal(
      failure(
        await fixture.ledger.readUpdatesPage({
          beginExclusive: 0,
          endInclusive: undefined,
          pageSize: 2,
          format: updates(wildcard(alice)),
          descending: false,
          pageToken: good,
        }),
      ).code,
      "INVALID_FIELD",
    );
    for (const pageSize of [0, -3, 100_000])
      assert.equal(
        failure(
          await fixture.ledger.readUpdatesPage({
            beginExclusive: 0,
            endInclusive: undefined,
            pageSize,
            format: updates(wildcard(alice)),
            descending: false,
            pageToken: undefined,
          }),
        ).code,
        "INVALID_ARGUMENT",
      );
  });

  it("ascending pages without an end go on for ever", async (t) => {
    const fixture = await startLedger(t),
      { alice } = fixture.parties as Parties;
    const request = {
      beginExclusive: undefined,
      endInclusive: undefined,
      pageSize: 10,
      format: updates(wildcard(alice)),
      descending: false,
    };
    const empty = body(success(await fixture.ledger.readUpdatesPage({ ...request, pageToken: undefined })));
    assert.deepEqual([empty.updates, empty.highestPageOffsetInclusive], [[], fixture.ledger.ledgerEnd()]);
    await fill(fixture, 1);
    assert.equal(body(success(await fixture.ledger.readUpdatesPage({ ...request, pageToken: token(empty) }))).updates.length, 1);
  });

  it("a page without offsets is empty whatever names it asks for, if they are well-formed", async (t) => {
    const fixture = await startLedger(t),
      { alice } = fixture.parties as Parties;
    await fill(fixture, 2);
    const { ledger } = fixture,
      end = ledger.ledgerEnd();
    const read = (templateId: string, beginExclusive: number, endInclusive: number | undefined) =>
      ledger.readUpdatesPage({
        beginExclusive,
        endInclusive,
        pageSize: undefined,
        format: updates({
          ...wildcard(),
          filtersByParty: { [alice]: { cumulative: [{ kind: "template", templateId, includeCreatedEventBlob: false }] } },
        }),
        descending: false,
        pageToken: undefined,
      });
    for (const [from, to] of [
      [1, 1],
      [end, undefined],
      [end + 3, undefined],
    ] as const)
      assert.deepEqual(body(success(await read("#nope:M:I", from, to))).updates, []);
    assert.equal(failure(await read("#nope:M:I", end - 1, end)).code, "PACKAGE_NAMES_NOT_FOUND");
    assert.equal(failure(await read("nope:M:I", 1, 1)).code, "INVALID_FIELD");
  });

  it("a stream of active contracts goes on from the token of any of its elements", async (t) => {
    const fixture = await startLedger(t),
      { alice } = fixture.parties as Parties;
    await fill(fixture, 6);
    const activeAtOffset = fixture.ledger.ledgerEnd(),
      format = wildcard(alice);
    const all = await drain(fixture.ledger.openActiveContracts({ activeAtOffset, format }));
    const rest = await drain(
      fixture.ledger.openActiveContracts({
        activeAtOffset,
        format,
        continuationToken: Buffer.from(all[2].streamContinuationToken, "base64"),
      }),
    );
    assert.deepEqual(rest, all.slice(3));
    assert.equal(
      failure(
        fixture.ledger.openActiveContracts({
          activeAtOffset: activeAtOffset - 1,
          format,
          continuationToken: Buffer.from(all[2].streamContinuationToken, "base64"),
        }),
      ).code,
      "INVALID_CONTINUATION_TOKEN",
    );
    assert.equal(
      failure(fixture.ledger.openActiveContracts({ activeAtOffset, format, continuationToken: Buffer.from("AAAA") })).code,
      "INVALID_FIELD",
    );
  });
});
