/** Packages: versions, vetting, what they depend on, and what they declare, as one would write it in Daml. */
import type { ComponentChildren, JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { ListVettedPackagesRequest, ListVettedPackagesResponse } from "../../api/ledger/types/vetting.js";
import type {
  ChoiceDescription,
  DamlType,
  DataTypeDescription,
  FieldDescription,
  InterfaceDescription,
  ModuleDescription,
  PackageSummaryEntry,
  TemplateDescription,
} from "../../api/node/types/packages.js";
import { count, shortEntity, shortId } from "../daml/names.js";
import { describe, typeText } from "../daml/types.js";
import { differences } from "../daml/upgrade.js";
import { Copy, Entity, Facts, Icon, Problem } from "../parts/bits.js";
import { VirtualList } from "../parts/virtual-list.js";
import { adjust, hrefOf, route } from "../route.js";
import { client, packages } from "../state/session.js";
import { useLoaded, useStore } from "../state/store.js";
import { Panel } from "./contract.js";

/** By name, the highest version first; packages that nothing on a ledger can be of come last. */
function sorted(known: ReadonlyMap<string, PackageSummaryEntry>): readonly PackageSummaryEntry[] {
  const rank = ({ templates, interfaces, isUtility }: PackageSummaryEntry): number =>
    templates.length + interfaces.length > 0 ? 0 : isUtility ? 2 : 1;
  return [...known.values()].sort(
    (left, right) =>
      rank(left) - rank(right)
      || compare(left.packageName, right.packageName)
      || right.packageVersion.localeCompare(left.packageVersion, "en", { numeric: true }),
  );
}
const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Ids of what is vetted now. */
async function readVetted(): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  let pageToken: string | undefined;
  do {
    const request: ListVettedPackagesRequest = { pageSize: 100, ...(pageToken !== undefined && { pageToken }) };
    const page: ListVettedPackagesResponse = await client.post("/v2/package-vetting/list", request);
    for (const { packages: vetted } of page.vettedPackages ?? []) for (const { packageId } of vetted) found.add(packageId);
    pageToken = page.nextPageToken || undefined;
  } while (pageToken !== undefined);
  return found;
}

export function PackagesScreen(): JSX.Element {
  const known = useStore(packages),
    { query } = useStore(route),
    [words, setWords] = useState("");
  const { value: vetted } = useLoaded(readVetted, [known]);
  const all = useMemo(() => sorted(known), [known]),
    wanted = words.toLowerCase().trim();
  const shown = useMemo(
    () =>
      wanted === ""
        ? all
        : all.filter(({ packageName, packageId, templates, interfaces }) =>
            [packageName, packageId, ...templates, ...interfaces].some((text) => text.toLowerCase().includes(wanted)),
          ),
    [all, wanted],
  );
  const id = query["id"],
    at = id === undefined ? -1 : shown.findIndex(({ packageId }) => packageId === id);
  return (
    <div class={`split${id === undefined ? "" : " has-detail is-even"}`}>
      <section class="pane" aria-label="Packages">
        <div class="bar">
          <label class="find">
            <Icon name="search" />
            <input
              type="search"
              aria-label="Filter the packages"
              placeholder="Filter by name, template, id"
              value={words}
              onInput={(event) => setWords(event.currentTarget.value)}
            />
          </label>
          <span class="tally" role="status">
            {shown.length === all.length ? "" : `${count(shown.length)} of `}
            {count(all.length)} packages
          </span>
        </div>
        <VirtualList
          count={shown.length}
          rowHeight={52}
          label="Packages"
          selected={at}
          onSelect={(index) => adjust({ id: shown[index]!.packageId, entity: undefined }, id !== undefined)}
          row={(index) => <Row entry={shown[index]!} isVetted={vetted?.has(shown[index]!.packageId)} />}
        />
      </section>
      {id !== undefined && (
        <PackagePanel key={id} id={id} isVetted={vetted?.has(id)} onClose={() => adjust({ id: undefined, entity: undefined })} />
      )}
    </div>
  );
}

function Row({
  entry: { packageName, packageVersion, packageId, templates, interfaces, isUtility },
  isVetted,
}: {
  readonly entry: PackageSummaryEntry;
  readonly isVetted: boolean | undefined;
}): JSX.Element {
  const parts = [
    [templates.length, "template"],
    [interfaces.length, "interface"],
  ] as const;
  return (
    <div class="package-row">
      <span class="what">
        <strong>{packageName}</strong>
        <span class="dim mono">{shortId(packageId)}</span>
      </span>
      <span class="mono">{packageVersion}</span>
      <span class="dim">
        {parts
          .filter(([number]) => number > 0)
          .map(([number, what]) => `${count(number)} ${what}${number === 1 ? "" : "s"}`)
          .join(", ") || (isUtility ? "code only" : "types")}
      </span>
      <span>
        {isVetted !== undefined && (
          <span class={isVetted ? "badge is-active" : "badge is-quiet"}>{isVetted ? "vetted" : "not vetted"}</span>
        )}
      </span>
    </div>
  );
}

function PackagePanel({
  id,
  isVetted,
  onClose,
}: {
  readonly id: string;
  readonly isVetted: boolean | undefined;
  readonly onClose: () => void;
}): JSX.Element {
  const known = useStore(packages),
    entry = known.get(id),
    { query } = useStore(route);
  const { value: description, failure } = useLoaded(() => describe(id), [id]);
  const modules = useMemo(
    () =>
      (description?.modules ?? []).filter(
        ({ templates, interfaces, dataTypes }) => templates.length + interfaces.length + dataTypes.length > 0,
      ),
    [description],
  );
  const wanted = modules.findIndex(({ name }) => query["entity"]?.startsWith(`${name}:`)),
    [limit, setLimit] = useState(Math.max(modulesShown, wanted + 1)),
    first = openAtFirst(modules);
  const versions = [...known.values()]
    .filter(({ packageName }) => packageName === entry?.packageName)
    .sort((left, right) => left.packageVersion.localeCompare(right.packageVersion, "en", { numeric: true }));
  return (
    <Panel
      label="Package"
      onClose={onClose}
      title={
        entry ? (
          <>
            {entry.packageName} <span class="dim">{entry.packageVersion}</span>
          </>
        ) : (
          "Package"
        )
      }
    >
      <Facts
        of={[
          [
            "Package id",
            <>
              <span class="mono">{id}</span>
              <Copy text={id} what="package id" />
            </>,
          ],
          ["Daml-LF", entry?.lfVersion ?? ""],
          ["Vetting", isVetted === undefined ? "" : isVetted ? "vetted: commands may use it" : "not vetted"],
          ...(versions.length > 1
            ? [
                [
                  "Versions",
                  <span class="versions">
                    {versions.map(({ packageId, packageVersion }) =>
                      packageId === id ? (
                        <strong key={packageId}>{packageVersion}</strong>
                      ) : (
                        <a key={packageId} href={hrefOf("packages", { id: packageId })}>
                          {packageVersion}
                        </a>
                      ),
                    )}
                  </span>,
                ] as const,
              ]
            : []),
        ]}
      />
      {versions.length > 1 && <Upgrade id={id} versions={versions} />}
      {entry && <Dependencies entry={entry} known={known} />}
      {failure && <Problem error={failure} />}
      {!description && !failure && <p class="dim pad">Reading what it declares…</p>}
      {modules.slice(0, limit).map((module, index) => (
        <ModuleText key={module.name} module={module} packageId={id} shown={query["entity"]} isFirst={index < first} />
      ))}
      {modules.length > limit && (
        <button class="link" onClick={() => setLimit(limit + modulesShown)}>
          {count(modules.length - limit)} more modules
        </button>
      )}
      {description && modules.length === 0 && <p class="dim pad">It declares functions only.</p>}
    </Panel>
  );
}

const differencesShown = 100;

/** What it declares that the version before does not; of the first, what the next one does. */
function Upgrade({ id, versions }: { readonly id: string; readonly versions: readonly PackageSummaryEntry[] }): JSX.Element {
  const at = versions.findIndex(({ packageId }) => packageId === id),
    [before, after] = at > 0 ? [versions[at - 1]!, versions[at]!] : [versions[0]!, versions[1]!];
  const { value: all, failure } = useLoaded(
    async () => differences(...(await Promise.all([describe(before.packageId), describe(after.packageId)]))),
    [before.packageId, after.packageId],
  );
  return (
    <section>
      <h3>
        From {before.packageVersion} to {after.packageVersion}
      </h3>
      {failure && <Problem error={failure} />}
      {!all && !failure && <p class="dim">Reading both…</p>}
      {all?.length === 0 && <p class="dim">Both declare the same; what they compute may differ.</p>}
      {all && all.length > 0 && (
        <ul class="differences" aria-label="Differences">
          {all.slice(0, differencesShown).map(({ kind, text, entity }) => (
            <li key={`${kind} ${text}`}>
              <span class={`badge is-${kind === "added" ? "create" : kind === "removed" ? "archived" : "use"}`}>{kind}</span>{" "}
              {entity === undefined ? (
                <span class="mono">{text.slice(0, 400)}</span>
              ) : (
                <a class="mono" href={hrefOf("packages", { id: after.packageId, entity })}>
                  {text.slice(0, 400)}
                </a>
              )}
            </li>
          ))}
          {all.length > differencesShown && <li class="dim">and {count(all.length - differencesShown)} more</li>}
        </ul>
      )}
    </section>
  );
}

const modulesShown = 100;

/** How many modules begin open: some declarations, not thousands. */
function openAtFirst(modules: readonly ModuleDescription[]): number {
  let declarations = 0;
  const beyond = modules.findIndex(
    ({ templates, interfaces, dataTypes }) =>
      (declarations += Math.min(declarationsShown, templates.length + interfaces.length + dataTypes.length)) > declarationsShown,
  );
  return beyond < 0 ? modules.length : Math.max(1, beyond);
}

const sideMax = 14,
  lineHeight = 26;

/** Who uses it at the left, what it uses at the right. */
function Dependencies({
  entry,
  known,
}: {
  readonly entry: PackageSummaryEntry;
  readonly known: ReadonlyMap<string, PackageSummaryEntry>;
}): JSX.Element {
  const users = [...known.values()].filter(({ dependencies }) => dependencies.includes(entry.packageId)),
    used = entry.dependencies.flatMap((id) => known.get(id) ?? []);
  const order = (all: readonly PackageSummaryEntry[]): readonly PackageSummaryEntry[] =>
    sorted(new Map(all.map((one) => [one.packageId, one]))).slice(0, sideMax);
  const left = order(users),
    right = order(used),
    height = Math.max(left.length, right.length, 1) * lineHeight + 8,
    middle = height / 2;
  const y = (index: number, side: readonly unknown[]): number => middle + (index - (side.length - 1) / 2) * lineHeight;
  const side = (all: readonly PackageSummaryEntry[], what: string): JSX.Element => (
    <ul aria-label={what} style={{ height: `${height}px` }}>
      {all.map(({ packageId, packageName, packageVersion }) => (
        <li key={packageId}>
          <a title={packageId} href={hrefOf("packages", { id: packageId })}>
            {packageName} <span class="dim">{packageVersion}</span>
          </a>
        </li>
      ))}
    </ul>
  );
  const curve = (index: number, from: number, to: number, all: readonly unknown[]): JSX.Element => (
    <path key={index} d={`M${from},${y(index, all)} C${(from + to) / 2},${y(index, all)} ${(from + to) / 2},${middle} ${to},${middle}`} />
  );
  return (
    <section>
      <h3>Dependencies</h3>
      <div class="graph">
        {left.length === 0 ? <p class="dim">nobody uses it</p> : side(left, "Used by")}
        <svg viewBox={`0 0 120 ${height}`} height={height} preserveAspectRatio="none" aria-hidden="true">
          {left.map((_, index) => curve(index, 0, 52, left))}
          {right.map((_, index) => curve(index, 120, 68, right))}
          <circle cx="60" cy={middle} r="7" />
        </svg>
        {right.length === 0 ? <p class="dim">it uses none</p> : side(right, "Uses")}
      </div>
      {(users.length > sideMax || used.length > sideMax) && (
        <p class="dim">
          {count(users.length)} packages use it, it uses {count(used.length)}; the first {sideMax} are drawn.
        </p>
      )}
    </section>
  );
}

const declarationsShown = 60;

function ModuleText({
  module: { name, templates, interfaces, dataTypes },
  packageId,
  shown,
  isFirst,
}: {
  readonly module: ModuleDescription;
  readonly packageId: string;
  readonly shown: string | undefined;
  readonly isFirst: boolean;
}): JSX.Element {
  const types = new Map(dataTypes.map((type) => [type.name, type]));
  const taken = new Set(
    [...templates, ...interfaces].flatMap(({ name: own, choices }) => [
      own,
      ...choices.flatMap((choice) => (argumentOf(choice, name, types) ? [choice.name] : [])),
    ]),
  );
  const isOfVariant = (own: string): boolean => own.includes(".") && types.get(own.slice(0, own.lastIndexOf(".")))?.variant !== undefined;
  const others = dataTypes.filter((type) => !taken.has(type.name) && !isOfVariant(type.name)),
    [limit, setLimit] = useState(declarationsShown);
  const isWanted = shown?.startsWith(`${name}:`) === true,
    [isOpen, setOpen] = useState(isFirst && templates.length + interfaces.length > 0);
  const wanted = (entity: string): boolean => shown === `${name}:${entity}`;
  const all: readonly (readonly [string, () => JSX.Element])[] = [
    ...templates.map(
      (template) => [template.name, () => <TemplateText template={template} types={types} packageId={packageId} module={name} />] as const,
    ),
    ...interfaces.map(
      (interface_) => [interface_.name, () => <InterfaceText of={interface_} types={types} packageId={packageId} module={name} />] as const,
    ),
    ...others.map((type) => [type.name, () => <DataText type={type} types={types} packageId={packageId} module={name} />] as const),
  ];
  const ordered = isWanted ? [...all.filter(([entity]) => wanted(entity)), ...all.filter(([entity]) => !wanted(entity))] : all;
  return (
    <section class="module">
      <h3>
        <button class="link" aria-expanded={isOpen || isWanted} onClick={() => setOpen(!isOpen)}>
          module {name}
        </button>
      </h3>
      {(isOpen || isWanted)
        && ordered.slice(0, limit).map(([entity, show]) => (
          <pre key={entity} class={`daml${wanted(entity) ? " is-wanted" : ""}`} tabIndex={0}>
            {show()}
          </pre>
        ))}
      {(isOpen || isWanted) && all.length > limit && (
        <button class="link" onClick={() => setLimit(limit + declarationsShown)}>
          {count(all.length - limit)} more declarations
        </button>
      )}
    </section>
  );
}

const Word = ({ children }: { readonly children: ComponentChildren }): JSX.Element => <b class="word">{children}</b>;

/** Each defined name leads to where it is declared. */
function TypeText({
  type,
  packageId,
  isArgument = false,
}: {
  readonly type: DamlType;
  readonly packageId: string;
  readonly isArgument?: boolean;
}): JSX.Element {
  const args = type.arguments ?? [],
    of = (one: DamlType, nested: boolean): JSX.Element => <TypeText type={one} packageId={packageId} isArgument={nested} />;
  if (type.builtin === "[]" && args.length === 1) return <>[{of(args[0]!, false)}]</>;
  if (type.defined !== undefined && /^DA\.Types:Tuple\d+$/.test(type.defined) && args.length > 0)
    return (
      <>
        (
        {args.map((one, index) => (
          <>
            {index > 0 && ", "}
            {of(one, false)}
          </>
        ))}
        )
      </>
    );
  const head =
    type.defined === undefined ? (
      typeText({ ...type, arguments: [] })
    ) : (
      <a href={hrefOf("packages", { id: type.packageId ?? packageId, entity: type.defined })}>{shortEntity(type.defined)}</a>
    );
  if (args.length === 0) return <>{head}</>;
  return (
    <>
      {isArgument && "("}
      {head}
      {args.map((one) => (
        <> {of(one, true)}</>
      ))}
      {isArgument && ")"}
    </>
  );
}

function FieldsText({
  fields,
  packageId,
  indent,
}: {
  readonly fields: readonly FieldDescription[];
  readonly packageId: string;
  readonly indent: string;
}): JSX.Element {
  return (
    <>
      {fields.map(({ name, type }) => (
        <>
          {`\n${indent}${name} : `}
          <TypeText type={type} packageId={packageId} />
        </>
      ))}
    </>
  );
}

interface Declared {
  readonly types: ReadonlyMap<string, DataTypeDescription>;
  readonly packageId: string;
  readonly module: string;
}

/** A choice's own record, which has its name. */
const argumentOf = (
  { name, argument }: Pick<ChoiceDescription, "name" | "argument">,
  module: string,
  types: ReadonlyMap<string, DataTypeDescription>,
): DataTypeDescription | undefined =>
  argument.packageId === undefined && argument.defined === `${module}:${name}` && types.get(name)?.record ? types.get(name) : undefined;

function ChoiceText({
  choice: { name, consuming, argument, result },
  types,
  packageId,
  module,
  indent,
}: Declared & { readonly choice: ChoiceDescription; readonly indent: string }): JSX.Element {
  const own = argumentOf({ name, argument }, module, types);
  return (
    <>
      {`\n\n${indent}`}
      {!consuming && (
        <>
          <Word>nonconsuming</Word>{" "}
        </>
      )}
      <Word>choice</Word> {name} : <TypeText type={result} packageId={packageId} />
      {own?.record && own.record.length > 0 && (
        <>
          {`\n${indent}  `}
          <Word>with</Word>
          <FieldsText fields={own.record} packageId={packageId} indent={`${indent}    `} />
        </>
      )}
      {own === undefined && argument.defined !== "DA.Internal.Template:Archive" && (
        <>
          {`\n${indent}  `}
          <i>-- takes </i>
          <TypeText type={argument} packageId={packageId} />
        </>
      )}
    </>
  );
}

function TemplateText({
  template: { name, key, choices, implements: interfaces },
  ...declared
}: Declared & { readonly template: TemplateDescription }): JSX.Element {
  const { types, packageId } = declared,
    fields = types.get(name)?.record ?? [];
  return (
    <>
      <Word>template</Word> <strong>{name}</strong>
      {fields.length > 0 && (
        <>
          {"\n  "}
          <Word>with</Word>
          <FieldsText fields={fields} packageId={packageId} indent="    " />
        </>
      )}
      {"\n  "}
      <Word>where</Word>
      {key && (
        <>
          {"\n    "}
          <Word>key</Word> <i>…</i> : <TypeText type={key} packageId={packageId} />
        </>
      )}
      {choices
        .filter(({ name: own }) => own !== "Archive")
        .map((choice) => (
          <ChoiceText key={choice.name} choice={choice} indent="    " {...declared} />
        ))}
      {interfaces.map((id) => (
        <>
          {"\n\n    "}
          <Word>interface instance</Word> <Entity id={id} /> <Word>for</Word> {name}
        </>
      ))}
    </>
  );
}

function InterfaceText({
  of: { name, view, requires, choices },
  ...declared
}: Declared & { readonly of: InterfaceDescription }): JSX.Element {
  return (
    <>
      <Word>interface</Word> <strong>{name}</strong>
      {requires.length > 0 && (
        <>
          {" "}
          <Word>requires</Word>{" "}
          {requires.map((id, index) => (
            <>
              {index > 0 && ", "}
              <Entity id={id} />
            </>
          ))}
        </>
      )}{" "}
      <Word>where</Word>
      {"\n  "}
      <Word>viewtype</Word> <TypeText type={view} packageId={declared.packageId} />
      {choices
        .filter(({ name: own }) => own !== "Archive")
        .map((choice) => (
          <ChoiceText key={choice.name} choice={choice} indent="  " {...declared} />
        ))}
    </>
  );
}

function DataText({
  type: { name, parameters, record, variant, enum: names },
  types,
  packageId,
  module,
}: Declared & { readonly type: DataTypeDescription }): JSX.Element {
  const head = (
    <>
      <Word>data</Word> <strong>{name}</strong>
      {parameters.map((one) => ` ${one}`)}
    </>
  );
  if (record)
    return (
      <>
        {head} = {name}
        {record.length > 0 && (
          <>
            {" "}
            <Word>with</Word>
            <FieldsText fields={record} packageId={packageId} indent="    " />
          </>
        )}
      </>
    );
  if (names)
    return (
      <>
        {head}
        {names.map((one, index) => `\n  ${index === 0 ? "=" : "|"} ${one}`)}
      </>
    );
  const fieldsOf = ({ name: constructor, type }: FieldDescription): readonly FieldDescription[] | undefined =>
    type.packageId === undefined && type.defined === `${module}:${name}.${constructor}`
      ? types.get(`${name}.${constructor}`)?.record
      : undefined;
  const constructorText = (one: FieldDescription): JSX.Element => {
    const fields = fieldsOf(one);
    if (fields)
      return (
        <>
          <Word>with</Word>
          <FieldsText fields={fields} packageId={packageId} indent="        " />
        </>
      );
    return one.type.builtin === "()" ? <></> : <TypeText type={one.type} packageId={packageId} isArgument />;
  };
  return (
    <>
      {head}
      {(variant ?? []).map((one, index) => (
        <>
          {`\n  ${index === 0 ? "=" : "|"} ${one.name} `}
          {constructorText(one)}
        </>
      ))}
    </>
  );
}
