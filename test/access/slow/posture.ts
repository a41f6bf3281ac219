// Posture, one machine and one check at a time.
import type { Checks, Peer } from './account.ts';

export type Verdict = 'pass' | 'fail' | 'unknown';

/** What somebody is like of whom it is not known: the version of the agent, and the conditions met, by their texts. */
export interface Fate {
  readonly version: string;
  readonly met: ReadonlySet<string>;
}

/** Whether somebody passes a check, who is of this fate where that is not known. */
export function passesAs(fate: Fate, peer: Peer | null, checks: Checks): boolean {
  return Object.entries(checks).every(([name, condition]) => {
    const [known] = peer ? verdictsOn(peer, { [name]: condition }) : [];
    if (known && known.verdict !== 'unknown') return known.verdict === 'pass';
    if (name === 'nb_version_check') return atLeast(fate.version, String(condition.min_version));
    return fate.met.has(conditionText(name, condition));
  });
}

/** A condition of a check; the order of what it lists does not matter. */
export function conditionText(name: string, condition: unknown): string {
  return `${name} ${JSON.stringify(sorted(condition))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => JSON.stringify(sorted(item))).sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([name, item]) => JSON.stringify([name, sorted(item)]))
    .sort();
}

/** What each part of a check says about a machine. `seen`: on the assumption that there is no more than what is visible. */
export function verdictsOn(peer: Peer, checks: Checks): { verdict: Verdict; seen: boolean }[] {
  const verdicts: { verdict: Verdict; seen: boolean }[] = [];
  const known = (passes: boolean) =>
    verdicts.push({ verdict: passes ? 'pass' : 'fail', seen: passes });
  const unknown = (seen: boolean) => verdicts.push({ verdict: 'unknown', seen });

  const agent = checks.nb_version_check;
  if (agent) {
    if (peer.version === undefined) unknown(false);
    else known(atLeast(peer.version, agent.min_version));
  }

  const systems = checks.os_version_check;
  if (systems) {
    if (!peer.os) unknown(false);
    else {
      const system = systemOf(peer.os);
      const wanted = systems[system];
      const byKernel = system === 'linux' || system === 'windows';
      if (!wanted) known(false);
      else if (byKernel && !peer.kernel_version) unknown(false);
      else if (byKernel) {
        const kernel = peer.kernel_version ?? '';
        const plain = system === 'linux' ? kernel.replace(/-.*$/, '') : kernel;
        known(atLeast(plain, wanted.min_kernel_version ?? ''));
      } else known(atLeast(peer.os.replace(/^\D*/, ''), wanted.min_version ?? ''));
    }
  }

  const places = checks.geo_location_check;
  if (places) {
    const isHere = places.locations.some(
      place =>
        place.country_code === peer.country_code &&
        (place.city_name === undefined || place.city_name === peer.city_name),
    );
    if (peer.country_code === undefined) unknown(false);
    else if (peer.country_code === '') known(false);
    else if (places.action === 'deny') known(!isHere);
    else known(isHere);
  }

  const ranges = checks.peer_network_range_check;
  if (ranges) {
    const isIn = ranges.ranges.some(range => isInRange(peer.connection_ip ?? '', range));
    const isDeny = ranges.action === 'deny';
    if (isIn) known(!isDeny);
    // Its local addresses may be in a range; nobody outside can tell.
    else unknown(isDeny && Boolean(peer.connection_ip));
  }

  if (checks.process_check) unknown(false);
  return verdicts;
}

export function atLeast(version: string, least: string): boolean {
  const have = numbers(version);
  const want = numbers(least);
  if (!have || !want) return false;
  for (let at = 0; at < 6; at++) {
    const one = have[at] ?? 0;
    const other = want[at] ?? 0;
    if (one > other) return true;
    if (one < other) return false;
  }
  return true;
}

function numbers(version: string): number[] | null {
  const found = version.match(/^v?([0-9.]*[0-9])/);
  return found ? (found[1] ?? '').split('.').map(Number) : null;
}

function systemOf(os: string): string {
  if (/^(macos|mac os|darwin)/i.test(os)) return 'darwin';
  if (/^windows/i.test(os)) return 'windows';
  if (/^(ios|ipados)/i.test(os)) return 'ios';
  if (/^android/i.test(os)) return 'android';
  return 'linux';
}

function isInRange(address: string, range: string): boolean {
  const [base = '', length = '32'] = range.split('/');
  const bits = (text: string) =>
    text
      .split('.')
      .map(part => Number(part).toString(2).padStart(8, '0'))
      .join('');
  return address !== '' && bits(address).startsWith(bits(base).slice(0, Number(length)));
}
