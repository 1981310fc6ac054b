import type { StaticClock } from "../base/clock.js";
import type { LogTail } from "../base/log.js";
import type { Administration, UserFields, UserRecord } from "../ledger/admin/index.js";
import type { Ledger } from "../ledger/index.js";

/** What handlers work with; `node.ts` puts it together. */
export interface Services {
  readonly ledger: Ledger;
  readonly administration: Administration;
  /** Where users are not shown as they are stored. */
  readonly shownUser?: ((user: UserRecord) => UserRecord) | undefined;
  /** The way back, of a change to a user that is there. */
  readonly givenUser?: ((user: UserFields) => UserFields) | undefined;
  /** False while the node starts or shuts down: `/readyz` says so. */
  readonly ready: () => boolean;
  readonly staticTime: boolean;
  /** Resolves when what follows from a move of static time was done, or after a while. */
  readonly settle?: ((maxMs?: number) => Promise<unknown>) | undefined;
  /** Only with static time. */
  readonly staticClock?: StaticClock | undefined;
  /** Undefined beside the first participant of a process, whose log it is. */
  readonly logTail?: LogTail | undefined;
}
