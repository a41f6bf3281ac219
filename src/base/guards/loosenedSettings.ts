// The limits and accepted hazards of a project that are looser than when they were last applied.
import { isTakenAway, marked } from '../../model/acceptedGuards.ts';
import { type Allowance, allowance } from '../../model/allowance.ts';
import { type Guards, type LoosenedGuard, placeName, type Threshold } from '../../model/guards.ts';
import { BUILT_IN, limitAt, strictestLimits } from '../../model/limits.ts';
import { loosenedGrants } from './loosenedGrants.ts';

/** The guards of the files, and the guards that were last applied. */
export interface BothGuards {
  readonly declared: Guards;
  readonly applied: Guards;
}

/** The loosened limits for deletions and grants, and the hazards that the files newly accept. */
export function loosenedSettings(
  guards: BothGuards,
  byFlag: readonly Allowance[],
): readonly LoosenedGuard[] {
  const found = [loosenedLimits(guards), loosenedGrants(guards), addedAllowances(guards)];
  return found.flat().map(one => marked(one, byFlag));
}

const placesIn = ({ declared, applied }: BothGuards): readonly string[] => [
  ...new Set(['default', ...Object.keys(applied.thresholds), ...Object.keys(declared.thresholds)]),
];

function loosenedLimits(guards: BothGuards): LoosenedGuard[] {
  const { declared, applied } = guards;
  return placesIn(guards).flatMap(place => {
    const was = limitAt(applied.thresholds, place, BUILT_IN);
    const is = limitAt(declared.thresholds, place, BUILT_IN);
    if (!isLooser(was, is)) return [];
    const at = applied.places.get(placeName('thresholds', place));
    return [
      {
        guard: 'thresholds' as const,
        name: `thresholds.${place}`,
        change: `was ${limitText(was)}, is ${limitText(is)}`,
        ...(at && { at }),
      },
    ];
  });
}

function isLooser(was: Threshold, is: Threshold): boolean {
  const exceeds = (before = Number.POSITIVE_INFINITY, now = Number.POSITIVE_INFINITY) =>
    now > before;
  // A limit of 0 deletions is stricter than any share.
  return is.deletes !== 0 && (exceeds(was.deletes, is.deletes) || exceeds(was.share, is.share));
}

function limitText({ deletes, share }: Threshold): string {
  const parts = [
    ...(deletes === undefined ? [] : [`deletes ${deletes}`]),
    ...(share === undefined ? [] : [`share ${share}`]),
  ];
  return parts.length === 0 ? 'unlimited' : parts.join(', ');
}

type Accepting = Pick<Guards, 'allow' | 'places'>;

function addedAllowances({
  declared,
  applied,
}: {
  readonly declared: Accepting;
  readonly applied: Accepting;
}): LoosenedGuard[] {
  const known = new Set(applied.allow);
  return declared.allow
    .filter(text => !known.has(text) && !known.has(text.split('=')[0] ?? text))
    .map(name => {
      const at = declared.places.get(placeName('allow', name));
      return { guard: 'allow', name, change: 'is added', ...(at && { at }) };
    });
}

/** The hazards that are accepted by a flag, or both by the files and by the files as they were last applied. */
export function acceptedByBoth(
  declared: Accepting,
  applied: Accepting | undefined,
  byFlag: readonly Allowance[],
): readonly Allowance[] {
  const added = applied ? addedAllowances({ declared, applied }) : [];
  const left = new Set(
    added.filter(({ name }) => !isTakenAway(name, byFlag)).map(({ name }) => name),
  );
  return declared.allow.flatMap(text => (left.has(text) ? [] : (allowance(text) ?? [])));
}

/** The limits that count in a run: the stricter ones, except those that a flag takes away. */
export function effectiveLimits(
  guards: BothGuards,
  byFlag: readonly Allowance[],
): Guards['thresholds'] {
  const { declared, applied } = guards;
  const taken = loosenedLimits(guards)
    .map(({ name }) => name)
    .filter(name => isTakenAway(name, byFlag));
  const looser = taken.map(name => name.slice('thresholds.'.length));
  const left = placesIn(guards).map(place => {
    const from = looser.includes(place) ? declared : applied;
    return [place, limitAt(from.thresholds, place, BUILT_IN)] as const;
  });
  return strictestLimits(declared.thresholds, Object.fromEntries(left));
}
