/** A cycle in a directed graph, if there is one; no recursion, since graphs come from archives. */
export type Graph = ReadonlyMap<string, Iterable<string>>;

interface Visit {
  readonly node: string;
  readonly next: Iterator<string>;
}

export function findCycle(graph: Graph): readonly string[] | undefined {
  const done = new Set<string>();
  for (const start of graph.keys()) {
    const cycle = done.has(start) ? undefined : cycleFrom(start, graph, done);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function cycleFrom(start: string, graph: Graph, done: Set<string>): readonly string[] | undefined {
  const enter = (node: string): Visit => ({ node, next: (graph.get(node) ?? [])[Symbol.iterator]() });
  const path = [enter(start)];
  const onPath = new Set([start]);
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    const next = visit.next.next();
    if (next.done === true) {
      path.pop();
      onPath.delete(visit.node);
      done.add(visit.node);
    } else if (onPath.has(next.value)) return path.slice(path.findIndex(({ node }) => node === next.value)).map(({ node }) => node);
    else if (!done.has(next.value)) {
      path.push(enter(next.value));
      onPath.add(next.value);
    }
  }
  return undefined;
}
