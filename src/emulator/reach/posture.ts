// Whether a machine passes a posture check (docs/server-behaviour.md#posture-checks). If the machine does not report a value, it
// fails the check of this value.
import { parseIp, WIDTH } from '../normalise/ip.ts';
import { contains, type Prefix, parsePrefix } from '../normalise/prefix.ts';
import { isAtLeast, isVersion, releaseOf } from '../normalise/version.ts';
import type { Machine } from '../records/peers.ts';
import type { Checks } from '../records/topology.ts';

type Check<K extends keyof Checks> = NonNullable<Checks[K]>;

/** Prefixes of names of operating systems, each with the name in checks; every other system counts as Linux. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/^windows/i, 'windows'],
  [/^(darwin|macos|mac os)/i, 'darwin'],
  [/^(ios|ipados)/i, 'ios'],
  [/^android/i, 'android'],
];

const PATHS: Readonly<Record<string, string>> = { windows: 'windows_path', darwin: 'mac_path' };

/** Whether a machine passes every configured check. */
export function passes(machine: Machine, checks: Checks): boolean {
  const { nb_version_check, os_version_check, geo_location_check } = checks;
  const { peer_network_range_check, process_check } = checks;
  return (
    (nb_version_check === undefined || isNew(machine.version, nb_version_check.min_version)) &&
    (os_version_check === undefined || hasSystem(machine, os_version_check)) &&
    (geo_location_check === undefined || isPlaced(machine, geo_location_check)) &&
    (peer_network_range_check === undefined || isWithin(machine, peer_network_range_check)) &&
    (process_check === undefined || runs(machine, process_check))
  );
}

/**
 * Whether a version is recent enough. Suffixes of a release are ignored: both `-rc1` and the numbering of a Linux distribution.
 */
function isNew(version: string, least: string): boolean {
  const release = releaseOf(version);
  return isVersion(release) && isAtLeast(release, releaseOf(least));
}

function systemOf({ os }: Machine): string {
  return SYSTEMS.find(([pattern]) => pattern.test(os))?.[1] ?? 'linux';
}

/** Whether a machine passes a check of its operating system. A system that the check does not contain fails. */
function hasSystem(machine: Machine, check: Check<'os_version_check'>): boolean {
  const least = check[systemOf(machine)];
  if (least === undefined) return false;
  if ('min_kernel_version' in least) return isNew(machine.kernel_version, least.min_kernel_version);
  const [version = ''] = machine.os.match(/\d+(\.\d+)*/) ?? [];
  return isNew(version, least.min_version);
}

function isPlaced(
  { country_code, city_name }: Machine,
  check: Check<'geo_location_check'>,
): boolean {
  if (country_code === '') return false;
  const isThere = check.locations.some(
    place =>
      place.country_code === country_code && (!place.city_name || place.city_name === city_name),
  );
  return isThere === (check.action === 'allow');
}

/** Whether a machine passes a check of its addresses. A machine without any address passes neither `allow` nor `deny`. */
function isWithin(machine: Machine, check: Check<'peer_network_range_check'>): boolean {
  const addresses = [machine.connection_ip, ...machine.network_addresses].flatMap(
    text => networkOf(text) ?? [],
  );
  if (addresses.length === 0) return false;
  const ranges = check.ranges.flatMap(range => parsePrefix(range) ?? []);
  const isIn = addresses.some(({ ip, length }) =>
    ranges.some(range => range.length <= length && contains(range, ip)),
  );
  return isIn === (check.action === 'allow');
}

/** The network of a machine at one of its addresses. An address without a length is a network by itself. */
function networkOf(text: string): Prefix | undefined {
  const ip = parseIp(text);
  return ip === undefined ? parsePrefix(text) : { ip, length: WIDTH[ip.version] };
}

/** Whether all processes of a check run. A process without a path for the system of the machine fails. */
function runs(machine: Machine, { processes }: Check<'process_check'>): boolean {
  const field = PATHS[systemOf(machine)] ?? 'linux_path';
  return processes.every(paths => machine.processes.includes(paths[field] ?? ''));
}
