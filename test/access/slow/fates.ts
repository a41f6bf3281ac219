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

/** For every two of them, or for so many pairs: who is asked about is like one of them, and everybody else like the other. */
export function pairsOf(fates: readonly Fate[], most: number): Fates[] {
  const all = fates.length ** 2;
  const pairAt = (at: number): Fates => {
    const ofSource = fates[at % fates.length] as Fate;
    const ofOthers = fates[Math.floor(at / fates.length)] as Fate;
    const of = (_: string, isSource: boolean) => (isSource ? ofSource : ofOthers);
    return { source: '', of, isConcrete: ofSource === ofOthers };
  };
  return someOf(all, most).map(pairAt);
}

/** So many concrete worlds, in each of which everybody has a fate of their own. */
export function drawnWorlds(fates: readonly Fate[], count: number): Fates[] {
  return Array.from({ length: count }, (_, nth): Fates => {
    const of = (name: string) => fates[hashOf(`${nth} ${name}`) % fates.length] as Fate;
    return { source: '', of, isConcrete: true };
  });
}

/** Concrete worlds, in which each of these has a fate of their own: every one, or so many. Everybody else has the first. */
export function worldsOf(fates: readonly Fate[], names: readonly string[], most: number): Fates[] {
  const all = fates.length ** names.length;
  return someOf(all, most).map((world): Fates => {
    const own = new Map<string, Fate>();
    let rest = world;
    for (const name of names) {
      own.set(name, fates[rest % fates.length] as Fate);
      rest = Math.floor(rest / fates.length);
    }
    const of = (name: string) => own.get(name) ?? (fates[0] as Fate);
    return { source: '', of, isConcrete: true };
  });
}

// The numbers below `all`, or so many of them.
function someOf(all: number, most: number): number[] {
  if (all <= most) return Array.from({ length: all }, (_, at) => at);
  // A stride without a common divisor visits each of them once.
  const stride = strideFor(all);
  return Array.from({ length: most }, (_, at) =>
    Number((BigInt(at) * BigInt(stride)) % BigInt(all)),
  );
}

function strideFor(all: number): number {
  let stride = Math.floor(all * 0.618) | 1;
  const divisor = (one: number, other: number): number =>
    other === 0 ? one : divisor(other, one % other);
  while (divisor(stride, all) > 1) stride++;
  return stride;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
