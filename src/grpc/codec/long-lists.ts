import type { Json } from "../method.js";
import type { Field, MessageType } from "../schema/index.js";
import { membersOf, type Choice } from "./members.js";

/** So many messages take long to write. */
const longFrom = 100;

/** A list of messages, whose elements may be written before it: `Written` takes the place of each. */
export interface LongList {
  readonly of: MessageType;
  readonly elements: unknown[];
}

/** The long lists in the JSON of a message, at whatever depth, but for those in other lists. */
export function longListsIn(type: MessageType, json: Json): readonly LongList[] {
  const { alone, choices } = membersOf(type);
  return [
    ...alone.flatMap(({ field, key }) => longListsAt(field, json[key])),
    ...choices.flatMap((choice) => casesIn(choice, json).flatMap(([field, content]) => longListsAt(field, content))),
  ];
}

function longListsAt({ type, isRepeated }: Field, content: unknown): readonly LongList[] {
  if (type.kind !== "message" || content === undefined || content === null) return [];
  if (!isRepeated) return longListsIn(type.of(), content as Json);
  const elements = content as unknown[];
  return elements.length < longFrom ? [] : [{ of: type.of(), elements }];
}

function casesIn({ choice, byCase }: Choice, json: Json): readonly (readonly [Field, unknown])[] {
  const cased = (choice.json === undefined || choice.json === "" ? json : json[choice.json]) as Json | null | undefined;
  return Object.entries(cased ?? {}).flatMap(([name, value]) => {
    const member = byCase.get(name);
    if (member === undefined) return [];
    return [[member.field, member.isWrapped ? (value as Json | null)?.["value"] : value]];
  });
}
