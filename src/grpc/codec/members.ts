/** What reader and writer need to know of a declared message, worked out once. */
import type { Field, MessageType, OneOf } from "../schema/index.js";

/** A field and where it stands in the JSON of its message. */
export interface Member {
  readonly number: number;
  readonly field: Field;
  /** Its own key; within one of several the name of its case. */
  readonly key: string;
  readonly choice: OneOf | undefined;
  readonly isWrapped: boolean;
}

export interface Members {
  readonly byNumber: ReadonlyMap<number, Member>;
  /** Those that stand alone, in the order of the declaration. */
  readonly alone: readonly Member[];
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly choice: OneOf;
  readonly byCase: ReadonlyMap<string, Member>;
}

const known = new WeakMap<MessageType, Members>();

export function membersOf(type: MessageType): Members {
  let members = known.get(type);
  if (members === undefined) known.set(type, (members = workOut(type)));
  return members;
}

function workOut(type: MessageType): Members {
  const alone: Member[] = [],
    choices: Choice[] = [];
  for (const [name, declared] of Object.entries(type.members)) {
    if (!("oneOf" in declared)) {
      alone.push({ number: declared.number, field: declared, key: declared.json ?? camelCase(name), choice: undefined, isWrapped: false });
      continue;
    }
    const cases = Object.entries(declared.oneOf).map(([caseName, field]) => caseOf(declared, caseName, field));
    choices.push({ choice: declared, byCase: new Map(cases.map((member) => [member.key, member])) });
  }
  const all = [...alone, ...choices.flatMap(({ byCase }) => [...byCase.values()])];
  return { byNumber: new Map(all.map((member) => [member.number, member])), alone, choices };
}

const caseOf = (choice: OneOf, name: string, field: Field): Member => ({
  number: field.number,
  field,
  key: field.json ?? caseKey(choice, name),
  choice,
  isWrapped: choice.isWrapped && !choice.unwrapped.includes(name),
});

function caseKey(choice: OneOf, name: string): string {
  const camel = camelCase(name);
  return choice.json === undefined ? camel : (choice.cases[name] ?? camel[0]!.toUpperCase() + camel.slice(1));
}

export const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Whether it has bytes of a file, for which it may be as long as that. */
export const hasOctets = (type: MessageType): boolean => membersOf(type).alone.some(({ field }) => field.type.kind === "octets");
