// Posture checks: whether a machine passes a check, judged by the facts that are visible from
// outside.
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';
import type { Facts, PostureCheck } from '../state/accessState.ts';
import { judgeAddressRange } from './addressRange.ts';
import { judgeAgentVersion, minimumImplies, partOf } from './agentVersion.ts';
import { judgeLocation } from './geoLocation.ts';
import { judgeSystemVersion } from './systemVersion.ts';
import { allOf, type JudgedCheck, pass, unknown } from './verdict.ts';

const JUDGES = new Map<string, (check: Fields, facts: Facts) => JudgedCheck>([
  ['nb_version_check', judgeAgentVersion],
  ['os_version_check', judgeSystemVersion],
  ['geo_location_check', judgeLocation],
  ['peer_network_range_check', judgeAddressRange],
  ['process_check', () => unknown('running processes are not visible')],
]);

/** The verdict of a check on a machine with these known facts. */
export function judgePosture(check: PostureCheck, facts: Facts): JudgedCheck {
  const parts = requirementsOf(check).map(({ judge }) => judge(facts));
  return parts.length === 0 ? pass('the check requires nothing') : allOf(parts);
}

/** A condition of a check. All conditions of a check must be met. */
export interface Requirement {
  /**
   * A string that is the same for equal conditions, even in different checks. A machine meets
   * either all conditions with the same string or none of them.
   */
  readonly text: string;
  readonly name: string;
  readonly condition: Fields;
  readonly judge: (facts: Facts) => JudgedCheck;
}

/** The conditions of a check. */
export function requirementsOf({ key, checks }: PostureCheck): readonly Requirement[] {
  if (checks === null) {
    const judge = () => unknown('the check could not be read');
    return [{ text: `unread ${key}`, name: key, condition: {}, judge }];
  }
  const known = REQUIREMENTS.get(checks) ?? conditionsOf(checks);
  REQUIREMENTS.set(checks, known);
  return known;
}

/** Cached, because the conditions are needed for each machine and each state of an account. */
const REQUIREMENTS = new WeakMap<Fields, readonly Requirement[]>();

function conditionsOf(checks: Fields): readonly Requirement[] {
  return Object.keys(checks).flatMap((name): Requirement[] => {
    const condition = partOf(checks, name);
    if (condition === undefined) return [];
    const known = JUDGES.get(name);
    const judge = (facts: Facts) =>
      known?.(condition, facts) ?? unknown(`${quoted(name)} cannot be judged`);
    return [{ text: `${name} ${canonicalText(condition)}`, name, condition, judge }];
  });
}

/** Whether every machine that meets one condition certainly meets the other. */
export function implies(one: Requirement, other: Requirement): boolean {
  if (one.text === other.text) return true;
  if (one.name !== 'nb_version_check' || other.name !== one.name) return false;
  return minimumImplies(one.condition, other.condition);
}

// The condition as a string. The order of fields and lists does not matter.
function canonicalText(value: Json | undefined): string {
  if (isList(value)) return `[${value.map(canonicalText).sort().join()}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const fields = Object.keys(value).sort();
  return `{${fields.map(name => `${name}:${canonicalText(value[name])}`).join()}}`;
}
