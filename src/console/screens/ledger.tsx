/** The ledger now, or at any offset before: parties, templates, active contracts. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { agoText, count, partyName, timeText } from "../daml/names.js";
import { Empty, Icon, Party, Problem } from "../parts/bits.js";
import { Picker, type Choice } from "../parts/picker.js";
import { VirtualList } from "../parts/virtual-list.js";
import { adjust, route } from "../route.js";
import { type ContractRow, Contracts, rowsMax } from "../state/contracts.js";
import { node, packages, parties } from "../state/session.js";
import { useStore } from "../state/store.js";
import { ContractPanel } from "./contract.js";

/** What is typed into the filter of contracts takes effect so much later. */
export const filterRestMs = 120;

/** Waits until a value rests. */
function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(value), ms);
    return () => window.clearTimeout(timer);
  }, [value, ms]);
  return rested;
}

/** Ages grow on a ledger that rests, too. */
function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), everyMs);
    return () => window.clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A list that is not short is read anew when the ledger rests, a long one when its reader says so: each reading costs the node. */
const shortRowsMax = 500,
  followRowsMax = 2_000,
  shortRestMs = 700,
  followRestMs = 3_000,
  ageMs = 1_000;

export function LedgerScreen(): JSX.Element {
  const { query } = useStore(route),
    { end, pruned } = useStore(node);
  const isNow = query["offset"] === undefined,
    asked = isNow ? end : Math.min(Number(query["offset"]) || 0, end);
  const [held, setHeld] = useState(asked);
  const { party, template, contract } = query,
    isInterface = query["kind"] === "interface";
  const contracts = useMemo(() => new Contracts({ offset: held, party, template, isInterface }), [held, party, template, isInterface]);
  const state = useStore(contracts.state),
    rows = state.rows.length,
    wanted = useRested(asked, !isNow ? 150 : rows > shortRowsMax ? followRestMs : shortRestMs);

  useEffect(() => {
    contracts.more();
    return () => contracts.close();
  }, [contracts]);
  const isLong = rows >= followRowsMax;
  useEffect(() => {
    if (!isNow || !isLong) setHeld(wanted);
  }, [wanted, isNow]);

  return (
    <div class={`split${contract === undefined ? "" : " has-detail"}`}>
      <section class="pane" aria-label="Active contracts">
        <TimeSlider offset={asked} end={end} pruned={pruned} isNow={isNow} />
        <ContractList
          filters={<Filters party={party} template={template} isInterface={isInterface} />}
          contracts={contracts}
          selected={contract}
          newer={isNow && isLong ? end - held : 0}
          onNewer={() => setHeld(end)}
        />
      </section>
      {contract !== undefined && <ContractPanel key={contract} id={contract} onClose={() => adjust({ contract: undefined })} />}
    </div>
  );
}

function Filters({
  party,
  template,
  isInterface,
}: {
  readonly party: string | undefined;
  readonly template: string | undefined;
  readonly isInterface: boolean;
}): JSX.Element {
  const all = useStore(parties),
    known = useStore(packages);
  const partyChoices = useMemo(
    () =>
      all.map((one): Choice => ({ value: one, text: partyName(one), note: one.slice(partyName(one).length, 24 + partyName(one).length) })),
    [all],
  );
  const kinds = useMemo(() => {
    const found = new Map<string, Choice>();
    for (const { packageName, templates, interfaces } of known.values()) {
      for (const name of templates)
        found.set(`t#${packageName}:${name}`, { value: `t#${packageName}:${name}`, text: name, note: packageName });
      for (const name of interfaces)
        found.set(`i#${packageName}:${name}`, { value: `i#${packageName}:${name}`, text: `${name} (interface)`, note: packageName });
    }
    return [...found.values()].sort((left, right) => (left.text < right.text ? -1 : 1));
  }, [known]);
  return (
    <>
      <Picker
        label="Party"
        choices={partyChoices}
        value={party}
        none="everybody"
        onPick={(value) => adjust({ party: value })}
        shown={({ value }) => <Party party={value} isPlain />}
      />
      <Picker
        label="Template"
        choices={kinds}
        value={template && `${isInterface ? "i" : "t"}${template}`}
        none="all"
        onPick={(value) => adjust({ template: value?.slice(1), kind: value?.startsWith("i") ? "interface" : undefined })}
      />
    </>
  );
}

interface TimeSliderProps {
  readonly offset: number;
  readonly end: number;
  readonly pruned: number;
  readonly isNow: boolean;
}

function TimeSlider({ offset, end, pruned, isNow }: TimeSliderProps): JSX.Element {
  const move = (to: number): void => adjust({ offset: to >= end ? undefined : to }, true);
  const [typed, setTyped] = useState<string>(); // what is half written stays, whatever is drawn anew meanwhile
  return (
    <div class="slider">
      <label for="offset">At offset</label>
      <input
        id="offset"
        type="range"
        min={pruned}
        max={Math.max(end, pruned + 1)}
        value={offset}
        aria-valuetext={isNow ? `now, ${offset}` : String(offset)}
        onInput={(event) => move(Number(event.currentTarget.value))}
      />
      <input
        class="offset-number"
        type="number"
        aria-label="Offset"
        min={pruned}
        max={end}
        value={typed ?? offset}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(undefined)}
        onChange={(event) => {
          setTyped(undefined);
          move(Math.max(pruned, Number(event.currentTarget.value)));
        }}
      />
      <button class={isNow ? "now is-on" : "now"} aria-pressed={isNow} onClick={() => adjust({ offset: undefined })}>
        now
      </button>
    </div>
  );
}

type Order = "oldest" | "newest" | "template";

interface ContractListProps {
  readonly filters: ComponentChildren;
  readonly contracts: Contracts;
  readonly selected: string | undefined;
  readonly newer: number;
  readonly onNewer: () => void;
}

function ContractList({ filters, contracts, selected, newer, onNewer }: ContractListProps): JSX.Element {
  const { rows, phase, failure } = useStore(contracts.state);
  const [order, setOrder] = useState<Order>("newest"),
    [words, setWords] = useState(""),
    [group, setGroup] = useState<string>();
  const rested = useRested(words, filterRestMs),
    known = rows.length;
  const groups = useMemo(() => countBy(rows, known), [rows, known]);
  const shown = useMemo(() => arranged(rows, { order, words: rested, group }), [rows, known, order, rested, group]);
  const at = useMemo(() => (selected === undefined ? -1 : shown.findIndex(({ contractId }) => contractId === selected)), [shown, selected]);
  const isWhole = phase === "complete",
    now = useNow(ageMs);
  return (
    <>
      <div class="bar">
        {filters}
        <label class="find">
          <Icon name="search" />
          <input
            type="search"
            placeholder="Filter by text, id, party"
            aria-label="Filter the contracts"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
        <label class="plain">
          Sort
          <select value={order} onChange={(event) => setOrder(event.currentTarget.value as Order)}>
            <option value="newest">newest first</option>
            <option value="oldest">oldest first</option>
            <option value="template">by template</option>
          </select>
        </label>
        <span class="tally" role="status">
          {shown.length === rows.length ? "" : `${count(shown.length)} of `}
          {count(rows.length)}
          {isWhole ? "" : "+"} contract{rows.length === 1 && isWhole ? "" : "s"}
          {phase === "resting" && (
            <button class="link" onClick={() => contracts.readAll()}>
              count all
            </button>
          )}
          {phase === "reading" && <span class="busy" aria-label="reading" />}
          {phase === "full" && <span class="dim"> (the first {count(rowsMax)}: narrow it by party or template)</span>}
          {newer > 0 && (
            <button class="link" onClick={onNewer}>
              {count(newer)} newer
            </button>
          )}
        </span>
      </div>
      {groups.length > 1 && (
        <div class="chips" role="group" aria-label="Templates here">
          {groups.slice(0, 12).map(([template, number]) => (
            <button
              key={template}
              class={group === template ? "chip is-on" : "chip"}
              aria-pressed={group === template}
              onClick={() => setGroup(group === template ? undefined : template)}
            >
              {template.slice(template.lastIndexOf(":") + 1)}
              <span class="dim">{count(number)}</span>
            </button>
          ))}
          {groups.length > 12 && <span class="dim">and {groups.length - 12} templates more</span>}
        </div>
      )}
      {failure !== undefined && <Problem error={failure} onRetry={() => contracts.more()} />}
      {shown.length === 0 && phase !== "reading" && failure === undefined ? (
        <Empty>{rows.length === 0 ? "No active contracts here." : "None of these contracts fits."}</Empty>
      ) : (
        <VirtualList
          class="contracts"
          count={shown.length}
          rowHeight={52}
          label="Active contracts"
          selected={at}
          onSelect={(index) => adjust({ contract: shown[index]!.contractId }, at >= 0)}
          onEnd={() => phase === "resting" && contracts.more()}
          row={(index) => <Row row={shown[index]!} now={now} />}
        />
      )}
    </>
  );
}

const partiesInRow = 4;

function Row({
  row: { template, packageName, preview, stakeholders, offset, createdAt },
  now,
}: {
  readonly row: ContractRow;
  readonly now: number;
}): JSX.Element {
  const split = template.lastIndexOf(":");
  return (
    <div class="contract-row">
      <span class="what">
        <strong>{template.slice(split + 1)}</strong>
        <span class="dim">
          {template.slice(0, split)} · {packageName}
        </span>
      </span>
      <span class="preview">{preview}</span>
      <span class="who">
        {stakeholders.slice(0, partiesInRow).map((party) => (
          <Party key={party} party={party} isPlain />
        ))}
        {stakeholders.length > partiesInRow && <span class="dim">+{stakeholders.length - partiesInRow}</span>}
      </span>
      <span class="when">
        <span class="mono">{count(offset)}</span>
        <span class="dim" title={timeText(createdAt)}>
          {agoText(createdAt, now)}
        </span>
      </span>
    </div>
  );
}

/** The largest first. `length`: rows only come, so their number tells whether there are others. */
function countBy(rows: readonly ContractRow[], length: number): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (let index = 0; index < length; index++) counts.set(rows[index]!.template, (counts.get(rows[index]!.template) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left);
}

interface Arrangement {
  readonly order: Order;
  readonly words: string;
  readonly group: string | undefined;
}

function arranged(rows: readonly ContractRow[], { order, words, group }: Arrangement): readonly ContractRow[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const fits = ({ template, packageName, preview, contractId, stakeholders }: ContractRow): boolean => {
    if (group !== undefined && template !== group) return false;
    if (wanted.length === 0) return true;
    const text = `${template} ${packageName} ${preview} ${contractId} ${stakeholders.join(" ")}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  const found = wanted.length === 0 && group === undefined ? [...rows] : rows.filter(fits);
  if (order === "newest") return found.reverse();
  return order === "oldest"
    ? found
    : found.sort((left, right) =>
        left.template === right.template ? right.offset - left.offset : left.template < right.template ? -1 : 1,
      );
}
