/** What happens on the ledger, as it happens: the last update on top. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { agoText, count, timeText } from "../daml/names.js";
import { Empty, Icon, Party, Problem } from "../parts/bits.js";
import { VirtualList } from "../parts/virtual-list.js";
import { adjust, route } from "../route.js";
import { node } from "../state/session.js";
import { useStore } from "../state/store.js";
import { rowsMax, type Step, Tail, type UpdateRow } from "../state/tail.js";
import { TransactionPanel } from "./transaction.js";

export function TransactionsScreen(): JSX.Element {
  const { query } = useStore(route),
    at = query["at"] === undefined ? undefined : Number(query["at"]);
  const tail = useMemo(() => new Tail(), []),
    { phase, failure, wasReplaced, pruned, isAll, arrived } = useStore(tail.state);
  const { end } = useStore(node),
    [, tick] = useState(0);
  const { rows } = tail,
    newest = rows.length - 1,
    selected = at === undefined ? -1 : newest - rows.findIndex(({ offset }) => offset === at);

  useEffect(() => {
    void tail.begin();
    const timer = window.setInterval(() => {
      tail.lookAfter(node.value.end);
      tick((count_) => count_ + 1);
    }, 5_000);
    return () => {
      tail.close();
      window.clearInterval(timer);
    };
  }, [tail]);

  const isAway = failure !== undefined && (failure.status === 0 || failure.status >= 500);
  const behind = Math.max(0, end - tail.cursor),
    now = Date.now();
  return (
    <div class={`split${at === undefined ? "" : " has-detail"}`}>
      <section class="pane" aria-label="Transactions">
        <div class="bar">
          {phase === "paused" ? (
            <button class="now" onClick={() => tail.resume()}>
              <Icon name="play" />
              Resume
            </button>
          ) : (
            <button class="now is-on" onClick={() => tail.pause()}>
              <Icon name="pause" />
              Pause
            </button>
          )}
          <span class="dim" role="status">
            {phase === "live" && (arrived === 0 ? "Live: what is recorded appears here." : `Live: ${count(arrived)} came since you look.`)}
            {phase === "paused"
              && (behind === 0
                ? "Paused."
                : `Paused: ${count(behind)} offset${behind === 1 ? "" : "s"} behind. Nothing will be left out, unless it is pruned.`)}
            {phase === "connecting"
              && (failure && isAway ? "The node is away; this goes on where it stopped when it is back." : "Connecting…")}
          </span>
        </div>
        {wasReplaced && (
          <p class="notice" role="status">
            The node came back with another ledger; what was here before is not part of it.
          </p>
        )}
        {pruned && (
          <p class="notice" role="status">
            {pruned.from === pruned.to ? `Offset ${count(pruned.from)} was` : `Offsets ${count(pruned.from)} to ${count(pruned.to)} were`}{" "}
            pruned before it was read here.
          </p>
        )}
        {rows.length >= rowsMax && !isAll && (
          <p class="notice" role="status">
            The last {count(rowsMax)} are shown.
          </p>
        )}
        {failure && (phase !== "connecting" || !isAway) && <Problem error={failure} onRetry={() => void tail.older()} />}
        {rows.length === 0 && phase !== "connecting" && !failure ? (
          <Empty>Nothing has happened yet.</Empty>
        ) : (
          <VirtualList
            class="updates"
            count={rows.length}
            rowHeight={52}
            label="Updates, the last first"
            selected={selected > newest ? -1 : selected}
            addedAtTop={arrived}
            onSelect={(index) => adjust({ at: rows[newest - index]!.offset, as: undefined, node: undefined }, at !== undefined)}
            onEnd={() => {
              if (!isAll) void tail.older();
            }}
            row={(index) => <Row row={rows[newest - index]!} now={now} />}
          />
        )}
      </section>
      {at !== undefined && (
        <TransactionPanel key={at} offset={at} onClose={() => adjust({ at: undefined, as: undefined, node: undefined })} />
      )}
    </div>
  );
}

const partiesInRow = 5;

function Row({
  row: { offset, recordTime, commandId, roots, events, parties },
  now,
}: {
  readonly row: UpdateRow;
  readonly now: number;
}): JSX.Element {
  return (
    <div class="update-row">
      <span class="mono offset">{count(offset)}</span>
      <span class="what">
        <span class="steps">
          {roots.map((step, index) => (
            <StepMark key={index} step={step} />
          ))}
          {events > roots.length && <span class="dim">{count(events)} events</span>}
        </span>
        <span class="dim mono">{commandId.slice(0, 120)}</span>
      </span>
      <span class="who">
        {parties.slice(0, partiesInRow).map((party) => (
          <Party key={party} party={party} isPlain />
        ))}
        {parties.length > partiesInRow && <span class="dim">+{parties.length - partiesInRow}</span>}
      </span>
      <span class="when">
        <span class="dim" title={timeText(recordTime)}>
          {agoText(recordTime, now)}
        </span>
      </span>
    </div>
  );
}

function StepMark({ step: { kind, text } }: { readonly step: Step }): JSX.Element {
  return (
    <span class={`step is-${kind}`}>
      {kind !== "other" && <Icon name={kind} />}
      {text.slice(0, 120)}
    </span>
  );
}
