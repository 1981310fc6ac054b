/** A coverage report for a browser. */
import { type Covered, type CoveragePart, type CoverageReport, percentage } from "./coverage.js";
import { escaped, page } from "./markup.js";

export const coverageHtml = (reports: readonly CoverageReport[]): string =>
  page(
    "Coverage",
    reports
      .map(
        ({ package: package_, internal, external }) =>
          `<h2>${escaped(package_)}</h2>\n${part("Internal", internal)}\n${part("External", external)}`,
      )
      .join("\n"),
  );

function part(title: string, { templates, choices, interfaceChoices, implementations }: CoveragePart): string {
  const rows = [
    ["Templates created", templates],
    ["Template choices exercised", choices],
    ["Interface choices exercised", interfaceChoices],
  ] as const;
  return [
    `<h3>${title}</h3><table><tr><th></th><th>used</th><th>defined</th><th>%</th></tr>`,
    ...rows.map(
      ([name, covered]) =>
        `<tr><td>${name}</td><td class="n">${covered.used.length}</td><td class="n">${covered.defined.length}</td><td class="n">${percentage(covered.used.length, covered)}</td></tr>`,
    ),
    `<tr><td>Interface implementations</td><td></td><td class="n">${implementations.length}</td><td></td></tr></table>`,
    ...rows.map(([name, covered]) => list(name, covered)),
  ].join("\n");
}

function list(name: string, { defined, used }: Covered): string {
  const known = new Set(used);
  const items = defined.map(
    (each) => `<li class="${known.has(each) ? "passed" : "failed"}">${escaped(each)}${known.has(each) ? "" : ": never"}</li>`,
  );
  return `<details><summary>${name}</summary><ul>${items.join("")}</ul></details>`;
}
