/** Grammars of names in an archive (Daml-LF specification, "Identifiers"; sizes as in Canton 3.5, Ref and IdString). */
import { numericDigitsMax, numericScaleMax } from "../value/index.js";
import { parsing } from "./failure.js";

const name = /^[A-Za-z$_][A-Za-z0-9$_]*$/;
const packageId = /^[A-Za-z0-9\-_ ]+$/;
const packageHash = /^[0-9a-f]+$/;
const packageName = /^[A-Za-z0-9\-_]+$/;
const packageVersion = /^(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*$/;
const numeric = /^-?([1-9][0-9]*|0)\.([0-9]*)$/;

const nameCharsMax = 1000;
const packageIdCharsMax = 64;
const packageNameCharsMax = 255;
const packageVersionCharsMax = 255;
const versionSegmentMax = 2_147_483_647;

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text);

export function checkName(text: string): string {
  if (text.length > nameCharsMax || !name.test(text)) throw parsing(`${shown(text)} is not a name`);
  return text;
}

export function joinDottedName(segments: readonly string[]): string {
  if (segments.length === 0) throw parsing("a dotted name has no segment");
  const joined = segments.map(checkName).join(".");
  if (joined.length > nameCharsMax) throw parsing(`the dotted name ${shown(joined)} is longer than ${nameCharsMax} characters`);
  return joined;
}

export function checkPackageId(text: string): string {
  if (text === "") throw parsing("the package id is empty");
  if (text.length > packageIdCharsMax || !packageId.test(text)) throw parsing(`${shown(text)} is not a package id`);
  return text;
}

/** As packages of compilers have it. */
export const isPackageHash = (text: string): boolean => text.length === packageIdCharsMax && packageHash.test(text);

export function checkPackageName(text: string): string {
  if (text.length > packageNameCharsMax || !packageName.test(text)) throw parsing(`${shown(text)} is not a package name`);
  return text;
}

export function checkPackageVersion(text: string): string {
  const fits =
    text.length <= packageVersionCharsMax
    && packageVersion.test(text)
    && text.split(".").every((segment) => Number(segment) <= versionSegmentMax);
  if (!fits) throw parsing(`${shown(text)} is not a package version`);
  return text;
}

/** `Numeric s` literals: the scale is the number of digits after the dot. */
export function parseNumeric(text: string): { unscaled: bigint; scale: number } {
  const match = numeric.exec(text);
  if (match === null) throw parsing(`${shown(text)} is not a numeric literal`);
  const scale = match[2]!.length;
  const digits = text.replace("-", "").replace(".", "").replace(/^0+/, "");
  if (scale > numericScaleMax || digits.length > numericDigitsMax) throw parsing(`the numeric literal ${shown(text)} has too many digits`);
  return { unscaled: BigInt(text.replace(".", "")), scale };
}
