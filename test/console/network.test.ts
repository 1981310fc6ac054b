/** The screen of networks, clicked through on the public packages: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { Json } from "../scenarios/world.js";
import { createdIn, generations, missing } from "../splice/real-network.js";
import { StandInWorld } from "../splice/stand-in-world.js";
import { Client, type NodeProcess, startNodeProcess } from "../support/node-process.js";
import { text } from "../support/knobs.js";
import { accessibilityFaults, assertClean, launch, open, pick, rowOf, skip } from "./browser.js";
import { temporaryFolder } from "../support/folders.js";

const timeout = 240_000;

describe("console: a network of stand-ins", { skip }, () => {
  test("console: where packages of the token standard are there is a network, with its rounds", { timeout }, async () => {
    const net = await StandInWorld.start(),
      browser = await launch();
    try {
      const opened = await open(browser, net.world.node.port, "#/network"),
        { page } = opened;
      await page.getByText("Nobody made a Splice network on this ledger").waitFor();
      assert.deepEqual(await page.getByRole("navigation", { name: "Parts of the network" }).getByRole("link").allInnerTexts(), [
        "Holdings",
        "Transfers",
        "Allocations",
        "Send",
      ]);
      await net.bootstrap();
      await page.reload();
      await page.getByRole("link", { name: "Rounds" }).click();
      await page.locator(".rounds tbody tr").first().waitFor();
      assert.deepEqual(
        await page
          .locator(".rounds tbody tr")
          .evaluateAll((rows) => rows.map((row) => `${row.children[0]?.textContent} ${row.children[1]?.textContent}`)),
        ["2 opens later", "1 open", "0 open"],
      );
      assert.deepEqual(await accessibilityFaults(page), []);
      assertClean(opened);
    } finally {
      await browser.close();
      await net.world.stop();
    }
  });
});

const packages = generations[1]!,
  preset = ["splice-dso-governance-0.1.28", "splice-wallet-0.1.23", "splice-validator-lifecycle-0.1.8"],
  trading = "splice-token-test-trading-app-1.0.0";
const absent = missing({ ...packages, dars: [...preset, trading] }),
  why = skip === false ? absent : skip;
const trade = "#splice-token-test-trading-app:Splice.Testing.Apps.TradingApp:OTCTrade",
  proposal = `${trade}Proposal`;

describe("console: a network of the public packages", { skip: why }, () => {
  const folder = temporaryFolder("console-network");
  let node: NodeProcess,
    client: Client,
    browser: Browser,
    dso: string,
    alice: string,
    bob: string,
    venue: string,
    commands = 0;
  const ask = async (path: string, body?: Json): Promise<Json> => {
    const answer = body === undefined ? await client.get(path) : await client.post(path, body);
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.text === "" ? undefined : answer.json();
  };
  const party = async (partyIdHint: string): Promise<string> => (await ask("/v2/parties", { partyIdHint })).partyDetails.party;
  const command = async (actAs: readonly string[], one: Json, readAs: readonly string[] = []): Promise<Json> =>
    (
      await ask("/v2/commands/submit-and-wait-for-transaction", {
        commands: { commands: [one], commandId: `test-${++commands}`, actAs, readAs, userId: "test" },
      })
    ).transaction;

  before(async () => {
    for (const name of preset) copyFileSync(join(text("LEDGERLINE_REAL_DARS")!, `${name}.dar`), join(folder, `${name}.dar`));
    node = await startNodeProcess(["--memory", "--splice", folder, "--no-automation", "close-votes"]);
    client = new Client(node.port);
    browser = await launch();
    assert.equal((await client.post("/v2/dars", readFileSync(join(text("LEDGERLINE_REAL_DARS")!, `${trading}.dar`)))).status, 200);
    dso = (await ask("/api/scan/v0/dso-party-id")).dso_party_id;
    [alice, bob, venue] = [await party("alice"), await party("bob"), await party("venue")];
  });
  after(async () => {
    await browser.close();
    client.close();
    await node.stop();
    rmSync(folder, { recursive: true });
  });

  const show = (page: Page, tab: string): Promise<unknown> =>
    page.getByRole("navigation", { name: "Parts of the network" }).getByRole("link", { name: tab }).click();
  const recorded = (page: Page) => page.getByText("Recorded at offset").first().waitFor();
  /** As the ledger tells it. */
  async function held(owner: string): Promise<number> {
    const { offset } = await ask("/v2/state/ledger-end");
    const contracts = await ask("/v2/state/active-contracts?limit=100", {
      activeAtOffset: offset,
      eventFormat: {
        filtersByParty: {
          [owner]: {
            cumulative: [{ identifierFilter: { TemplateFilter: { value: { templateId: "#splice-amulet:Splice.Amulet:Amulet" } } } }],
          },
        },
      },
    });
    return contracts
      .map(({ contractEntry }: Json) => contractEntry.JsActiveContract.createdEvent.createArgument)
      .filter((one: Json) => one.owner === owner)
      .reduce((sum: number, one: Json) => sum + Number(one.amount.initialAmount), 0);
  }
  const shownOf = async (page: Page, name: string): Promise<string> =>
    page.locator(".sum-row", { hasText: name }).locator(".amount").innerText();

  test("console: Amulet is tapped, sent, and what is on its way accepted, rejected and withdrawn", { timeout }, async () => {
    const opened = await open(browser, node.port, "#/network"),
      { page } = opened;
    await show(page, "Tap");
    await pick(page, rowOf(page, "Receiver").getByRole("button"), "alice");
    await page.getByRole("button", { name: "Tap", exact: true }).click();
    await recorded(page);
    for (const [step, amount] of [
      ["Accept", "7.5"],
      ["Reject", "1"],
      ["Withdraw", "2"],
    ] as const) {
      await show(page, "Send");
      await pick(page, rowOf(page, "Sender").getByRole("button"), "alice");
      await pick(page, rowOf(page, "Receiver").getByRole("button"), "bob");
      await page.getByLabel("Amount").fill(amount);
      await page.locator("form .primary").click();
      await recorded(page);
      await show(page, "Transfers");
      await page.getByRole("button", { name: step }).click();
      await recorded(page);
      await page.getByText("No transfer waits for anybody.").waitFor();
    }
    await show(page, "Holdings");
    await page.locator(".sum-row", { hasText: "bob" }).waitFor();
    assert.deepEqual([await shownOf(page, "alice"), await shownOf(page, "bob")], ["92.5", "7.5"]);
    assert.deepEqual([await held(alice), await held(bob)], [92.5, 7.5]);
    assertClean(opened);
    await page.close();
  });

  async function askToAllocate(): Promise<void> {
    const leg = (sender: string, receiver: string, amount: string): Json => ({
      sender,
      receiver,
      amount,
      instrumentId: { admin: dso, id: "Amulet" },
      meta: { values: {} },
    });
    const proposed = createdIn(
      await command([alice], {
        CreateCommand: {
          templateId: proposal,
          createArguments: {
            venue,
            tradeCid: null,
            transferLegs: { leg0: leg(alice, bob, "30.0"), leg1: leg(bob, alice, "2.0") },
            approvers: [alice],
          },
        },
      }),
      "OTCTradeProposal",
    );
    const accepted = createdIn(
      await command(
        [bob],
        {
          ExerciseCommand: {
            templateId: proposal,
            contractId: proposed.contractId,
            choice: "OTCTradeProposal_Accept",
            choiceArgument: { approver: bob },
          },
        },
        [alice],
      ),
      "OTCTradeProposal",
    );
    const times = {
      prepareUntil: new Date(Date.now() + 3_600_000).toISOString(),
      settleBefore: new Date(Date.now() + 7_200_000).toISOString(),
    };
    await command([venue], {
      ExerciseCommand: {
        templateId: proposal,
        contractId: accepted.contractId,
        choice: "OTCTradeProposal_InitiateSettlement",
        choiceArgument: times,
      },
    });
  }

  test("console: what an app asks for is set aside, taken back, and refused", { timeout }, async () => {
    await askToAllocate();
    const opened = await open(browser, node.port, "#/network?show=allocations"),
      { page } = opened;
    const asked = page.getByRole("list", { name: "Requests to set something aside" }).locator("> li"),
      aside = page.getByRole("list", { name: "What is set aside" }).locator("> li");
    await asked.getByRole("button", { name: "Accept as alice" }).click();
    await aside.first().waitFor();
    assert.match(await aside.first().innerText(), /30\s+Amulet/);
    await show(page, "Holdings");
    await page.locator(".sum-row", { hasText: "alice" }).getByText("30 locked").waitFor();
    await show(page, "Allocations");
    await aside.getByRole("button", { name: "Withdraw as alice" }).click();
    await aside.first().waitFor({ state: "detached" });
    await asked.getByRole("button", { name: "Reject as bob" }).click();
    await asked.first().waitFor({ state: "detached" });
    assert.equal(await held(alice), 92.5);
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened);
    await page.close();
  });

  test("console: a vote is cast, and shown as it was cast", { timeout }, async () => {
    const { sv_party_id: requester } = await ask("/api/sv/v1/dso"),
      action = { tag: "ARC_DsoRules", value: { dsoAction: { tag: "SRARC_GrantFeaturedAppRight", value: { provider: alice } } } };
    await ask("/api/sv/v0/admin/sv/voterequest/create", {
      requester,
      action,
      url: "",
      description: "<b>why not</b>",
      expiration: { microseconds: "600000000" },
    });
    const opened = await open(browser, node.port, "#/network?show=votes"),
      { page } = opened,
      vote = page.getByRole("list", { name: "Open votes" }).locator("> li");
    await vote.getByText("1 yes, 0 no").waitFor();
    assert.match(await vote.innerText(), /SRARC_GrantFeaturedAppRight[\s\S]*<b>why not<\/b>/);
    await vote.getByRole("button", { name: "Reject" }).click();
    await vote.getByText("0 yes, 1 no").waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    assertClean(opened);
    await page.close();
  });

  test("console: the forms create an Amulet and archive it", { timeout }, async () => {
    const opened = await open(browser, node.port, "#/do?form=create"),
      { page } = opened;
    await pick(page, rowOf(page, "Template").getByRole("button"), "Splice.Amulet:Amulet splice-amulet 0.1.22");
    for (const name of ["DSO", "bob"]) await pick(page, rowOf(page, "Act as").getByRole("button").last(), name);
    await pick(page, rowOf(page, "dso").getByRole("button"), "DSO");
    await pick(page, rowOf(page, "owner").getByRole("button"), "bob");
    for (const [field, value] of [
      ["initialAmount", "3.25"],
      ["number", "0"],
      ["rate", "0.00002"],
    ] as const)
      await page.getByRole("textbox", { name: new RegExp(`^${field}`) }).fill(value);
    await page.locator("form .primary").click();
    await recorded(page);
    assert.equal(await held(bob), 10.75);
    await page.getByRole("link", { name: "look at it" }).click();
    await page.getByRole("complementary", { name: "Contract" }).getByText("As Splice.Api.Token.HoldingV1:Holding").waitFor();
    await page.locator(".choices a", { hasText: "Archive" }).click();
    for (const name of ["DSO", "bob"]) await pick(page, rowOf(page, "Act as").getByRole("button").last(), name);
    await page.locator("form .primary").click();
    await recorded(page);
    assert.equal(await held(bob), 7.5);
    assertClean(opened);
    await page.close();
  });

  for (const [theme, width] of [
    ["light", 1280],
    ["dark", 400],
  ] as const)
    test(`console: axe finds nothing serious on the network's parts (${theme}, ${width} pixels wide)`, { timeout }, async () => {
      const { page } = await open(browser, node.port, "#/network", { colorScheme: theme, viewport: { width, height: 800 } });
      for (const [tab, ready] of [
        ["holdings", ".sum-row"],
        ["transfers", ".empty"],
        ["send", "form"],
        ["tap", "form"],
        ["rounds", ".rounds tbody tr"],
        ["votes", ".move"],
      ] as const) {
        await page.goto(`http://127.0.0.1:${node.port}/#/network?show=${tab}`);
        await page.locator(ready).first().waitFor();
        assert.deepEqual(await accessibilityFaults(page), [], tab);
        assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${tab} fits ${width} pixels`);
      }
      await page.close();
    });
});
