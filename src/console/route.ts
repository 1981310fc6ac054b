/** Where one is: in the address behind the #, so that it can be kept, sent and gone back from. */
import { Store } from "./state/store.js";

export interface Route {
  readonly screen: string;
  readonly query: Readonly<Record<string, string>>;
}

export const screens = ["ledger", "transactions", "packages", "do", "network", "node"] as const;
export type Screen = (typeof screens)[number];

function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { screen: (screens as readonly string[]).includes(path) ? path : "ledger", query: Object.fromEntries(new URLSearchParams(query)) };
}

export const route = new Store<Route>(read());
window.addEventListener("hashchange", () => route.set(read()));

export function hrefOf(screen: Screen, query: Readonly<Record<string, string | number | undefined>> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, String(value)]]));
  const text = new URLSearchParams(given).toString();
  return `#/${screen}${text === "" ? "" : `?${text}`}`;
}

/** Changes the query of the screen one is at; what is undefined is taken away. `quietly`: nothing to go back to. */
export function adjust(changes: Readonly<Record<string, string | number | undefined>>, quietly = false): void {
  const { screen, query } = route.value,
    href = hrefOf(screen as Screen, { ...query, ...changes });
  if (!quietly) location.hash = href;
  else if (href !== location.hash) {
    history.replaceState(undefined, "", href);
    route.set(read());
  }
}
