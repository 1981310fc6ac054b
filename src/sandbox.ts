/** A node for the scripts of one command: fresh, in this process, on a free port of this machine, gone with them. */
import { assert } from "./base/assert.js";
import { fail, isFailure, ok, type Result } from "./base/result.js";
import { parseCommandLine } from "./command-line.js";
import { startNode } from "./node.js";
import { StartFailure } from "./start-failure.js";

export interface Sandbox {
  readonly url: string;
  close(): Promise<void>;
}

/** Why it could not be started, or did not take the DAR, is a sentence. */
export async function startSandbox({
  dar,
  staticTime,
}: {
  readonly dar: string;
  readonly staticTime: boolean;
}): Promise<Result<Sandbox, string>> {
  const parsed = parseCommandLine(
    ["start", "--memory", "--port", "0", "--dar", dar, "--log-level", "silent", ...(staticTime ? ["--static-time"] : [])],
    {},
  );
  assert(!isFailure(parsed) && parsed.ok.command === "start", "the flags are ours");
  try {
    const node = await startNode(parsed.ok.options);
    return ok({ url: `http://127.0.0.1:${node.port}`, close: () => node.close(0, "the scripts have ended") });
  } catch (error) {
    if (error instanceof StartFailure) return fail(error.message);
    throw error;
  }
}
