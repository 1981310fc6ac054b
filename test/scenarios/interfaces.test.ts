/** Reading by interface: views for each party that asks, views that fail, and implementations that come while readers follow. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  acsDelta,
  create,
  createdIn,
  eventFormat,
  eventsOf,
  exercise,
  ledgerEffects,
  ofInterface,
  ofTemplate,
  transactionsOf,
  World,
  type Json,
} from "./world.js";
import { anyShape, circle, circlesDar, ellipse, ellipsesDar, square, squaresDar, squaresOfVersion } from "./shapes-model.js";

let world: World, alice: string, bob: string, carol: string;
before(async () => {
  world = await World.start([squaresDar]);
  [alice, bob, carol] = await world.parties("alice", "bob", "carol");
});
after(() => world.stop());

const squareOf = (side: number, changes: Json = {}): Promise<Json> =>
  world.create([alice], square, { owner: alice, viewer: bob, side: String(side), ...changes });
const updatesBy = (begin: number, parties: readonly string[], filters: readonly Json[], shape = acsDelta): Json => ({
  beginExclusive: begin,
  updateFormat: { includeTransactions: { transactionShape: shape, eventFormat: eventFormat({ parties, filters }) } },
});
/** Of a list and of a WebSocket, whose traces differ. */
const listedAndStreamed = async (path: string, request: Json): Promise<readonly Json[][]> => {
  const listed = await world.client.post(`${path}?limit=200`, request);
  assert.equal(listed.status, 200, listed.text);
  return [listed.json(), await world.stream(path, request)];
};
const contractsIn = (entries: readonly Json[]): Json[] => entries.map((entry) => entry.contractEntry.JsActiveContract.createdEvent);

describe("views", () => {
  it("stakeholders who ask for the interface are given its view, with the blob where they ask for it, and nobody else", async () => {
    const { contractId, createdEventBlob } = await squareOf(5),
      at = await world.ledgerEnd();
    for (const party of [alice, bob]) {
      for (const withBlob of [false, true]) {
        const [created] = (await world.activeContracts({ parties: [party], at, filters: [ofInterface(anyShape, true, withBlob)] })).filter(
          (one) => one.contractId === contractId,
        );
        const [transaction] = await world.transactions({
          parties: [party],
          begin: at - 1,
          end: at,
          filters: [ofInterface(anyShape, true, withBlob)],
        });
        assert.deepEqual(createdIn(transaction), { kind: "created", ...created });
        assert.deepEqual(
          [created.interfaceViews.length, created.interfaceViews[0].viewValue, created.interfaceViews[0].viewStatus.code],
          [1, { sides: "4", perSide: "20" }, 0],
        );
        assert.deepEqual([created.createdEventBlob, created.witnessParties], [withBlob ? createdEventBlob : "", [party]]);
      }
    }
    const [unasked] = (await world.activeContracts({ parties: [alice], at, filters: [ofInterface(anyShape, false)] })).filter(
      (one) => one.contractId === contractId,
    );
    assert.deepEqual(unasked.interfaceViews, []);
    assert.deepEqual(await world.activeContracts({ parties: [carol], at, filters: [ofInterface(anyShape)] }), []);
    assert.deepEqual(await world.transactions({ parties: [carol], end: at, filters: [ofInterface(anyShape)] }), []);
  });

  it("one that fails is told by its status, with the views beside it; list and WebSocket go on", async () => {
    const begin = await world.ledgerEnd(),
      contracts = [await squareOf(4), await squareOf(0), await squareOf(2)],
      end = await world.ledgerEnd();
    const wanted = [{ sides: "4", perSide: "25" }, null, { sides: "4", perSide: "50" }];
    const active = await listedAndStreamed("/v2/state/active-contracts", {
      activeAtOffset: end,
      eventFormat: eventFormat({ parties: [alice], filters: [ofInterface(anyShape)] }),
    });
    const updates = await Promise.all(
      [acsDelta, ledgerEffects].map((shape) =>
        listedAndStreamed("/v2/updates", { ...updatesBy(begin, [alice], [ofInterface(anyShape)], shape), endInclusive: end }),
      ),
    );
    const reads = [...active.map(contractsIn), ...updates.flat().map((elements) => transactionsOf(elements).flatMap(eventsOf))];
    for (const events of reads) {
      const created = contracts.map(({ contractId }) => events.find((event) => event.contractId === contractId));
      const views = created.map(({ interfaceViews: [view] }) => view);
      assert.deepEqual(
        views.map(({ viewValue }) => viewValue),
        wanted,
      );
      const { viewStatus } = views[1];
      assert.notEqual(viewStatus.code, 0);
      assert.match(viewStatus.message, /^DAML_FAILURE\(\d+,[0-9a-f]{8}\): .*DIV_INT64/);
      const { metadata } = viewStatus.details[0].valueDecoded;
      assert.deepEqual(
        [metadata.participant, metadata.tid.startsWith(/,([0-9a-f]{8})/.exec(viewStatus.message)![1]!)],
        ["ledgerline", true],
      );
    }
    const single = await world.client.post("/v2/events/events-by-contract-id", {
      contractId: contracts[1].contractId,
      eventFormat: eventFormat({ parties: [alice], filters: [ofInterface(anyShape)] }),
    });
    assert.deepEqual([single.status, single.json().created.createdEvent.interfaceViews[0].viewValue], [200, null]);
  });
});

describe("implemented interfaces", () => {
  it("what ends a contract names those whose view is asked for, and no others; what only uses it names none", async () => {
    const { contractId } = await squareOf(3),
      begin = await world.ledgerEnd();
    for (const choice of ["Trace", "Erase"]) await world.transact([alice], [exercise(square, contractId, choice)]);
    const toldBy = async (shape: typeof acsDelta | typeof ledgerEffects, filters: readonly Json[]): Promise<Json> =>
      (await world.transactions({ parties: [alice], begin, shape, filters }))
        .flatMap(eventsOf)
        .map(({ kind, choice, implementedInterfaces }) => [
          choice ?? kind,
          implementedInterfaces.map((id: string) => id.slice(id.indexOf(":"))),
        ]);
    const asked: readonly (readonly [Json[], string[]])[] = [
      [[ofInterface(anyShape)], [":Shapes:Shape"]],
      [[ofInterface(anyShape, false)], []],
      [[ofInterface(anyShape, false), ofInterface(anyShape)], [":Shapes:Shape"]],
      [[ofTemplate(square)], []],
    ];
    for (const [filters, named] of asked) {
      assert.deepEqual(await toldBy(acsDelta, filters), [["archived", named]]);
      assert.deepEqual(await toldBy(ledgerEffects, filters), [
        ["Trace", []],
        ["Erase", named],
      ]);
    }
  });
});

describe("implementations", () => {
  it("a package that is uploaded meanwhile extends a running stream and a waiting list by interface", async () => {
    const begin = await world.ledgerEnd(),
      request = updatesBy(begin, [alice], [ofInterface(anyShape)]);
    const channel = await world.open("/v2/updates", request),
      waiting = world.client.post("/v2/updates?limit=2&stream_idle_timeout_ms=10000", request);
    const first = await squareOf(1);
    await channel.until((element) => element.update.Transaction?.value.offset === first.offset);
    await world.upload(circlesDar);
    const second = await world.create([alice], circle, { owner: alice, viewer: alice, side: "7" });
    await channel.until((element) => element.update.Transaction?.value.offset === second.offset);
    await channel.close();
    const listed = await waiting;
    assert.equal(listed.status, 200, listed.text);
    for (const elements of [channel.elements, listed.json()]) {
      const seen = transactionsOf(elements).map((transaction) => createdIn(transaction));
      assert.deepEqual(
        seen.map(({ contractId, interfaceViews: [view] }) => [contractId, view.viewValue]),
        [
          [first.contractId, { sides: "4", perSide: "100" }],
          [second.contractId, { sides: "0", perSide: "7" }],
        ],
      );
    }
  });

  it("a filter by interface finds what the filters of all templates that implement it find together", async () => {
    const idsBy = async (...filters: Json[]): Promise<string[]> =>
      (await world.activeContracts({ parties: [alice], filters })).map(({ contractId }) => contractId);
    const byInterface = ofInterface(anyShape, false),
      all = await idsBy(byInterface);
    assert.ok(all.length >= 2);
    assert.deepEqual(all, await idsBy(ofTemplate(square), ofTemplate(circle)));
    const offsetsBy = async (...filters: Json[]): Promise<number[]> =>
      (await world.transactions({ parties: [alice], filters, shape: ledgerEffects })).map(({ offset }) => offset);
    assert.deepEqual(await offsetsBy(byInterface), await offsetsBy(ofTemplate(square), ofTemplate(circle)));
  });

  it("a stream that runs keeps the version that it computed views by; who asks after an upgrade gets them by the newest", async () => {
    const dora = await world.party("dora"),
      begin = await world.ledgerEnd(),
      squareOfDora = (side: string): Promise<Json> => world.create([dora], square, { owner: dora, viewer: dora, side }),
      follow = (shape: typeof acsDelta | typeof ledgerEffects, from = begin) =>
        world.open("/v2/updates", updatesBy(from, [dora], [ofInterface(anyShape)], shape));
    const followers = await Promise.all([follow(acsDelta), follow(ledgerEffects)]);
    const older = await squareOfDora("5"),
      late = await follow(acsDelta, older.offset);
    for (const channel of followers) await channel.until((element) => element.update.Transaction?.value.offset === older.offset);
    await world.upload(squaresOfVersion("1.1.0", 5n));
    const newer = await squareOfDora("2");
    assert.notEqual(newer.templateId, older.templateId);
    const viewsIn = (created: readonly Json[]): Json[] =>
      created.map(({ interfaceViews: [view] }) => [view.viewValue, `${view.implementationPackageId}:Shapes:Square`]);
    const byOlder = [
      [{ sides: "4", perSide: "20" }, older.templateId],
      [{ sides: "4", perSide: "50" }, older.templateId],
    ];
    const byNewer = byOlder.map(([view]) => [{ ...(view as Json), sides: "5" }, newer.templateId]);
    const readers = [...followers.map((channel) => ({ channel, views: byOlder })), { channel: late, views: byNewer.slice(1) }];
    for (const { channel, views } of readers) {
      await channel.until((element) => element.update.Transaction?.value.offset === newer.offset);
      assert.deepEqual(viewsIn(transactionsOf(channel.elements).map((transaction) => createdIn(transaction))), views);
      await channel.close();
    }
    const reading = { parties: [dora], filters: [ofInterface(anyShape)] };
    assert.deepEqual(viewsIn(await world.activeContracts(reading)), byNewer);
    assert.deepEqual(viewsIn((await world.transactions(reading)).map((transaction) => createdIn(transaction))), byNewer);
  });

  it("a version that is to be vetted later computes views already, one that is vetted until some day does not", async () => {
    const eve = await world.party("eve"),
      day = "2090-01-01T00:00:00Z";
    await world.create([eve], square, { owner: eve, viewer: eve, side: "5" });
    const vet = async (packageVersion: string, bounds: Json = {}): Promise<void> => {
      const value = { packages: [{ packageName: "squares", packageVersion }], ...bounds };
      const reply = await world.client.post("/v2/package-vetting/update", { changes: [{ operation: { Vet: { value } } }] });
      assert.equal(reply.status, 200, reply.text);
    };
    const view = async (): Promise<Json> => {
      const active = await world.client.post("/v2/state/active-contracts", {
        activeAtOffset: await world.ledgerEnd(),
        eventFormat: eventFormat({ parties: [eve], filters: [ofInterface(anyShape)] }),
      });
      return contractsIn(active.json())[0].interfaceViews[0];
    };
    await vet("1.1.0", { newValidFromInclusive: day });
    assert.equal((await view()).viewValue.sides, "5");
    await vet("1.1.0", { newValidUntilExclusive: day });
    assert.equal((await view()).viewValue.sides, "4");
    await vet("1.0.0", { newValidUntilExclusive: day });
    const { viewValue, viewStatus } = await view();
    assert.equal(viewValue, null);
    assert.match(viewStatus.message, /^NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE/);
    for (const version of ["1.0.0", "1.1.0"]) await vet(version);
    assert.equal((await view()).viewValue.sides, "5");
  });

  it("a vetted version with an implementation computes them, if it has not even the template", async () => {
    const fay = await world.party("fay");
    await world.upload(ellipsesDar);
    await world.create([fay], ellipse, { owner: fay, viewer: fay, side: "5" });
    const value = { packages: [{ packageName: "circles", packageVersion: "1.1.0" }] },
      reply = await world.client.post("/v2/package-vetting/update", { changes: [{ operation: { Unvet: { value } } }] });
    assert.equal(reply.status, 200, reply.text);
    const active = await world.client.post("/v2/state/active-contracts", {
      activeAtOffset: await world.ledgerEnd(),
      eventFormat: eventFormat({ parties: [fay], filters: [ofInterface(anyShape)] }),
    });
    const [{ interfaceViews }] = contractsIn(active.json()),
      [{ viewValue, viewStatus, implementationPackageId }] = interfaceViews;
    assert.deepEqual([viewValue, viewStatus.code], [null, 3]);
    assert.match(viewStatus.message, /^COMMAND_PREPROCESSING_FAILED.*Ellipses:Ellipse/);
    assert.match(viewStatus.message, new RegExp(implementationPackageId));
  });

  it("a name that is no interface, or no template, is refused by its code, by list and WebSocket alike", async () => {
    const end = await world.ledgerEnd();
    for (const [filter, code, cause] of [
      [
        ofInterface(square),
        "NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
        /interface-id uploaded .*: \[\(squares,Shapes:Square\)\]\.$/,
      ],
      [
        ofTemplate(anyShape),
        "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME",
        /template-id uploaded .*: \[\(shapes-api,Shapes:Shape\)\]\.$/,
      ],
      [ofInterface("#nope:Shapes:Shape"), "PACKAGE_NAMES_NOT_FOUND", /upgradable packages uploaded .*: \[nope\]\.$/],
    ] as const) {
      const refused = (await world.client.post("/v2/updates", updatesBy(0, [alice], [filter]))).json();
      assert.match(refused.cause, /^The following package/);
      assert.match(refused.cause, cause);
      assert.deepEqual(await world.refusedRead("/v2/updates", updatesBy(0, [alice], [filter])), [404, code]);
      assert.deepEqual(
        await world.refusedRead("/v2/state/active-contracts", {
          activeAtOffset: end,
          eventFormat: eventFormat({ parties: [alice], filters: [filter] }),
        }),
        [404, code],
      );
    }
    assert.equal((await world.submit([alice], [create(square, { owner: alice, viewer: bob, side: "1" })])).status, 200);
  });
});
