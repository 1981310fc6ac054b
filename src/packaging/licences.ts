/** The licences of what a bundle is made of. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Package {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Native code beside it. Of what is optional npm installs what fits this platform and release of Node.js, if anything does. */
function nativesOf(root: string): readonly string[] {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Package,
    isInstalled = (name: string): boolean => existsSync(join(root, "node_modules", name));
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies).filter(isInstalled)];
}

/** `inputs`: files that went into it, as esbuild names them. */
export function licencesOf(root: string, inputs: Iterable<string>): string {
  const names = new Set(nativesOf(root));
  for (const input of inputs) {
    const name = [...input.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].at(-1)?.[1];
    if (name !== undefined) names.add(name);
  }
  const own = [readFileSync(join(root, "LICENSE"), "utf8"), readFileSync(join(root, "NOTICE"), "utf8")];
  return [`Ledgerline\n\n${own.join("\n")}`, ...[...names].sort().map((name) => licenceOf(root, name))].join(`\n${"=".repeat(80)}\n\n`);
}

function licenceOf(root: string, name: string): string {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly version: string;
    readonly license?: string;
  };
  const texts = new Set([...filesOf(folder).map((file) => readFileSync(file, "utf8").trim()), ...keptTexts(root, name)]);
  return `${name} ${version} (${license ?? "see below"})\n\n${[...texts].join("\n\n")}\n`;
}

/** Of the package itself first, then of the sources that it brings along for its native part; those may be there twice. */
function filesOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1)),
    isBelow = (name: string): boolean => name !== "node_modules" && !name.startsWith(".");
  return [
    ...entries.filter((entry) => entry.isFile() && /^(licen[cs]e|notice|copying|copyright)[^.]*(\.(md|txt))?$/i.test(entry.name)),
    ...entries.filter((entry) => entry.isDirectory() && isBelow(entry.name)),
  ].flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : filesOf(join(folder, entry.name))));
}

/** Kept here of packages that do not bring them along; a package for another Node.js has the same. */
function keptTexts(root: string, name: string): readonly string[] {
  const file = join(root, "src", "packaging", "licences", `${name.replace(/-node\d+$/, "")}.txt`);
  return existsSync(file) ? [readFileSync(file, "utf8").trim()] : [];
}
