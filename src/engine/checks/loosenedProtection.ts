// Finds protection that the files of a run no longer declare: entries of the protect list, and
// `lifecycle.protect` of objects.
import { isTakenAway, marked } from '../../model/acceptedGuards.ts';
import { flagNamesOf } from '../../model/flagNames.ts';
import { type LoosenedGuard, placeName } from '../../model/guards.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { DraftPlan } from './draftPlan.ts';

/** The protection of the last apply that the files no longer declare and that no flag removes. */
export interface FormerProtection {
  /** Entries of the protect list. */
  readonly listed: ReadonlySet<string>;
  /** Objects that had `lifecycle.protect`, by their current addresses and by their addresses in the bases. */
  readonly objects: ReadonlySet<Address>;
}

type Subject = Pick<DraftPlan, 'input' | 'pairing' | 'context'>;

/** The protection that the files removed and no flag removes. */
export function formerProtection(subject: Subject): FormerProtection {
  const { allow, guards } = subject.input.settings;
  const isLeft = (name: string) => !isTakenAway(name, allow);
  // If the guards of the last apply are unknown, only undeclared objects count, because files must
  // not remove an object together with its protection.
  const objects = unprotected(subject).filter(({ isDeclared }) => guards || !isDeclared);
  return {
    listed: new Set(removedEntries(subject).filter(isLeft)),
    objects: new Set(objects.flatMap(({ name, addresses }) => (isLeft(name) ? addresses : []))),
  };
}

/** The removed protection as findings, including protection that a flag removes. */
export function loosenedProtection(subject: Subject): readonly LoosenedGuard[] {
  const { allow, guards } = subject.input.settings;
  if (guards === undefined) return [];
  const { places } = guards.applied;
  const entries = removedEntries(subject).map((name): LoosenedGuard => {
    const at = places.get(placeName('protect', name));
    return { guard: 'protect', name, change: 'is removed', ...(at && { at }) };
  });
  const objects = unprotected(subject).map(
    ({ name, at, isDeclared }): LoosenedGuard => ({
      guard: 'lifecycle.protect',
      name,
      change: isDeclared ? 'is removed' : 'is removed with the declaration',
      at,
    }),
  );
  return [...entries, ...objects].map(one => marked(one, allow));
}

// The entries that were removed from the protect list. If the list contains an object under a new
// name or by its id, the object is still protected.
function removedEntries({ input, pairing, context }: Subject): readonly string[] {
  const { protect = [], guards } = input.settings;
  const list = new Set(protect);
  return (guards?.applied.protect ?? []).filter(entry => {
    if (list.has(entry)) return false;
    const meant = livesOf(pairing).filter(live => isCalled(entry, live, context));
    return !(meant.length > 0 && meant.every(live => isListed(live, list, context)));
  });
}

const livesOf = ({ pairs, bystanders, unpaired }: Pairing): readonly Live[] => [
  ...[...pairs, ...bystanders].map(({ live }) => live),
  ...unpaired,
];

function isCalled(entry: string, { kind, key, id }: Live, { wholeOf }: PlanContext): boolean {
  return flagNamesOf({ kind, key, id, partOf: wholeOf({ kind, key }) }).includes(entry);
}

function isListed(live: Live, list: ReadonlySet<string>, context: PlanContext): boolean {
  const { kind, id } = live;
  const key = context.keyOf(live);
  const partOf = context.wholeOf({ kind, key });
  return flagNamesOf({ kind, key, id, partOf }).some(name => list.has(name));
}

interface Unprotected {
  /** The name in the base, `kind/key`. */
  readonly name: string;
  readonly at: Desired['at'];
  readonly addresses: readonly Address[];
  readonly isDeclared: boolean;
}

// The objects that are no longer protected. Objects that are not in the account do not count.
function unprotected({ input, pairing, context }: Subject): readonly Unprotected[] {
  const declared = new Map(input.desired.map(one => [addressOf(one.kind, one.key), one]));
  // Live objects by two addresses: the address in the account, and the address after the plan.
  const lives = livesOf(pairing).map(one => [one, context.addressOf(one)] as const);
  const called = new Map(lives.map(([{ kind, key }, now]) => [addressOf(kind, key), now]));
  const live = new Set(called.values());
  const given = [...context.base].map(([now, object]) => ({ now, object }));
  const others = (input.recorded?.objects ?? []).map(object => {
    const then = addressOf(object.kind, object.key);
    return { now: called.get(then) ?? then, object };
  });
  const found = [...given, ...others].flatMap(({ now, object }): [string, Unprotected][] => {
    const { kind, at, lifecycle } = object;
    const key = context.formerNames.get(now) ?? object.key;
    const same = declared.get(now);
    if (lifecycle.protect !== true || same?.lifecycle.protect === true) return [];
    if (!live.has(now)) return [];
    const name = `${kind}/${context.wholeOf({ kind, key: object.key }) ?? key}`;
    const addresses = [now, addressOf(kind, key)];
    return [[name, { name, at, addresses, isDeclared: same !== undefined }]];
  });
  return [...new Map(found).values()];
}
