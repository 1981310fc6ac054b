/** Where LocalNet's nodes are found. All prefixes are served at each port of a site: a client takes the ones that it was made for. */
import type { Site } from "../serving.js";

export interface LocalnetSite extends Site {
  readonly grpcPort: number;
}

interface Place {
  readonly site: string;
  readonly port: number;
  readonly what: string;
  readonly hosts: readonly string[];
  readonly isGrpc?: boolean;
}

/** The ledger's port of a site comes first. */
const places: readonly Place[] = ["app-user", "app-provider", "sv"].flatMap((site, index): readonly Place[] => {
  const digit = index + 2,
    hosts = site === "sv" ? ["scan", "sv", "wallet"] : ["wallet", "json-ledger-api"];
  return [
    { site, port: digit * 1_000 + 975, what: "Ledger JSON API", hosts: [] },
    { site, port: digit * 1_000 + 901, what: "Ledger API (gRPC)", hosts: [], isGrpc: true },
    { site, port: digit * 1_000 + 903, what: "Validator", hosts: [] },
    { site, port: digit * 1_000, what: site === "sv" ? "Scan, registry, SV, Validator" : "Validator, Ledger JSON API", hosts },
  ];
});

/** Where a site has the ledger; undefined: there is no such site. */
export const localnetLedgerPort = (name: string): number | undefined => places.find(({ site }) => site === name)?.port;

export function localnetSites(portShift: number): readonly LocalnetSite[] {
  const names = [...new Set(places.map(({ site }) => site))];
  return names.map((name) => {
    const here = places.filter(({ site }) => site === name),
      portsOf = (isGrpc: boolean): number[] =>
        here.filter((place) => (place.isGrpc ?? false) === isGrpc).map(({ port }) => port + portShift);
    return { name, operator: name, ports: portsOf(false), grpcPort: portsOf(true)[0]! };
  });
}

/** Where LocalNet's users find its Scan. */
export const localnetScanUrl = (portShift: number): string => `http://scan.localhost:${4_000 + portShift}`;

/** The table of the README beside it. */
export function portTable(): string {
  const rows = places.map(({ site, port, what, hosts }) => [
    site,
    String(port),
    what,
    hosts.map((host) => `\`${host}.localhost\``).join(", "),
  ]);
  return ["| site | port | what LocalNet has there | also as |", "|---|---|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join(
    "\n",
  );
}
