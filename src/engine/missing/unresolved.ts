// The names in files that nothing in the files or in the account has: typing errors, or objects that somebody deleted.
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import { namesakesOf, unresolvedRefs } from '../checks/danglingReferences.ts';
import { pairObjects } from '../pairing/pairObjects.ts';
import { type PlanInput, partedInput, runOf } from '../scope/run.ts';

/** A name without an object. */
interface UnresolvedName {
  readonly kind: KindName;
  readonly key: Key;
}

/** What pairing says about the names in the files. */
export interface Unresolved {
  readonly names: readonly UnresolvedName[];
  /** Declared objects that the account does not have. */
  readonly absent: ReadonlySet<Address>;
}

/** The names that selected objects refer to, or declare without being able to create them, and that no object has. */
export function unresolvedNames(written: PlanInput): Unresolved {
  const input = partedInput(written);
  const { kinds, snapshot } = input;
  const run = runOf(input);
  const pairing = pairObjects(kinds, run.paired, snapshot.objects, input.base, {
    isMarkedForDeletion: run.isMarkedForDeletion,
    now: input.settings.now,
  });
  const { naming } = pairing;
  const paired = new Set(pairing.pairs.map(({ desired }) => addressOf(desired.kind, desired.key)));
  const isFree = ({ kind: name, key }: UnresolvedName): boolean => {
    const kind = kinds.get(name);
    return kind !== undefined && namesakesOf(kind, key, snapshot.objects, naming).length === 0;
  };
  const referred = unresolvedRefs(kinds, run, snapshot, naming).flatMap(({ is, ref }) =>
    is === 'unknown' ? [{ kind: ref.kind, key: ref.key as Key }] : [],
  );
  const declared = run.kept
    .filter(({ kind, key, lifecycle }) => {
      const isMade = kinds.get(kind)?.verbs.has('create') === true;
      return !isMade && lifecycle.id === undefined && !paired.has(addressOf(kind, key));
    })
    .map(({ kind, key }) => ({ kind, key }));
  const found = new Map(
    [...referred, ...declared]
      .filter(name => !snapshot.unavailable.has(name.kind) && isFree(name))
      .map(name => [addressOf(name.kind, name.key), name]),
  );
  return {
    names: [...found.values()],
    absent: new Set(pairing.creates.map(({ kind, key }) => addressOf(kind, key))),
  };
}
