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

/** `package:Module.Name:Entity`, exactly three non-empty parts. */
export type Identifier = string & tags.Pattern<"^[^:]+:[^:]+:[^:]+$">;

/** The same in a message where it may be left empty. */
export type OptionalIdentifier = string & tags.Pattern<"^$|^[^:]+:[^:]+:[^:]+$">;

/** Standard alphabet; padding is optional on input, as Java's decoder has it. */
export type Base64 = string & tags.Pattern<"^[A-Za-z0-9+/]*={0,2}$">;

/** An ISO 8601 instant with a zone. */
export type Instant = string
  & tags.Pattern<"^[+-]?[0-9]{4,6}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)$">;

/** A Daml value: any JSON; the engine decodes it by its LF type. Present, though it may be null. */
export type DamlValue = null | boolean | number | string | readonly unknown[] | object;

export type AnyJson = null | boolean | number | string | readonly unknown[] | object;
