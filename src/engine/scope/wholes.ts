// The declared objects to which parts belong, and the names that identify all parts of one object.
import { addressOf, keyOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';

interface Called {
  readonly kind: KindName;
  readonly key: string;
}

/** A part, and the object to which it belongs. */
export interface Part {
  readonly kind: KindName;
  readonly key: Key;
  readonly whole: Key;
}

/** Looks up the object to which a part belongs. */
export interface Wholes {
  /**
   * Returns the key of the declared object to which a part belongs; for any other object, its own
   * key.
   */
  readonly keyOf: (object: Called) => Key;
  /**
   * Returns the object's own key, the key of the object to which it belongs as a part, and the keys
   * of all other parts.
   */
  readonly keysOf: (object: Called) => readonly Key[];
}

/** The lookup for accounts without parts. */
export const NO_WHOLES: Wholes = {
  keyOf: ({ key }) => key as Key,
  keysOf: ({ key }) => [key as Key],
};

/**
 * The lookup for these objects, as `inParts` returns them. Declarations in files take precedence over declarations in a base, and
 * both take precedence over the names of live objects. A former name in the base belongs to the object that has the new name.
 */
export function wholesOf(
  desired: readonly Desired[],
  bases: readonly Desired[],
  live: readonly Part[],
): Wholes {
  const renamed = new Map(
    desired.flatMap(({ kind, part }): [Address, Key][] =>
      part?.formerWhole === undefined
        ? []
        : [[addressOf(kind, keyOf([part.formerWhole])), part.whole]],
    ),
  );
  for (const { kind, key, part } of desired) renamed.delete(addressOf(kind, part?.whole ?? key));
  const nowOf = (kind: KindName, key: Key): Key => renamed.get(addressOf(kind, key)) ?? key;
  const parts = new Map<Address, Part>();
  const note = (kind: KindName, key: Key, whole: Key) =>
    parts.set(addressOf(kind, key), { kind, key, whole });
  for (const { kind, key, whole } of live) note(kind, key, whole);
  for (const { kind, key, part } of bases) note(kind, key, nowOf(kind, part?.whole ?? key));
  for (const { kind, key, part } of desired) note(kind, key, part?.whole ?? key);
  const byWhole = Map.groupBy(parts.values(), ({ kind, whole }) => addressOf(kind, whole));
  const wholeOf = ({ kind, key }: Called): Key =>
    parts.get(addressOf(kind, key as Key))?.whole ?? (key as Key);
  const keysOf = (object: Called): readonly Key[] => {
    const whole = wholeOf(object);
    const others = byWhole.get(addressOf(object.kind, whole)) ?? [];
    return [...new Set([object.key as Key, whole, ...others.map(({ key }) => key)])];
  };
  return { keyOf: wholeOf, keysOf };
}

/**
 * Returns a function that finds the keys of all objects to which an object with a given name
 * belongs as a part. It considers all of these declarations, including their former names.
 */
export function everyWhole(objects: readonly Desired[]): (called: Called) => readonly Key[] {
  const found = new Map<Address, Set<Key>>();
  const note = (kind: KindName, key: string | undefined, whole: string | undefined): void => {
    if (key === undefined || whole === undefined || key === whole) return;
    const address = addressOf(kind, keyOf([key]));
    found.set(address, (found.get(address) ?? new Set()).add(keyOf([whole])));
  };
  for (const { kind, key, part, lifecycle } of objects) {
    if (part === undefined) continue;
    note(kind, key, part.whole);
    note(kind, lifecycle.was, part.formerWhole);
  }
  return ({ kind, key }) => [...(found.get(addressOf(kind, key as Key)) ?? [])];
}
