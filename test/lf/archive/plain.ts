import type { Package } from "../../../src/lf/ast.js";

/** The package as plain data: getters read, maps as lists. References to itself are made independent of its id. */
export function plain(package_: Package): unknown {
  const view = (value: unknown): unknown => {
    if (typeof value === "string") return value === package_.id ? "self" : value;
    if (value instanceof Map) return [...value].map(([key, item]) => [view(key), view(item)]);
    if (Array.isArray(value)) return value.map(view);
    if (typeof value !== "object" || value === null) return value;
    const getters = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(value) as object))
      .filter(([, descriptor]) => descriptor.get !== undefined)
      .map(([name]) => name);
    const names = [...Object.keys(value), ...(Object.getPrototypeOf(value) === Object.prototype ? [] : getters)];
    return Object.fromEntries(names.map((name) => [name, view((value as Record<string, unknown>)[name])]));
  };
  return view(package_.modules);
}
