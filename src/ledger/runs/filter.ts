/** Tells of most keys that are not in a piece of a run that they are not (`base/bloom.ts`). */
import { addToBloom, bloomBytes, mayBeInBloom } from "../../base/bloom.js";
import { type RecordWriter, sealBytes } from "../../store/index.js";

export const filterVersion = 1;

/** `hashes`: two numbers of each key. */
export function encodeFilter(writer: RecordWriter, hashes: readonly number[]): Buffer {
  const bits = Buffer.alloc(bloomBytes(hashes.length / 2));
  for (let index = 0; index < hashes.length; index += 2) addToBloom(bits, hashes[index]!, hashes[index + 1]!);
  return writer.reset().raw(bits).finish(filterVersion);
}

/** `record`: as it was encoded. */
export const mayHave = (record: Buffer, first: number, step: number): boolean => mayBeInBloom(record, first, step, sealBytes);
