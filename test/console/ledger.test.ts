/** The console's ledger and transactions, clicked through. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { Client, type NodeProcess, startNodeProcess } from "../support/node-process.js";
import { create, createdIn, exercise, ledgerEffects, World } from "../scenarios/world.js";
import { storyDar, storyTemplate } from "../scenarios/story-model.js";
import { accessibilityFaults, assertClean, launch, open, pick, skip, told } from "./browser.js";
import { freePort } from "../support/ports.js";
import { temporaryFolder } from "../support/folders.js";

const hostile = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`;

describe("console", { skip }, () => {
  let world: World, browser: Browser, alice: string, bob: string, bank: string, tradeAt: number;
  before(async () => {
    browser = await launch();
    world = await World.start([storyDar]);
    [alice, bob, bank] = await world.parties("alice", "bob", "bank");
    const cash = async (owner: string, amount: string) =>
      createdIn(await world.transact([bank, owner], [create(storyTemplate("Cash"), { bank, owner, amount })])).contractId as string;
    const makerCash = await cash(alice, "500"),
      takerCash = await cash(bob, "750");
    const trade = createdIn(
      await world.transact([alice], [create(storyTemplate("Trade"), { maker: alice, taker: bob, makerCash })]),
    ).contractId;
    const settled = await world.transact([bob], [exercise(storyTemplate("Trade"), trade, "Settle", { takerCash })], { readAs: [alice] });
    tradeAt = settled.offset;
    await world.transact([alice], [create(storyTemplate("Note"), { owner: alice, reader: bob, text: hostile })]);
  });
  after(async () => {
    await browser.close();
    await world.stop();
  });

  test("console: the ledger shows active contracts with their payload, typed, and who sees them", { timeout: 120_000 }, async () => {
    const opened = await open(browser, world.node.port),
      { page } = opened;
    await page.locator(".contract-row").first().waitFor();
    assert.match(await page.locator(".tally").innerText(), /^3 contracts/);
    await page.locator(".contract-row", { hasText: "Cash" }).first().click();
    const detail = page.getByRole("complementary", { name: "Contract" });
    await detail.getByText("ContractId CashOffer").waitFor(); // what its choice returns
    await detail.locator(".tree").first().getByRole("link", { name: "bank", exact: true }).waitFor(); // parties are told by their names once they are listed
    const payload = await detail.locator(".tree").first().innerText();
    assert.match(payload.replaceAll("\n", " "), /^bankParty ?bank ownerParty ?(alice|bob) amountInt ?(500|750)$/);
    assert.deepEqual(await detail.locator(".choices a").allInnerTexts(), ["Offer", "Look"]);
    assertClean(opened);
    await page.close();
  });

  test(
    "console: it is filtered by party, template and text, and shows what was there at an earlier offset",
    { timeout: 120_000 },
    async () => {
      const { page } = await open(browser, world.node.port),
        rows = page.locator(".contract-row");
      await pick(page, page.getByRole("button", { name: /^Party/ }), "ban");
      await told(page, "2 contracts", true);
      await page.getByRole("searchbox").fill("alice cash"); // a number could be a part of some id
      await told(page, "1 of 2 contracts");
      await page.getByRole("searchbox").fill("");
      await page.goto(`http://127.0.0.1:${world.node.port}/#/ledger?offset=${tradeAt - 1}`);
      await told(page, "3 contracts", true);
      await page.locator(".contract-row", { hasText: "Trade" }).waitFor(); // rows are drawn after they are counted
      assert.match((await rows.allInnerTexts()).join(), /Trade/);
      await page.getByRole("button", { name: "now" }).click();
      await page.locator(".contract-row", { hasText: "Note" }).waitFor();
      assert.doesNotMatch((await rows.allInnerTexts()).join(), /Trade/);
      await page.close();
    },
  );

  test("console: of a three-party trade each party is drawn what the API gives it", { timeout: 120_000 }, async () => {
    const opened = await open(browser, world.node.port, `#/transactions?at=${tradeAt}`),
      { page } = opened;
    await page.locator(".event-row").first().waitFor();
    assert.equal(await page.locator(".event-row").count(), 9);
    for (const [party, hint] of [
      [alice, "alice"],
      [bob, "bob"],
      [bank, "bank"],
    ] as const) {
      const given: readonly number[] = await nodesGivenTo(party);
      await page.locator(".seen-by").getByRole("button", { name: hint, exact: true }).click();
      await page.getByText(`${hint} sees ${given.length} of 9 events`).waitFor();
      const drawn = await page
        .locator(".event-row:not(.is-hidden)")
        .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute("data-node"))));
      assert.deepEqual(drawn, given, hint);
      const column = await page.locator(`.event-row .column[title="${hint} sees this"]`).count();
      assert.equal(column, given.length, `dots of ${hint}`);
    }
    assert.deepEqual((await nodesGivenTo(bank)).length, 8);
    assertClean(opened);
    await page.close();
  });

  async function nodesGivenTo(party: string): Promise<readonly number[]> {
    const format = {
      includeTransactions: {
        transactionShape: ledgerEffects,
        eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: true },
      },
    };
    const { update } = (await world.client.post("/v2/updates/update-by-offset", { offset: tradeAt, updateFormat: format })).json();
    return update.Transaction.value.events.map(
      (event: Readonly<Record<string, { readonly nodeId: number }>>) => Object.values(event)[0]!.nodeId,
    );
  }

  test("console: markup in what a ledger holds is text, and runs nothing", { timeout: 120_000 }, async () => {
    const opened = await open(browser, world.node.port),
      { page } = opened;
    await page.locator(".contract-row", { hasText: "Note" }).click();
    await page.locator(".detail .value", { hasText: "onerror" }).waitFor();
    assert.equal(await page.locator(".detail img, .contract-row img").count(), 0);
    assert.equal(await page.evaluate("window.pwned"), undefined);
    assertClean(opened);
    await page.close();
  });

  test("console: a contract's life tells what used it, and what ended it", { timeout: 120_000 }, async () => {
    const cash = createdIn(await world.transact([bank, alice], [create(storyTemplate("Cash"), { bank, owner: alice, amount: "5" })]))
      .contractId as string;
    const looked = await world.transact([alice], [exercise(storyTemplate("Cash"), cash, "Look")]),
      other = createdIn(await world.transact([bank, alice], [create(storyTemplate("Cash"), { bank, owner: alice, amount: "6" })]))
        .contractId as string;
    await world.transact([alice], [exercise(storyTemplate("Cash"), other, "Look")]); // of the same template
    const lookedAgain = await world.transact([alice], [exercise(storyTemplate("Cash"), cash, "Look")]);
    const archived = await world.transact([alice], [exercise(storyTemplate("Cash"), cash, "Offer", { newOwner: bob })]);
    const opened = await open(browser, world.node.port, `#/ledger?contract=${cash}`),
      { page } = opened,
      life = page.locator(".life li");
    await life.getByText(`Look at ${lookedAgain.offset}`).waitFor();
    const [first, ...rest] = await life.allInnerTexts();
    assert.match(first!, /^created at /);
    assert.deepEqual(rest, [
      `Look at ${looked.offset} by alice`,
      `Look at ${lookedAgain.offset} by alice`,
      `archived at ${archived.offset} by Offer of alice`,
    ]);
    assertClean(opened);
    await page.close();
  });

  test("console: its colours are the system's as they change, until somebody chooses", { timeout: 90_000 }, async () => {
    const { page } = await open(browser, world.node.port, "", { colorScheme: "light" });
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    }
    await page.getByRole("button", { name: "Use dark colours" }).click();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Use light colours" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    await page.close();
  });

  for (const theme of ["light", "dark"] as const)
    test(`console: axe finds nothing serious (${theme})`, { timeout: 90_000 }, async () => {
      const { page } = await open(browser, world.node.port, "", { colorScheme: theme });
      for (const [hash, ready] of [
        ["#/ledger", ".contract-row"],
        [`#/transactions?at=${tradeAt}`, ".event-row"],
      ] as const) {
        await page.goto(`http://127.0.0.1:${world.node.port}/${hash}`);
        await page.locator(ready).first().waitFor();
        assert.deepEqual(await accessibilityFaults(page), [], hash);
      }
      await page.close();
    });
});

describe("console: live tail", { skip }, () => {
  const data = temporaryFolder("console");

  test(
    "console: the tail goes on behind what it had, through a pause and a restart of the node, and leaves nothing out",
    { timeout: 120_000 },
    async () => {
      const port = await freePort(),
        start = (): Promise<NodeProcess> => startNodeProcess(["--data", data, "--port", String(port)]);
      const browser = await launch();
      let node = await start();
      try {
        let number = 0;
        const allocate = async (times: number): Promise<void> => {
          const client = new Client(port);
          for (let index = 0; index < times; index++)
            assert.equal((await client.post("/v2/parties", { partyIdHint: `party-${number++}` })).status, 200);
          client.close();
        };
        const opened = await open(browser, port, "#/transactions"),
          { page } = opened;
        const offsets = (): Promise<number[]> =>
          page
            .locator(".update-row .offset")
            .evaluateAll((cells) => cells.map((cell) => Number(cell.textContent)).sort((left, right) => left - right));
        const shows = async (end: number): Promise<void> => {
          await page.locator(".update-row .offset", { hasText: new RegExp(`^${end}$`) }).waitFor();
          assert.deepEqual(
            await offsets(),
            Array.from({ length: end }, (_, index) => index + 1),
            "every offset, once",
          );
        };
        await allocate(2);
        await shows(3); // the first is the node's own party
        await page.getByRole("button", { name: "Pause" }).click();
        await allocate(2);
        await page.getByText("2 offsets behind").waitFor();
        assert.equal((await offsets()).at(-1), 3);
        await page.getByRole("button", { name: "Resume" }).click();
        await shows(5);
        await node.stop("SIGKILL");
        await page.getByText("the node is away", { exact: true }).waitFor();
        node = await start();
        await allocate(3);
        await shows(8);
        assertClean(opened);
      } finally {
        await browser.close();
        await node.stop();
      }
    },
  );
});
