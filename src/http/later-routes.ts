/** Stands for routes that are not loaded yet: who asks first waits for them, by the head alone, and is then served by them. */
import { assert } from "../base/assert.js";
import { madeOnce } from "../base/made-once.js";
import type { Head } from "./head.js";
import type { HeadDecision, LaterRoutes, RawReply, Route } from "./route.js";
import { isBelow, type Params, type Router } from "./router.js";

/** What the head leads to, once the routes are there. */
export type Settled =
  { readonly kind: "route"; readonly route: Route; readonly params: Params } | { readonly kind: "reply"; readonly reply: RawReply };

interface Waited {
  readonly route: Route;
  readonly context: unknown;
}

export class LaterLoad {
  readonly #later: LaterRoutes;
  readonly #router: Router;
  #isLoaded = false;

  constructor(later: LaterRoutes, router: Router) {
    this.#later = later;
    this.#router = router;
  }

  /** Whether they may have a path that no route has so far. */
  mayServe(path: string): boolean {
    return !this.#isLoaded && this.#later.prefixes.some((prefix) => isBelow(path, prefix));
  }

  /** A route for one request; `params` are those of the route that serves it, from its admission on. */
  routeFor({ method, path }: Head, settle: (head: Head) => Settled): { readonly route: Route; readonly params: Params } {
    const params: Record<string, string> = {};
    const admit = async (head: Head): Promise<HeadDecision> => {
      await this.#load();
      const settled = settle(head);
      if (settled.kind === "reply") return settled;
      Object.assign(params, settled.params);
      const decision = (await settled.route.admit?.(head)) ?? { context: undefined };
      return "reply" in decision ? decision : { context: { route: settled.route, context: decision.context } satisfies Waited };
    };
    const handle: Route["handle"] = (request, waited) => (waited as Waited).route.handle(request, (waited as Waited).context);
    return { params, route: { method, path, bodyBytesMax: this.#later.bodyBytesMax, admit, handle } };
  }

  readonly #load = madeOnce(async (): Promise<void> => {
    const routes = await this.#later.load(),
      { prefixes, bodyBytesMax } = this.#later;
    for (const { path, ...route } of routes)
      assert(
        prefixes.some((prefix) => isBelow(path, prefix)) && route.bodyBytesMax <= bodyBytesMax && route.deadlineMs === undefined,
        `${path} is loaded when it is asked for, as others are`,
      );
    this.#router.add(routes);
    this.#isLoaded = true;
  });
}
