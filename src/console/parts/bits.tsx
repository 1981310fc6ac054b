/** The small pieces that all screens are made of. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { asFailure, fieldOf } from "../client/errors.js";
import { entityName, hueOf, partyName, shortId } from "../daml/names.js";
import { packages } from "../state/session.js";
import { hrefOf } from "../route.js";

export function Party({ party, isPlain = false }: { readonly party: string; readonly isPlain?: boolean }): JSX.Element {
  const inside = (
    <>
      <i class="dot" data-hue={hueOf(party)} />
      <span>{partyName(party).slice(0, 80)}</span>
    </>
  );
  if (isPlain)
    return (
      <span class="party" title={party}>
        {inside}
      </span>
    );
  return (
    <a class="party" title={party} href={hrefOf("ledger", { party })}>
      {inside}
    </a>
  );
}

const partiesShown = 24;

export function Parties({ all, isPlain = false }: { readonly all: readonly string[]; readonly isPlain?: boolean }): JSX.Element {
  const [isWhole, setWhole] = useState(false),
    shown = isWhole ? all.slice(0, 2_000) : all.slice(0, partiesShown);
  if (all.length === 0) return <span class="dim">nobody</span>;
  return (
    <span class="parties">
      {shown.map((party) => (
        <Party key={party} party={party} isPlain={isPlain} />
      ))}
      {shown.length < all.length && (
        <button class="link" onClick={() => setWhole(true)}>
          and {all.length - shown.length} more
        </button>
      )}
    </span>
  );
}

export function Contract({ id, offset }: { readonly id: string; readonly offset?: number }): JSX.Element {
  return (
    <a class="mono" title={id} href={hrefOf("ledger", { contract: id, offset })}>
      {shortId(id)}
    </a>
  );
}

/** A template or interface, by its full id. */
export function Entity({ id, isPlain = false }: { readonly id: string; readonly isPlain?: boolean }): JSX.Element {
  const { packageId, module, entity } = entityName(id);
  const inside = (
      <>
        <span class="dim">{module}:</span>
        {entity}
      </>
    ),
    known = packages.value.get(packageId);
  const title = known ? `${known.packageName} ${known.packageVersion}, ${id}` : id;
  return isPlain ? (
    <span class="entity" title={title}>
      {inside}
    </span>
  ) : (
    <a class="entity" title={title} href={hrefOf("packages", { id: packageId, entity: `${module}:${entity}` })}>
      {inside}
    </a>
  );
}

export function Copy({ text, what }: { readonly text: string; readonly what: string }): JSX.Element {
  const [said, setSaid] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("copied");
    } catch {
      setSaid("the browser did not allow it");
    }
    window.setTimeout(() => setSaid(""), 1_500);
  };
  return (
    <button class="copy" aria-label={`Copy ${what}`} title={`Copy ${what}`} onClick={() => void copy()}>
      {said === "" ? <Icon name="copy" /> : <span role="status">{said}</span>}
    </button>
  );
}

/** What went wrong, with the field that it is about. */
export function Problem({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }): JSX.Element {
  const failure = asFailure(error),
    field = fieldOf(failure),
    { throwable } = failure.context,
    whole = throwable === undefined ? failure.explanation : `${failure.explanation}: ${throwable}`; // as the node tells it itself
  return (
    <div class="problem" role="alert">
      <strong>{failure.code}</strong>
      {field !== undefined && (
        <>
          {" "}
          at <code>{field.slice(0, 300)}</code>
        </>
      )}
      <p>{whole.slice(0, 2_000)}</p>
      {onRetry && <button onClick={onRetry}>Try again</button>}
    </div>
  );
}

export const Empty = ({ children }: { readonly children: ComponentChildren }): JSX.Element => <div class="empty">{children}</div>;

export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const paths = {
  copy: "M9 9h10v11H9zM5 15V4h10",
  close: "M6 6l12 12M18 6L6 18",
  sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  moon: "M20 14A8 8 0 1110 4a6.5 6.5 0 0010 10z",
  key: "M14.5 9.5a4.5 4.5 0 10-3.2 4.3L13 15.500h2v2h2v2h3v-3l-5.8-5.600c.2-.5.3-.9.3-1.400zM8.5 8.500h.1",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  search: "M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.500L21 21",
  create: "M12 5v14M5 12h14",
  consume: "M5 12h14M13 6l6 6-6 6",
  use: "M12 5a7 7 0 100 14 7 7 0 000-14zM12 11v2",
  archive: "M6 6l12 12M18 6L6 18",
  hidden: "M3 3l18 18M10 6.300A9 9 0 0121 12a12 12 0 01-2.4 3M6.5 7.500A12 12 0 003 12a9.5 9.5 0 0012 5",
  upload: "M12 16V4M6 10l6-6 6 6M4 20h16",
  chevron: "M9 6l6 6-6 6",
} as const;

export function Icon({ name }: { readonly name: keyof typeof paths }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
