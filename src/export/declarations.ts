// The declarations of exported objects: those in the files, and those in the recorded bases of the account.
import type { KindTable } from '../kinds/kind.ts';
import { addressOf } from '../model/key.ts';
import type { Address } from '../model/names.ts';
import type { Desired, Live } from '../model/object.ts';
import type { RecordedId } from '../model/recordedBase.ts';
import { type Comparison, declaredOf } from './adoption/compare.ts';
import { boundAs } from './boundById.ts';
import { partsOf } from './joinParts.ts';
import type { Declaration, KnownSecrets } from './knownSecrets.ts';
import type { Exported } from './model.ts';
import type { Variables } from './variables.ts';

/** A recorded base of the account. */
export interface KnownBase {
  readonly objects: readonly Desired[];
  /** The live objects that its names meant. */
  readonly ids: readonly RecordedId[];
  /** Whether a key of this run has signed the base. */
  readonly isVerified: boolean;
}

/** The inputs of `knownSecrets`. */
export interface Declarations {
  readonly kinds: KindTable;
  readonly desired: readonly Desired[];
  /** Absent without files. */
  readonly declared?: Comparison['declared'];
  readonly bases: readonly KnownBase[];
  readonly live: readonly Live[];
  readonly variables: Variables;
}

/** The secrets that the files and the bases name. */
export function knownSecrets({
  kinds,
  desired,
  declared = () => undefined,
  bases,
  live,
  variables,
}: Declarations): KnownSecrets {
  const keys = new Map(live.map(({ kind, id, key }) => [`${kind} ${id}`, addressOf(kind, key)]));
  const recorded = bases.map(base => ({ base, find: finderIn(base) }));
  const inBases = (object: Exported): readonly Declaration[] =>
    recorded.flatMap(({ base, find }) =>
      partsOf(object)
        .flatMap(part => find(boundAs(part), keys.get(boundAs(part))) ?? [])
        .slice(0, 1)
        .map(one => ({ desired: one, isTrusted: base.isVerified })),
    );
  return {
    kinds,
    declarationsOf: object => {
      const own = declaredOf(object, declared);
      return [...(own ? [{ desired: own, isTrusted: true }] : []), ...inBases(object)];
    },
    all: [
      ...desired.map(one => ({ desired: one, isTrusted: true })),
      ...bases.flatMap(({ objects, isVerified }) =>
        objects.map(one => ({ desired: one, isTrusted: isVerified })),
      ),
    ],
    unknown: ({ kind, id, name }, path) => variables.reference(kind, { id, name }, path),
  };
}

// Finds the declaration of an object by its id if the base has the id, otherwise by its name, which may be that of a part.
function finderIn({ objects, ids }: KnownBase) {
  const byAddress = new Map(objects.map(one => [addressOf(one.kind, one.key), one]));
  const byId = new Map(ids.map(({ kind, key, id }) => [`${kind} ${id}`, addressOf(kind, key)]));
  return (bound: string, address: Address | undefined): Desired | undefined => {
    const recorded = byId.get(bound) ?? address;
    return recorded === undefined ? undefined : byAddress.get(recorded);
  };
}
