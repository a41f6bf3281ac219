// The objects that files of grants (files in a folder `grants`) created. A reviewer of these files
// approves only new objects with an end time. So these files must not take over, change or remove
// an existing object.
import isEqual from 'fast-deep-equal';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import { listOf } from '../../model/value.ts';
import { liveFields, namedFields } from '../pairing/naming.ts';
import type { PlanInput } from '../scope/planInput.ts';
import type { Naming } from '../types/naming.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import { declaredBefore, type KnownBefore } from './declaredBefore.ts';
import { isAnotherByContent } from './sameContent.ts';

type Known = KnownBefore & Pick<PlanInput, 'snapshot'>;
type Names = Pick<Pairing, 'pairs' | 'base' | 'formerNames' | 'naming'>;

/**
 * Whether a record shows which objects the files created before. A first run has no record,
 * although it names a base.
 */
export const isRecorded = (
  { recorded }: Pick<PlanInput, 'recorded'>,
  { base }: Pick<Pairing, 'base'>,
): boolean =>
  recorded?.hasBase === true &&
  !(recorded.isFirst === true && base.size + recorded.objects.length === 0);

/**
 * Returns whether the file of grants that declares a live object also created it. The journal of an
 * apply proves it, and so does a base in which the object had an end time. Without records, the
 * object must be exactly as declared; otherwise, the plan would change somebody else's object.
 */
export function ownGrants(known: Known, names: Names): (pair: Pair, isChanged: boolean) => boolean {
  const { kinds } = known;
  const isBefore = declaredBefore(known, names);
  const hasBase = isRecorded(known, names);
  const isNamed = namedByOthers(known, names);
  return (pair, isChanged) => {
    const kind = kinds.get(pair.desired.kind);
    if (!kind) return false;
    if (isBefore(pair) || hasBase) return isBefore(pair);
    return !isChanged && isAsDeclared(kind, pair, names.naming) && !isNamed(pair);
  };
}

/**
 * Returns whether an ended object belongs to its file of grants although no record proves it. The user of the token must have
 * created it, it must have the declared content, and nobody else may have added anything to it. Otherwise, somebody else may have
 * created the same object for permanent use.
 */
export function mayBeOwnGrant(
  { kinds, madeByUser }: Pick<PlanInput, 'kinds' | 'madeByUser'>,
  { naming }: Pick<Names, 'naming'>,
): (pair: Pair) => boolean {
  return ({ desired, live }) => {
    const kind = kinds.get(desired.kind);
    if (!kind || madeByUser?.has(live.id) !== true) return false;
    const declared = { ...desired, fields: desired.ended?.fields ?? desired.fields };
    const pair = { desired: declared, live };
    return (
      !isAnotherByContent(kind, { ...pair, ended: desired.ended }, naming) &&
      !hasMore(kind, pair, naming)
    );
  };
}

// Returns whether a live object outside `grants/` refers to the object. If one does, the object is
// older than the grant, because no declaration outside `grants/` refers to an object of a grant.
function namedByOthers(
  { kinds, snapshot }: Pick<Known, 'kinds' | 'snapshot'>,
  { pairs, naming }: Names,
): (pair: Pair) => boolean {
  let named: ReadonlySet<Address> | undefined;
  const found = (): ReadonlySet<Address> => {
    const granted = new Set(pairs.flatMap(({ desired, live }) => (desired.isGrant ? live : [])));
    const others = snapshot.objects.filter(live => !granted.has(live));
    const refs = others.flatMap(({ kind: name, fields }) => {
      const kind = kinds.get(name);
      return kind ? refsIn(kind.shape, fields) : [];
    });
    return new Set(refs.map(({ kind, key }) => addressOf(kind, naming.keyOf(kind, key) as Key)));
  };
  return ({ desired: { kind, key } }) => {
    named ??= found();
    return named.has(addressOf(kind, key));
  };
}

// Whether an object has only declared values and defaults. A plan without changes does not show this, because it ignores
// undeclared fields.
function isAsDeclared(kind: Kind, pair: Pair, naming: Naming): boolean {
  const { desired, live } = pair;
  if ((desired.lifecycle.ignore ?? []).length > 0 || hasMore(kind, pair, naming)) return false;
  const there = liveFields(kind, live, naming);
  const declared = canonicalFields(kind.shape, desired.fields, 'desired');
  const empty = canonicalFields(kind.shape, {}, 'live');
  return Object.entries(there).every(
    ([name, value]) =>
      desired.fields[name] !== undefined ||
      isEqual(value, declared[name]) ||
      isEqual(value, empty[name]),
  );
}

// Whether an object has undeclared members in a shared set, or other objects have added entries to
// it.
function hasMore(kind: Kind, { desired, live }: Pair, naming: Naming): boolean {
  const there = liveFields(kind, live, naming);
  const declared = canonicalFields(
    kind.shape,
    namedFields(kind, desired.fields, naming),
    'desired',
  );
  return [...kind.shape.fields.values()].some(({ name, shared, sentBack }) => {
    if (sentBack) return listOf(live.fields[name] ?? live.serverFields[name]).length > 0;
    const own = [...listOf(declared[name]), ...listOf(desired.elsewhere?.[name])];
    return shared && listOf(there[name]).some(member => !own.some(one => isEqual(one, member)));
  });
}
