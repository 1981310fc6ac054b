/** What the console's forms do, and its screens about packages and the node. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { good, hs256 } from "../auth/tokens.js";
import { limits } from "../../src/config.js";
import { World } from "../scenarios/world.js";
import { Client, startNodeProcess } from "../support/node-process.js";
import { testData } from "../support/paths.js";
import { accessibilityFaults, assertClean, launch, open, pick, rowOf, skip } from "./browser.js";

const timeout = 180_000;

describe("console: forms", { skip }, () => {
  let world: World, browser: Browser;
  before(async () => {
    browser = await launch();
    world = await World.start([]);
  });
  after(async () => {
    await browser.close();
    await world.stop();
  });

  test(
    "console: a DAR is uploaded, parties are allocated, a contract is created, and a choice exercised on it, by forms",
    { timeout },
    async () => {
      const opened = await open(browser, world.node.port, "#/do?form=dar"),
        { page } = opened;
      await page.getByLabel("DAR file").setInputFiles(testData("quickstart.dar"));
      await page.getByText("ref-model 1.0.0").waitFor();
      for (const name of ["alice", "bob"]) {
        await page.goto(`http://127.0.0.1:${world.node.port}/#/do?form=party`);
        await page.getByRole("textbox", { name: /^Name/ }).fill(name);
        await page.getByRole("button", { name: "Allocate" }).click();
        await page.locator(".done", { hasText: name }).waitFor();
      }
      await page.getByRole("link", { name: "Create" }).click();
      await pick(page, rowOf(page, "Template").getByRole("button"), "M:Asset");
      await pick(page, rowOf(page, "Act as").getByRole("button").last(), "alice");
      await pick(page, rowOf(page, "issuer").getByRole("button"), "alice");
      await pick(page, rowOf(page, "owner").getByRole("button"), "alice");
      await page.getByRole("textbox", { name: /^name/ }).fill("gold");

      // What is wrong is shown with its field, and the field is marked.
      await page.getByRole("textbox", { name: /^amount/ }).fill("many");
      await page.locator("form .primary").click();
      await page.getByRole("alert").getByText("amount").first().waitFor();
      assert.equal(await page.getByRole("textbox", { name: /^amount/ }).getAttribute("aria-invalid"), "true");

      await page.getByRole("textbox", { name: /^amount/ }).fill("100");
      const shown = JSON.parse(await page.locator(".request pre").first().innerText());
      await page.locator("form .primary").click();
      await page.getByText("Recorded at offset").waitFor();
      const { createArguments } = shown.commands.commands[0].CreateCommand;
      assert.deepEqual(
        [shown.commands.commands[0].CreateCommand.templateId, createArguments.name, createArguments.amount],
        ["#ref-model:M:Asset", "gold", "100"],
      );
      assert.match(await page.locator("pre.curl").innerText(), /^curl -s 'http:.*submit-and-wait-for-transaction' .* -d '\{"commands":/);

      await page.getByRole("link", { name: "look at it" }).click();
      await page.locator(".choices a", { hasText: "Transfer" }).click();
      await page.locator(".suggest button", { hasText: "alice" }).click();
      await pick(page, rowOf(page, "newOwner").getByRole("button"), "bob");
      await page.locator("form .primary").click();
      await page.getByText("Recorded at offset").waitFor();
      const { json } = await world.client.post("/v2/state/active-contracts", {
        activeAtOffset: await end(),
        eventFormat: { filtersForAnyParty: { cumulative: [] }, verbose: true },
      });
      const active = json().map(
        (one: { contractEntry: { JsActiveContract: { createdEvent: { createArgument: { owner: string; amount: string } } } } }) =>
          one.contractEntry.JsActiveContract.createdEvent.createArgument,
      );
      assert.deepEqual(
        active.map(({ owner, amount }: { owner: string; amount: string }) => [owner.split("::")[0], amount]),
        [["bob", "100"]],
      );
      assertClean(opened);
      await page.close();
    },
  );

  const end = async (): Promise<number> => (await world.client.get("/v2/state/ledger-end")).json().offset;

  test("console: a package is shown as one would write it in Daml, with its vetting and what it depends on", { timeout }, async () => {
    const opened = await open(browser, world.node.port, "#/packages"),
      { page } = opened;
    await page.getByRole("searchbox").fill("M:Asset");
    await page.locator(".package-row", { hasText: "ref-model" }).click();
    await page.getByText("vetted: commands may use it").waitFor();
    const text = await page.locator("pre.daml", { hasText: /^template Asset/ }).innerText();
    assert.match(text, /^template Asset\n {2}with\n {4}issuer : Party\n {4}owner : Party\n {4}name : Text\n {4}amount : Int\n {2}where\n/);
    assert.match(text, /\n {4}choice Transfer : ContractId Asset\n {6}with\n {8}newOwner : Party\n/);
    assert.match(text, /\n {4}nonconsuming choice GetAmount : Int/);
    assert.match(text, /\n {4}interface instance M:Holding for Asset/);
    assert.match(
      await page.locator("pre.daml", { hasText: /^data Shape/ }).innerText(),
      /^data Shape\n {2}= Circle .*\n {2}\| Rect with\n {8}w : Int\n {8}h : Int/,
    );
    assert.ok((await page.locator(".graph li").count()) > 0);
    assertClean(opened);
    await page.close();
  });

  test("console: the node tells its end, its load and the times of its answers", { timeout }, async () => {
    const opened = await open(browser, world.node.port, "#/node"),
      { page } = opened;
    await page.getByRole("rowheader", { name: "submitAndWaitForTransaction" }).waitFor();
    assert.equal(await page.locator(".card strong").first().innerText(), String(await end()));
    await page.getByLabel("Filter the limits").fill("darBytesMax");
    assert.ok((await page.locator(".limits > div").allInnerTexts()).includes(`darBytesMax\n${limits.darBytesMax.toLocaleString("en")}`));
    assertClean(opened);
    await page.close();
  });

  test("console: the last lines of the log are there, and come as they are written", { timeout }, async () => {
    const node = await startNodeProcess(["--memory", "--log-level", "info"]),
      client = new Client(node.port);
    try {
      const opened = await open(browser, node.port, "#/node"),
        { page } = opened,
        lines = page.locator(".log li");
      await lines.filter({ hasText: "listening" }).waitFor();
      for (const partyIdHint of ["alice", "bob"]) await client.post("/v2/parties", { partyIdHint });
      assert.equal((await client.post("/admin/prune", { pruneUpTo: 1 })).text, '{"participantPrunedUpToInclusive":1}');
      await lines.filter({ hasText: "pruned" }).waitFor();
      const { lines: told, written } = (await client.get("/admin/log?after=1")).json();
      assert.deepEqual([told.map(({ message }: { readonly message: string }) => message), written], [["pruned"], 2]);
      await page.getByLabel("Filter the log").fill("listening");
      assert.equal(await lines.count(), 1);
      assertClean(opened);
      await page.close();
    } finally {
      client.close();
      await node.stop();
    }
  });

  test("console: everything is reached by keyboard", { timeout }, async () => {
    const { page } = await open(browser, world.node.port);
    await page.locator(".contract-row").first().waitFor();
    await page.keyboard.press("3");
    await page.locator(".package-row").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("ref-model");
    await page.locator(".package-row").first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("complementary", { name: "Package" }).waitFor();
    for (let steps = 0; steps < 8 && !(await page.evaluate("document.activeElement.getAttribute('aria-label') === 'Close'")); steps++)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Package" }).waitFor({ state: "detached" });
    await page.close();
  });

  for (const [theme, width] of [
    ["light", 1280],
    ["dark", 400],
  ] as const)
    test(`console: axe finds nothing serious on its forms and figures (${theme}, ${width} pixels wide)`, { timeout }, async () => {
      const { page } = await open(browser, world.node.port, "", { colorScheme: theme, viewport: { width, height: 800 } });
      const packageId = (await world.client.get("/admin/packages"))
        .json()
        .packages.find((one: { packageName: string }) => one.packageName === "ref-model").packageId;
      for (const [hash, ready] of [
        [`#/packages?id=${packageId}`, "pre.daml"],
        [`#/do?form=create&template=${packageId}:M:All`, "fieldset .form-row"],
        ["#/do?form=dar", ".drop"],
        ["#/node", ".times tbody tr"],
      ] as const) {
        await page.goto(`http://127.0.0.1:${world.node.port}/${hash}`);
        await page.locator(ready).first().waitFor();
        assert.deepEqual(await accessibilityFaults(page), [], hash);
        assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${hash} fits ${width} pixels`);
      }
      await page.close();
    });
});

describe("console: tokens", { skip }, () => {
  test(
    "console: where tokens are checked one is asked for, kept nowhere, and a user sees the contracts that it lets him see",
    { timeout },
    async () => {
      const secret = "a secret of this test",
        node = await startNodeProcess(["--memory", "--auth", `hs256:${secret}`, "--dar", testData("quickstart.dar")]),
        browser = await launch();
      try {
        const tokenOf = (sub: string): string => hs256(good(sub), secret);
        const ask = async (path: string, body: unknown) => {
          const answer = await fetch(`http://127.0.0.1:${node.port}${path}`, {
            method: "POST",
            headers: { authorization: `Bearer ${tokenOf("participant_admin")}`, "content-type": "application/json" },
            body: JSON.stringify(body),
          });
          assert.equal(answer.status, 200);
          return (await answer.json()) as { readonly partyDetails: { readonly party: string } };
        };
        const [alice, bob] = [
          (await ask("/v2/parties", { partyIdHint: "alice" })).partyDetails.party,
          (await ask("/v2/parties", { partyIdHint: "bob" })).partyDetails.party,
        ];
        const actAs = (party: string) => ({ kind: { CanActAs: { value: { party } } } });
        await ask("/v2/users", { user: { id: "writer" }, rights: [actAs(alice), actAs(bob)] });
        await ask("/v2/users", { user: { id: "alice" }, rights: [actAs(alice)] });
        for (const owner of [alice, bob, bob]) {
          const answer = await fetch(`http://127.0.0.1:${node.port}/v2/commands/submit-and-wait`, {
            method: "POST",
            headers: { authorization: `Bearer ${tokenOf("writer")}`, "content-type": "application/json" },
            body: JSON.stringify({
              commands: [
                {
                  CreateCommand: { templateId: "#ref-model:M:Asset", createArguments: { issuer: owner, owner, name: "gold", amount: "1" } },
                },
              ],
              commandId: crypto.randomUUID(),
              actAs: [owner],
            }),
          });
          assert.equal(answer.status, 200, await answer.text());
        }
        const opened = await open(browser, node.port),
          { page } = opened;
        await page.getByLabel("Token").fill("no token");
        await page.getByRole("button", { name: "Use this token" }).click();
        await page.getByRole("alert").waitFor();
        await page.getByLabel("Token").fill(tokenOf("alice"));
        await page.getByRole("button", { name: "Use this token" }).click();
        await page.getByText("1 contract", { exact: true }).waitFor();
        assert.equal(await page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length"), 0);
        await page.reload();
        await page.getByLabel("Token").waitFor();
        assertClean(opened);
      } finally {
        await browser.close();
        await node.stop();
      }
    },
  );
});
