import type { tags } from "typia";

/** An int64 as replies print it. */
export type Int64 = number & tags.Type<"int64">;

/** An int64 in a request: a number or its text (the reference's decoder takes both). */
export type Int64Input = (number & tags.Type<"int64">) | (string & tags.Pattern<"^[+-]?[0-9]{1,19}$">);

export type Int32 = number & tags.Type<"int32">;

/** The same of an int32: of texts those that are in its range whatever their digits. */
export type Int32Input = Int32 | (string & tags.Pattern<"^-?1?[0-9]{1,9}$">);

/** The same of a decimal, whose digits a double may lose (`number-text.ts`). */
export type DecimalInput = number | (string & tags.Pattern<"^-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$">);

/** `package:Module.Name:Entity`: exactly three parts, of which the last is not empty. */
export type Identifier = string & tags.Pattern<"^[^:]*:[^:]*:[^:]+$">;

/** Standard alphabet; padding is all there or not at all, as Java's decoder has it. */
export type Base64 = string & tags.Pattern<"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$">;

/** Before month and day: of a leap year. */
type LeapYear = "[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00";
type Day =
  `(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])|(?<=(?:${LeapYear})-)02-29`;
/** Years of more than four digits have a sign, and end where `Instant` does. */
type Year = "(?!-0+-)(?:[0-9]{4}|-[0-9]{4}|[+-](?:[0-9]{5,9}|0[0-9]{9}|10{9}))";
/** The end of a day may be 24 o'clock, or its last second once more. */
type Time = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{0,9})?|24:00:00(?:[.]0{0,9})?|23:59:60(?:[.][0-9]{0,9})?";
type Zone = "[Zz]|[+-](?:(?:0[0-9]|1[0-7]):[0-5][0-9](?::[0-5][0-9])?|18:00(?::00)?)";

/** A time as `java.time.Instant` reads it. */
export type Timestamp = string & tags.Pattern<`^${Year}-(?:${Day})[Tt](?:${Time})(?:${Zone})$`>;

/** An ISO 8601 instant with a zone. */
export type Instant = string
  & tags.Pattern<"^[+-]?[0-9]{4,6}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)$">;

/** A Daml value: any JSON; the engine decodes it by its LF type. Present, though it may be null. */
export type DamlValue = null | boolean | number | string | readonly unknown[] | object;

export type AnyJson = null | boolean | number | string | readonly unknown[] | object;
