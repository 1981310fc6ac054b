/**
 * Records of updates are read in memory that is used again: whoever reads on in a later turn of the event loop gets what was there when he
 * began, though somebody else went through everything meanwhile.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { JsonArrayBuffer } from "../../src/api/element-buffers.js";
import { type Cursor, discard } from "../../src/base/element-writer.js";
import { GrowingBytes } from "../../src/base/growing-bytes.js";
import type { Result } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import type { CreatedParts, EventFormatRequest, Ledger, LedgerErrorData } from "../../src/ledger/index.js";
import { type Cleaner, contractIdOf, startLedger, submission, success, updates, viewsOf, wildcard } from "./support.js";

const textChars = 100_000,
  updatesMade = Math.ceil((0.75 * limits.updateCacheBytesMax) / textChars);

/** What is read is written here piece by piece. */
const pieceElements = 3;

type Meanwhile = () => Promise<void>;

async function listOf(opened: Result<Cursor, LedgerErrorData>, meanwhile: Meanwhile): Promise<string> {
  const cursor = success(opened),
    out = new JsonArrayBuffer();
  for (let pieces = 1; pieces <= 3; pieces++) {
    while (!cursor.ended && out.elements < pieces * pieceElements) await cursor.read(pieces * pieceElements - out.elements, out);
    await meanwhile();
  }
  cursor.close();
  return Buffer.from(out.finish()).toString();
}

describe("records that are read for longer than a turn", () => {
  let ledger: Ledger,
    alice = "",
    /** Each sees four updates, of which he wants views, as each is computed once. */
    viewers: readonly string[] = [],
    offsets: readonly number[] = [],
    whileViewsAreComputed: Meanwhile = async () => undefined;

  const open = (format: EventFormatRequest): Result<Cursor, LedgerErrorData> =>
    ledger.openUpdates({
      beginExclusive: 0,
      endInclusive: ledger.ledgerEnd(),
      format: updates(format),
      form: "update",
      descending: false,
    });

  const readThrough = async (cursor: Cursor): Promise<void> => {
    while (!cursor.ended) {
      await cursor.read(limits.streamBatchElements, discard);
      await nextTurn();
    }
    cursor.close();
  };

  /** So that nothing is left in memory of what was read before: of contracts what is read twice is kept. */
  const everything = async (): Promise<void> => {
    for (let times = 0; times < 2; times++) await readThrough(success(open(wildcard(alice))));
    const activeAtOffset = ledger.ledgerEnd(),
      stepOffsets = 10;
    for (let offset = offsets[0]! - 1; offset < activeAtOffset; offset += stepOffsets)
      for (let times = 0; times < 2; times++) {
        const after = { offset, nodeId: 0 },
          cursor = success(ledger.openActiveContracts({ activeAtOffset, format: wildcard(alice), after }));
        for (let left = 2 * stepOffsets; left > 0 && !cursor.ended;) left -= await cursor.read(left, discard);
        cursor.close();
        await nextTurn();
      }
  };

  const cleanings: (() => Promise<void> | void)[] = [];
  after(async () => {
    for (const clean of cleanings.reverse()) await clean();
  });

  before(async () => {
    const fixture = await startLedger({ after: (clean) => cleanings.push(clean as () => Promise<void>) } as Cleaner);
    ({ ledger } = fixture);
    const { bob, carol, dave } = fixture.parties as Record<string, string>;
    alice = fixture.parties["alice"]!;
    viewers = [bob!, carol!, dave!];
    const submitted = Array.from({ length: updatesMade }, async (_, n) => {
      const viewer = viewers[Math.floor(n / 4) - 5],
        observers = viewer === undefined ? [] : [viewer];
      // Two of each, so that pieces end within updates.
      const creates = ["a", "b"].map((one) => ({
        create: `asset-${n}${one}`,
        signatories: [alice],
        observers,
        text: `${n}${one},`.repeat(textChars).slice(0, textChars),
      }));
      return ledger.submit(submission([alice], creates));
    });
    offsets = (await Promise.all(submitted)).map((result) => success(result).completionOffset);
    const compute = fixture.interpreter.computeViews.bind(fixture.interpreter);
    fixture.interpreter.computeViews = async (requests) => {
      await whileViewsAreComputed();
      return compute(requests);
    };
  });

  /** Twice the same, with and without somebody who reads everything in between. */
  async function check(read: (meanwhile: Meanwhile) => Promise<string>): Promise<void> {
    let times = 0;
    const meanwhile = async (): Promise<void> => {
      times++;
      await everything();
    };
    whileViewsAreComputed = meanwhile;
    const beside = await read(meanwhile);
    whileViewsAreComputed = async () => undefined;
    const alone = await read(whileViewsAreComputed);
    assert.ok(times > 0, "somebody read in between");
    assert.ok(alone.length > textChars / 2, "there was something to be read");
    assert.ok(beside === alone, "the same was read");
  }

  it("a list of updates that is read piece by piece", () => check((meanwhile) => listOf(open(wildcard(alice)), meanwhile)));

  it("a list of active contracts that is read piece by piece, before and after it is kept", async () => {
    const format = wildcard(alice),
      activeAtOffset = ledger.ledgerEnd();
    for (let times = 0; times < 3; times++)
      await check((meanwhile) => listOf(ledger.openActiveContracts({ activeAtOffset, format }), meanwhile));
  });

  it("updates whose views are computed", () => check(() => listOf(open(viewsOf(viewers[0]!)), async () => undefined)));

  it("active contracts whose views are computed", () =>
    check(() =>
      listOf(ledger.openActiveContracts({ activeAtOffset: ledger.ledgerEnd(), format: viewsOf(viewers[1]!) }), async () => undefined),
    ));

  it("one update whose views are computed", () =>
    check(async () =>
      success(await ledger.readUpdate({ by: { offset: offsets[28]! }, format: updates(viewsOf(viewers[2]!)), form: "update" })),
    ));

  it("the events of a contract whose views are computed", () =>
    check(async () => success(await ledger.readEventsByContractId(contractIdOf("asset-29a"), viewsOf(viewers[2]!)))));

  interface Page {
    readonly bytes: number;
    readonly json: any;
  }
  async function allPages(read: (pageToken: Uint8Array | undefined) => Promise<Result<Uint8Array, LedgerErrorData>>): Promise<Page[]> {
    const pages: Page[] = [];
    let pageToken: Uint8Array | undefined;
    do {
      const text = success(await read(pageToken)),
        json = JSON.parse(Buffer.from(text).toString());
      pages.push({ bytes: text.length, json });
      pageToken = json.nextPageToken === null ? undefined : Buffer.from(json.nextPageToken, "base64");
    } while (pageToken !== undefined);
    return pages;
  }
  function checkCut(pages: readonly Page[], bytesMax: number = limits.pageBytesMax): void {
    const bytes = pages.map((page) => page.bytes);
    assert.ok(pages.length > 1 && Math.max(...bytes) < 1.5 * bytesMax, `pages of ${bytes.join()} bytes`);
  }

  it("pages of updates that are cut where they are long have all of it together", async () => {
    const page = {
      beginExclusive: 0,
      endInclusive: ledger.ledgerEnd(),
      pageSize: limits.updatesPageElementsMax,
      format: updates(wildcard(alice)),
      descending: false,
    };
    const pages = await allPages((pageToken) => ledger.readUpdatesPage({ ...page, pageToken }));
    checkCut(pages);
    assert.deepEqual(
      pages.flatMap(({ json }) => json.updates.map(({ update }: { update: any }) => update.Transaction.value.offset)),
      offsets.toSorted((a, b) => a - b),
    );
  });

  it("pages of active contracts that are cut where they are long have all of it together", async () => {
    const page = { activeAtOffset: ledger.ledgerEnd(), pageSize: limits.activeContractsPageElementsMax, format: wildcard(alice) },
      pages = await allPages((pageToken) => ledger.readActiveContractsPage({ ...page, pageToken }));
    checkCut(pages);
    assert.deepEqual(
      pages.flatMap(({ json }) =>
        json.activeContracts.map(({ contractEntry }: any) => contractEntry.JsActiveContract.createdEvent.contractId),
      ),
      offsets.flatMap((_, n) => ["a", "b"].map((one) => contractIdOf(`asset-${n}${one}`))),
    );
  });

  it("pages that are over sooner, as others have so much, have all of it together", async () => {
    const page = { activeAtOffset: ledger.ledgerEnd(), pageSize: limits.activeContractsPageElementsMax, format: wildcard(alice) },
      bytesMax = 10 * limits.replyAssuredBytes,
      pages = await allPages((pageToken) => {
        const memory = { bytes: new GrowingBytes(), isShortFor: (bytes: number) => bytes > bytesMax };
        return ledger.readActiveContractsPage({ ...page, pageToken, memory });
      });
    checkCut(pages, bytesMax);
    assert.equal(pages.flatMap(({ json }) => json.activeContracts).length, 2 * offsets.length);
  });

  it("parts of created events", () =>
    check(async (meanwhile) => {
      const taken: CreatedParts[] = [],
        cursor = success(
          ledger.openActiveContracts({
            activeAtOffset: ledger.ledgerEnd(),
            format: wildcard(alice),
            take: { parts: (parts) => taken.push(parts) },
          }),
        );
      while (taken.length < pieceElements) await cursor.read(pieceElements - taken.length, discard);
      await meanwhile();
      return taken.map(({ bytes, argumentStart, argumentEnd }) => bytes.toString("utf8", argumentStart, argumentEnd)).join();
    }));
});
