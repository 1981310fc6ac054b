/** Where packages of the token standard are: who holds what, what is on its way, and how the network is that was made on the ledger. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Sum, sumsOf } from "../daml/token-standard.js";
import { count, partyName } from "../daml/names.js";
import { Empty, Party, Problem } from "../parts/bits.js";
import { Picker, type Choice } from "../parts/picker.js";
import { VirtualList } from "../parts/virtual-list.js";
import { adjust, hrefOf, route } from "../route.js";
import { type Network, readNetwork } from "../state/network.js";
import { node, packages, parties } from "../state/session.js";
import { useLoaded, useStore } from "../state/store.js";
import { readTokens, type Tokens, tokensMax } from "../state/tokens.js";
import { Allocations, Transfers } from "./network-moves.js";
import { Rounds, Votes } from "./network-dso.js";
import { SendForm, TapForm } from "./network-forms.js";

/** Few contracts are read again with every transaction, many when somebody asks for it. */
const followContractsMax = 1_000;

interface TokensRead {
  readonly tokens: Tokens | undefined;
  readonly failure: Error | undefined;
  readonly isLoading: boolean;
  readonly newer: number;
  readonly again: () => void;
}

function useTokens(party: string | undefined): TokensRead {
  const known = useStore(packages),
    { end } = useStore(node),
    [asked, setAsked] = useState(0);
  const { value: tokens, failure, isLoading } = useLoaded(() => readTokens(known, party), [known, party, asked]);
  const size = tokens === undefined ? Infinity : tokens.holdings.length + tokens.transfers.length + tokens.allocations.length,
    newer = tokens === undefined ? 0 : end - tokens.offset;
  const again = (): void => setAsked((times) => times + 1);
  useEffect(() => {
    if (newer > 0 && size <= followContractsMax && !isLoading) again();
  }, [newer, isLoading]);
  return { tokens, failure, isLoading, newer, again };
}

const tabs = [
  ["holdings", "Holdings"],
  ["transfers", "Transfers"],
  ["allocations", "Allocations"],
  ["send", "Send"],
  ["rounds", "Rounds"],
  ["votes", "Votes"],
  ["tap", "Tap"],
] as const;
type Tab = (typeof tabs)[number][0];

export function NetworkScreen(): JSX.Element {
  const { query } = useStore(route),
    { party } = query,
    read = useTokens(party),
    { tokens, failure } = read;
  const { value: network, failure: unread } = useLoaded(readNetwork, []);
  const offered = tabs.filter(([name]) =>
    name === "rounds" || name === "votes" ? network?.dso !== undefined : name === "tap" ? network?.isDevNet === true : true,
  );
  const tab = offered.find(([name]) => name === query["show"])?.[0] ?? "holdings";
  const numbers: Partial<Record<Tab, number>> =
    tokens === undefined ? {} : { transfers: tokens.transfers.length, allocations: tokens.allocations.length + tokens.requests.length };
  return (
    <section class="pane is-whole" aria-label="Network">
      <div class="bar">
        <PartyFilter party={party} />
        {tokens && (
          <span class="tally" role="status">
            {tokens.isCut && `the first ${count(tokensMax)}; `}
            {count(tokens.holdings.length)} holdings
            {read.newer > 0 && !read.isLoading && (
              <button class="link" onClick={read.again}>
                {count(read.newer)} newer
              </button>
            )}
          </span>
        )}
      </div>
      <nav class="tabs is-inside" aria-label="Parts of the network">
        {offered.map(([name, title]) => (
          <a key={name} href={hrefOf("network", { ...query, show: name })} aria-current={tab === name ? "page" : undefined}>
            {title}
            {(numbers[name] ?? 0) > 0 && <span class="number">{count(numbers[name]!)}</span>}
          </a>
        ))}
      </nav>
      {network && <NetworkLine network={network} />}
      {unread && <Problem error={unread} />}
      {failure && <Problem error={failure} onRetry={read.again} />}
      {!tokens && !failure && <Empty>Reading…</Empty>}
      {tokens && <Shown tab={tab} tokens={tokens} party={party} network={network} onDone={read.again} />}
    </section>
  );
}

interface ShownProps {
  readonly tab: Tab;
  readonly tokens: Tokens;
  readonly party: string | undefined;
  readonly network: Network | undefined;
  readonly onDone: () => void;
}

function Shown({ tab, tokens, party, network, onDone }: ShownProps): JSX.Element {
  switch (tab) {
    case "holdings":
      return <Holdings tokens={tokens} />;
    case "transfers":
      return <Transfers transfers={tokens.transfers} party={party} onDone={onDone} />;
    case "allocations":
      return (
        <Allocations allocations={tokens.allocations} requests={tokens.requests} holdings={tokens.holdings} party={party} onDone={onDone} />
      );
    case "send":
      return <SendForm holdings={tokens.holdings} party={party} onDone={onDone} />;
    case "tap":
      return <TapForm amuletName={network?.amuletName ?? "Amulet"} party={party} onDone={onDone} />;
    case "rounds":
      return <Rounds />;
    case "votes":
      return <Votes />;
  }
}

function NetworkLine({ network: { dso, name, isDevNet } }: { readonly network: Network }): JSX.Element {
  if (dso === undefined) return <p class="notice">Nobody made a Splice network on this ledger; tokens are shown all the same.</p>;
  return (
    <p class="line dim">
      {name} of <Party party={dso} />
      {isDevNet && " · a development network"}
    </p>
  );
}

function PartyFilter({ party }: { readonly party: string | undefined }): JSX.Element {
  const all = useStore(parties);
  const choices = useMemo(
    () =>
      all.map((one): Choice => ({ value: one, text: partyName(one), note: one.slice(partyName(one).length, 24 + partyName(one).length) })),
    [all],
  );
  return (
    <Picker
      label="Party"
      choices={choices}
      value={party}
      none="everybody"
      onPick={(value) => adjust({ party: value })}
      shown={({ value }) => <Party party={value} isPlain />}
    />
  );
}

function Holdings({ tokens: { holdings } }: { readonly tokens: Tokens }): JSX.Element {
  const sums = useMemo(() => sumsOf(holdings), [holdings]);
  if (sums.length === 0) return <Empty>Nobody holds anything here.</Empty>;
  return <VirtualList count={sums.length} rowHeight={46} label="Holdings of each party" row={(index) => <SumRow sum={sums[index]!} />} />;
}

function SumRow({
  sum: {
    owner,
    instrument: { admin, id },
    free,
    locked,
    contracts,
  },
}: {
  readonly sum: Sum;
}): JSX.Element {
  return (
    <div class="sum-row">
      <Party party={owner} />
      <span class="what">
        <strong>{id.slice(0, 80)}</strong>
        <span class="dim">of {partyName(admin).slice(0, 60)}</span>
      </span>
      <span class="amount mono">{free}</span>
      <span class="dim locked">{locked === "0" ? "" : `${locked} locked`}</span>
      <span class="dim contracts">
        {count(contracts)} contract{contracts === 1 ? "" : "s"}
      </span>
    </div>
  );
}
