// Declared objects of one kind that have no live object yet.
import type { Key } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';

/**
 * The declared objects by their keys. Also stores the number of objects under each parent, so that
 * no caller needs to count.
 */
export class UnmatchedObjects {
  readonly #byKey = new Map<Key, Desired>();
  readonly #inParent = new Map<Key | undefined, number>();
  readonly #inWhole = new Map<Key, number>();

  /** Adds an object. Returns false if an object with the same key is already there. */
  add(desired: Desired): boolean {
    if (this.#byKey.has(desired.key)) return false;
    this.#byKey.set(desired.key, desired);
    this.#count(desired, 1);
    return true;
  }

  delete(desired: Desired): void {
    if (this.#byKey.delete(desired.key)) this.#count(desired, -1);
  }

  /** All current objects. They may be deleted during iteration. */
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
