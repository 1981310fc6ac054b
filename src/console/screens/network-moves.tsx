/** Transfers and allocations that wait for somebody. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { count, timeText } from "../daml/names.js";
import { type Allocation, type AllocationRequest, askedBy, type Holding, type Leg, type Transfer } from "../daml/token-standard.js";
import { Contract, Empty, Parties } from "../parts/bits.js";
import { Act, Amount, FromTo, MoveRow, useActing } from "../parts/move.js";
import { acceptRequest, endTransfer, rejectRequest, type TransferStep, withdrawAllocation } from "../state/network.js";

const stepShown = 60;

/** The first of many, and the next on demand. */
function usePiece<T>(all: readonly T[]): { readonly shown: readonly T[]; readonly more: JSX.Element | null } {
  const [limit, setLimit] = useState(stepShown),
    left = all.length - limit;
  return {
    shown: all.slice(0, limit),
    more:
      left > 0 ? (
        <button class="link more" onClick={() => setLimit(limit + stepShown)}>
          {count(left)} more
        </button>
      ) : null,
  };
}

export function Transfers({
  transfers,
  party,
  onDone,
}: {
  readonly transfers: readonly Transfer[];
  readonly party: string | undefined;
  readonly onDone: () => void;
}): JSX.Element {
  const acting = useActing(onDone),
    { shown, more } = usePiece(transfers);
  const act = (transfer: Transfer, step: TransferStep) => async () => [await endTransfer(transfer, step)];
  return (
    <div class="page">
      <div aria-live="polite">{acting.outcome}</div>
      {transfers.length === 0 ? (
        <Empty>No transfer waits for anybody.</Empty>
      ) : (
        <ul class="moves" aria-label="Transfers that wait">
          {shown.map((transfer) => (
            <MoveRow
              key={transfer.contractId}
              actions={
                <>
                  <Act name="Accept" actor={transfer.receiver} acting={acting} party={party} act={act(transfer, "accept")} />
                  <Act name="Reject" actor={transfer.receiver} acting={acting} party={party} act={act(transfer, "reject")} />
                  <Act name="Withdraw" actor={transfer.sender} acting={acting} party={party} act={act(transfer, "withdraw")} />
                </>
              }
            >
              <Amount {...transfer} />
              <FromTo {...transfer} />
              <span class="dim">until {timeText(transfer.executeBefore)}</span>
              <Contract id={transfer.contractId} />
            </MoveRow>
          ))}
        </ul>
      )}
      {more}
    </div>
  );
}

interface AllocationsProps {
  readonly allocations: readonly Allocation[];
  readonly requests: readonly AllocationRequest[];
  readonly holdings: readonly Holding[];
  readonly party: string | undefined;
  readonly onDone: () => void;
}

export function Allocations({ allocations, requests, holdings, party, onDone }: AllocationsProps): JSX.Element {
  const acting = useActing(onDone),
    asked = usePiece(requests),
    aside = usePiece(allocations);
  return (
    <div class="page">
      <div aria-live="polite">{acting.outcome}</div>
      {requests.length + allocations.length === 0 && <Empty>Nothing is set aside, and nobody asks for it.</Empty>}
      {requests.length > 0 && <h2>Asked for</h2>}
      <ul class="moves" aria-label="Requests to set something aside">
        {asked.shown.map((request) => (
          <MoveRow
            key={request.contractId}
            actions={askedBy(request).map((actor) => (
              <span key={actor} class="move-actions">
                <Act name="Accept" actor={actor} acting={acting} party={party} act={() => acceptRequest(request, actor, holdings)} />
                <Act name="Reject" actor={actor} acting={acting} party={party} act={async () => [await rejectRequest(request, actor)]} />
              </span>
            ))}
          >
            <Legs legs={request.legs} />
            <Settlement of={request} />
          </MoveRow>
        ))}
      </ul>
      {asked.more}
      {allocations.length > 0 && <h2>Set aside</h2>}
      <ul class="moves" aria-label="What is set aside">
        {aside.shown.map((allocation) => (
          <MoveRow
            key={allocation.contractId}
            actions={
              <Act
                name="Withdraw"
                actor={allocation.owner}
                acting={acting}
                party={party}
                act={async () => [await withdrawAllocation(allocation)]}
              />
            }
          >
            <Legs legs={allocation.legs} />
            <Settlement of={allocation} />
          </MoveRow>
        ))}
      </ul>
      {aside.more}
    </div>
  );
}

const legsShown = 20;

function Legs({ legs }: { readonly legs: readonly Leg[] }): JSX.Element {
  return (
    <div class="legs">
      {legs.slice(0, legsShown).map((leg, index) => (
        <div key={index} class="move-what">
          <Amount {...leg} />
          <FromTo {...leg} />
        </div>
      ))}
      {legs.length > legsShown && <span class="dim">and {count(legs.length - legsShown)} legs more</span>}
    </div>
  );
}

function Settlement({ of: { executors, settleBefore, contractId } }: { readonly of: Allocation | AllocationRequest }): JSX.Element {
  return (
    <>
      <span class="dim">settled by</span>
      <Parties all={executors} />
      {settleBefore !== "" && <span class="dim">before {timeText(settleBefore)}</span>}
      <Contract id={contractId} />
    </>
  );
}
