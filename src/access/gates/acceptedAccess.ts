// Determines which findings about access a person has accepted.
import {
  type AcceptableFinding,
  hazardGroups,
  hazardName,
  hazardsIn,
  isAcceptable,
  newAccessIn,
} from '../../model/access/accessFindings.ts';
import {
  ACCESS_HAZARDS,
  type AccessFinding,
  type AccessHazard,
  type GuardedAccess,
} from '../../model/access/accessGates.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { HazardCode } from '../../model/codes.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import { selectorOf } from '../ask/selector.ts';
import { withFormerNames } from './formerNames.ts';

/**
 * The allowances for a run: those of its flags, and those of the project file, which apply to every
 * run.
 */
export interface Allowances {
  readonly byFlag: readonly Allowance[];
  readonly byProject: readonly Allowance[];
}

type Findings = readonly AccessFinding[];

/**
 * The allowances of the flags. If a flag uses the name of a guard in the file and the guarded
 * object was renamed, the name is replaced by the object's id. The name matches no guard if several
 * guards have it, or if another object has it now.
 */
export function allowancesByIds(
  byFlag: readonly Allowance[],
  guarded: readonly GuardedAccess[] = [],
): readonly Allowance[] {
  return byFlag.flatMap((one): readonly Allowance[] => {
    const { code, object } = one;
    if (object === undefined || !isAccessHazard(code)) return [one];
    const meant = guarded.filter(({ written }) => isTarget(object, written));
    const targets = new Set(meant.map(({ to }) => to));
    const [target] = targets;
    const isTaken = guarded.some(({ to }) => isTarget(object, to));
    if (target === undefined || targets.size > 1 || isTaken) return [one];
    return [{ ...one, object: target }];
  });
}

/**
 * The findings, with the allowances that accept them. A change of guarded access is allowed only by a flag that names its target.
 */
export function acceptedAccess(found: Findings, { byFlag, byProject }: Allowances): Findings {
  return found.map(finding => {
    if (!isAcceptable(finding)) return finding;
    const { allowed_by: _, ...rest } = finding;
    const isGiven = (all: readonly Allowance[]) =>
      all.some(one => one.code === finding.code && isTarget(one.object, finding.target));
    if (isGiven(byFlag)) return { ...rest, allowed_by: 'flag' };
    const isByProject = finding.target === undefined && isGiven(byProject);
    return isByProject ? { ...rest, allowed_by: 'project' } : rest;
  });
}

/**
 * The findings of a saved plan, judged in the current account. A hazard that was accepted in the
 * plan stays accepted, unless the change is now larger than the plan showed. Hazards that nobody
 * accepted must still be accepted. Changes that `--no-new-access` refused are still refused.
 */
export function findingsNow(saved: Findings, found: Findings): Findings {
  const then = [...hazardGroups(saved).values()];
  const now = hazardGroups(found);
  const isApproved = (own: readonly AcceptableFinding[]) => then.some(one => covers(one, own));
  const approved = new Set([...now.values()].filter(isApproved).flat());
  const joined = new Map(
    [...now.values()].flatMap(own => {
      const [first] = own;
      const names = joinedSince(then, own);
      return first && names.length > 0 ? [[first, names] as const] : [];
    }),
  );
  const known = new Set(newAccessIn(found));
  const left = saved.filter(one => {
    if (one.gate === 'no_new_access') return !newAccessIn([one]).every(text => known.has(text));
    return isAcceptable(one) && one.allowed_by === undefined && !now.has(hazardName(one));
  });
  return [
    ...found.map((one): AccessFinding => {
      if (!isAcceptable(one) || one.allowed_by !== undefined) return one;
      return approved.has(one) ? { ...one, allowed_by: 'plan' } : withJoined(one, joined.get(one));
    }),
    ...left,
  ];
}

/** Whether a flag names a target. A guarded address matches in any notation. */
function isTarget(object: string | undefined, target: string | undefined): boolean {
  if (object === target) return true;
  if (object === undefined || target === undefined) return false;
  const one = selectorOf(object);
  const other = selectorOf(target);
  if ('fault' in one || 'fault' in other) return false;
  const ports = object.slice(one.text.length) === target.slice(other.text.length);
  return ports && one.type === other.type && one.name === other.name;
}

/** The guards and tests that a flag can name, and the objects that an error already reports as missing. */
interface Nameable {
  readonly guarded: readonly GuardedAccess[];
  readonly tests: readonly AccessTest[];
  readonly missing: readonly string[];
}

/** Warnings about flags whose target is neither guarded nor the name of an access test. */
export function unguardedTargets(
  byFlag: readonly Allowance[],
  { guarded, tests, missing }: Nameable,
): readonly Diagnostic[] {
  const targets = [...new Set(guarded.map(({ to }) => to))];
  const names = [...new Set(tests.map(({ name }) => name))];
  return byFlag.flatMap(({ code, object, written = code }): Diagnostic[] => {
    const isOfTest = code === 'EMPTIES_ACCESS_TEST';
    const among = isOfTest ? names : targets;
    const isKnown = object === undefined || among.some(one => isTarget(object, one));
    if (isKnown || !isAccessHazard(code) || isNamedIn(missing, object)) return [];
    const what = isOfTest ? 'access test' : 'guarded target';
    const known = among.length === 0 ? 'none' : among.join(', ');
    return [
      {
        code: 'OBJECT_UNKNOWN',
        severity: 'warning',
        message: `${quoted(object)}, which --allow ${written} names, is not ${isOfTest ? 'an' : 'a'} ${what}`,
        hint: didYouMean(object, among) ?? `${what}s: ${known}`,
        named: object,
      },
    ];
  });
}

/**
 * Whether a flag allows any of these findings about access. The finding may also have been accepted
 * in another way.
 */
export const acceptsAny = (one: Allowance, found: Findings): boolean =>
  found.some(
    finding =>
      isAcceptable(finding) && one.code === finding.code && isTarget(one.object, finding.target),
  );

function isNamedIn(names: readonly string[], object: string): boolean {
  const selector = selectorOf(object);
  return names.includes('fault' in selector ? object : selector.text);
}

/** Whether a hazard concerns access. If so, it names a target instead of an object. */
export function isAccessHazard(code: HazardCode): boolean {
  return ACCESS_HAZARDS.some(one => one === code);
}

// Whether a person accepted a hazard that is at least as large as the current one: the same access,
// for at least the same members.
function covers(
  saved: readonly AcceptableFinding[],
  present: readonly AcceptableFinding[],
): boolean {
  const found = withFormerNames(present, saved);
  const [then] = hazardsIn(saved);
  const [now] = hazardsIn(found);
  if (then === undefined || now === undefined || !isAllowed(then, now)) return false;
  const flows = new Set(then.flows);
  if (now.pairs > then.pairs || !now.flows.every(flow => flows.has(flow))) return false;
  return othersIn(saved, found).length === 0;
}

const isAllowed = (then: AccessHazard, now: AccessHazard): boolean =>
  then.allowed && then.code === now.code && then.target === now.target;

// Sentences about members that have the access now, but did not have it when a person accepted the
// hazard.
function othersIn(
  saved: readonly AcceptableFinding[],
  found: readonly AcceptableFinding[],
): readonly string[] {
  const then = membersIn(saved);
  const now = membersIn(found);
  if (then === undefined || now === undefined) return [];
  const joined = [...now].flatMap(([name, id]) => {
    if (!then.has(name)) return [name];
    const was = then.get(name);
    return was === undefined || id === undefined || was === id ? [] : [`another ${name}`];
  });
  const could = new Set(saved.flatMap(({ joining = [] }) => joining));
  const joining = found
    .flatMap(one => one.joining ?? [])
    .filter(name => !could.has(name) && !joined.includes(name))
    .map(name => `${name} (future members)`);
  const fail = new Set(found.flatMap(({ failing = [] }) => failing));
  const passing = saved
    .flatMap(one => one.failing ?? [])
    .filter(name => now.has(name) && !fail.has(name));
  return [
    ...sentence([...joined, ...new Set(joining)], ['has', 'have'], 'joined since the plan'),
    ...sentence([...new Set(passing)], ['passes', 'pass'], 'posture checks since the plan'),
  ];
}

const NAMED = 3;

function sentence(
  names: readonly string[],
  [one, several]: readonly [string, string],
  rest: string,
): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  const verb = names.length === 1 ? one : several;
  return [`${names.slice(0, NAMED).join(', ')}${more} ${verb} ${rest}`];
}

function joinedSince(
  then: readonly (readonly AcceptableFinding[])[],
  own: readonly AcceptableFinding[],
): readonly string[] {
  const same = then.find(saved => {
    const [was] = hazardsIn(saved);
    const [is] = hazardsIn(own);
    return was !== undefined && is !== undefined && isAllowed(was, is);
  });
  return same === undefined ? [] : othersIn(same, withFormerNames(own, same));
}

// A person who allowed the hazard must see why the allowance is not enough.
const withJoined = (
  finding: AcceptableFinding,
  since: readonly string[] | undefined,
): AcceptableFinding =>
  since === undefined
    ? finding
    : { ...finding, detail: [finding.detail ?? [], ...since].flat().join('; ') };

// The members, with their ids where known; undefined if an older version of meshform saved the
// findings without members.
function membersIn(
  own: readonly AcceptableFinding[],
): ReadonlyMap<string, string | undefined> | undefined {
  const known = own.flatMap(({ members, member_ids: ids = {} }) =>
    members === undefined ? [] : [members.map(name => [name, ids[name]] as const)],
  );
  return known.length === 0 ? undefined : new Map(known.flat());
}
