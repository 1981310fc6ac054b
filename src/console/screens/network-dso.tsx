/** What the operators of a network decide: its rounds, and votes. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { asFailure, type RequestFailed } from "../client/errors.js";
import { count, timeText } from "../daml/names.js";
import type { Round, VoteRequest } from "../daml/network.js";
import { Contract, Empty, Problem } from "../parts/bits.js";
import { ValueTree } from "../parts/value-tree.js";
import { castVote, readRounds, readVotes } from "../state/network.js";
import { node } from "../state/session.js";
import { useLoaded, useStore } from "../state/store.js";

const states: Readonly<Record<Round["state"], readonly [text: string, badge: string]>> = {
  open: ["open", "is-active"],
  opens: ["opens later", "is-quiet"],
  issuing: ["issues rewards", "is-use"],
  closed: ["closed", "is-archived"],
};
const roundsShown = 200;

export function Rounds(): JSX.Element {
  const { end } = useStore(node),
    { value: rounds, failure } = useLoaded(readRounds, [end]);
  if (failure) return <Problem error={failure} />;
  if (rounds === undefined) return <Empty>Reading…</Empty>;
  return (
    <div class="page">
      <div class="scroll sheet" tabIndex={0}>
        <table class="times rounds">
          <thead>
            <tr>
              <th scope="col">Round</th>
              <th scope="col">State</th>
              <th scope="col">Opens</th>
              <th scope="col">Closes</th>
              <th scope="col">Price</th>
              <th scope="col">Contract</th>
            </tr>
          </thead>
          <tbody>
            {rounds.slice(0, roundsShown).map(({ number, state, contractId, opensAt, closesAt, price }) => (
              <tr key={contractId}>
                <th scope="row">{number}</th>
                <td>
                  <span class={`badge ${states[state][1]}`}>{states[state][0]}</span>
                </td>
                <td>{timeText(opensAt)}</td>
                <td>{timeText(closesAt)}</td>
                <td class="mono">{price}</td>
                <td>
                  <Contract id={contractId} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

export function Votes(): JSX.Element {
  const { end } = useStore(node),
    [cast, setCast] = useState(0),
    [failure, setFailure] = useState<RequestFailed>();
  const { value: votes, failure: unread } = useLoaded(readVotes, [end, cast]);
  const vote = (request: VoteRequest, isAccepted: boolean): void => {
    setFailure(undefined);
    castVote(request, isAccepted).then(
      () => setCast(cast + 1),
      (error: unknown) => setFailure(asFailure(error)),
    );
  };
  if (unread) return <Problem error={unread} />;
  if (votes === undefined) return <Empty>Reading…</Empty>;
  return (
    <div class="page">
      {failure && <Problem error={failure} />}
      <h2>Open</h2>
      {votes.open.length === 0 && <p class="dim pad">No vote is open.</p>}
      <ul class="moves" aria-label="Open votes">
        {votes.open.slice(0, 100).map((request) => (
          <OpenVote key={request.contractId} request={request} onVote={(isAccepted) => vote(request, isAccepted)} />
        ))}
      </ul>
      <h2>Decided</h2>
      {votes.results.length === 0 && <p class="dim pad">Nothing was decided yet.</p>}
      <ul class="moves" aria-label="Decided votes">
        {votes.results.map(({ request, outcome, completedAt }, index) => (
          <li key={index} class="move">
            <div class="move-what">
              <span class={`badge ${outcome.startsWith("VRO_Accepted") ? "is-active" : "is-archived"}`}>
                {outcome.replace(/^VRO_/, "").toLowerCase()}
              </span>
              <strong>{request.action.slice(0, 200)}</strong>
              <span class="dim">
                {timeText(completedAt)}, asked for by {request.requester.slice(0, 80)}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function OpenVote({ request, onVote }: { readonly request: VoteRequest; readonly onVote: (isAccepted: boolean) => void }): JSX.Element {
  const { action, requester, reason, before, votes, contractId, details } = request,
    yes = votes.filter(({ isAccepted }) => isAccepted).length;
  return (
    <li class="move">
      <div class="move-what">
        <strong>{action.slice(0, 200)}</strong>
        <span class="dim">
          asked for by {requester.slice(0, 80)}, until {timeText(before)}
        </span>
        <Contract id={contractId} />
        {reason !== "" && <p class="reason">{reason.slice(0, 1_000)}</p>}
        <p>
          {count(yes)} yes, {count(votes.length - yes)} no
          {votes.slice(0, 40).map(({ name, isAccepted }) => (
            <span key={name} class={`badge ${isAccepted ? "is-active" : "is-archived"}`}>
              {name.slice(0, 60)}
            </span>
          ))}
        </p>
        {details !== undefined && (
          <details>
            <summary>What it would change</summary>
            <ValueTree value={details} />
          </details>
        )}
      </div>
      <div class="move-actions">
        <button class="plain" onClick={() => onVote(true)}>
          Accept
        </button>
        <button class="plain" onClick={() => onVote(false)}>
          Reject
        </button>
      </div>
    </li>
  );
}
