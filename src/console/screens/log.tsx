/** The last lines of the node's log, as they come. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { GetLogResponse, LogLineEntry } from "../../api/node/types/log.js";
import { limits } from "../../config.js";
import { asFailure, type RequestFailed } from "../client/errors.js";
import { timeText } from "../daml/names.js";
import { Problem } from "../parts/bits.js";
import { client } from "../state/session.js";

const lookMs = 2_000;

function useLog(): { readonly lines: readonly LogLineEntry[]; readonly failure: RequestFailed | undefined } {
  const [lines, setLines] = useState<readonly LogLineEntry[]>([]),
    [failure, setFailure] = useState<RequestFailed>();
  useEffect(() => {
    let isWanted = true,
      timer: number | undefined,
      known: readonly LogLineEntry[] = [];
    const look = async (): Promise<void> => {
      try {
        if (document.visibilityState === "visible") {
          const last = known.at(-1)?.number ?? 0,
            { lines: added, written } = await client.get<GetLogResponse>(`/admin/log?after=${last}`);
          known = written < last ? [] : [...known, ...added].slice(-limits.logLinesKept); // else the node was started anew
          if (isWanted) {
            setLines(known);
            setFailure(undefined);
          }
        }
      } catch (error) {
        if (isWanted) setFailure(asFailure(error));
      }
      if (isWanted) timer = window.setTimeout(() => void look(), lookMs);
    };
    void look();
    return () => {
      isWanted = false;
      window.clearTimeout(timer);
    };
  }, []);
  return { lines, failure };
}

export function LogTail(): JSX.Element {
  const { lines, failure } = useLog(),
    [words, setWords] = useState(""),
    wanted = words.toLowerCase().trim();
  const textOf = ({ fields }: LogLineEntry): string =>
    Object.entries(fields)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join("  ");
  const shown = lines
    .filter((line) => wanted === "" || `${line.level} ${line.message} ${textOf(line)}`.toLowerCase().includes(wanted))
    .reverse();
  if (failure?.status === 403) return <p class="dim">Only administrators of the participant are told the log.</p>;
  return (
    <>
      {failure && <Problem error={failure} />}
      <label class="find">
        <input
          type="search"
          aria-label="Filter the log"
          placeholder="Filter by text or level"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      {shown.length === 0 && !failure && (
        <p class="dim pad">{lines.length === 0 ? "Nothing was logged since the node started." : "No line has that."}</p>
      )}
      <ol class="log" tabIndex={0} aria-label="Lines of the log, the last first">
        {shown.map((line) => (
          <li key={line.number}>
            <span class="mono dim">{timeText(line.at)}</span>
            <span class={`level is-${line.level}`}>{line.level}</span>
            <span>
              {line.message} <span class="mono dim">{textOf(line)}</span>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
