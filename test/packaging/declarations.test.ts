/** What is declared of the package, read as those who installed it read it: by its `package.json` and the file that this names. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import ts from "typescript";
import { repositoryRoot } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("declarations");

const use = `
  async function use(): Promise<void> {
    const flags = { participant: ["south=0"] },
      ledger: Ledgerline = await startLedgerline({ memory: true, dars: ["x.dar", new Uint8Array()], flags });
    const [synchronizerId] = ledger.synchronizerIds,
      party: string = await ledger.allocateParty("alice", { synchronizerId: synchronizerId! });
    const urls: string[] = [party, version, ...ledger.otherParticipants.map(({ url }) => url)];
    // @ts-expect-error there is no such option
    await startLedgerline({ memry: true });
    await ledger.stop().catch((error: unknown) => error instanceof LedgerlineError && error.code);
    return void urls;
  }
`;
const names = "LedgerlineError, startLedgerline, version, type Ledgerline",
  consumers = {
    "imports.mts": `import { ${names} } from "ledgerline";\nexport { use };${use}`,
    "imports.cts": `import { ${names} } from "ledgerline";\nexport { use };${use}`,
    "requires.cts": `import ledgerline = require("ledgerline");\ntype Ledgerline = ledgerline.Ledgerline;\nconst { LedgerlineError, startLedgerline, version } = ledgerline;\nexport { use };${use}`,
    "bundled.ts": `import { ${names} } from "ledgerline";\nexport { use };${use}`,
  } as const;

before(() => {
  const installed = join(folder, "node_modules", "ledgerline"),
    { types } = JSON.parse(readFileSync(join(repositoryRoot(), "package.json"), "utf8")) as { readonly types: string };
  for (const file of ["package.json", types]) {
    mkdirSync(dirname(join(installed, file)), { recursive: true });
    copyFileSync(join(repositoryRoot(), file), join(installed, file));
  }
  for (const [name, text] of Object.entries(consumers)) writeFileSync(join(folder, name), text);
});

/** What the compiler says, in words. */
function problems(files: readonly (keyof typeof consumers)[], options: ts.CompilerOptions): readonly string[] {
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    {
      ...options,
      noEmit: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
      types: [],
    },
  );
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ code, messageText }) => `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}

for (const module of ["Node16", "Node18", "NodeNext"] as const)
  test(`declarations: modules of both kinds compile against them as ${module}`, () => {
    assert.deepEqual(problems(["imports.mts", "imports.cts", "requires.cts"], { module: ts.ModuleKind[module] }), []);
  });

test("declarations: so do those that a bundler, or a former resolution of modules, takes", () => {
  assert.deepEqual(problems(["bundled.ts"], { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }), []);
  assert.deepEqual(problems(["bundled.ts"], { module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10 }), []);
});
