// The checks of a posture check: what is refused in each of them, and their stored form
// (docs/server-behaviour.md#posture-checks).
import { formatPrefix, parsePrefix } from '../normalise/prefix.ts';
import { isVersion } from '../normalise/version.ts';
import type { Checks } from '../records/topology.ts';
import { list, object, optional, type Read, text } from '../request/body.ts';
import { invalid } from '../request/refusal.ts';

const minVersion = object({ min_version: text });
const minKernelVersion = object({ min_kernel_version: text });

export const CHECKS = object({
  nb_version_check: optional(minVersion),
  os_version_check: optional(
    object({
      android: optional(minVersion),
      ios: optional(minVersion),
      darwin: optional(minVersion),
      linux: optional(minKernelVersion),
      windows: optional(minKernelVersion),
    }),
  ),
  geo_location_check: optional(
    object({ locations: list(object({ country_code: text, city_name: text })), action: text }),
  ),
  peer_network_range_check: optional(object({ ranges: list(text), action: text })),
  process_check: optional(
    object({
      processes: list(object({ linux_path: text, mac_path: text, windows_path: text })),
    }),
  ),
});

type Given = Read<typeof CHECKS>;
type Of<K extends keyof Given> = NonNullable<Given[K]>;

const ACTIONS = ['allow', 'deny'];

/** The configured checks in canonical form. Throws a 422 for an invalid check. */
export function writtenChecks(given: Given): Checks {
  const { nb_version_check, os_version_check, geo_location_check } = given;
  const { peer_network_range_check, process_check } = given;
  return {
    ...(nb_version_check && { nb_version_check: minimum(nb_version_check) }),
    ...(os_version_check && { os_version_check: systems(os_version_check) }),
    ...(geo_location_check && { geo_location_check: places(geo_location_check) }),
    ...(peer_network_range_check && { peer_network_range_check: ranges(peer_network_range_check) }),
    ...(process_check && { process_check: processes(process_check) }),
  };
}

function minimum<V extends Readonly<Record<string, string>>>(check: V): V {
  for (const version of Object.values(check))
    if (!isVersion(version)) throw invalid(`invalid version: ${version}`);
  return check;
}

function systems(check: Of<'os_version_check'>) {
  const given = Object.entries(check).flatMap(([system, least]) =>
    least === undefined ? [] : [[system, minimum(least)] as const],
  );
  if (given.length === 0) throw invalid('os version check should name an operating system');
  return Object.fromEntries(given);
}

function places({ locations, action }: Of<'geo_location_check'>) {
  refuseAction(action);
  if (locations.length === 0) throw invalid('geo location check should name a location');
  for (const { country_code } of locations)
    if (!/^[A-Za-z]{2}$/.test(country_code)) throw invalid(`invalid country code: ${country_code}`);
  const kept = locations.map(({ country_code, city_name }) =>
    city_name === '' ? { country_code } : { country_code, city_name },
  );
  return { locations: kept, action };
}

/** Throws a 422 for an invalid range. The server parses ranges before it checks permissions. */
export function refuseRanges(given: Given | undefined): void {
  for (const range of given?.peer_network_range_check?.ranges ?? [])
    if (parsePrefix(range) === undefined) throw invalid(`invalid range: ${range}`);
}

function ranges({ ranges: given, action }: Of<'peer_network_range_check'>) {
  refuseAction(action);
  if (given.length === 0) throw invalid('peer network range check should name a range');
  const kept = given.map(range => {
    const prefix = parsePrefix(range);
    if (prefix === undefined) throw invalid(`invalid range: ${range}`);
    return formatPrefix(prefix);
  });
  return { ranges: kept, action };
}

/** All three paths are stored; missing paths read as empty. */
function processes(check: Of<'process_check'>) {
  if (check.processes.length === 0) throw invalid('process check should name a process');
  if (check.processes.some(paths => Object.values(paths).every(path => path === '')))
    throw invalid('a process should have a path');
  return check;
}

function refuseAction(action: string): void {
  if (!ACTIONS.includes(action)) throw invalid(`unknown action: ${action}`);
}
