/** The pages of the repository, and what of them is made from the code. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorTable, limitTable, operationTable } from "../../src/api/index.js";
import { spliceOperationTable } from "../../src/api/splice-operation-table.js";
import { helpText } from "../../src/command-line.js";
import { metricTable } from "../../src/telemetry/index.js";
import { storageTable } from "../../src/store/index.js";
import { automationTable } from "../../src/splice/automation/index.js";
import { portTable } from "../../src/localnet/index.js";
import { scenarioTable } from "../prove/scenarios.js";
import { knobTable } from "./knobs.js";
import { repositoryRoot } from "./paths.js";

type Section = () => string;

/** Pages with sections that are made from the code beside them, by the name in their markers. */
const sections: Readonly<Record<string, Readonly<Record<string, Section>>>> = {
  "src/command-line.md": { "command-line": () => `\`\`\`text\n${helpText().trimEnd()}\n\`\`\`` },
  "src/config.md": { limits: limitTable },
  "src/api/README.md": { operations: () => operationTable().trimEnd(), errors: errorTable },
  "src/splice/README.md": { "splice-operations": () => spliceOperationTable().trimEnd(), automation: automationTable },
  "src/localnet/README.md": { "localnet-ports": portTable },
  "src/store/README.md": { tables: storageTable },
  "src/telemetry/README.md": { metrics: metricTable },
  "test/README.md": { knobs: knobTable },
  "test/prove/README.md": { scenarios: scenarioTable },
};

export const pagesWithSections: readonly string[] = Object.keys(sections);

/** The front page, or another page below the repository's folder. */
export const readPage = (page = "README.md"): string => readFileSync(join(repositoryRoot(), page), "utf8");

/** A page with its generated sections renewed. */
export function renewedPage(page: string): string {
  return Object.entries(sections[page] ?? {}).reduce((text, [name, make]) => {
    const pattern = new RegExp(`(<!-- ${name}:begin -->\\n)[\\s\\S]*?(<!-- ${name}:end -->)`);
    if (!pattern.test(text)) throw new Error(`${page} has no section ${name}`);
    return text.replace(pattern, (_, begin: string, end: string) => `${begin}${make()}\n${end}`);
  }, readPage(page));
}

/** Every page of the repository, from its folder. */
export function allPages(): string[] {
  const below = ["bench", "proto", "src", "test"].flatMap((folder) =>
    readdirSync(join(repositoryRoot(), folder), { recursive: true, encoding: "utf8" }).map(
      (file) => `${folder}/${file.replaceAll("\\", "/")}`,
    ),
  );
  return ["README.md", ...below.filter((file) => file.endsWith(".md") && !file.includes("node_modules/"))].sort();
}

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");

/** Where the page's links lead within the repository, as they are written. */
export const linksOf = (page: string): string[] =>
  [...withoutCode(readPage(page).replace(/\[`([^`\n]*)`\]/g, "[$1]")).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));

/** The code of a page's section in this language that holds the words. */
export function codeBlock(page: string, section: string, language: string, words: string): string {
  const text = readPage(page)
    .split(/^## /m)
    .find((part) => part.startsWith(`${section}\n`));
  if (text === undefined) throw new Error(`${page} has no section ${section}`);
  const found = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].find(
    ([, written, code]) => written === language && code!.includes(words),
  );
  if (found === undefined) throw new Error(`${section} in ${page} has no ${language} with ${words}`);
  return found[2]!;
}

/** What stands there for the default port. */
export const atPort = (code: string, port: number | string): string => code.replaceAll("127.0.0.1:7575", `127.0.0.1:${port}`);

/** As the front page prints it. */
export const firstTransaction = (port: number | string): string =>
  atPort(codeBlock("README.md", "The first transaction", "sh", "issue-1"), port);
