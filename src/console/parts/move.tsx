/** Something that is on its way, what can be done with it, and what came of that. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { asFailure, type RequestFailed } from "../client/errors.js";
import { partyName } from "../daml/names.js";
import { amountText, type Instrument, units } from "../daml/token-standard.js";
import type { Sent } from "../state/network.js";
import { mayActAs } from "../state/submission.js";
import { Party, Problem } from "./bits.js";
import { RequestShown, Submitted } from "./request.js";

export interface Acting {
  readonly busy: string | undefined;
  readonly run: (name: string, act: () => Promise<readonly Sent[]>) => void;
  readonly outcome: JSX.Element | undefined;
}

/** One act at a time. */
export function useActing(onDone: () => void): Acting {
  const [busy, setBusy] = useState<string>(),
    [sent, setSent] = useState<readonly Sent[]>([]),
    [failure, setFailure] = useState<RequestFailed>();
  const run = (name: string, act: () => Promise<readonly Sent[]>): void => {
    if (busy !== undefined) return;
    setBusy(name);
    setFailure(undefined);
    setSent([]);
    act()
      .then(
        (done) => {
          setSent(done);
          onDone();
        },
        (error: unknown) => setFailure(asFailure(error)),
      )
      .finally(() => setBusy(undefined));
  };
  const outcome = failure ? (
    <Problem error={failure} />
  ) : sent.length === 0 ? undefined : (
    <>
      {sent.map((one, index) => (
        <Outcome key={index} sent={one} />
      ))}
    </>
  );
  return { busy, run, outcome };
}

export function Outcome({ sent: { asked, answer } }: { readonly sent: Sent }): JSX.Element {
  return (
    <div class="outcome">
      <Submitted done={answer} />
      <details>
        <summary>What was asked for it, {asked.length === 1 ? "one request" : `${asked.length} requests`}</summary>
        <RequestShown requests={asked} />
      </details>
    </div>
  );
}

/** Shown to those who may act as the party; a filter by another one leaves it out. */
export function Act({
  name,
  actor,
  acting,
  party,
  act,
}: {
  readonly name: string;
  readonly actor: string;
  readonly acting: Acting;
  readonly party: string | undefined;
  readonly act: () => Promise<readonly Sent[]>;
}): JSX.Element | null {
  if (!mayActAs(actor) || (party !== undefined && party !== actor)) return null;
  return (
    <button class="plain" disabled={acting.busy !== undefined} title={`As ${actor}`} onClick={() => acting.run(name, act)}>
      {name} <span class="dim">as {partyName(actor).slice(0, 30)}</span>
    </button>
  );
}

export const Amount = ({ amount, instrument: { id } }: { readonly amount: string; readonly instrument: Instrument }): JSX.Element => (
  <>
    <span class="mono">{amountText(units(amount))}</span> <strong>{id.slice(0, 80)}</strong>
  </>
);
export const FromTo = ({ sender, receiver }: { readonly sender: string; readonly receiver: string }): JSX.Element => (
  <>
    <Party party={sender} />
    <span class="dim">to</span>
    <Party party={receiver} />
  </>
);
export function MoveRow({ children, actions }: { readonly children: ComponentChildren; readonly actions: ComponentChildren }): JSX.Element {
  return (
    <li class="move">
      <div class="move-what">{children}</div>
      <div class="move-actions">{actions}</div>
    </li>
  );
}
