/** Interface views of created contracts: computed by the engine when first asked for, then kept for the next readers. */
import { assert } from "../base/assert.js";
import { limits } from "../config.js";
import type { EventPlace, Tables } from "../store/index.js";
import { decodeInstance } from "./contract-record.js";
import { ledgerError } from "./errors.js";
import { okStatus, statusJson } from "./google-status.js";
import type { InterfaceViewReply, InterfaceViewRequest, Interpreter } from "./interpreter.js";
import type { PackageRegistry } from "./package-registry.js";
import type { TemplateNames } from "./template-names.js";
import type { Clock } from "../base/clock.js";

export interface WantedView { readonly place: EventPlace; readonly template: number; readonly interfaceId: string }

const keyOf = (view: WantedView, implementation: string): string => `${view.place.offset}/${view.place.nodeId}/${view.interfaceId}/${implementation}`;

export class InterfaceViews {
  readonly #cache = new Map<string, string>();

  constructor(private readonly tables: Tables, private readonly packages: PackageRegistry, private readonly templates: TemplateNames, private readonly interpreter: Interpreter, private readonly clock: Clock) {}

  /** Makes `json` answer for all of them. */
  async compute(wanted: readonly WantedView[]): Promise<void> {
    const missing = new Map<string, { readonly view: WantedView; readonly request: InterfaceViewRequest }>();
    for (const view of wanted) {
      const implementation = this.#implementation(view);
      if (implementation === undefined || this.#cache.has(keyOf(view, implementation))) continue;
      missing.set(keyOf(view, implementation), { view, request: { instance: this.#instance(view.place), interfaceId: view.interfaceId, implementationPackageId: implementation } });
    }
    if (missing.size === 0) return;
    const replies = await this.interpreter.computeViews([...missing.values()].map(({ request }) => request));
    [...missing].forEach(([key, { request }], index) => this.#remember(key, viewJson(request, replies[index])));
  }

  json(view: WantedView): string {
    const implementation = this.#implementation(view);
    if (implementation === undefined) return this.#notVetted(view);
    const json = this.#cache.get(keyOf(view, implementation));
    assert(json !== undefined, "a view was computed before it is written");
    return json;
  }

  #implementation(view: WantedView): string | undefined {
    const name = this.templates.nameOf(view.template), colon = name.indexOf(":");
    return this.packages.implementationPackage(name.slice(0, colon), name.slice(colon + 1), view.interfaceId, this.clock.nowMicros());
  }

  #instance(place: EventPlace): Uint8Array {
    const record = this.tables.instances.read(place);
    assert(record, "a created contract has an instance");
    return decodeInstance(record).instance;
  }

  /** The oldest go first. */
  #remember(key: string, json: string): void {
    if (this.#cache.size >= limits.interfaceViewsCachedMax) for (const oldest of this.#cache.keys()) { this.#cache.delete(oldest); break; }
    this.#cache.set(key, json);
  }

  #notVetted(view: WantedView): string {
    const name = this.templates.nameOf(view.template).split(":")[0];
    const status = statusJson(ledgerError("NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE", `No vetted package of name ${name} implements interface ${view.interfaceId}.`), undefined);
    return `{"interfaceId":"${view.interfaceId}","viewStatus":${status},"viewValue":null,"implementationPackageId":null}`;
  }
}

function viewJson(request: InterfaceViewRequest, reply: InterfaceViewReply | undefined): string {
  assert(reply, "every view has a reply");
  const head = `{"interfaceId":"${request.interfaceId}","viewStatus":`;
  const tail = `,"implementationPackageId":"${request.implementationPackageId}"}`;
  if ("json" in reply) return `${head}${okStatus},"viewValue":${reply.json}${tail}`;
  return `${head}${JSON.stringify({ code: reply.status.code, message: reply.status.message, details: [] })},"viewValue":null${tail}`;
}
