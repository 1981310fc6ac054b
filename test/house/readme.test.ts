import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "../support/paths.js";
import { allPages, linksOf, pagesWithSections, readPage, renewedPage } from "../support/readme.js";
import { isOn } from "../support/knobs.js";

/** `LEDGERLINE_RENEW=1 npm test -- house/readme` writes them anew; read the difference. */
for (const page of pagesWithSections) {
  test(`pages: the tables of ${page} are those of the code`, () => {
    if (isOn("LEDGERLINE_RENEW")) writeFileSync(join(repositoryRoot(), page), renewedPage(page));
    else assert.equal(readPage(page), renewedPage(page));
  });
}

const frontPageBytesMax = 12 * 1024;

test("pages: the front page stays short enough to be read", () => {
  const size = Buffer.byteLength(readPage());
  assert.ok(size <= frontPageBytesMax, `README.md has ${size} bytes; the page beside the code that owns the fact is its place`);
});

/** As hosts of repositories make them of headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [
      ...readPage(page)
        .replace(/^```[\s\S]*?^```$/gm, "")
        .matchAll(/^#+ (.*)$/gm),
    ].map(([, heading]) => anchorOf(heading!)),
  );

test("pages: every link leads to a file, and to a heading of it", () => {
  const broken: string[] = [];
  let followed = 0;
  for (const page of allPages()) {
    for (const target of linksOf(page)) {
      followed += 1;
      const [path, anchor] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path!);
      const leads = existsSync(join(repositoryRoot(), file)) && (anchor === undefined || anchorsOf(file).has(anchor));
      if (!leads) broken.push(`${page}: ${target}`);
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(followed > 20, "the pages link to each other");
});

test("pages: who reads the front page finds every other one", () => {
  const found = new Set<string>(),
    queue = ["README.md"];
  for (let page = queue.pop(); page !== undefined; page = queue.pop()) {
    if (found.has(page) || !page.endsWith(".md")) continue;
    found.add(page);
    for (const [, target] of readPage(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
      if (!/^[a-z]+:/.test(target!)) queue.push(join(dirname(page), target!).replaceAll("\\", "/"));
    }
  }
  assert.deepEqual(
    allPages().filter((page) => !found.has(page)),
    [],
  );
});

test("pages: the tour of the source names what is there, and all of it", () => {
  const tour = readPage("src/README.md"),
    source = join(repositoryRoot(), "src");
  const named = [...tour.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name!).filter((name) => /\.ts$|\/$/.test(name));
  const places = [
    source,
    join(source, "ledger"),
    join(source, "splice"),
    join(source, "lf"),
    join(source, "lf", "archive"),
    repositoryRoot(),
  ];
  assert.deepEqual(
    named.filter((name) => !places.some((place) => existsSync(join(place, name)))),
    [],
  );
  const entries = (folder: string): string[] =>
    readdirSync(join(source, folder), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [`${entry.name}/`] : []));
  const files = readdirSync(source).filter((name) => name.endsWith(".ts"));
  assert.deepEqual(
    [...files, ...entries("."), ...entries("ledger"), ...entries("lf")].filter((name) => !named.includes(name)),
    [],
  );
});
