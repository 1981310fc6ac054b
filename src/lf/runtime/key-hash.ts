/**
 * Hashes of keys: of integers that are numbers, and of records whose fields are such integers, short texts, booleans, enums or such
 * records, which is what keys of several parts mostly are.
 */
import { randomInt } from "node:crypto";
import { EnumValue, type Value } from "../value/index.js";

/** Levels of records in records. */
const levelsMax = 4;
/** Longer texts are for a tree, whose comparisons end at the first difference. */
const textUnitsMax = 256;

/** Nobody knows them, so nobody can choose keys whose hashes collide. */
const seed = randomInt(2 ** 32) | 0;
const multiplier = randomInt(2 ** 31) * 2 + 1;

/** An integer of 32 bits. */
export const hashOfNumber = (key: number): number => mixNumber(seed, key);

/** The same; undefined for a record of other parts. */
export const hashOfRecord = (record: readonly Value[]): number | undefined => {
  const hash = mixRecord(seed, record, levelsMax);
  return hash === hash ? hash : undefined;
};

/** NaN when something in it has no hash. */
const mixRecord = (hash: number, record: readonly Value[], levels: number): number => {
  let mixed = hash;
  for (let index = 0; index < record.length && mixed === mixed; index += 1) mixed = mixField(mixed, record[index]!, levels);
  return mixed;
};

const mixField = (hash: number, value: Value, levels: number): number => {
  if (typeof value === "number") return mixNumber(hash, value);
  if (typeof value === "string") return value.length <= textUnitsMax ? mixText(hash, value) : NaN;
  if (typeof value === "boolean") return mix(hash, value ? 1 : 0);
  if (value instanceof EnumValue) return mix(hash, value.rank);
  return value instanceof Array && levels > 0 ? mixRecord(hash, value, levels - 1) : NaN;
};

const mixNumber = (hash: number, value: number): number =>
  value === (value | 0) ? mix(hash, value) : mix(mix(hash, value | 0), value / 2 ** 32);

/** With its length first, so that the fields of a record cannot be taken for those of another. */
const mixText = (hash: number, text: string): number => {
  let mixed = mix(hash, text.length);
  for (let index = 0; index < text.length; index += 1) mixed = mix(mixed, text.charCodeAt(index));
  return mixed;
};

/** The shift lets high bits count for low ones, which a product alone does not. */
const mix = (hash: number, value: number): number => {
  const product = Math.imul(hash ^ value, multiplier);
  return product ^ (product >>> 15);
};
