// The names in files that do not denote exactly one object: typing errors, names of objects that
// somebody deleted, and names that several live objects have.
import type { KindTable } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { namesakesOf, unresolvedRefs } from '../checks/danglingReferences.ts';
import { pairObjects } from '../pairing/pairObjects.ts';
import { type PlanInput, type Run, runOf } from '../scope/planInput.ts';
import type { Naming } from '../types/naming.ts';
import type { Pairing } from '../types/pairing.ts';
import { waitingInput } from '../waiting/waits.ts';

/** A name that no object has, or that several objects have. */
export interface UnresolvedName {
  readonly kind: KindName;
  readonly key: Key;
  /** The live objects with the name: several objects, or only objects that the files do not mean. */
  readonly namesakes: readonly RemoteId[];
  /** The key of the declared object, if an object with this name is a part of it. */
  readonly whole?: Key;
}

/** The result of pairing for the names in the files. */
export interface Unresolved {
  readonly names: readonly UnresolvedName[];
  /** Declared objects that the account does not have. */
  readonly absent: ReadonlySet<Address>;
}

/**
 * The names that do not denote exactly one object. A name counts only if selected objects refer to
 * it, or declare it although meshform cannot create the object.
 */
export function unresolvedNames(written: PlanInput): Unresolved {
  const input = waitingInput(written);
  const { kinds, snapshot } = input;
  const run = runOf(input);
  const pairing = pairObjects(
    { kinds, desired: run.paired, live: snapshot.objects, base: input.base },
    { isMarkedForDeletion: run.isMarkedForDeletion, meant: input.meant },
  );
  const bearersOf = bearersIn(input, pairing.naming);
  const isOther = (address: Address) => written.meant?.get(address) === null;
  const referred = unresolvedRefs({ kinds, snapshot, naming: pairing.naming }, run).flatMap(
    ({ is, ref }) => (is === 'unknown' ? [{ kind: ref.kind, key: ref.key as Key }] : []),
  );
  const named = [...referred, ...uncreatable(run, pairing, kinds)];
  const found = named.flatMap(({ kind, key }): [Address, UnresolvedName][] => {
    const address = addressOf(kind, key);
    const bearers = bearersOf(kind, key);
    const isOpen = bearers.length !== 1 || isOther(address);
    return isOpen && !snapshot.unavailable.has(kind)
      ? [[address, { kind, key, namesakes: bearers }]]
      : [];
  });
  return {
    names: [...new Map([...found, ...ambiguousNames(run, pairing)]).values()],
    absent: new Set(pairing.creates.map(({ kind, key }) => addressOf(kind, key))),
  };
}

/** Returns a function that returns the ids of the live objects with a name, without built-in objects. */
function bearersIn(
  { kinds, snapshot }: PlanInput,
  naming: Naming,
): (name: KindName, key: Key) => RemoteId[] {
  return (name, key) => {
    const kind = kinds.get(name);
    const found = kind ? namesakesOf(kind, key, snapshot.objects, naming) : [];
    return found.filter(({ reserved }) => reserved === undefined).map(({ id }) => id);
  };
}

/** The declared objects that are not paired, of kinds that meshform cannot create. */
function uncreatable({ remaining }: Run, { pairs }: Pairing, kinds: KindTable): Desired[] {
  const paired = new Set(pairs.map(({ desired }) => addressOf(desired.kind, desired.key)));
  return remaining.filter(
    ({ kind, key, lifecycle }) =>
      lifecycle.id === undefined &&
      !paired.has(addressOf(kind, key)) &&
      kinds.get(kind)?.verbs.has('create') !== true,
  );
}

/** The names of selected declarations that several live objects have, by address. */
function ambiguousNames({ remaining }: Run, { ambiguous }: Pairing): [Address, UnresolvedName][] {
  const kept = new Set(remaining.map(({ at }) => at));
  return ambiguous
    .filter(({ desired }) => kept.has(desired.at) && desired.lifecycle.id === undefined)
    .map(({ desired: { kind, key, part }, namesakes }) => [
      addressOf(kind, key),
      {
        kind,
        key,
        namesakes: namesakes.map(({ id }) => id),
        ...(part && { whole: part.whole }),
      },
    ]);
}
