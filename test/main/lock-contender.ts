/**
 * One of several processes that want a data folder at the same moment, or a temporary one each; it keeps what it gets until
 * it is killed.
 */
import { DataFolderUnusable, lockDataFolder, temporaryDataFolder } from "../../src/data-folder.js";

const [, , path] = process.argv;

process.once("message", () => {
  try {
    const folder = path === undefined ? temporaryDataFolder() : lockDataFolder(path);
    process.send!({ owned: folder.path });
  } catch (error) {
    process.send!({ refused: error instanceof DataFolderUnusable ? error.message : (error as Error).stack });
  }
});
setInterval(() => undefined, 60_000); // until it is killed
process.send!("ready");
