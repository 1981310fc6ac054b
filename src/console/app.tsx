import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { count } from "./daml/names.js";
import { Icon } from "./parts/bits.js";
import { fields, isWithin, useKeys } from "./parts/keys.js";
import { hrefOf, route, screens, type Screen } from "./route.js";
import { DoScreen } from "./screens/do.js";
import { filterRestMs, LedgerScreen } from "./screens/ledger.js";
import { NetworkScreen } from "./screens/network.js";
import { NodeScreen } from "./screens/node.js";
import { PackagesScreen } from "./screens/packages.js";
import { TransactionsScreen } from "./screens/transactions.js";
import { begin, client, node, packages, seesNobody } from "./state/session.js";
import { useStore } from "./state/store.js";
import { knowsTokens } from "./state/tokens.js";

declare const LEDGERLINE_VERSION: string;

interface ScreenEntry {
  readonly title: string;
  readonly Show: () => JSX.Element;
  readonly isOfParties?: boolean;
  /** What is written there outlives a token. */
  readonly hasForms?: boolean;
}

const entries: Readonly<Record<Screen, ScreenEntry>> = {
  ledger: { title: "Ledger", Show: LedgerScreen, isOfParties: true },
  transactions: { title: "Transactions", Show: TransactionsScreen, isOfParties: true },
  packages: { title: "Packages", Show: PackagesScreen },
  do: { title: "Do", Show: DoScreen, hasForms: true },
  network: { title: "Network", Show: NetworkScreen, isOfParties: true, hasForms: true },
  node: { title: "Node", Show: NodeScreen },
};

/** There is no network to show without packages of the token standard. */
const offered = (): readonly Screen[] => screens.filter((name) => name !== "network" || knowsTokens(packages.value));

export function App(): JSX.Element {
  const { screen } = useStore(route),
    { phase, scope, participantId } = useStore(node),
    main = useRef<HTMLElement>(null);
  useStore(packages); // decide what is offered
  const all = offered(),
    current = all.find((name) => name === screen) ?? "ledger",
    { title, Show, isOfParties = false, hasForms = false } = entries[current];
  const isAsking = phase === "token" || phase === "starting",
    isKept = hasForms && participantId !== ""; // which is known since a token was taken
  useEffect(() => {
    document.title = `${title} · Ledgerline`;
    // Narrow pages have not all of them.
    document.querySelector(".top nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [title]);
  useKeys(onKey);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <span class="brand" aria-label={`Ledgerline ${LEDGERLINE_VERSION}`}>
          <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 5h16M4 12h11M4 19h16" />
            <circle cx="19" cy="12" r="2.2" />
          </svg>
          Ledgerline
        </span>
        <nav aria-label="Screens">
          {all.map((name, index) => (
            <a key={name} href={hrefOf(name)} aria-current={name === current ? "page" : undefined} title={`Key ${index + 1}`}>
              {entries[name].title}
            </a>
          ))}
        </nav>
        <End />
        <Theme />
      </header>
      <main ref={main} tabIndex={-1}>
        {phase === "token" && <TokenPrompt />}
        {phase === "starting" && <p class="empty">Asking the node…</p>}
        {!isAsking && isOfParties && seesNobody(scope) ? (
          <p class="empty">The user of this token may read for no party, so there are no contracts or transactions to show.</p>
        ) : (
          (!isAsking || isKept) && (
            <div class="screen" hidden={isAsking}>
              <Show key={`${current} ${scope.userId}`} />
            </div>
          )
        )}
      </main>
    </>
  );
}

function End(): JSX.Element {
  const { end, phase, failure } = useStore(node);
  if (phase === "away")
    return (
      <span class="end is-away" role="status" title={failure?.message}>
        the node is away
      </span>
    );
  return (
    <span class="end" title="The last offset of the ledger">
      <i class="pulse" key={end} />
      {phase === "ready" ? count(end) : "…"}
    </span>
  );
}

type ThemeName = "light" | "dark";

const systemIsDark = matchMedia("(prefers-color-scheme: dark)"),
  ofSystem = (): ThemeName => (systemIsDark.matches ? "dark" : "light");

/** The system's, which may change with the hour, until one is chosen. */
function Theme(): JSX.Element {
  const [system, setSystem] = useState<ThemeName>(ofSystem),
    [chosen, setChosen] = useState<ThemeName>(),
    theme = chosen ?? system;
  useEffect(() => {
    const onChange = (): void => setSystem(ofSystem());
    systemIsDark.addEventListener("change", onChange);
    return () => systemIsDark.removeEventListener("change", onChange);
  }, []);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  const other = theme === "light" ? "dark" : "light";
  return (
    <button class="round" aria-label={`Use ${other} colours`} title={`Use ${other} colours`} onClick={() => setChosen(other)}>
      <Icon name={theme === "light" ? "moon" : "sun"} />
    </button>
  );
}

/** Kept in memory for as long as the page is open, and nowhere else. */
function TokenPrompt(): JSX.Element {
  const { failure } = useStore(node),
    [token, setToken] = useState("");
  const use = (event: Event): void => {
    event.preventDefault();
    client.useToken(token.trim().replace(/^Bearer\s+/i, ""));
    void begin();
  };
  return (
    <form class="token" onSubmit={use}>
      <h1>
        <Icon name="key" />
        This node checks tokens
      </h1>
      <p>Paste one. It is kept in the memory of this page and nowhere else, and you see what it lets you see.</p>
      {failure && client.token !== undefined && (
        <div class="problem" role="alert">
          <strong>The node refused this token: its log tells why.</strong>
          <p>{failure.explanation}</p>
        </div>
      )}
      <label for="token">Token</label>
      <textarea
        id="token"
        rows={5}
        spellcheck={false}
        autocomplete="off"
        value={token}
        onInput={(event) => setToken(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && token.trim() !== "") use(event); // a token is one line
        }}
      />
      <button class="primary" disabled={token.trim() === ""}>
        Use this token
      </button>
    </form>
  );
}

/** Numbers lead to screens, / to the first filter; from there, and where no element has a use for them, others go to the screen's list. */
function onKey(event: KeyboardEvent): void {
  const { key } = event,
    filter = document.querySelector<HTMLInputElement>("input[type=search]");
  if (event.target === filter) {
    if (key !== "Enter" && key !== "ArrowDown") return;
    screenList()?.focus();
    window.setTimeout(() => toList(key === "Enter" ? "Home" : key), 2 * filterRestMs); // once what was typed last has left its rows
    event.preventDefault();
  } else if (!isWithin(event, fields)) {
    const screen = offered()[Number(key) - 1];
    if (screen !== undefined) location.hash = hrefOf(screen);
    else if (key === "/" && filter !== null) {
      filter.focus();
      event.preventDefault();
    } else if (!(isScrolling(key) && isWithin(event, ".detail")) && toList(key)) {
      screenList()?.focus();
      event.preventDefault();
    }
  }
}

/** Not a letter: what has more to show than there is room for moves by it. */
const isScrolling = (key: string): boolean => key.length > 1;

const screenList = (): HTMLElement | null => document.querySelector(".pane > [role=listbox]");

/** Whether it has a use for it. */
const toList = (key: string): boolean => screenList()?.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true })) === false;
