/** One file with Node.js, the program, its libraries and their native parts: a single executable application of Node.js. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bundle, bundleFiles } from "./bundle.js";
import { runForCode, withoutOptions } from "./compiled-code.js";

const root = fileURLToPath(new URL("../../../", import.meta.url)),
  require = createRequire(import.meta.url),
  run = promisify(execFile);

export interface ExecutableOptions {
  readonly output: string;
  /** The Node.js that goes in; it must be of this platform, because compiled code is made by running it. */
  readonly node: string;
}

/** Why this Node.js cannot become an executable. */
export async function unfitFor(node: string): Promise<string | undefined> {
  const { stdout } = await run(
    node,
    [
      "-p",
      "[process.versions.node, require('node:module').isBuiltin('node:sea'), fs.readFileSync(process.execPath).includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2')]",
    ],
    { env: withoutOptions() },
  );
  const [, version, hasSea, hasFuse] = /'([\d.]+)', (true|false), (true|false)/.exec(stdout) ?? [];
  return hasSea === "true" && hasFuse === "true"
    ? undefined
    : `Node.js ${version ?? "of an unknown version"} is not built for single executables`;
}

export async function makeExecutable({ output, node }: ExecutableOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-executable-"));
  try {
    await bundle({ folder, natives: "embedded" });
    copyFileSync(fileURLToPath(new URL("./boot.cjs", import.meta.url)), join(folder, "boot.js"));
    for (const [name, file] of Object.entries(await nativeFiles(node)))
      if (file !== undefined) copyFileSync(file, join(folder, `${name}.node`));
    const page = join(root, "dist", "console");
    if (existsSync(page)) cpSync(page, join(folder, "console"), { recursive: true });
    appendFileSync(join(folder, bundleFiles.licences), await licenceOfNode(node));
    writeFileSync(join(folder, "build-id"), idOf(folder));
    await runForCode(node, [join(folder, "boot.js")], { ...withoutOptions(), LEDGERLINE_PARTS: folder, LEDGERLINE_MAKE_CODE: "1" });
    await inject({ output, node, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Its releases bring it along, but not every way to install them. */
async function licenceOfNode(node: string): Promise<string> {
  const { stdout } = await run(node, ["-p", "process.version"], { env: withoutOptions() }),
    version = stdout.trim();
  const file = ["../LICENSE", "LICENSE", "../share/doc/nodejs/LICENSE", "../share/doc/node/LICENSE"]
    .map((place) => join(dirname(realpathSync(node)), place))
    .find(existsSync);
  const text =
    file === undefined ? `MIT, and those of its parts: https://github.com/nodejs/node/blob/${version}/LICENSE` : readFileSync(file, "utf8");
  return `${"=".repeat(80)}\n\nNode.js ${version}\n\n${text}\n`;
}

/** Those that fit this Node.js. */
async function nativeFiles(node: string): Promise<Readonly<Record<string, string | undefined>>> {
  const { stdout } = await run(node, ["-p", "process.versions.modules"], { env: withoutOptions() });
  const lmdb = dirname(require.resolve(`@lmdb/lmdb-${process.platform}-${process.arch}/package.json`)),
    libc = process.platform === "linux" ? ".glibc" : "";
  const fits = (name: string): string | undefined =>
    [`node.abi${stdout.trim()}${libc}.node`, `node.napi${libc}.node`, "node.napi.node"].map((file) => join(name, file)).find(existsSync);
  const transports: Readonly<Record<string, string>> = { 115: "uWebSockets.js", 127: "uWebSockets.js-node22" };
  const transport = join(root, "node_modules", transports[stdout.trim()] ?? "none", "uws.node");
  return {
    lmdb: fits(lmdb),
    "fs-native-extensions": join(
      root,
      "node_modules",
      "fs-native-extensions",
      "prebuilds",
      `${process.platform}-${process.arch}`,
      "fs-native-extensions.node",
    ),
    uws: existsSync(transport) ? transport : undefined,
  };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();

function idOf(folder: string): string {
  const hash = createHash("sha256");
  for (const file of filesIn(folder)) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest("hex").slice(0, 16);
}

const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

async function inject({ output, node, folder }: ExecutableOptions & { readonly folder: string }): Promise<void> {
  const blob = join(folder, "sea.blob"),
    config = join(folder, "sea.json");
  const assets = Object.fromEntries(
    filesIn(folder)
      .filter((file) => ![bundleFiles.face, bundleFiles.main, bundleFiles.load, bundleFiles.thread, "package.json"].includes(file))
      .map((file) => [file.replaceAll("\\", "/"), join(folder, file)]),
  );
  writeFileSync(
    config,
    JSON.stringify({
      main: join(folder, "boot.js"),
      output: blob,
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      assets,
    }),
  );
  await run(node, ["--experimental-sea-config", config], { env: withoutOptions() });
  const { inject: into } = require("postject") as { inject(file: string, name: string, bytes: Buffer, options: object): Promise<void> };
  const made = `${output}.new`;
  copyFileSync(node, made);
  chmodSync(made, 0o755);
  try {
    await into(made, "NODE_SEA_BLOB", readFileSync(blob), { sentinelFuse: fuse, machoSegmentName: "NODE_SEA" });
    copyFileSync(made, output);
    chmodSync(output, 0o755);
  } finally {
    rmSync(made, { force: true });
  }
}
