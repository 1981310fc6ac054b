/** The groups in which documents show operations, by the beginning of their paths. */
import { assert } from "../base/assert.js";

interface Tag {
  readonly name: string;
  readonly description: string;
  readonly paths: readonly string[];
}

const groups: readonly Tag[] = [
  { name: "commands", description: "Submit commands and learn what became of them.", paths: ["/v2/commands"] },
  { name: "interactive-submission", description: "Commands of parties with keys of their own.", paths: ["/v2/interactive-submission"] },
  { name: "updates", description: "Transactions, reassignments and topology events, in order.", paths: ["/v2/updates"] },
  { name: "state", description: "Active contracts and offsets.", paths: ["/v2/state"] },
  { name: "contracts", description: "One contract and its events.", paths: ["/v2/contracts", "/v2/events"] },
  { name: "packages", description: "DARs, packages and their vetting.", paths: ["/v2/dars", "/v2/packages", "/v2/package-vetting"] },
  { name: "parties", description: "Parties of this node, and external ones.", paths: ["/v2/parties"] },
  { name: "users", description: "Users and their rights.", paths: ["/v2/users", "/v2/authenticated-user"] },
  { name: "identity-providers", description: "Who may issue tokens.", paths: ["/v2/idps"] },
  { name: "node", description: "Version and health.", paths: ["/v2/version", "/livez", "/readyz"] },
];

export const tags = groups.map(({ name, description }) => ({ name, description }));

export function tagOf(path: string): string {
  const group = groups.find(({ paths }) => paths.some((begin) => path === begin || path.startsWith(`${begin}/`)));
  assert(group !== undefined, `${path} is in no group of the documents`);
  return group.name;
}
