/** Embeds the node, once for each folder that it is asked for. What goes wrong otherwise than by a refusal ends the process. */
import { pathToFileURL } from "node:url";
import { verifyData } from "../../../src/data-at-rest.js";
import { LedgerDamaged } from "../../../src/start-failure.js";
import type * as Public from "../../../src/packaging/public.cjs";
import type { Asked, Told } from "./embedding.js";

const { startLedgerline, LedgerlineError } = ((await import(pathToFileURL(process.argv[2]!).href)) as { readonly default: typeof Public })
  .default;
const tell = (told: Told): void => void process.send!(told);
let node: Public.Ledgerline | undefined,
  said = "";
const write = process.stderr.write.bind(process.stderr);
process.stderr.write = ((chunk: string | Uint8Array) => {
  said += String(chunk);
  return write(chunk);
}) as typeof process.stderr.write;

/** What cannot even be opened is damaged, too. */
async function isSound(folder: string): Promise<boolean> {
  try {
    return (await verifyData(folder)).sound;
  } catch (error) {
    if (error instanceof LedgerDamaged) return false;
    throw error;
  }
}

async function answer(asked: Asked): Promise<Told> {
  switch (asked.kind) {
    case "verify":
      return { kind: "verified", sound: await isSound(asked.folder) };
    case "start":
      said = "";
      try {
        node = await startLedgerline({ data: asked.folder });
        return { kind: "started", port: node.port };
      } catch (error) {
        if (!(error instanceof LedgerlineError)) throw error;
        return { kind: "refused", message: error.message };
      }
    case "stop":
      await node!.stop();
      return { kind: "stopped", said };
  }
}

process.on("message", (asked: Asked) => void answer(asked).then(tell));
