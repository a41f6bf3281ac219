// Converts flows and misses to answers, with names.
import type { AccessFlow, AccessGrant, AccessMiss } from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import type { Reaches } from '../flows/reaches.ts';
import { itselfIn, type Target } from '../flows/targets.ts';
import { type Bits, bitsOf, count, isEmpty, or } from '../sets/bits.ts';
import { trafficWords } from '../sets/trafficText.ts';
import type { InternetPort } from '../state/accessState.ts';
import { type Flow, GRANTING, LAYERS } from './flows.ts';
import { dropsOf, type Grant, grantsOf } from './grants.ts';
import { type MemberSetNamer, memberName, type NamedSet } from './memberSetNames.ts';
import type { MissedPairs } from './misses.ts';

/** The names of the sources and targets of a question. */
export interface AnswerNames {
  readonly from?: NamedSet;
  readonly to?: NamedSet | undefined;
}

/**
 * Whether at least one source may have the access of a flow. If posture checks deny the access to
 * all sources, none may.
 */
export function isPossible({ pass, fail, unknown }: Flow): boolean {
  return isEmpty(fail) || !isEmpty(pass) || !isEmpty(unknown);
}

type Sides = Pick<AccessFlow, 'from' | 'to'>;

/** Compares by source, then by destination. */
export function bySides(one: Sides, other: Sides): number {
  const text = ({ from, to }: Sides) => `${from.name}\n${to.name}\n${to.address ?? ''}`;
  return compareTexts(text(one), text(other));
}

/** A miss with names. */
export function namedMiss(
  reaches: Reaches,
  miss: MissedPairs,
  namer: MemberSetNamer,
  names: AnswerNames,
): AccessMiss {
  const { sources, targets, code, message, also, by } = miss;
  return {
    code,
    message,
    also,
    ...(by && { by }),
    from: namer.party(sources, names.from, itselfAmong(targets, reaches)),
    to: namer.target(targets, names.to),
  };
}

/** Compares grants by policy, rule and route. */
function byRule(one: AccessGrant, other: AccessGrant): number {
  const text = ({ policy, rule, open_route, ingress_port }: AccessGrant) =>
    `${policy}\n${rule}\n${open_route}\n${ingress_port}`;
  return compareTexts(text(one), text(other));
}

/** The machine, if it is the only target, because a machine is not one of its own sources. */
export function itselfAmong([only, ...others]: readonly Target[], { world }: Reaches): Bits {
  const itself = only && others.length === 0 ? itselfIn(world, only) : -1;
  return bitsOf(itself < 0 ? [] : [itself]);
}

/** A flow with names. */
export function namedFlow(
  reaches: Reaches,
  flow: Flow,
  namer: MemberSetNamer,
  names: AnswerNames,
): AccessFlow {
  const { sources, targets, granted, grants, pass, fail, unknown } = flow;
  const isConditional = count(or(or(pass, fail), unknown)) > 0;
  const judged = judgedIn(reaches, flow);
  return {
    from: namer.party(sources, names.from, itselfAmong(targets, reaches)),
    to: namer.target(targets, names.to),
    ports: trafficWords(granted),
    via: namedGrants(reaches, grants),
    ...(isConditional && {
      posture: {
        checks: checksOf(reaches, grants),
        pass: namer.keys(judged('pass')),
        fail: namer.keys(judged('fail')),
        unknown: namer.keys(judged('unknown')),
      },
    }),
  };
}

/**
 * Finds the members whose posture matters, by the result of their checks. The checks of a rule
 * apply to its source side. For a reverse grant, that side contains the destinations of the flow.
 */
function judgedIn(
  reaches: Reaches,
  { targets, granted, ...flow }: Flow,
): (verdict: 'pass' | 'fail' | 'unknown') => Bits {
  return verdict => {
    const sources = flow[verdict];
    if (isEmpty(sources)) return sources;
    const moved = { sources, traffic: granted };
    const conditional = [
      ...grantsOf(reaches.under(GRANTING[verdict]), targets[0], moved),
      ...LAYERS.flatMap(reading => dropsOf(reaches.under(reading), targets[0], moved)),
    ].filter(
      ({ compiled }) =>
        compiled !== undefined && reaches.world.verdicts.checksOf(compiled.policy).length > 0,
    );
    if (!conditional.some(({ isReverse }) => isReverse)) return sources;
    const destinations = bitsOf(targets.flatMap(one => (one.type === 'machine' ? one.index : [])));
    const isForward = conditional.some(({ isReverse }) => !isReverse);
    return isForward ? or(sources, destinations) : destinations;
  };
}

/**
 * Grants with names, in the order of their rules. If several types of outsiders may call a service,
 * the service is listed once.
 */
export function namedGrants(reaches: Reaches, grants: readonly Grant[]): readonly AccessGrant[] {
  const named = grants.map(grant => grantOf(reaches, grant));
  return [...new Map(named.map(one => [JSON.stringify(one), one])).values()].sort(byRule);
}

function grantOf(
  { world }: Reaches,
  { compiled, isReverse, openRoute, routers }: Grant,
): AccessGrant {
  const through = routers.map(index => memberName(world, index)).sort();
  return {
    ...openedBy(compiled?.internetPort),
    ...(compiled &&
      !compiled.internetPort && { policy: compiled.policy.key, rule: compiled.rule.name }),
    ...(isReverse && { reverse: true as const }),
    ...(openRoute && { open_route: openRoute.networkId }),
    ...(through.length > 0 && { through }),
  };
}

function openedBy(port: InternetPort | undefined): Pick<AccessGrant, 'ingress_port' | 'service'> {
  if (port === undefined) return {};
  const { of = port, service } = port;
  return service === undefined ? { ingress_port: of.key } : { service };
}

/** The posture checks on which grants depend. */
export function checksOf({ world }: Reaches, grants: readonly Grant[]): readonly string[] {
  const checks = grants.flatMap(({ compiled }) =>
    compiled === undefined ? [] : world.verdicts.checksOf(compiled.policy),
  );
  return [...new Set(checks.map(({ key }) => key))];
}
