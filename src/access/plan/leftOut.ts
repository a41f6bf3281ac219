// Which changes of a plan a change of access is because of: changes are left out of the plan, and the access is computed again.
import type { Address } from '../../model/names.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import { READINGS, targetRows } from '../diff/targetRows.ts';
import { differing, within } from '../flows/cells.ts';
import type { Reaches } from '../flows/reaches.ts';
import { intersect, withoutOne } from '../sets/bits.ts';
import type { Row } from '../sets/row.ts';
import { SPAN } from '../sets/traffic.ts';

/** The account after a plan, and after a part of it. */
export interface PartsOfPlan {
  /** The changes that can be left out: what the server deletes along with another object has no call of its own. */
  readonly addresses: readonly Address[];
  readonly after: Reaches;
  readonly without: (left: ReadonlySet<Address>) => Reaches;
}

/** The changes that a change of access is because of. */
interface Causes {
  readonly addresses: readonly Address[];
  /** Whether they were not told apart: it is because of one of them, or of several. */
  readonly isOneOf: boolean;
}

/** The causes of a change of access. `involved`: the changes of objects that have to do with it. */
export type CausesOf = (change: AccessChange, involved: readonly Address[]) => Causes;

/** Members times rules, and targets times a constant, over all changes that are left out: about a second. */
const MOST = 5_000_000;

/** The price of a target, in pairs of a member and a rule. */
const TARGET = 40;

/** The largest number of sets of changes that are left out together. */
const SETS = 100;

/**
 * Finds causes. A change without which the access would be another one is a cause. If there is no such change, because
 * several have the same effect, the causes are a smallest set without which it would be another one.
 */
export function causesBy(parts: PartsOfPlan, changes: readonly AccessChange[]): CausesOf {
  const { addresses, after } = parts;
  if (addresses.length === 1) return () => ({ addresses, isOneOf: false });
  if (costOf(parts, changes) > MOST)
    return (_, involved) => {
      // Nothing moves without a cause: if none is known, it may be any.
      const some = involved.length > 0 ? involved : addresses;
      return { addresses: some, isOneOf: some.length > 1 };
    };
  const known = new Map<string, Reaches>();
  const without = (left: readonly Address[]): Reaches | undefined => {
    const name = [...left].sort().join('\n');
    const found = known.get(name);
    if (found || known.size >= addresses.length + SETS) return found;
    const reaches = parts.without(new Set(left));
    known.set(name, reaches);
    return reaches;
  };
  const isNeeded = (change: AccessChange, left: readonly Address[]): boolean | undefined => {
    const other = without(left);
    return other && !isSame(change, after, other);
  };
  const found = new Map<AccessChange, Causes>();
  return (change, involved) => {
    const causes =
      found.get(change) ?? causesAmong(addresses, involved, left => isNeeded(change, left));
    found.set(change, causes);
    return causes;
  };
}

function causesAmong(
  addresses: readonly Address[],
  involved: readonly Address[],
  isNeeded: (left: readonly Address[]) => boolean | undefined,
): Causes {
  const single = addresses.filter(address => isNeeded([address]));
  if (single.length > 0) return { addresses: single, isOneOf: false };
  const some = addresses.filter(address => involved.includes(address));
  let causes = isNeeded(some) ? some : addresses;
  let isOneOf = false;
  for (const address of causes) {
    const fewer = causes.filter(other => other !== address);
    const isEnough = isNeeded(fewer);
    if (isEnough) causes = fewer;
    isOneOf ||= isEnough === undefined;
  }
  return { addresses: causes, isOneOf };
}

function costOf({ addresses, after }: PartsOfPlan, changes: readonly AccessChange[]): number {
  const { policies, size } = after.world;
  const rules = policies.reduce((sum, one) => sum + one.rules.length, 0);
  const targets = changes.reduce((sum, one) => sum + one.targets.length, 0);
  return addresses.length * (size * rules + targets * TARGET);
}

/** Whether the sources of a change have the same access to its targets in two states. */
function isSame({ sources, targets, protocol }: AccessChange, one: Reaches, other: Reaches) {
  const limited = (row: Row) => (protocol === 'all' ? row : within(row, SPAN[protocol]));
  return targets.every(target => {
    const { itself, was, is } = targetRows(one, other, target);
    const others = itself >= 0 ? withoutOne(sources, itself) : sources;
    return READINGS.every(
      reading => !intersect(differing(limited(was(reading)), limited(is(reading))), others),
    );
  });
}
