// The names in files that do not resolve to exactly one object: typing errors, names of objects that somebody deleted, and names
// that several live objects have.
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName, RemoteId } from '../../model/names.ts';
import { namesakesOf, unresolvedRefs } from '../checks/danglingReferences.ts';
import { pairObjects } from '../pairing/pairObjects.ts';
import { type PlanInput, runOf } from '../scope/planInput.ts';
import { waitingInput } from '../waiting/waits.ts';

/** A name without an object, or with several. */
export interface UnresolvedName {
  readonly kind: KindName;
  readonly key: Key;
  /** The live objects that have the name: several, or only objects that the files do not mean. */
  readonly namesakes: readonly RemoteId[];
  /** The key of the declared object of which an object of this name is a part. */
  readonly whole?: Key;
}

/** The result of pairing for the names in the files. */
export interface Unresolved {
  readonly names: readonly UnresolvedName[];
  /** Declared objects that the account does not have. */
  readonly absent: ReadonlySet<Address>;
}

/**
 * The names that do not resolve to exactly one object, among the names that selected objects refer to or declare without being
 * able to create the object.
 */
export function unresolvedNames(written: PlanInput): Unresolved {
  const input = waitingInput(written);
  const { kinds, snapshot } = input;
  const run = runOf(input);
  const pairing = pairObjects(kinds, run.paired, snapshot.objects, input.base, {
    isMarkedForDeletion: run.isMarkedForDeletion,
    meant: input.meant,
  });
  const { naming } = pairing;
  const paired = new Set(pairing.pairs.map(({ desired }) => addressOf(desired.kind, desired.key)));
  const namesakes = (name: KindName, key: Key): RemoteId[] => {
    const kind = kinds.get(name);
    const found = kind ? namesakesOf(kind, key, snapshot.objects, naming) : [];
    return found.filter(({ reserved }) => reserved === undefined).map(({ id }) => id);
  };
  const referred = unresolvedRefs(kinds, run, snapshot, naming).flatMap(({ is, ref }) =>
    is === 'unknown' ? [{ kind: ref.kind, key: ref.key as Key }] : [],
  );
  const declared = run.remaining.filter(
    ({ kind, key, lifecycle }) =>
      lifecycle.id === undefined &&
      !paired.has(addressOf(kind, key)) &&
      kinds.get(kind)?.verbs.has('create') !== true,
  );
  const kept = new Set(run.remaining.map(({ at }) => at));
  const ambiguous = pairing.ambiguous
    .filter(({ desired }) => kept.has(desired.at) && desired.lifecycle.id === undefined)
    .map(({ desired: { kind, key, part }, namesakes: found }): [Address, UnresolvedName] => [
      addressOf(kind, key),
      { kind, key, namesakes: found.map(({ id }) => id), ...(part && { whole: part.whole }) },
    ]);
  const isOther = (address: Address) => written.meant?.get(address) === null;
  const found = [...referred, ...declared].flatMap(({ kind, key }): [Address, UnresolvedName][] => {
    const address = addressOf(kind, key);
    const bearers = namesakes(kind, key);
    const isOpen = bearers.length !== 1 || isOther(address);
    return isOpen && !snapshot.unavailable.has(kind)
      ? [[address, { kind, key, namesakes: bearers }]]
      : [];
  });
  return {
    names: [...new Map([...found, ...ambiguous]).values()],
    absent: new Set(pairing.creates.map(({ kind, key }) => addressOf(kind, key))),
  };
}
