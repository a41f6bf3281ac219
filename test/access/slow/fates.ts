// All that those may be like of whom the posture is not known.
import type { Account } from './account.ts';
import { conditionText, type Fate } from './posture.ts';
import type { Fates } from './world.ts';

/** The versions and conditions that the checks of these accounts can tell apart. */
function askedBy(accounts: readonly Account[]) {
  const conditions = new Set<string>();
  const versions = new Set(['0.0.1']);
  for (const { posture_checks, policies } of accounts) {
    const used = new Set(policies.flatMap(one => one.source_posture_checks));
    for (const { checks } of posture_checks.filter(({ id }) => used.has(id)))
      for (const [name, condition] of Object.entries(checks))
        if (name === 'nb_version_check') versions.add(String(condition.min_version));
        else conditions.add(conditionText(name, condition));
  }
  return { conditions: [...conditions], versions: [...versions] };
}

/** Everything that somebody may be like. */
export function fatesIn(accounts: readonly Account[]): Fate[] {
  const { conditions, versions } = askedBy(accounts);
  const sets = conditions.reduce<string[][]>(
    (found, one) => found.flatMap(some => [some, [...some, one]]),
    [[]],
  );
  return versions.flatMap(version => sets.map(some => ({ version, met: new Set(some) })));
}

/** Every two of them, or this many of all pairs. */
export function pairsOf(fates: readonly Fate[], most: number): Fates[] {
  const all = fates.length ** 2;
  const pairAt = (at: number): Fates => ({
    source: '',
    ofSource: fates[at % fates.length] as Fate,
    ofOthers: fates[Math.floor(at / fates.length)] as Fate,
  });
  if (all <= most) return Array.from({ length: all }, (_, at) => pairAt(at));
  // A stride without a common divisor visits each of them once.
  const stride = strideFor(all);
  return Array.from({ length: most }, (_, at) => pairAt((at * stride + at) % all));
}

function strideFor(all: number): number {
  let stride = Math.floor(all * 0.618) | 1;
  const divisor = (one: number, other: number): number =>
    other === 0 ? one : divisor(other, one % other);
  while (divisor(stride + 1, all) > 1) stride++;
  return stride;
}
