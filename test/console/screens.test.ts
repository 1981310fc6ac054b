/** What screens offer beside what they show first: times, orders, links, drawings, and the request behind each form. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import type { Type } from "../../src/lf/ast.js";
import { create, createdIn, exercise, World } from "../scenarios/world.js";
import { storyDar, storyTemplate } from "../scenarios/story-model.js";
import { buildDar, buildPackage, ModuleBuilder, type } from "../support/lf-builder.js";
import { testData } from "../support/paths.js";
import { assertClean, launch, open, pick, rowOf, skip } from "./browser.js";
import { freePort } from "../support/ports.js";

const timeout = 180_000;

/** A package whose template got fields. */
function grown(version: string, fields: Readonly<Record<string, Type>>): Uint8Array {
  const module = new ModuleBuilder("Grown");
  module.template("Plant", { fields: { owner: type.party, ...fields }, signatories: (self) => [self("owner")] });
  return buildDar(buildPackage({ name: "grown", version, modules: [module] }));
}

describe("console: screens", { skip }, () => {
  let world: World, browser: Browser, alice: string, bob: string, bank: string, asset: string, settledAt: number;
  const at = (hash: string): string => `http://127.0.0.1:${world.node.port}/${hash}`;
  before(async () => {
    browser = await launch();
    world = await World.start([storyDar, readFileSync(testData("quickstart.dar"))]);
    [alice, bob, bank] = await world.parties("alice", "bob", "bank");
    const cash = async (owner: string, amount: string): Promise<string> =>
      createdIn(await world.transact([bank, owner], [create(storyTemplate("Cash"), { bank, owner, amount })])).contractId;
    const makerCash = await cash(alice, "500"),
      takerCash = await cash(bob, "750");
    asset = createdIn(
      await world.transact([alice], [create("#ref-model:M:Asset", { issuer: alice, owner: alice, name: "gold", amount: "7" })]),
    ).contractId;
    const trade = createdIn(
      await world.transact([alice], [create(storyTemplate("Trade"), { maker: alice, taker: bob, makerCash })]),
    ).contractId;
    settledAt = (await world.transact([bob], [exercise(storyTemplate("Trade"), trade, "Settle", { takerCash })], { readAs: [alice] }))
      .offset;
    await world.upload(grown("1.0.0", {}));
    await world.upload(grown("1.1.0", { note: type.optional(type.text) }));
  });
  after(async () => {
    await browser.close();
    await world.stop();
  });

  const end = async (): Promise<number> => (await world.client.get("/v2/state/ledger-end")).json().offset;
  const shownOffsets = (page: Page): Promise<number[]> =>
    page.locator(".contract-row .when .mono").evaluateAll((cells) => cells.map((cell) => Number(cell.textContent!.replaceAll(",", ""))));

  test("console: on a page of 400 points each row still says what it is, and nothing is wider than the page", { timeout }, async () => {
    const opened = await open(browser, world.node.port, "", { viewport: { width: 400, height: 800 } }),
      { page } = opened;
    for (const [hash, name] of [
      ["#/ledger", ".contract-row .what strong"],
      ["#/transactions", ".update-row .step"],
      ["#/packages", ".package-row .what strong"],
    ] as const) {
      await page.goto(at(hash));
      await page.locator(name).first().waitFor();
      const cut = await page
        .locator(name)
        .evaluateAll((all) =>
          all.filter((one) => one.clientWidth < 20 || one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent),
        );
      assert.deepEqual(
        cut.filter((text) => text!.length < 20),
        [],
        `${hash}: names that are cut`,
      );
      assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${hash} is wider than the page`);
    }
    assertClean(opened);
    await page.close();
  });

  test("console: contracts are sorted, narrowed to one template by a click, and to an interface by its name", { timeout }, async () => {
    const opened = await open(browser, world.node.port),
      { page } = opened,
      rows = page.locator(".contract-row");
    await page.getByText("3 contracts", { exact: true }).waitFor();
    const newest = await shownOffsets(page);
    assert.deepEqual(
      newest,
      [...newest].sort((left, right) => right - left),
    );
    await page.getByLabel("Sort").selectOption("oldest");
    await page.waitForFunction(`document.querySelector(".contract-row .when .mono").textContent === "${newest.at(-1)}"`);
    assert.deepEqual(await shownOffsets(page), [...newest].reverse());
    await page.getByLabel("Sort").selectOption("template");
    await rows.first().filter({ hasText: "Asset" }).waitFor();
    const cashOnly = page.getByRole("group", { name: "Templates here" }).getByRole("button", { name: /^Cash/ });
    await cashOnly.click();
    await page.getByText("2 of 3 contracts").waitFor();
    await cashOnly.click();
    await pick(page, page.getByRole("button", { name: /^Template/ }), "Holding (interface)");
    await page.getByText("1 contract", { exact: true }).waitFor();
    await rows.filter({ hasText: "Asset" }).click();
    const detail = page.getByRole("complementary", { name: "Contract" });
    await detail.getByText("As M:Holding").waitFor();
    const view = detail.locator("section", { hasText: "As M:Holding" }).locator(".tree");
    await view.locator(".party").waitFor(); // types come after values
    assert.match((await view.innerText()).replaceAll("\n", " "), /^ownerParty ?alice amountInt ?7$/);
    assert.deepEqual(await detail.locator("section", { hasText: "Who sees it" }).locator("dd").allInnerTexts(), [
      "alice",
      "nobody",
      "alice",
    ]);
    assertClean(opened);
    await page.close();
  });

  test("console: the slider goes through time, by mouse", { timeout }, async () => {
    const opened = await open(browser, world.node.port),
      { page } = opened,
      slider = page.getByLabel("At offset").first(),
      number = page.getByLabel("Offset", { exact: true });
    await page.getByText("3 contracts", { exact: true }).waitFor();
    const box = (await slider.boundingBox())!;
    await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 8 });
    await page.waitForURL(/offset=\d+/); // while it is held
    await page.mouse.move(box.x + 2, box.y + box.height / 2, { steps: 8 });
    await page.mouse.up();
    await page.getByText("No active contracts here.").waitFor();
    assert.equal(await number.inputValue(), "0");
    await number.fill(String(settledAt - 1));
    await page.waitForTimeout(2_500); // it is drawn anew while one writes
    await number.press("Enter");
    await page.locator(".contract-row", { hasText: "Trade" }).waitFor();
    await page.getByRole("button", { name: "now" }).click();
    await page.locator(".contract-row", { hasText: "Trade" }).waitFor({ state: "detached" });
    assert.equal(await number.inputValue(), String(await end()));
    assertClean(opened);
    await page.close();
  });

  test("console: a transaction tells its time, command and cost, and leads to what it used and left behind", { timeout }, async () => {
    const opened = await open(browser, world.node.port, "#/transactions"),
      { page } = opened,
      detail = page.getByRole("complementary", { name: "Update" });
    await page.locator(".update-row", { hasText: "Settle on Trade" }).click();
    await page.locator(".event-row").first().waitFor();
    const { update } = (
      await world.client.post("/v2/updates/update-by-offset", {
        offset: settledAt,
        updateFormat: {
          includeTransactions: {
            transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
            eventFormat: { filtersForAnyParty: { cumulative: [] }, verbose: true },
          },
        },
      })
    ).json();
    const told = await detail.locator("section", { hasText: "Submission" }).locator("dl").innerText();
    const { commandId, effectiveAt, updateId, paidTrafficCost } = update.Transaction.value;
    for (const fact of [commandId, effectiveAt.slice(0, 10), effectiveAt.slice(11, 19), updateId]) assert.ok(told.includes(fact), fact);
    assert.ok(told.includes(`Traffic cost\n${paidTrafficCost ?? "none"}\n`), told);
    const contracts = detail.locator("section", { hasText: "Left behind" }),
      used = contracts.locator(".facts > div", { hasText: "Used" }).locator("a"),
      left = contracts.locator(".facts > div", { hasText: "Left behind" }).locator("a");
    assert.deepEqual([await used.count(), await left.count()], [3, 2]);
    const target = await left.first().getAttribute("title");
    await left.first().click();
    await page.getByRole("complementary", { name: "Contract" }).locator(".id", { hasText: target! }).waitFor();
    await page.locator(".life a", { hasText: `created at ${settledAt}` }).click();
    await page.locator(".event-row").first().waitFor();
    await used.first().click();
    await page.locator(".badge.is-archived").waitFor();
    await page.locator(".life a", { hasText: `archived at ${settledAt}` }).waitFor();
    assertClean(opened);
    await page.close();
  });

  test("console: a package tells what its next version adds, and leads there and back", { timeout }, async () => {
    const opened = await open(browser, world.node.port, "#/packages"),
      { page } = opened,
      detail = page.getByRole("complementary", { name: "Package" });
    await page.getByRole("searchbox").fill("grown");
    await page.locator(".package-row", { hasText: "1.1.0" }).click();
    await detail.getByText("From 1.0.0 to 1.1.0").waitFor();
    const differences = detail.getByRole("list", { name: "Differences" }).locator("li");
    await differences.first().waitFor();
    assert.deepEqual(
      (await differences.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ")),
      ["added field note : Optional Text of Grown:Plant"],
    );
    await differences.getByRole("link").click();
    await page.locator("pre.daml.is-wanted", { hasText: /note : Optional Text/ }).waitFor();
    await detail.locator(".versions a", { hasText: "1.0.0" }).click();
    await detail.getByText("From 1.0.0 to 1.1.0").waitFor();
    await page.getByRole("searchbox").fill("ref-model");
    await page.locator(".package-row").first().click();
    await detail.locator(".graph path").first().waitFor({ state: "attached" }); // dependencies are drawn
    const needed = detail.locator(".graph").getByRole("list", { name: "Uses" }).getByRole("link").first(),
      id = await needed.getAttribute("title");
    await needed.click();
    await page.waitForURL(new RegExp(`id=${id}`));
    assertClean(opened);
    await page.close();
  });

  test("console: of several versions of a template the one that was chosen is created", { timeout }, async () => {
    const opened = await open(browser, world.node.port, "#/do?form=create"),
      { page } = opened;
    await pick(page, rowOf(page, "Template").getByRole("button"), "Grown:Plant 1.0.0");
    await rowOf(page, "Template").getByText("Grown:Plant 1.0.0").waitFor();
    await pick(page, rowOf(page, "Act as").getByRole("button").last(), "alice");
    await pick(page, rowOf(page, "owner").getByRole("button"), "alice");
    await page.locator("form .primary").click();
    await page.getByText("Recorded at offset").waitFor();
    const chosen = decodeURIComponent(/template=([^&]+)/.exec(page.url())![1]!);
    await page.getByRole("link", { name: "look at it" }).click();
    await page.locator(`.tree`).waitFor();
    const contractId = /contract=(\w+)/.exec(page.url())![1]!;
    const { created } = (
      await world.client.post("/v2/events/events-by-contract-id", {
        contractId,
        eventFormat: { filtersForAnyParty: { cumulative: [] }, verbose: true },
      })
    ).json();
    assert.equal(created.createdEvent.templateId, chosen);
    assertClean(opened);
    await page.close();
  });

  test("console: every form shows its request as JSON and as a line for a terminal that does the same", { timeout }, async () => {
    const opened = await open(browser, world.node.port),
      { page } = opened,
      json = page.locator(".request pre").first(),
      curl = page.locator(".request pre.curl");
    /** What a shell makes of the line. */
    const bodyOf = (line: string): unknown => JSON.parse(/ -d '(.*)'$/s.exec(line)![1]!.replaceAll("'\\''", "'"));
    for (const [hash, path, ready] of [
      ["#/do?form=create&template=" + (await templateId()), "/v2/commands/submit-and-wait-for-transaction", "fieldset .form-row"],
      [`#/do?form=exercise&contract=${asset}&choice=Transfer`, "/v2/commands/submit-and-wait-for-transaction", "fieldset .form-row"],
      ["#/do?form=party", "/v2/parties", "#hint"],
    ] as const) {
      await page.goto(at(hash));
      await page.locator(ready).first().waitFor();
      await page.waitForTimeout(300);
      const line = await curl.innerText();
      assert.ok(line.startsWith(`curl -s 'http://127.0.0.1:${world.node.port}${path}' `), line);
      assert.deepEqual(bodyOf(line), JSON.parse(await json.innerText()), hash);
    }
    await page.locator("#hint").fill("carol's");
    assert.deepEqual(bodyOf(await curl.innerText()), { partyIdHint: "carol's" });
    await page.goto(at("#/do?form=dar"));
    assert.match(await curl.innerText(), /^curl -s 'http:.*\/v2\/dars' .* --data-binary '@app\.dar'$/);
    assertClean(opened);
    await page.close();
  });

  const templateId = async (): Promise<string> =>
    (await world.client.get("/admin/packages"))
      .json()
      .packages.filter((one: { packageName: string }) => one.packageName === "story")
      .map((one: { packageId: string }) => `${one.packageId}:Story:Note`)[0];

  test("console: a DAR is uploaded by a drop, and tells how much of it is there", { timeout }, async () => {
    const opened = await open(browser, world.node.port, "#/do?form=dar"),
      { page } = opened,
      module = new ModuleBuilder("Dropped");
    for (let index = 0; index < 400; index++)
      module.template(`Template${index}`, { fields: { owner: type.party }, signatories: (self) => [self("owner")] });
    const dar = buildDar(buildPackage({ name: "dropped", version: "1.0.0", modules: [module] }));
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: dar.length / 3, // a second
    });
    const transfer = await page.evaluateHandle(
      `(() => {
        const transfer = new DataTransfer(), bytes = Uint8Array.from(atob("${Buffer.from(dar).toString("base64")}"), (char) => char.charCodeAt(0));
        transfer.items.add(new File([bytes], "dropped.dar"));
        return transfer;
      })()`,
    );
    await page.dispatchEvent(".drop", "dragover", { dataTransfer: transfer });
    await page.locator(".drop.is-over").waitFor();
    await page.dispatchEvent(".drop", "drop", { dataTransfer: transfer });
    await page.locator(".progress", { hasText: /^\s*[1-9]\d? % of dropped\.dar is there/ }).waitFor();
    const part = Number(await page.getByRole("progressbar", { name: "Upload" }).getAttribute("value"));
    assert.ok(part > 0 && part <= 1, `${part}`);
    await page.getByText("dropped 1.0.0").waitFor();
    assert.match(await page.locator("pre.curl").innerText(), /--data-binary '@dropped\.dar'$/);
    await page.getByRole("link", { name: "Packages", exact: true }).last().click();
    await page
      .locator(".package-row", { hasText: "dropped" })
      .locator(".badge", { hasText: /^vetted$/ })
      .waitFor();
    assertClean(opened);
    await page.close();
  });

  test("console: an error marks the field that it names, where it is nested too", { timeout }, async () => {
    const opened = await open(browser, world.node.port, `#/do?form=exercise&contract=${asset}&choice=Div`),
      { page } = opened;
    await pick(page, rowOf(page, "Act as").getByRole("button").last(), "alice");
    await page.getByRole("textbox", { name: /^by/ }).fill("nothing");
    await page.locator("form .primary").click();
    await page.getByRole("alert").locator("code", { hasText: "by" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: /^by/ }).getAttribute("aria-invalid"), "true");
    await page.getByRole("textbox", { name: /^by/ }).fill("0"); // what its choice makes of it
    await page.locator("form .primary").click();
    await page
      .getByRole("alert")
      .getByText(/divi|arithmetic/i)
      .first()
      .waitFor();
    assertClean(opened);
    await page.close();
  });

  test("console: the node's health is told, and the times of one operation are drawn large by a click", { timeout }, async () => {
    const opened = await open(browser, world.node.port, "#/node"),
      { page } = opened;
    await page.getByRole("region", { name: "Health" }).getByText("serving", { exact: true }).waitFor();
    await page.getByRole("rowheader", { name: "uploadDar" }).getByRole("button").click();
    const drawn = page.getByRole("img", { name: /^Answers of uploadDar: / });
    await drawn.waitFor();
    const numbers = await drawn.locator("text").allTextContents();
    assert.ok(numbers.includes("more") && numbers.includes("1 ms"), numbers.join());
    for (const name of ["Ledger end", "Requests", "Commands in flight", "Streams", "Storage", "Memory"])
      assert.match((await page.getByRole("img", { name: new RegExp(`^${name}: `) }).getAttribute("aria-label"))!, /at most/);
    await page.getByText(/oldest reader \d+ commits behind/).waitFor();
    assertClean(opened);
    await page.close();
  });

  test("console: every screen stays while the node is away, says so, and goes on when it is back", { timeout }, async () => {
    const port = await freePort(),
      start = (): Promise<World> => World.start([storyDar], ["--memory", "--port", String(port)]),
      other = await start();
    let again: World | undefined;
    const shown: (readonly [Page, Locator])[] = [];
    try {
      const [owner] = await other.parties("owner");
      await other.transact([owner], [create(storyTemplate("Note"), { owner, reader: owner, text: "first" })]);
      for (const [hash, what] of [
        ["#/ledger", ".contract-row"],
        ["#/transactions", ".update-row"],
        ["#/packages", ".package-row"],
        ["#/do?form=party", "#hint"],
        ["#/node", ".times tbody tr"],
      ] as const) {
        const { page } = await open(browser, port, hash),
          there = page.locator(what).first();
        await there.waitFor();
        shown.push([page, there]);
      }
      await other.stop();
      for (const [page, there] of shown) {
        await page.bringToFront();
        await page.getByText("the node is away").first().waitFor();
        assert.ok(await there.isVisible(), page.url());
      }
      const [formPage] = shown[3]!;
      await formPage.bringToFront();
      await formPage.locator("#hint").fill("carol");
      await formPage.getByRole("button", { name: "Allocate" }).click();
      await formPage.getByRole("alert").getByText("NO_ANSWER").waitFor();
      again = await start();
      await formPage.locator(".end:not(.is-away)").waitFor();
      await formPage.getByRole("button", { name: "Allocate" }).click();
      await formPage.locator(".done", { hasText: "carol" }).waitFor();
      const [ledgerPage] = shown[0]!;
      await ledgerPage.bringToFront();
      await ledgerPage.getByText("No active contracts here.").waitFor(); // another ledger
      const [tailPage] = shown[1]!;
      await tailPage.bringToFront();
      await tailPage.getByText("The node came back with another ledger").waitFor();
    } finally {
      for (const [page] of shown) await page.close();
      await again?.stop();
    }
  });
});
