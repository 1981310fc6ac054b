/** What the engine bench asks of its thread, and what it gets. */
export interface EngineRun {
  readonly samples: number;
  /** CPU time that one sample takes at least: as many runs as it needs. */
  readonly sampleMs: number;
  readonly warmUpMs: number;
  /** Evaluations of more elements are left out. */
  readonly largest: number;
  readonly real: { readonly dars: string; readonly recordings: string } | undefined;
  /** Only cases whose name contains this. */
  readonly only: string | undefined;
}

export interface EngineFigure {
  readonly name: string;
  readonly kind: "eval" | "submit";
  readonly nanoseconds: number;
  readonly referenceNanoseconds: number;
  readonly note?: string;
}

export interface EngineFigures {
  readonly figures: readonly EngineFigure[];
  readonly clock: string;
}

/** A case under the name by which the reference was recorded. */
export interface EngineCase {
  readonly name: string;
  /** Runs once and answers in the form of the recording: the JSON text of the result, or the number of nodes. */
  run(): string | number;
  /** The same with work that was not recorded. */
  readonly more?: { readonly name: string; run(): number };
  /** What JavaScript takes for it without us, for the distance to the limit. An evaluation gives the same as `run`. */
  readonly byHand: { readonly name: string; run(): unknown };
}
