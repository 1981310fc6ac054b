import { assert } from "../../base/assert.js";
import type { Service } from "../service.js";

/** What native code calls by: it never lets go of what it was given, so that is no more than the way to the service. */
export class Served {
  #service: Service | undefined;

  constructor(service: Service) {
    this.#service = service;
  }

  get service(): Service {
    assert(this.#service, "nobody calls once all connections are closed");
    return this.#service;
  }

  letGo(): void {
    this.#service = undefined;
  }
}
