// Declared values that a server once accepted but did not store. A plan does not compare them, but lists them.
import isEqual from 'fast-deep-equal';
import type { KindTable } from '../kinds/kind.ts';
import { canonicalFields } from '../kinds/values/canonical.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { addressOf } from '../model/key.ts';
import type { Desired, Live } from '../model/object.ts';
import type { UnstoredValue } from '../model/recordedBase.ts';
import { quoted } from '../model/text/visible.ts';

/** The declarations without the values that the server does not store. */
export interface StoredPart {
  readonly desired: readonly Desired[];
  /** The values that were left out. */
  readonly held: readonly UnstoredValue[];
}

/**
 * Removes values that the server did not store from the declarations. Such a value is sent again once the declared or the live
 * value changes, because a change in the account shows that the server stores the value after all.
 */
export function withoutUnstored(
  desired: readonly Desired[],
  unstored: readonly UnstoredValue[],
  live: readonly Live[],
  kinds: KindTable,
): StoredPart {
  if (unstored.length === 0) return { desired, held: [] };
  const holds = (object: Desired, { id, field, declared, kept }: UnstoredValue): boolean => {
    const there = live.find(one => one.kind === object.kind && one.id === id);
    const shape = kinds.get(object.kind)?.shape;
    if (there === undefined || shape === undefined) return false;
    const wanted = canonicalFields(shape, object.fields, 'desired')[field];
    const now = canonicalFields(shape, there.fields, 'live')[field];
    return isEqual(wanted, declared) && isEqual(now ?? null, kept);
  };
  const found = desired.map(object => {
    const held = unstored.filter(
      one => one.kind === object.kind && one.key === object.key && holds(object, one),
    );
    return { object, held };
  });
  return {
    desired: found.map(({ object, held }) => ignoring(object, held)),
    held: found.flatMap(({ held }) => held),
  };
}

function ignoring(object: Desired, held: readonly UnstoredValue[]): Desired {
  if (held.length === 0) return object;
  const { lifecycle } = object;
  const ignore = [...(lifecycle.ignore ?? []), ...held.map(({ field }) => field)];
  return { ...object, lifecycle: { ...lifecycle, ignore } };
}

/** Lists the values that the server does not store. */
export function unstoredNotes(
  held: readonly UnstoredValue[],
  desired: readonly Desired[],
): Diagnostic[] {
  const places = new Map(desired.map(one => [addressOf(one.kind, one.key), one]));
  return held.map(({ kind, key, field }): Diagnostic => {
    const address = addressOf(kind, key);
    const object = places.get(address);
    const at = object?.spans[field] ?? object?.at;
    return {
      code: 'VALUE_UNSTORED',
      severity: 'note',
      message: `${quoted(field)} of ${address} is declared, and the server did not store it: it is not sent again`,
      ...(at && { at }),
      hint: 'remove it from the files; it is sent again once another value is declared',
    };
  });
}
