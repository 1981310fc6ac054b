/**
 * What a run of the harness is made of. A scenario is a declared value: what it shows, how large it is in each tier, and a function
 * that plays it by a seed. Whatever it throws is a violation; a case of it can be played again by its own seed.
 */

/** `test`: beside all other tests; `ci`: within ten minutes for all; `night`: as long as a night. */
export type Tier = "test" | "ci" | "night";
export const tiers: readonly Tier[] = ["test", "ci", "night"];

export interface Scenario {
  readonly name: string;
  /** What holds, as a sentence. */
  readonly holds: string;
  /** What its size counts. */
  readonly unit: string;
  readonly sizes: Readonly<Record<Tier, number>>;
  readonly run: (play: Play) => Promise<void>;
}

/** Why a scenario cannot be played here: told, never silent. */
export class CannotPlay extends Error {
  override readonly name = "CannotPlay";
}

/** A case that broke what should hold, with the seed that plays it again. */
export class Violation extends Error {
  override readonly name = "Violation";
  /** What the run had counted by then. */
  played: Played | undefined;
  constructor(
    readonly scenario: string,
    readonly seed: number,
    cause: unknown,
    count = 1,
  ) {
    super(`${scenario}, seed ${seed}: ${textOf(cause)}\n${again(scenario, seed, count)}`, { cause });
  }
}

/** A stack has the message that its error was made with. */
function textOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { message, stack = "" } = cause;
  return stack.includes(message) ? stack : `${message}\n${stack}`;
}

export const again = (scenario: string, seed: number, count = 1): string =>
  `again: npm run prove -- --only ${scenario} --seed ${seed} --count ${count}`;

export interface PlayOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly size: number;
  /** `seed`: of the case that is played. */
  readonly onProgress?: (done: number, seed: number) => void;
}

const fewLanes = 16,
  crowdToldMs = 100;

/** What has to be undone, as a test's `after`: in reverse. */
export class Cleanups {
  readonly #cleanups: (() => unknown)[] = [];
  after(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup);
  }
  async cleanUp(): Promise<void> {
    for (let cleanup = this.#cleanups.pop(); cleanup !== undefined; cleanup = this.#cleanups.pop()) await cleanup();
  }
}

/** One run of a scenario: its size and seed, what it counted, and what it has to clean up. */
export class Play extends Cleanups {
  readonly seed: number;
  readonly size: number;
  readonly counts: Record<string, number> = {};
  /** What a reader of the run should know beside the counts. */
  readonly notes: string[] = [];
  /** What is kept beside the table, by its name. */
  readonly files: Record<string, string> = {};
  readonly #scenario: Scenario;
  readonly #onProgress: (done: number, seed: number) => void;
  #done = 0;
  #isCrowd = false;
  #toldAt = 0;

  constructor({ scenario, seed, size, onProgress = () => {} }: PlayOptions) {
    super();
    this.#scenario = scenario;
    this.seed = seed;
    this.size = size;
    this.#onProgress = onProgress;
  }

  count(what: string, times = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + times;
  }
  most(what: string, value: number): void {
    this.counts[what] = Math.max(this.counts[what] ?? -Infinity, value);
  }

  /**
   * `size` cases with a seed each, the first with that of the run; `lanes` of them at once. After one that fails no other begins, and
   * those under way come to their ends: what is cleaned up then is nobody's any more.
   */
  async cases(play: (seed: number, index: number) => Promise<void> | void, lanes = 1): Promise<void> {
    const failures: unknown[] = [];
    let next = 0;
    this.#isCrowd = lanes > fewLanes;
    const lane = async (): Promise<void> => {
      while (next < this.size && failures.length === 0) {
        const index = next++;
        await this.one(this.seed + index, () => play(this.seed + index, index));
      }
    };
    await Promise.all(Array.from({ length: lanes }, () => lane().catch((error: unknown) => void failures.push(error))));
    if (failures.length > 0) throw failures[0];
  }

  /** What it throws is told with its seed. */
  async one<T>(seed: number, play: () => Promise<T> | T): Promise<T> {
    try {
      this.#tell(seed);
      const result = await play();
      this.#done++;
      this.#tell(seed);
      return result;
    } catch (error) {
      throw error instanceof CannotPlay || error instanceof Violation ? error : new Violation(this.#scenario.name, seed, error);
    }
  }

  /** What is no case of its own: only the whole run plays it again. */
  step(): void {
    this.#done++;
    this.#tell(this.seed);
  }

  /** Of a crowd's cases nobody can say which one a process died of, and to tell of each would take longer than to play it. */
  #tell(seed: number): void {
    if (this.#isCrowd && Date.now() - this.#toldAt < crowdToldMs) return;
    this.#toldAt = Date.now();
    this.#onProgress(this.#done, seed);
  }
}

export interface Played {
  readonly counts: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** Plays a scenario in this process. */
export async function playScenario(options: PlayOptions): Promise<Played> {
  const play = new Play(options),
    { scenario, seed } = options;
  try {
    await scenario.run(play);
  } catch (error) {
    // What happens to a cleanup behind a violation must not be told in its place.
    await play.cleanUp().catch((failed: unknown) => play.notes.push(`it was not cleaned up: ${String(failed)}`));
    if (error instanceof CannotPlay) throw error;
    const violation = error instanceof Violation ? error : new Violation(scenario.name, seed, error, options.size);
    violation.played = playedOf(play);
    throw violation;
  }
  await play.cleanUp();
  return playedOf(play);
}

const playedOf = ({ counts, notes, files }: Play): Played => ({ counts, notes, files });
