import { ok, fail } from "../../base/result.js";
import { participantAdmin } from "../../auth/index.js";
import { limits } from "../../config.js";
import { instantText, timestampInRange } from "../../ledger/index.js";
import { jsonBody, noBody } from "../body.js";
import { invalidArgument } from "../failures.js";
import { toMicroseconds } from "../ledger/index.js";
import type { Timestamp } from "../ledger/types/scalars.js";
import { json, operation } from "../operation.js";
import type { Services } from "../services.js";

/** After the messages of the Ledger API's testing TimeService, which has no JSON form. */
interface SetTimeRequest {
  readonly newTime: Timestamp;
  /** What the caller takes the ledger's time to be: it is moved from there, or not at all. */
  readonly currentTime?: Timestamp;
}
interface GetTimeResponse {
  readonly currentTime: Timestamp;
}

const noStaticTime = () => fail(invalidArgument("the clock of this node is the system's: start it with --static-time"));

const isPast = (now: bigint, wanted: bigint) =>
  invalidArgument(`the ledger's time cannot go back from ${instantText(now)} to ${instantText(wanted)}`);

const isBefore = (wanted: Timestamp, current: Timestamp) =>
  invalidArgument(`new_time [${wanted}] is before current_time [${current}]. Setting time backwards is not allowed.`);

const isAnother = (current: Timestamp, now: bigint) =>
  invalidArgument(`current_time mismatch. Provided: ${current}. Actual: ${instantText(now)}`);

export const timeOperations = {
  getTime: operation({
    route: "GET /time",
    summary: "The ledger's time, of a node with static time.",
    claims: () => participantAdmin,
    body: noBody(),
    reply: json<GetTimeResponse>(),
    handle: ({ staticClock }: Services) =>
      staticClock === undefined ? noStaticTime() : ok({ currentTime: instantText(staticClock.nowMicros()) }),
  }),

  setTime: operation({
    route: "POST /time",
    summary: "Moves the ledger's time forward, of a node with static time.",
    claims: () => participantAdmin,
    body: jsonBody(typia.createValidate<SetTimeRequest>(), typia.createAssert<SetTimeRequest>()),
    reply: json<GetTimeResponse>(),
    handle: async ({ staticClock, settle }: Services, { body }) => {
      if (staticClock === undefined) return noStaticTime();
      const wanted = toMicroseconds(body.newTime);
      if (!timestampInRange(wanted)) return fail(invalidArgument(`Can not represent ${body.newTime} as a Daml timestamp`));
      const current = body.currentTime === undefined ? undefined : toMicroseconds(body.currentTime);
      if (current !== undefined && wanted < current) return fail(isBefore(body.newTime, body.currentTime!));
      const problem = () => {
        const now = staticClock.nowMicros();
        if (current !== undefined && current !== now) return fail(isAnother(body.currentTime!, now));
        return wanted < now ? fail(isPast(now, wanted)) : undefined;
      };
      const refused = problem();
      if (refused) return refused;
      await settle?.(limits.timeStepWaitMs); // a command under way would be of a time that is over
      const overtaken = problem();
      if (overtaken) return overtaken;
      staticClock.advanceTo(wanted);
      await settle?.();
      return ok({ currentTime: instantText(wanted) });
    },
  }),
};
