/** What the system says when there is no room for a write, as Node.js and LMDB pass it on. */
import { constants } from "node:os";

/** MDB_MAP_FULL: the file has as many pages as it may have addresses. */
const mapFull = -30792;
const { ENOSPC, EDQUOT, EFBIG } = constants.errno;
const noRoomCodes: readonly unknown[] = [mapFull, ENOSPC, EDQUOT, EFBIG, "ENOSPC", "EDQUOT", "EFBIG"];

/** Whether nothing is wrong but that there is no room. */
export const isNoRoom = (error: unknown): boolean => noRoomCodes.includes((error as { readonly code?: unknown } | null)?.code);
