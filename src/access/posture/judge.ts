// Posture: whether a machine passes a check, as far as it is visible from outside.
import { quoted } from '../../model/text/visible.ts';
import type { Fields } from '../../model/value.ts';
import type { Facts, PostureCheck } from '../state/accessState.ts';
import { judgeAddressRange } from './addressRange.ts';
import { judgeAgentVersion, partOf } from './agentVersion.ts';
import { judgeLocation } from './geoLocation.ts';
import { judgeSystemVersion } from './systemVersion.ts';
import { allOf, type Judged, pass, unknown } from './verdict.ts';

const JUDGES = new Map<string, (check: Fields, facts: Facts) => Judged>([
  ['nb_version_check', judgeAgentVersion],
  ['os_version_check', judgeSystemVersion],
  ['geo_location_check', judgeLocation],
  ['peer_network_range_check', judgeAddressRange],
  ['process_check', () => unknown('running processes are not visible')],
]);

/** The verdict of a check on a machine with these known facts. */
export function judgePosture({ checks }: PostureCheck, facts: Facts): Judged {
  if (checks === null) return unknown('the check could not be read');
  const parts = Object.keys(checks).flatMap(name => {
    const check = partOf(checks, name);
    if (check === undefined) return [];
    return JUDGES.get(name)?.(check, facts) ?? unknown(`${quoted(name)} cannot be judged`);
  });
  return parts.length === 0 ? pass('the check requires nothing') : allOf(parts);
}
