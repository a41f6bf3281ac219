// Of declared objects, those that a run leaves standing, and what they point at.
import { refsIn } from '../../../src/kinds/values/refs.ts';
import { present } from '../../../src/model/errors.ts';
import { addressOf } from '../../../src/model/key.ts';
import type { Desired } from '../../../src/model/object.ts';
import { KINDS } from '../files.ts';

/** What is not declared to go, alone or with what it nests in. */
export function standing(desired: readonly Desired[]): readonly Desired[] {
  const doomed = new Set(desired.filter(({ lifecycle }) => lifecycle.delete).map(({ key }) => key));
  return desired.filter(
    ({ parent, lifecycle }) => !lifecycle.delete && !(parent !== undefined && doomed.has(parent)),
  );
}

/** `desired`, and what it points at that only the account had. */
export function withReferred(
  desired: readonly Desired[],
  live: readonly Desired[],
): readonly Desired[] {
  const known = new Set(desired.map(({ kind, key }) => addressOf(kind, key)));
  const needed = desired.flatMap(object => {
    const kind = present(KINDS.get(object.kind), `the kind ${object.kind}`);
    return refsIn(kind.shape, object.fields).map(ref =>
      addressOf(ref.kind, ref.key as Desired['key']),
    );
  });
  const isNeeded = (object: Desired) => {
    const address = addressOf(object.kind, object.key);
    const holds = live.some(
      other => other.parent === object.key && needed.includes(addressOf(other.kind, other.key)),
    );
    return !known.has(address) && (needed.includes(address) || holds);
  };
  const more = live.filter(isNeeded);
  return more.length === 0 ? desired : withReferred([...desired, ...more], live);
}
