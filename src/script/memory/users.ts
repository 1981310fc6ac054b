/** Users of a ledger in memory: none at the start. */
import type { ScriptUser, UserRight } from "../ledger.js";

const sameRight = (left: UserRight, right: UserRight): boolean => left.kind === right.kind && left.party === right.party;

export class Users {
  readonly #users = new Map<string, { readonly user: ScriptUser; rights: readonly UserRight[] }>();

  create(user: ScriptUser, rights: readonly UserRight[]): boolean {
    if (this.#users.has(user.userId)) return false;
    this.#users.set(user.userId, { user, rights: distinct(rights) });
    return true;
  }

  get(userId: string): ScriptUser | undefined {
    return this.#users.get(userId)?.user;
  }
  delete(userId: string): boolean {
    return this.#users.delete(userId);
  }
  /** By id, as the ledger lists them. */
  list(): readonly ScriptUser[] {
    return [...this.#users.values()].map(({ user }) => user).sort((left, right) => (left.userId < right.userId ? -1 : 1));
  }
  rights(userId: string): readonly UserRight[] | undefined {
    return this.#users.get(userId)?.rights;
  }

  grant(userId: string, rights: readonly UserRight[]): readonly UserRight[] | undefined {
    const known = this.#users.get(userId);
    if (known === undefined) return undefined;
    const added = distinct(rights).filter((right) => !known.rights.some((each) => sameRight(each, right)));
    known.rights = [...known.rights, ...added];
    return added;
  }

  revoke(userId: string, rights: readonly UserRight[]): readonly UserRight[] | undefined {
    const known = this.#users.get(userId);
    if (known === undefined) return undefined;
    const removed = known.rights.filter((right) => rights.some((each) => sameRight(each, right)));
    known.rights = known.rights.filter((right) => !removed.includes(right));
    return removed;
  }
}

const distinct = (rights: readonly UserRight[]): readonly UserRight[] =>
  rights.filter((right, index) => rights.findIndex((each) => sameRight(each, right)) === index);
