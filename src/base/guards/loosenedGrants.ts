// The limits of grants that are looser than when they were last applied. A change that loosens limits must still satisfy the
// former ones.
import { isTakenAway } from '../../model/acceptedGuards.ts';
import type { Allowance } from '../../model/allowance.ts';
import { type GrantLimits, lengthOf } from '../../model/grantLimits.ts';
import { type Guards, type LoosenedGuard, placeName } from '../../model/guards.ts';

interface BothLimits {
  readonly declared: Pick<Guards, 'grants'>;
  readonly applied: Pick<Guards, 'grants' | 'places'>;
}

const SIDES = ['from', 'to'] as const;

/** The loosened limits, for the list of a plan. */
export function loosenedGrants({ declared, applied }: BothLimits): readonly LoosenedGuard[] {
  const loosened = looserLimits({ declared, applied });
  const maxima = loosened.flatMap(({ max }) => max ?? []);
  return [
    ...maxima.map(max => entry('max', max, shortest(declared.grants)?.max, applied)),
    ...SIDES.flatMap(side => {
      const lists = loosened.flatMap(one => (one[side] ? [listText(one[side])] : []));
      if (lists.length === 0) return [];
      const now = declared.grants.flatMap(one => (one[side] ? [listText(one[side])] : []));
      return [entry(side, lists.join('; '), now.join('; ') || undefined, applied)];
    }),
  ];
}

/** The loosened limits that still count in a run: those that no flag takes away. */
export function formerGrantLimits(
  both: BothLimits,
  byFlag: readonly Allowance[],
): readonly GrantLimits[] {
  return looserLimits(both).filter(
    limit => !Object.keys(limit).some(side => isTakenAway(`grants.${side}`, byFlag)),
  );
}

function entry(
  side: keyof GrantLimits,
  was: string,
  is: string | undefined,
  { places }: Pick<Guards, 'places'>,
): LoosenedGuard {
  const name = `grants.${side}`;
  const at = places.get(placeName('grants', name));
  return {
    guard: 'grants',
    name,
    change: `was ${was}, is ${is ?? 'unlimited'}`,
    ...(at && { at }),
  };
}

const listText = (entries: readonly string[]): string => entries.join(', ');

// Each result contains one limit: the longest time, the sources, or the destinations.
function looserLimits({ declared, applied }: BothLimits): readonly GrantLimits[] {
  const was = shortest(applied.grants);
  const is = shortest(declared.grants);
  const isLonger = was && (is === undefined || lengthOf(is.max) > lengthOf(was.max));
  const sides = SIDES.flatMap(side =>
    applied.grants.flatMap((limit): GrantLimits[] => {
      const known = limit[side];
      if (known === undefined) return [];
      const isHeld = declared.grants.some(one => one[side]?.every(name => known.includes(name)));
      return isHeld ? [] : [{ [side]: known }];
    }),
  );
  return [...(isLonger ? [{ max: was.max }] : []), ...sides];
}

function shortest(limits: readonly GrantLimits[]): { readonly max: string } | undefined {
  const maxima = limits.flatMap(({ max }) => (max === undefined ? [] : [{ max }]));
  return maxima.toSorted((one, other) => lengthOf(one.max) - lengthOf(other.max))[0];
}
