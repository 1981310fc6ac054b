/** Interface views of created contracts: computed by the engine when first asked for, then kept for the next readers. */
import { assert } from "../base/assert.js";
import { limits } from "../config.js";
import type { EventPlace, Tables } from "../store/index.js";
import { decodeInstance } from "./contract-record.js";
import { okStatus, statusJson } from "./google-status.js";
import type { LedgerErrorData } from "./model.js";
import type { InterfaceViewReply, InterfaceViewRequest, Interpreter } from "./interpreter.js";
import { compareVersions, type PackageRegistry } from "./package-registry.js";
import type { TemplateNames } from "./template-names.js";
import { noVettedImplementation } from "./view-status.js";
import type { Clock } from "../base/clock.js";

export interface WantedView { readonly place: EventPlace; readonly template: number; readonly interfaceId: string }

const keyOf = (view: WantedView, implementation: string): string => `${view.place.offset}/${view.place.nodeId}/${view.interfaceId}/${implementation}`;

export interface ViewsContext {
  readonly tables: Tables;
  readonly packages: PackageRegistry;
  readonly templates: TemplateNames;
  readonly interpreter: Interpreter;
  readonly clock: Clock;
  readonly participantName: string;
  readonly synchronizerId: string;
}

export class InterfaceViews {
  readonly #context: ViewsContext;
  readonly #cache = new Map<string, InterfaceViewReply>();

  constructor(context: ViewsContext) { this.#context = context; }

  /** Makes `json` answer for all of them. */
  async compute(wanted: readonly WantedView[]): Promise<void> {
    const missing = new Map<string, InterfaceViewRequest>();
    for (const view of wanted) {
      const implementation = this.#implementation(view);
      if (implementation === undefined || this.#cache.has(keyOf(view, implementation))) continue;
      missing.set(keyOf(view, implementation), { instance: this.#instance(view.place), interfaceId: view.interfaceId, implementationPackageId: implementation });
    }
    if (missing.size === 0) return;
    const replies = await this.#context.interpreter.computeViews([...missing.values()]);
    assert(replies.length === missing.size, "every view has a reply");
    [...missing.keys()].forEach((key, index) => this.#remember(key, replies[index]!));
  }

  /** `traceId`: of the reader's request, which the status of a view without a value names. */
  json(view: WantedView, traceId: string | undefined): string {
    const implementation = this.#implementation(view);
    if (implementation === undefined) return this.#failed(view, this.#notVetted(view), traceId, null);
    const reply = this.#cache.get(keyOf(view, implementation));
    assert(reply !== undefined, "a view was computed before it is written");
    if ("error" in reply) return this.#failed(view, reply.error, traceId, implementation);
    return `{"interfaceId":"${view.interfaceId}","viewStatus":${okStatus},"viewValue":${reply.json},"implementationPackageId":"${implementation}"}`;
  }

  #failed({ interfaceId }: WantedView, error: LedgerErrorData, traceId: string | undefined, implementation: string | null): string {
    const status = statusJson(error, traceId, this.#context.participantName);
    return `{"interfaceId":"${interfaceId}","viewStatus":${status},"viewValue":null,"implementationPackageId":${JSON.stringify(implementation)}}`;
  }

  #implementation(view: WantedView): string | undefined {
    const { packageName, qualifiedName } = this.#template(view), { packages, clock } = this.#context;
    return packages.implementationPackage(packageName, qualifiedName, view.interfaceId, clock.nowMicros());
  }

  #template(view: WantedView): { readonly packageName: string; readonly qualifiedName: string } {
    const name = this.#context.templates.nameOf(view.template), colon = name.indexOf(":");
    return { packageName: name.slice(0, colon), qualifiedName: name.slice(colon + 1) };
  }

  #instance(place: EventPlace): Uint8Array {
    const record = this.#context.tables.instances.read(place);
    assert(record, "a created contract has an instance");
    return decodeInstance(record).instance;
  }

  /** The oldest go first. */
  #remember(key: string, reply: InterfaceViewReply): void {
    if (this.#cache.size >= limits.interfaceViewsCachedMax) for (const oldest of this.#cache.keys()) { this.#cache.delete(oldest); break; }
    this.#cache.set(key, reply);
  }

  #notVetted(view: WantedView): LedgerErrorData {
    const { packageName } = this.#template(view), { packages, clock, synchronizerId } = this.#context, now = clock.nowMicros();
    const vetted = packages.versionsOf(packageName).filter(({ packageId }) => packages.isVetted(packageId, now)).sort((a, b) => compareVersions(a.version, b.version));
    return noVettedImplementation({
      packageName, synchronizerId,
      implementing: packages.implementing(view.interfaceId),
      vetted: vetted.map(({ packageId }) => packageId),
    });
  }
}
