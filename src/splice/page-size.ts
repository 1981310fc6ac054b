import { limits } from "../config.js";
import { invalid, type Refusal } from "./refusal.js";

export function pageSizeProblem(size: number): { readonly error: Refusal } | undefined {
  const max = limits.scanPageElementsMax;
  if (size > max) return invalid(`Exceeded limit maximum (${size} > ${max}).`);
  return size < 1 ? invalid("Limit must be at least 1.") : undefined;
}
