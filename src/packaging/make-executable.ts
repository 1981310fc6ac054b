/** `npm run package -- --output FILE [--node FILE]`: one file that needs no other. */
import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { makeExecutable, unfitFor } from "./executable.js";

const {
  values: { output, node = process.execPath },
} = parseArgs({ options: { output: { type: "string" }, node: { type: "string" } } });
if (output === undefined) {
  process.stderr.write("npm run package needs --output FILE.\n");
  process.exitCode = 2;
} else {
  const unfit = await unfitFor(node);
  if (unfit === undefined) {
    await makeExecutable({ output, node });
    process.stdout.write(`${output}: ${statSync(output).size} bytes\n`);
  } else {
    process.stderr.write(`${unfit}.\n`);
    process.exitCode = 1;
  }
}
