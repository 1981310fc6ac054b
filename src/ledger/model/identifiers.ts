/** The text formats of the Ledger API (`value.proto`, and `Ref` of Daml-LF), each with what is wrong about a text that does not fit. */

import { ledgerStringCharsMax, ledgerStringPattern } from "../../base/ledger-string.js";

/** Of a character that takes two of Java's the first of these: so the reference tells it. */
const firstOutside = (text: string, allowed: RegExp): string => [...text].find((character) => !allowed.test(character))!;
const badCharacter = (character: string, what: string, text: string): string =>
  `non expected character 0x${character.charCodeAt(0).toString(16)} in ${what} "${text}"`;

function checkText(text: string, what: string, allowed: RegExp, max: number): string | undefined {
  if (text === "") return `${what} is empty`;
  if (text.length > max) return `${what} is too long (max: ${max})`;
  return allowed.test(text) ? undefined : badCharacter(firstOutside(text, allowed), what, text);
}

const nameCharsMax = 255,
  partyHintCharsMax = 185;

/** Command, workflow and submission ids. */
export const ledgerStringProblem = (text: string): string | undefined =>
  checkText(text, "Daml-LF Ledger String", ledgerStringPattern, ledgerStringCharsMax);
const partyPattern = /^[A-Za-z0-9:\-_ ]*$/;
export const partyProblem = (text: string): string | undefined => checkText(text, "Daml-LF Party", partyPattern, nameCharsMax);
/** Of the first that is malformed. */
export function partiesProblem(parties: Iterable<string>): string | undefined {
  for (const party of parties) {
    const problem = partyProblem(party);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
export const packageIdProblem = (text: string): string | undefined => checkText(text, "Daml-LF Package ID", /^[A-Za-z0-9\-_ ]*$/, 64);

const shownHashChars = 12;
/** As errors name packages and fingerprints in the middle of a sentence. */
export const shortHash = (text: string): string => (text.length > shownHashChars ? `${text.slice(0, shownHashChars)}...` : text);

export const packageNameProblem = (text: string): string | undefined =>
  checkText(text, "Daml-LF Package Name", /^[A-Za-z0-9\-_]*$/, nameCharsMax);
/** Segments of digits without leading zeros, each at most the largest integer of the JVM. */
export function packageVersionProblem(text: string): string | undefined {
  if (text.length > nameCharsMax) return `Package version is too long (max: ${nameCharsMax})`;
  if (!/^(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*$/.test(text)) return `"${text}" is no package version`;
  const large = text.split(".").find((segment) => Number(segment) > 0x7fff_ffff);
  return large === undefined ? undefined : `${large} is too large a number for a package version`;
}
const dottedNamePattern = /^[A-Za-z$_][A-Za-z0-9$_]*(\.[A-Za-z$_][A-Za-z0-9$_]*)*$/,
  dottedNameCharsMax = 1_000;
/** Of modules, and of what is defined in them. */
export function dottedNameProblem(text: string): string | undefined {
  if (text === "") return "Expected a non-empty string";
  if (text.length > dottedNameCharsMax) return `DottedName is too long (max: ${dottedNameCharsMax})`;
  return dottedNamePattern.test(text) ? undefined : `"${text}" is no name, nor names with dots between them`;
}

/** Written as the reference writes it: errors show it. */
export const userIdPattern = /^[a-zA-Z0-9@^$.!`\-#+'~_|:\(\)]{1,128}$/;
export const userIdProblem = (text: string): string | undefined =>
  userIdPattern.test(text) ? undefined : `User ID "${text}" does not match regex "${userIdPattern.source.slice(1, -1)}"`;

/** The part of a party before its fingerprint. */
export function partyHintProblem(hint: string): string | undefined {
  const problem = partyProblem(hint);
  if (problem) return problem;
  // With a colon at its end the party's id would be read apart one place too early.
  if (`${hint}:`.includes("::")) return "Invalid party ID: the delimiter `::` is reserved, also where a colon of the hint begins it";
  return hint.length > partyHintCharsMax ? `Invalid party ID: ${tooLong(hint, partyHintCharsMax)}` : undefined;
}

/** As the reference tells of its strings with a bound: with what is beyond that, up to so many characters. */
function tooLong(text: string, max: number): string {
  const shown = text.length > max + beyondShownChars ? `${text.slice(0, max + beyondShownChars)}...` : text;
  return `The given string has a maximum length of ${max} but a string of length ${text.length} ('${shown}.') was given`;
}
const beyondShownChars = 50;

/** What names of parties are to begin with: they are kept up to that length. */
export const partyFilterProblem = (filter: string): string | undefined =>
  partyProblem(filter) ?? (filter.length > partyHintCharsMax ? tooLong(filter, partyHintCharsMax) : undefined);

const hexPattern = /^([0-9a-f]{2})*$/i;
export const hexBytes = (text: string): Buffer | undefined => (hexPattern.test(text) ? Buffer.from(text, "hex") : undefined);

const sha256 = { index: 0x12, bytes: 32 };
/** A multihash by SHA-256: two bytes in front of it say so. */
export function updateIdProblem(text: string): string | undefined {
  const problem = ledgerStringProblem(text);
  if (problem !== undefined) return problem;
  const bytes = hexBytes(text);
  if (bytes === undefined) return `Failed to parse hex string: ${text}`;
  const [index, size] = bytes;
  if (index === undefined || size === undefined) return "Failed to decode unsigned var-int: Input bytes already consumed";
  if (index !== sha256.index) return `Invalid hash algorithm: Unknown hash algorithm for index: ${index}`;
  if (size !== sha256.bytes) return `Invalid hash algorithm: Mismatch of lengths for SHA-256: given ${size}, expected ${sha256.bytes}`;
  const given = bytes.length - 2;
  return given === size ? undefined : `Size of given hash ${given} does not match expected size ${size} for SHA-256`;
}

/** V1: 00, 32 bytes, a suffix of at most 94; V2: 01, 12 bytes, at most 33. */
export function isContractIdText(text: string): boolean {
  if (text !== text.toLowerCase()) return false;
  const bytes = hexBytes(text);
  if (!bytes || bytes.length === 0) return false;
  return bytes[0] === 0 ? bytes.length >= 33 && bytes.length <= 127 : bytes[0] === 1 && bytes.length >= 13 && bytes.length <= 46;
}

const fingerprintCharsMax = 68;

/** What a key's fingerprint may look like, whatever key it is of. */
export function fingerprintProblem(text: string): string | undefined {
  if (text.includes("::")) return "String contains reserved delimiter `::`.";
  return checkText(text, "Fingerprint", partyPattern, fingerprintCharsMax);
}

/** `name::namespace`, logical: a physical id has two parts more. */
export function uniqueIdentifierProblem(text: string): string | undefined {
  const at = text.indexOf("::");
  if (at < 0) return `Invalid unique identifier \`${text}\` with missing namespace.`;
  const namespace = text.slice(at + 2);
  if (at === 0 || fingerprintProblem(namespace) !== undefined) return `Invalid unique identifier \`${text}\`.`;
  const problem = checkText(text.slice(0, at), "name", partyPattern, partyHintCharsMax);
  return problem === undefined ? undefined : `Invalid unique identifier \`${text}\`: ${problem}`;
}
