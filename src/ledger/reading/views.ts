/** Interface views of created contracts: computed by the engine when first asked for, then kept for the next readers. */
import { assert } from "../../base/assert.js";
import { limits } from "../../config.js";
import { comparePackages } from "../../lf/index.js";
import type { EventPlace, Tables } from "../../store/index.js";
import { readInstance, type TemplateNames } from "../records/index.js";
import { type LedgerErrorData, okStatus, statusJson, type Synchronizers } from "../model/index.js";
import type { InterfaceViewReply, InterfaceViewRequest, Interpreter } from "../interpretation/index.js";
import type { PackageRegistry } from "../packages/index.js";
import { type Implementation, ViewReader } from "./view-reader.js";
import { noVettedImplementation } from "./view-status.js";

export interface WantedView {
  readonly place: EventPlace;
  readonly template: number;
  readonly interfaceId: string;
}

const placeOf = ({ place, interfaceId }: WantedView): string => `${place.offset}/${place.nodeId}/${interfaceId}`;
const keyOf = (view: WantedView, implementation: string): string => `${placeOf(view)}/${implementation}`;

/** Of one view: whose code computed it, and what came out. */
interface Outcome {
  readonly implementation: string | undefined;
  readonly reply: InterfaceViewReply;
}
const charsOf = (reply: InterfaceViewReply): number => ("error" in reply ? reply.error.cause : reply.json).length;

type Outcomes = Map<string, Outcome>;
const noOutcomes: Outcomes = new Map();

export interface ViewsContext {
  readonly tables: Tables;
  readonly packages: PackageRegistry;
  readonly templates: TemplateNames;
  readonly interpreter: Interpreter;
  readonly participantName: string;
  readonly synchronizers: Synchronizers;
  readonly pruning: { readonly offset: number };
}

export class InterfaceViews {
  readonly #context: ViewsContext;
  readonly #cache = new Map<string, InterfaceViewReply>();
  #cachedChars = 0;
  #atHand: Outcomes = noOutcomes;

  constructor(context: ViewsContext) {
    this.#context = context;
  }

  /**
   * Calls `write` when all of them are at hand; `json` answers for those, within that call: packages and what is kept may change before
   * and after. `reader`: who reads on.
   */
  async whileComputed<T>(wanted: readonly WantedView[], write: () => T, reader = new ViewReader()): Promise<T> {
    const outcomes = await this.#compute(wanted, reader);
    reader.took(
      wanted.length,
      [...outcomes.values()].reduce((sum, { reply }) => sum + charsOf(reply), 0),
    );
    this.#atHand = outcomes;
    try {
      return write();
    } finally {
      this.#atHand = noOutcomes;
    }
  }

  async #compute(wanted: readonly WantedView[], reader: ViewReader): Promise<Outcomes> {
    const outcomes: Outcomes = new Map(),
      missing = new Map<string, { readonly view: WantedView; readonly request: InterfaceViewRequest }>();
    for (const view of wanted) {
      const { packageId, refusal } = reader.implementation(view.template, view.interfaceId, () => this.#implementation(view)),
        kept = refusal ? { error: refusal } : this.#cache.get(keyOf(view, packageId));
      if (kept) outcomes.set(placeOf(view), { implementation: packageId, reply: kept });
      else
        missing.set(placeOf(view), {
          view,
          request: { instance: this.#instance(view.place), interfaceId: view.interfaceId, implementationPackageId: packageId! },
        });
    }
    if (missing.size === 0) return outcomes;
    const replies = await this.#context.interpreter.computeViews([...missing.values()].map(({ request }) => request));
    assert(replies.length === missing.size, "every view has a reply");
    [...missing].forEach(
      (
        [
          place,
          {
            view,
            request: { implementationPackageId: implementation },
          },
        ],
        index,
      ) => {
        const reply = replies[index]!;
        outcomes.set(place, { implementation, reply });
        this.#remember(keyOf(view, implementation), reply);
      },
    );
    return outcomes;
  }

  /** `traceId`: of the reader's request, which the status of a view without a value names. */
  json(view: WantedView, traceId: string | undefined): string {
    const outcome = this.#atHand.get(placeOf(view));
    assert(outcome, "a view was computed before it is written");
    const { implementation = null, reply } = outcome;
    if ("error" in reply) return this.#failed(view, reply.error, traceId, implementation);
    return `{"interfaceId":"${view.interfaceId}","viewStatus":${okStatus},"viewValue":${reply.json},"implementationPackageId":"${implementation}"}`;
  }

  #failed({ interfaceId }: WantedView, error: LedgerErrorData, traceId: string | undefined, implementation: string | null): string {
    const status = statusJson(error, traceId, this.#context.participantName);
    return `{"interfaceId":"${interfaceId}","viewStatus":${status},"viewValue":null,"implementationPackageId":${JSON.stringify(implementation)}}`;
  }

  #implementation(view: WantedView): Implementation {
    const { packages, synchronizers } = this.#context,
      packageId = packages.implementationPackage(this.#packageName(view), view.interfaceId, synchronizers.ranked);
    return packageId === undefined ? { refusal: this.#notVetted(view) } : { packageId };
  }

  #packageName({ template }: WantedView): string {
    const name = this.#context.templates.nameOf(template);
    return name.slice(0, name.indexOf(":"));
  }

  #instance(place: EventPlace): Uint8Array {
    return readInstance(this.#context, place).instance;
  }

  /** The oldest go first. What would drive out too many others is not kept: a model decides how long a view is. */
  #remember(key: string, reply: InterfaceViewReply): void {
    const chars = charsOf(reply);
    if (chars > limits.interfaceViewsCachedCharsMax / 4 || this.#cache.has(key)) return;
    this.#cache.set(key, reply);
    this.#cachedChars += chars;
    for (const [oldest, left] of this.#cache) {
      if (this.#cache.size <= limits.interfaceViewsCachedMax && this.#cachedChars <= limits.interfaceViewsCachedCharsMax) return;
      this.#cache.delete(oldest);
      this.#cachedChars -= charsOf(left);
    }
  }

  #notVetted(view: WantedView): LedgerErrorData {
    const packageName = this.#packageName(view),
      { packages, synchronizers } = this.#context;
    const vettedOn = (synchronizer: number): readonly string[] =>
      [...packages.versionsForViews(packageName, synchronizer)].sort(comparePackages).map(({ packageId }) => packageId);
    return noVettedImplementation({
      packageName,
      implementing: packages.implementing(view.interfaceId),
      vetted: synchronizers.ranked.map(({ id, number }) => [id, vettedOn(number)]),
    });
  }
}
