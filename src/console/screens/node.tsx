/** How the node is: its end, load, times of answers, storage, limits. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { GetConnectedSynchronizersResponse } from "../../api/ledger/types/state.js";
import type { GetLedgerApiVersionResponse } from "../../api/ledger/types/version.js";
import { limits } from "../../config.js";
import { asFailure, type RequestFailed } from "../client/errors.js";
import { count } from "../daml/names.js";
import { type Histogram, histogramsOf, quantile, type Sample, samplesOf } from "../daml/metrics.js";
import { Copy, Facts, Problem } from "../parts/bits.js";
import { client, node } from "../state/session.js";
import { useLoaded, useStore } from "../state/store.js";
import { LogTail } from "./log.js";

const lookMs = 2_000,
  pointsMax = 90;

interface Look {
  readonly at: number;
  readonly samples: readonly Sample[];
}

interface NodeHealth {
  readonly isServing: boolean;
  /** What it says of itself. */
  readonly words: string;
}

/** A node that does not serve now says so, and why: that is an answer too. */
async function readHealth(): Promise<NodeHealth> {
  try {
    return { isServing: true, words: await client.text("/readyz") };
  } catch (error) {
    const failure = asFailure(error);
    if (failure.status !== 503) throw failure;
    return { isServing: false, words: failure.explanation };
  }
}

const readFigures = async (): Promise<Look> => ({ samples: samplesOf(await client.text("/metrics")), at: performance.now() });

/** What was read at the last few looks. */
function useLooks<T>(read: () => Promise<T>, max: number): { readonly looks: readonly T[]; readonly failure: RequestFailed | undefined } {
  const [state, setState] = useState<{ readonly looks: readonly T[]; readonly failure?: RequestFailed }>({ looks: [] });
  useEffect(() => {
    let isWanted = true,
      timer: number | undefined;
    const look = async (): Promise<void> => {
      if (document.visibilityState === "visible")
        await read().then(
          (found) => isWanted && setState(({ looks }) => ({ looks: [...looks, found].slice(-max) })),
          (error: unknown) => isWanted && setState(({ looks }) => ({ looks, failure: asFailure(error) })),
        );
      if (isWanted) timer = window.setTimeout(() => void look(), lookMs);
    };
    void look();
    return () => {
      isWanted = false;
      window.clearTimeout(timer);
    };
  }, [read, max]);
  return { looks: state.looks, failure: state.failure };
}

const valueIn = ({ samples }: Look, name: string): number =>
  samples.filter((sample) => sample.name === name).reduce((sum, { value }) => sum + value, 0);

/** Per second, between neighbouring looks. */
function ratesOf(looks: readonly Look[], name: string): readonly number[] {
  return looks
    .slice(1)
    .map((look, index) => Math.max(0, (valueIn(look, name) - valueIn(looks[index]!, name)) / ((look.at - looks[index]!.at) / 1_000)));
}

const bytes = (number: number): string =>
  number < 1_024 ** 2
    ? `${count(Math.round(number / 1_024))} kB`
    : number < 1_024 ** 3
      ? `${(number / 1_024 ** 2).toFixed(1)} MB`
      : `${(number / 1_024 ** 3).toFixed(2)} GB`;
const seconds = (number: number): string =>
  number === Infinity
    ? "more"
    : number < 0.001
      ? `${Math.round(number * 1e6)} µs`
      : number < 1
        ? `${+(number * 1e3).toPrecision(3)} ms`
        : `${+number.toPrecision(3)} s`;

export function NodeScreen(): JSX.Element {
  const { looks, failure } = useLooks(readFigures, pointsMax),
    health = useLooks(readHealth, 1),
    isRefused = failure?.status === 403,
    problem = health.failure ?? (isRefused ? undefined : failure);
  const { end, pruned, participantId } = useStore(node),
    last = looks.at(-1);
  const { value: version } = useLoaded(() => client.get<GetLedgerApiVersionResponse>("/v2/version"), []);
  const { value: synchronizers } = useLoaded(() => client.get<GetConnectedSynchronizersResponse>("/v2/state/connected-synchronizers"), []);
  const build = last?.samples.find(({ name }) => name === "ledgerline_build_info")?.labels;
  return (
    <div class="page node-page">
      {problem && <Problem error={problem} />}
      <Health of={health.looks[0]} />
      <div class="cards">
        <Card
          title="Ledger end"
          value={count(end)}
          note={pruned > 0 ? `history from ${count(pruned)}` : "all history is there"}
          points={last && ratesOf(looks, "ledgerline_ledger_end")}
          unit="offsets/s"
        />
        {last && <Figures looks={looks} last={last} />}
      </div>
      {isRefused ? (
        <p class="dim">Only administrators of the participant are told its load, its storage and the times of its answers.</p>
      ) : (
        <section class="sheet">
          <h2>Times of answers</h2>
          {last ? (
            <Times all={histogramsOf(last.samples, "ledgerline_request_seconds")} />
          ) : (
            <p class="dim">{failure ? "Nothing could be read." : "Reading…"}</p>
          )}
        </section>
      )}
      <section class="sheet">
        <h2>This node</h2>
        <Facts
          of={[
            [
              "Participant",
              <>
                <span class="mono">{participantId}</span>
                <Copy text={participantId} what="participant id" />
              </>,
            ],
            ...(synchronizers?.connectedSynchronizers ?? []).map(
              ({ synchronizerAlias, synchronizerId }) => [synchronizerAlias, <span class="mono">{synchronizerId}</span>] as const,
            ),
            ...(build
              ? ([["Program", `Ledgerline ${build["version"]} on Node.js ${build["node"]}, transport ${build["transport"]}`]] as const)
              : []),
            ["Ledger API", version?.version ?? ""],
            [
              "Documents",
              <span class="versions">
                <a href="/docs/openapi">OpenAPI</a>
                <a href="/docs/asyncapi">AsyncAPI</a>
                <a href="/docs">all addresses</a>
                <a href="/metrics">metrics</a>
              </span>,
            ],
          ]}
        />
      </section>
      <section class="sheet">
        <h2>Log</h2>
        <LogTail />
      </section>
      <section class="sheet">
        <h2>Limits</h2>
        <Limits />
      </section>
    </div>
  );
}

function Figures({ looks, last }: { readonly looks: readonly Look[]; readonly last: Look }): JSX.Element {
  const now = (name: string): number => valueIn(last, name),
    requests = ratesOf(looks, "ledgerline_requests_total");
  return (
    <>
      <Card
        title="Requests"
        value={`${count(Math.round(requests.at(-1) ?? 0))}/s`}
        note={`${count(now("ledgerline_requests_total"))} since the start`}
        points={requests}
        unit="per second"
      />
      <Card
        title="Commands in flight"
        value={count(now("ledgerline_commands_in_flight"))}
        note={`${count(now("ledgerline_engine_threads_running"))} engine threads at work, ${count(now("ledgerline_engine_submissions_waiting"))} submissions wait`}
        points={looks.map((look) => valueIn(look, "ledgerline_commands_in_flight"))}
        unit="commands"
      />
      <Card
        title="Streams"
        value={count(now("ledgerline_streams_open"))}
        note="open lists and sockets"
        points={looks.map((look) => valueIn(look, "ledgerline_streams_open"))}
        unit="streams"
      />
      <Card
        title="Storage"
        value={bytes(now("ledgerline_store_used_bytes"))}
        note={`file ${bytes(now("ledgerline_store_file_bytes"))}; oldest reader ${count(now("ledgerline_store_oldest_reader_commits"))} commits behind`}
        points={looks.map((look) => valueIn(look, "ledgerline_store_used_bytes"))}
        unit="bytes"
      />
      <Card
        title="Memory"
        value={bytes(now("process_resident_memory_bytes"))}
        note={`event loop p99 ${seconds(now("ledgerline_event_loop_delay_p99_seconds"))}`}
        points={looks.map((look) => valueIn(look, "process_resident_memory_bytes"))}
        unit="bytes"
      />
    </>
  );
}

function Health({ of }: { readonly of: NodeHealth | undefined }): JSX.Element {
  return (
    <section class="sheet health" aria-label="Health">
      {of === undefined ? (
        <span class="dim">Asking how it is…</span>
      ) : (
        <>
          <span class={`badge is-${of.isServing ? "active" : "archived"}`}>{of.isServing ? "serving" : "not serving"}</span>
          <pre class="dim">{of.words.slice(0, 1_000).trim()}</pre>
        </>
      )}
    </section>
  );
}

interface CardProps {
  readonly title: string;
  readonly value: string;
  readonly note: string;
  /** Undefined: they are not told. */
  readonly points: readonly number[] | undefined;
  readonly unit: string;
}

function Card({ title, value, note, points, unit }: CardProps): JSX.Element {
  return (
    <section class="card">
      <h3>{title}</h3>
      <strong>{value}</strong>
      <span class="dim">{note}</span>
      {points && <Points of={points} name={title} unit={unit} />}
    </section>
  );
}

function Points({ of: points, name, unit }: { readonly of: readonly number[]; readonly name: string; readonly unit: string }): JSX.Element {
  const most = Math.max(...points, 0),
    width = 200,
    height = 44;
  const line = points
    .map(
      (point, index) =>
        `${(((index + pointsMax - points.length) / (pointsMax - 1)) * width).toFixed(1)},${(height - 3 - (most === 0 ? 0 : point / most) * (height - 8)).toFixed(1)}`,
    )
    .join(" ");
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${name}: the last ${Math.round((points.length * lookMs) / 1_000)} seconds, at most ${most.toFixed(1)} ${unit}`}
    >
      {points.length > 1 && <polyline points={line} />}
    </svg>
  );
}

const timesShown = 40;

function Times({ all }: { readonly all: readonly Histogram[] }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0}>
      <table class="times">
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Requests</th>
            <th scope="col">Mean</th>
            <th scope="col">Half below</th>
            <th scope="col">99 % below</th>
            <th scope="col">How they spread</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, timesShown).map((one) => (
            <TimesRow key={one.operation} of={one} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TimesRow({ of }: { readonly of: Histogram }): JSX.Element {
  const { operation, buckets, sumSeconds } = of,
    [isOpen, setOpen] = useState(false);
  const most = Math.max(...buckets.map(({ count: number }) => number), 1),
    step = 120 / Math.max(1, buckets.length);
  return (
    <>
      <tr>
        <th scope="row">
          <button class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {operation}
          </button>
        </th>
        <td>{count(of.count)}</td>
        <td>{seconds(sumSeconds / Math.max(1, of.count))}</td>
        <td>{seconds(quantile(of, 0.5))}</td>
        <td>{seconds(quantile(of, 0.99))}</td>
        <td>
          <svg class="bars" viewBox="0 0 120 24" role="img" aria-label={`Spread of ${operation}`}>
            {buckets.map(({ below, count: number }, index) => (
              <rect key={index} x={index * step} y={24 - (number / most) * 24} width={Math.max(1, step - 1)} height={(number / most) * 24}>
                <title>{bucketText(below, number)}</title>
              </rect>
            ))}
          </svg>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td class="histogram" colSpan={6}>
            <HistogramDrawn of={of} />
          </td>
        </tr>
      )}
    </>
  );
}

const bucketText = (below: number, number: number): string =>
  `${count(number)} ${below === Infinity ? "above" : `below ${seconds(below)}`}`;

/** Each bucket with how many it has above and its bound below. */
function HistogramDrawn({ of: { operation, buckets } }: { readonly of: Histogram }): JSX.Element {
  const width = 1_000,
    height = 130,
    step = width / Math.max(1, buckets.length),
    most = Math.max(...buckets.map(({ count: number }) => number), 1);
  return (
    <svg
      viewBox={`0 0 ${width} 170`}
      role="img"
      aria-label={`Answers of ${operation}: ${buckets.map(({ below, count: number }) => bucketText(below, number)).join(", ")}`}
    >
      {buckets.map(({ below, count: number }, index) => {
        const high = (number / most) * (height - 16),
          middle = (index + 0.5) * step;
        return (
          <g key={index}>
            <rect x={index * step + 1} y={height - high} width={Math.max(1, step - 2)} height={high} />
            {number > 0 && (
              <text x={middle} y={height - high - 4}>
                {count(number)}
              </text>
            )}
            <text x={middle} y={height + 16}>
              {below === Infinity ? "more" : seconds(below)}
            </text>
          </g>
        );
      })}
      <line x1={0} x2={width} y1={height} y2={height} />
    </svg>
  );
}

function Limits(): JSX.Element {
  const [words, setWords] = useState(""),
    wanted = words.toLowerCase().trim();
  const all = Object.entries(limits).filter(([name]) => name.toLowerCase().includes(wanted));
  return (
    <>
      <label class="find">
        <input
          type="search"
          aria-label="Filter the limits"
          placeholder="Filter by name"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      <dl class="limits">
        {all.map(([name, value]) => (
          <div key={name}>
            <dt class="mono">{name}</dt>
            <dd>{count(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
