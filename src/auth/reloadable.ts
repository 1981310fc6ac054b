import type { Authenticated, Authentication } from "./authentication.js";
import type { Caller } from "./caller.js";
import type { Credentials } from "./credentials.js";
import type { StreamWatch, Watched } from "./stream-watch.js";

/** May be exchanged while a node runs. A stream that is open is followed by what let it in: until its token expires, or a right goes. */
export class ReloadableAuthentication implements Authentication {
  #current: Authentication;

  constructor(first: Authentication) {
    this.#current = first;
  }

  get enabled(): boolean {
    return this.#current.enabled;
  }
  get isSecretPublished(): boolean {
    return this.#current.isSecretPublished;
  }
  authenticate(credentials: Credentials): Authenticated | Promise<Authenticated> {
    return this.#current.authenticate(credentials);
  }
  watch(caller: Caller, watched: Watched): StreamWatch {
    return this.#current.watch(caller, watched);
  }

  replace(next: Authentication): void {
    this.#current = next;
  }
}
