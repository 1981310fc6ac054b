/** What one version of a package declares that another one does not. */
import type {
  ChoiceDescription,
  DamlType,
  DataTypeDescription,
  FieldDescription,
  ModuleDescription,
  PackageDescription,
} from "../../api/node/types/packages.js";
import { qualifiedName } from "./names.js";
import { typeText } from "./types.js";

export interface Difference {
  readonly kind: "added" | "changed" | "removed";
  /** As one would say it: `field note : Optional Text of M:Asset`. */
  readonly text: string;
  /** `Module:Entity` in the later version, where it is declared there. */
  readonly entity?: string;
}

/** In the order of declarations: what was added or changed, then what is no longer there. */
export function differences(before: PackageDescription, after: PackageDescription): readonly Difference[] {
  const known = new Map(before.modules.map((module) => [module.name, module])),
    names = new Set(after.modules.map(({ name }) => name));
  return [
    ...after.modules.flatMap((module) => inModule(known.get(module.name) ?? emptyModule(module.name), module)),
    ...before.modules.filter(({ name }) => !names.has(name)).flatMap((module) => inModule(module, emptyModule(module.name))),
  ];
}

const emptyModule = (name: string): ModuleDescription => ({ name, templates: [], interfaces: [], dataTypes: [] });

function inModule(before: ModuleDescription, after: ModuleDescription): readonly Difference[] {
  const at = (entity: string): string => `${after.name}:${entity}`;
  const holders = compared(
    [...before.templates, ...before.interfaces],
    [...after.templates, ...after.interfaces],
    (kind, { name, ...of }): Difference => ({
      kind,
      text: `${"view" in of ? "interface" : "template"} ${at(name)}`,
      ...seen(kind, at(name)),
    }),
    (old, now) => [
      ...compared(
        old.choices,
        now.choices,
        (kind, choice) => ({ kind, text: `choice ${choice.name} of ${at(now.name)}`, ...seen(kind, at(now.name)) }),
        (oldChoice, choice) =>
          choiceText(oldChoice) === choiceText(choice)
            ? []
            : [
                {
                  kind: "changed",
                  text: `choice ${choiceText(choice)} of ${at(now.name)}, was ${choiceText(oldChoice)}`,
                  entity: at(now.name),
                },
              ],
      ),
      ...("implements" in old && "implements" in now
        ? compared(
            old.implements.map(named),
            now.implements.map(named),
            (kind, one) => ({
              kind,
              text: `interface instance ${qualifiedName(one.name)} for ${at(now.name)}`,
              ...seen(kind, at(now.name)),
            }),
            () => [],
          )
        : []),
    ],
  );
  // A template's own record and those of choices come and go with them.
  const own = { added: withRecords(after), removed: withRecords(before) };
  const types = compared(
    before.dataTypes,
    after.dataTypes,
    (kind, { name }) =>
      own[kind].has(name) && !own[kind === "added" ? "removed" : "added"].has(name)
        ? undefined
        : { kind, text: `type ${at(name)}`, ...seen(kind, at(name)) },
    (old, now) => inType(old, now, at(now.name)),
  );
  return [...holders, ...types];
}

/** Names of what brings records of its own. */
const withRecords = ({ templates, interfaces }: ModuleDescription): ReadonlySet<string> =>
  new Set([...templates, ...interfaces].flatMap(({ name, choices }) => [name, ...choices.map((choice) => choice.name)]));
const seen = (kind: "added" | "removed", entity: string): { readonly entity?: string } => (kind === "removed" ? {} : { entity });
/** By its full id: of another package, were it another version of the same, it is another interface. */
const named = (id: string): { readonly name: string } => ({ name: id });
const choiceText = ({ name, consuming, result }: ChoiceDescription): string =>
  `${consuming ? "" : "nonconsuming "}${name} : ${typeText(result)}`;

function inType(old: DataTypeDescription, now: DataTypeDescription, of: string): readonly Difference[] {
  const fields = (before: readonly FieldDescription[] = [], after: readonly FieldDescription[] = [], what: string): readonly Difference[] =>
    compared(
      before,
      after,
      (kind, { name, type }) => ({ kind, text: `${what} ${name}${typeNote(type)} of ${of}`, ...seen(kind, of) }),
      (oldField, { name, type }) =>
        typeText(oldField.type) === typeText(type)
          ? []
          : [{ kind: "changed", text: `${what} ${name}${typeNote(type)} of ${of}, was${typeNote(oldField.type)}`, entity: of }],
    );
  const asFields = (names: readonly string[] | undefined): readonly FieldDescription[] =>
    (names ?? []).map((name) => ({ name, type: { builtin: "()" } }));
  return [
    ...fields(old.record, now.record, "field"),
    ...fields(old.variant, now.variant, "constructor"),
    ...fields(asFields(old.enum), asFields(now.enum), "constructor"),
  ];
}
const typeNote = (type: DamlType): string => (type.builtin === "()" ? "" : ` : ${typeText(type)}`);

/** By name: what is only in the one or the other, and what is told of a pair. */
function compared<T extends { readonly name: string }>(
  before: readonly T[],
  after: readonly T[],
  alone: (kind: "added" | "removed", one: T) => Difference | undefined,
  pair: (old: T, now: T) => readonly Difference[],
): readonly Difference[] {
  const old = new Map(before.map((one) => [one.name, one])),
    names = new Set(after.map(({ name }) => name));
  const told = (kind: "added" | "removed", one: T): readonly Difference[] => {
    const difference = alone(kind, one);
    return difference === undefined ? [] : [difference];
  };
  return [
    ...after.flatMap((one) => {
      const match = old.get(one.name);
      return match === undefined ? told("added", one) : pair(match, one);
    }),
    ...before.filter(({ name }) => !names.has(name)).flatMap((one) => told("removed", one)),
  ];
}
