/**
 * Transfers that parties with keys of their own ask a validator to send: each sender has a counter, which the network makes with the first
 * of them and which numbers them; a validator sends those of parties that it set up. What cannot be sent fails for good, with the reason.
 */
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import type { Submission } from "../submitter.js";
import { jointly, type ActionKind, type Joint } from "./confirmed-actions.js";
import { paidBy, payment } from "./payment.js";
import { setUpUsers } from "./set-up-users.js";
import { nothingDue, ofDso, type Economy, type Task, type Trigger } from "./trigger.js";

interface TransferCommand extends OfDso {
  readonly sender: Party;
  readonly receiver: Party;
  readonly delegate: Party;
  readonly nonce: string;
  readonly expiresAt: string;
}
interface Counter extends OfDso {
  readonly sender: Party;
  readonly nextNonce: string;
}

export const createCounter: ActionKind<Pick<Counter, "sender">> = {
  of: "dsoRules",
  tag: "SRARC_CreateTransferCommandCounter",
  choice: "DsoRules_CreateTransferCommandCounter",
  about: "sender",
  isOver: async (economy, { sender }) => (await countersOf(economy)).has(sender),
};

/** By sender. */
const countersOf = async (economy: Economy): Promise<ReadonlyMap<Party, Contract<Counter>>> =>
  new Map((await ofDso<Counter>(economy, templates.transferCommandCounter)).map((each) => [each.payload.sender, each]));

export const sendTransferCommands: Trigger = {
  name: "send-transfer-commands",
  what: "sends what parties with keys of their own asked their validator to transfer",
  async due(economy, now) {
    const commands = await ofDso<TransferCommand>(economy, templates.transferCommand), // one may wait behind many of another's
      waiting = commands.filter(({ payload }) => instantOf(payload.expiresAt) >= now);
    if (waiting.length === 0) return nothingDue;
    const counters = await countersOf(economy),
      counting = await jointly(economy, createCounter),
      setUp = await setUpUsers(
        economy,
        waiting.map(({ payload }) => payload.sender),
      );
    const isSetUp = ({ sender, delegate }: TransferCommand): boolean => setUp.get(sender)?.has(delegate) === true;
    const tasks = waiting.flatMap((command): readonly Task[] => {
      const counter = counters.get(command.payload.sender);
      if (counter === undefined) return counting.isOpen(command.payload.sender) ? [counterOf(economy, counting, command)] : [];
      const isInTurn = BigInt(command.payload.nonce) <= BigInt(counter.payload.nextNonce); // one that comes too late fails
      return isInTurn && isSetUp(command.payload) ? [sending(economy, command, counter)] : [];
    });
    return { tasks, isSequential: true };
  },
};

/** The key is the sender: of several commands the first makes it. */
const counterOf = (
  { dsoRules }: Economy,
  counting: Joint<Pick<Counter, "sender">>,
  { createdAt, payload: { sender } }: Contract<TransferCommand>,
): Task => ({
  key: `counter of ${sender}`,
  since: instantOf(createdAt),
  submission: () => counting.submission(dsoRules.contractId, { sender }),
});

const sending = (economy: Economy, command: Contract<TransferCommand>, counter: Contract): Task => ({
  key: command.contractId,
  since: instantOf(command.createdAt),
  submission: () => send(economy, command, counter),
});

async function send(economy: Economy, { contractId, payload }: Contract<TransferCommand>, counter: Contract): Promise<Submission> {
  const { dso, network } = economy,
    { sender, receiver, delegate } = payload;
  const preapproval = await network.transferPreapproval(dso, receiver),
    right = preapproval && (await network.featuredAppRights(dso, preapproval.payload.provider))[0];
  const { context, inputs } = await payment(economy, sender, right?.contractId);
  const submission = paidBy(
    economy,
    [delegate],
    exercise(templates.transferCommand, contractId, "TransferCommand_Send", {
      context,
      inputs,
      transferPreapprovalCidO: preapproval?.contractId ?? null,
      transferCounterCid: counter.contractId,
    }),
  );
  return { ...submission, readAs: [...(submission.readAs ?? []), sender] };
}
