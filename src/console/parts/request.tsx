/** Requests as they are sent, and what came of them. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { JsSubmitAndWaitForTransactionResponse } from "../../api/ledger/types/commands.js";
import { curlOf } from "../client/client.js";
import { asFailure, type RequestFailed } from "../client/errors.js";
import { count } from "../daml/names.js";
import { hrefOf } from "../route.js";
import { client } from "../state/session.js";
import { Copy, Entity } from "./bits.js";

export interface Request {
  readonly path: string;
  readonly body: unknown;
}

const shownChars = 20_000;

/** As JSON, and as a line for a terminal. */
export function RequestShown({ requests }: { readonly requests: readonly Request[] }): JSX.Element {
  return (
    <aside class="request" aria-label="The request">
      {requests.map((request, index) => (
        <OneRequest key={index} {...request} />
      ))}
    </aside>
  );
}

function OneRequest({ path, body }: Request): JSX.Element {
  const json = JSON.stringify(body, undefined, 2),
    curl = curlOf(path, body, client.token !== undefined);
  return (
    <>
      <h3>
        POST {path}
        <Copy text={json} what="the JSON" />
      </h3>
      <pre tabIndex={0}>{json.length > shownChars ? `${json.slice(0, shownChars)}…` : json}</pre>
      <h3>
        The same in a terminal
        <Copy text={curl} what="the curl line" />
      </h3>
      <pre class="curl" tabIndex={0}>
        {curl.slice(0, shownChars)}
      </pre>
    </>
  );
}

interface FormFrameProps {
  readonly title: ComponentChildren;
  readonly requests: readonly Request[];
  readonly children: ComponentChildren;
  readonly onSubmit: () => void;
  readonly action: string;
  readonly isBusy: boolean;
  readonly isReady: boolean;
  readonly outcome: ComponentChildren;
}

export function FormFrame({ title, requests, children, onSubmit, action, isBusy, isReady, outcome }: FormFrameProps): JSX.Element {
  return (
    <div class="form-frame">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <h2>{title}</h2>
        {children}
        <div class="form-end">
          <button class="primary" disabled={isBusy || !isReady}>
            {isBusy ? "Asking…" : action}
          </button>
        </div>
        <div aria-live="polite">{outcome}</div>
      </form>
      <RequestShown requests={requests} />
    </div>
  );
}

export interface Action<T> {
  readonly isBusy: boolean;
  readonly done: T | undefined;
  readonly failure: RequestFailed | undefined;
  readonly start: () => void;
}

/** Runs something once at a time, and keeps what came of it. */
export function useAction<T>(run: () => Promise<T>): Action<T> {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly done?: T; readonly failure?: RequestFailed }>({ isBusy: false });
  const start = (): void => {
    setState({ isBusy: true });
    run().then(
      (done) => setState({ isBusy: false, done }),
      (error: unknown) => setState({ isBusy: false, failure: asFailure(error) }),
    );
  };
  return { isBusy: state.isBusy, done: state.done, failure: state.failure, start };
}

export function Submitted({ done: { transaction } }: { readonly done: JsSubmitAndWaitForTransactionResponse }): JSX.Element {
  const created = transaction.events.flatMap((event) => ("CreatedEvent" in event ? [event.CreatedEvent] : []));
  return (
    <div class="done" role="status">
      <strong>
        Recorded at offset <a href={hrefOf("transactions", { at: transaction.offset })}>{count(transaction.offset)}</a>
      </strong>
      {created.slice(0, 10).map(({ contractId, templateId }) => (
        <div key={contractId}>
          created <Entity id={templateId} isPlain /> <a href={hrefOf("ledger", { contract: contractId })}>look at it</a>
        </div>
      ))}
    </div>
  );
}
