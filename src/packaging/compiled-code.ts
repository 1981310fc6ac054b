/**
 * V8's compiled code of what a start and a first command need, so that a start does not compile it again. It is made by running the
 * program, so it is for the Node.js that it is run with.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { limits } from "../config.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Options that are meant for this process change what compiled code is good for. */
export const withoutOptions = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== "NODE_OPTIONS"));

/** Of a bundle in a folder, beside its files. */
export const keepCode = (folder: string): Promise<void> =>
  runForCode(
    process.execPath,
    ["--require", fileURLToPath(new URL("./keep-code.cjs", import.meta.url)), join(folder, "main.js")],
    withoutOptions(),
  );

/** Runs a node and a command on it; whoever is run writes down what was compiled. */
export async function runForCode(node: string, program: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = execFile(
    node,
    [...program, "start", "--memory", "--port", "0", "--log-level", "error", "--dar", join(root, "test", "data", "quickstart.dar")],
    { env, timeout: limits.codeRunMaxMs },
  );
  const ended = new Promise<string>((resolve) => {
    let errors = "";
    child.stderr!.on("data", (chunk: string) => {
      errors += chunk;
    });
    child.once("exit", (code, signal) => resolve(`the program ended with ${signal ?? code}: ${errors}`));
  });
  const ready = new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout!.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(text);
    });
    void ended.then((how) => reject(new Error(how)));
  });
  try {
    await firstCommand(/http:\S+/.exec(await ready)![0]);
  } finally {
    child.kill();
    await ended;
  }
}

async function firstCommand(url: string): Promise<void> {
  const post = async (path: string, body: object): Promise<any> => {
    const answer = await fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer.json();
  };
  const {
    partyDetails: { party },
  } = await post("/v2/parties", { partyIdHint: "alice" });
  const createArguments = { issuer: party, owner: party, name: "gold", amount: "1" };
  await post("/v2/commands/submit-and-wait", {
    commands: [{ CreateCommand: { templateId: "#ref-model:M:Asset", createArguments } }],
    commandId: "1",
    actAs: [party],
    userId: "me",
  });
}
