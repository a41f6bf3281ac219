// Phrases about access that all formats of an answer share.
import { addressText, machineText } from '../../model/access/accessName.ts';
import type { GrantedAccess, WayAround } from '../../model/access/accessPicture.ts';
import type {
  AccessChangeEntry,
  AccessFlow,
  AccessGrant,
  AccessMiss,
  AccessParty,
} from '../../model/access/planAccess.ts';
import { placeText, type Span } from '../../model/diagnostic.ts';
import { jsonString, visible } from '../../model/text/visible.ts';

/** `group/on-call (3 machines and future members)`. */
export function partyText({ name, machines, members_to_come, address }: AccessParty): string {
  if (address !== undefined) return `${name} ${addressText(address)}`;
  const joins = members_to_come.length > 0;
  // A single machine, or future members alone, need no number after the name.
  if (machines.length === 0) return joins ? `${name} (future members)` : name;
  if (machines.length === 1 && !joins) return name;
  const count = machines.length === 1 ? '1 machine' : `${machines.length} machines`;
  return `${name} (${count}${joins ? ' and future members' : ''})`;
}

/** `policy "ssh", rule "ssh", through gateway-1`. */
export function grantText({
  policy,
  rule,
  reverse,
  open_route,
  ingress_port,
  service,
  through = [],
}: AccessGrant): string {
  if (ingress_port !== undefined) return `ingress port ${jsonString(ingress_port)}`;
  if (service !== undefined)
    return `service ${jsonString(service)}, which exposes a target that no policy names`;
  const what =
    open_route === undefined
      ? `policy ${jsonString(policy ?? '')}, rule ${jsonString(rule ?? '')}${reverse ? ', bidirectional' : ''}`
      : `route ${jsonString(open_route)} has no access-control groups`;
  return through.length === 0 ? what : `${what}, through ${through.join(', ')}`;
}

/** `only with "recent agent": 11 pass, 2 fail (mia, tom), 1 unknown (eve)`; empty if posture checks decide nothing. */
function postureText({ posture }: Pick<AccessFlow, 'posture'>): string {
  if (posture === undefined) return '';
  const { checks, pass, fail, unknown } = posture;
  const named = (members: readonly string[], word: string) =>
    members.length === 0 ? [] : [`${members.length} ${word} (${shortened(members)})`];
  const parts = [
    ...(pass.length > 0 ? [`${pass.length} pass`] : []),
    ...named(fail, 'fail'),
    ...named(unknown, 'unknown'),
  ];
  const names = checks.map(jsonString).join(', ');
  return `only with ${names === '' ? 'no drop by posture' : names}: ${parts.join(', ')}`;
}

/** The place of the declaration that decides, as a separate line; empty if no file declares it. */
export const declaredAt = ({ at }: { readonly at?: Span }): readonly string[] =>
  at === undefined ? [] : [`  declared at ${placeText(at)}`];

/**
 * The reasons for a flow: the rules that allow it, its posture checks, and the paths from its
 * destination to the requested target.
 */
export const reasonTexts = (flow: AccessFlow): readonly string[] =>
  [
    ...flow.via.flatMap(grant => [grantText(grant), ...declaredAt(grant)]),
    postureText(flow),
    ...detourTexts(flow),
  ].filter(text => text !== '');

/**
 * Another path to the address of a destination: `by route/wide 10.20.0.0/16: *, policy "vpn", rule
 * "vpn"`.
 */
export const wayText = (way: WayAround): string =>
  [
    `by ${way.to}: ${way.ports.join(' ')}`,
    ...way.via.map(grantText),
    ...(way.checks.length > 0 ? [checksText(way)] : []),
    ...detourTexts(way),
  ].join(', ');

const OUTCOMES = {
  reaches: () => '',
  pass: (who: string) => `${who} pass`,
  fail: (who: string) => `${who} fail`,
  unknown: (who: string) => `it is unknown whether ${who} pass`,
} as const;

/**
 * `only with "recent agent": the sources pass`, for sources with the same results. If rules grant a flow only as their reverse
 * direction, their checks concern the destinations.
 */
export const checksText = ({ status, checks, via }: GrantedAccess): string => {
  const who =
    via.length > 0 && via.every(({ reverse }) => reverse) ? 'the destinations' : 'the sources';
  return `only with ${checks.map(jsonString).join(', ')}: ${OUTCOMES[status](who)}`;
};

/** The paths from the destination to the requested target. */
export const detourTexts = ({ detours = [] }: Pick<AccessFlow, 'detours'>): readonly string[] =>
  detours.map(detour => `counts because ${visible(detour)}`);

/** The results of posture checks after a plan, and before the plan if they differ. */
export function posturesText({
  posture,
  posture_before,
  posture_after,
}: Pick<AccessChangeEntry, 'posture' | 'posture_before' | 'posture_after'>): readonly string[] {
  const parts = [
    ['', posture],
    ['until now ', posture_before],
    ['from now on ', posture_after],
  ] as const;
  return parts.flatMap(([when, part]) =>
    part === undefined ? [] : `${when}${postureText({ posture: part })}`,
  );
}

/**
 * `already reached by route/exit 0.0.0.0/0`, `peer/bob already reached it by route/exit 0.0.0.0/0`: the ways by which gained
 * access existed before.
 */
export function alreadyTexts({
  already_reached = [],
}: Pick<AccessChangeEntry, 'already_reached'>): readonly string[] {
  return already_reached.map(({ by, address, from, machines = [] }) => {
    const way = [by, ...(address === undefined ? [] : [addressText(address)])].join(' ');
    if (from === undefined) return `already reached by ${way}`;
    const named = machines.length > 1 ? `${from} (${shortened(machines)})` : from;
    return `${named} already reached it by ${way}`;
  });
}

/** `PORT: policy "ssh", rule "ssh" allows tcp/22 only; also missing: POSTURE`. */
export function missText({
  code,
  message,
  also,
}: Pick<AccessMiss, 'code' | 'message' | 'also'>): string {
  return `${code}: ${message}${also.length > 0 ? `; also missing: ${also.join(', ')}` : ''}`;
}

const SHOWN = 5;

/** The first of some members. */
export function shortened(members: readonly string[]): string {
  const names = members.map(machineText);
  if (names.length <= SHOWN) return names.join(', ');
  return `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;
}
