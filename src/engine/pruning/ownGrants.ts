// The objects that files of grants created. Whoever reviews only `grants/` approves new objects that end: a file there takes over no
// object of the account, neither to change it nor to end it.
import isEqual from 'fast-deep-equal';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key } from '../../model/names.ts';
import { type Fields, isList } from '../../model/value.ts';
import { liveFields, namedFields } from '../pairing/naming.ts';
import type { PlanInput } from '../scope/run.ts';
import type { Naming } from '../types/naming.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import { declaredBefore, type KnownBefore } from './declaredBefore.ts';
import { isAnotherByContent } from './sameContent.ts';

type Known = KnownBefore & Pick<PlanInput, 'snapshot'>;
type Names = Pick<Pairing, 'pairs' | 'base' | 'formerNames' | 'naming'>;

/** Whether something recorded tells which objects the files made before: a first run has nothing, although it names a base. */
export const isRecorded = (
  { recorded }: Pick<PlanInput, 'recorded'>,
  { base }: Pick<Pairing, 'base'>,
): boolean =>
  recorded?.hasBase === true &&
  !(recorded.isFirst === true && base.size + recorded.objects.length === 0);

/**
 * Whether a live object was created by the file of grants that declares it: the journal of an apply, or a base in which it had an end,
 * tells. Where nothing is recorded, it must be as it is declared, because an object of somebody else would change.
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
 * Whether an object that has ended is the one of its file of grants although nothing recorded tells: the user of the token created it,
 * it has the content of the declaration, and nobody else put anything into it. Others may have made the same object for good.
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

// Whoever names an object of a grant in the account, and is none, had it before: nothing outside of `grants/` names what they declare.
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

// What the plan would not change may differ all the same, where the file says nothing.
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

// Members of a set that others may add to, and what other objects put into this one.
function hasMore(kind: Kind, { desired, live }: Pair, naming: Naming): boolean {
  const there = liveFields(kind, live, naming);
  const declared = canonicalFields(
    kind.shape,
    namedFields(kind, desired.fields, naming),
    'desired',
  );
  return [...kind.shape.fields.values()].some(({ name, shared, sentBack }) => {
    if (sentBack) return listed(live.fields[name] ?? live.serverFields[name]).length > 0;
    const own = [...listed(declared[name]), ...listed(desired.elsewhere?.[name])];
    return shared && listed(there[name]).some(member => !own.some(one => isEqual(one, member)));
  });
}

const listed = (value: Fields[string] | undefined) => (isList(value) ? value : []);
