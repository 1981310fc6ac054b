/** Of a file of tests whose time is over the runner says no more than that: this says which of its tests did not come to their end. */
import type { run } from "node:test";

/** `tell` gets a sentence for each such file, before the summary. */
export function tellHung(stream: ReturnType<typeof run>, tell: (sentence: string) => void): void {
  const begun = new Map<string, string[]>(); // by file, the outer ones first
  const of = (file: string): string[] => {
    const names = begun.get(file) ?? [];
    begun.set(file, names);
    return names;
  };
  stream.on("test:dequeue", ({ file = "", name }) => {
    if (name !== file) of(file).push(name);
  });
  stream.on("test:complete", ({ file = "", name }) => {
    const names = of(file),
      at = names.lastIndexOf(name);
    if (name !== file) return void (at >= 0 && names.splice(at, 1));
    begun.delete(file);
    if (names.length > 0) tell(`${file} did not come to the end of: ${names.join(" > ")}`);
  });
}
