// Declared objects of one kind without a live object so far.
import type { Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';

/** The declared objects by their keys. Also stores the number under each parent, so that nobody needs to count. */
export class UnmatchedObjects {
  readonly #byKey = new Map<Key, Desired>();
  readonly #inParent = new Map<Key | undefined, number>();
  readonly #inWhole = new Map<Key, number>();

  /** Adds an object and returns whether it was added: false if an object with its key is already there. */
  add(desired: Desired): boolean {
    if (this.#byKey.has(desired.key)) return false;
    this.#byKey.set(desired.key, desired);
    this.#count(desired, 1);
    return true;
  }

  delete(desired: Desired): void {
    if (this.#byKey.delete(desired.key)) this.#count(desired, -1);
  }

  /** All current objects; deleting while iterating is safe. */
  all(): readonly Desired[] {
    return [...this.#byKey.values()];
  }

  countIn(parent: Key | undefined): number {
    return this.#inParent.get(parent) ?? 0;
  }

  /** The number of waiting parts of the declared object `whole`. */
  countOf(whole: Key): number {
    return this.#inWhole.get(whole) ?? 0;
  }

  #count({ parent, part }: Desired, by: number): void {
    this.#inParent.set(parent, this.countIn(parent) + by);
    if (part) this.#inWhole.set(part.whole, this.countOf(part.whole) + by);
  }
}
