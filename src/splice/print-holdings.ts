/** Contracts that hold Amulet, printed as the pages of holdings have them, by the update that created them. */
import { GrowingBytes } from "../base/growing-bytes.js";
import { isFailure, ok } from "../base/result.js";
import { whileWanted, type Steps } from "../base/steps.js";
import type { Turns } from "../base/turns.js";
import type { FilterRequest, Offset, Participant } from "../ledger/index.js";
import { holderIn, holdingTemplates } from "./active-contracts.js";
import type { Contracts } from "./contracts.js";
import { readInSteps } from "./elements.js";
import { unquoted, type EventText, type TransactionText } from "./history/event-text.js";
import { anyPartyFormat, effects, transactionIn } from "./history/reading.js";
import { asIsoTime } from "./instants.js";
import { reference } from "./names.js";
import { writeHolding, type PrintedHolding, type PrintedText } from "./printed/index.js";
import { type Answer, refuse } from "./refusal.js";
import { compactForm } from "./values/forms.js";
import type { Position, ValueTypes } from "./values/value-types.js";

export interface HoldingsPrinting {
  readonly ledger: Pick<Participant, "openUpdates">;
  readonly contracts: Contracts;
  readonly types: ValueTypes;
  readonly turns: Turns;
}

interface Created {
  readonly transaction: TransactionText;
  readonly event: EventText;
  readonly position: Position;
}

export async function printHoldings(
  { ledger, contracts, types, turns }: HoldingsPrinting,
  { after, to }: { readonly after: Offset; readonly to: Offset },
  wanted: AbortSignal,
): Answer<readonly PrintedText[]> {
  const templates = holdingTemplates.filter((name) => contracts.knows(name));
  if (templates.length === 0) return ok([]);
  const cumulative = templates.map((name): FilterRequest => ({
    kind: "template",
    templateId: reference(name),
    includeCreatedEventBlob: false,
  }));
  const opened = ledger.openUpdates({
    beginExclusive: after,
    endInclusive: to,
    format: effects(anyPartyFormat({ cumulative })),
    form: "update",
    descending: false,
  });
  const created = await readInSteps(opened, { max: to - after, turns, wanted }, createdIn);
  if (isFailure(created)) return refuse("internal", created.error.cause);
  const printing = function* (): Steps<readonly PrintedText[]> {
    const texts: PrintedText[] = [],
      out = new GrowingBytes();
    for (const ofOne of created.ok) {
      out.clear();
      for (const one of ofOne) {
        writeHolding(out, holdingOf(one, types));
        yield;
      }
      const [first] = ofOne;
      if (first) texts.push({ offset: first.transaction.offset, text: Buffer.from(out.view()) });
    }
    return texts;
  };
  const positions = created.ok.flat().map(({ position }) => position);
  return ok(await types.through(positions, whileWanted(printing(), wanted)));
}

function* createdIn(element: string): Steps<readonly Created[]> {
  const transaction = yield* transactionIn(element);
  return transaction.events.filter(({ isCreate }) => isCreate).map((event) => ({ transaction, event, position: positionOf(event) }));
}

const positionOf = (event: EventText): Position => ({ at: "createArgument", templateId: unquoted(event.get("templateId")) });

function holdingOf({ transaction, event, position }: Created, types: ValueTypes): PrintedHolding {
  const argument = event.get("createArgument");
  return {
    nodeId: event.first,
    holder: holderIn(argument),
    json:
      `{"created_in_update_id":"${transaction.updateId}","contract_id":${event.get("contractId")},"template_id":${event.get("templateId")},"package_name":${event.get("packageName")},`
      + `"create_arguments":${types.textInForm(position, argument, compactForm)},"created_at":"${asIsoTime(unquoted(event.get("createdAt")))}",`
      + `"signatories":${event.get("signatories")},"observers":${event.get("observers")}}`,
  };
}
