// Checks grants against the limits of the project. Every object under `grants/` must expire, and
// must not grant more than the limits allow.
import type { KindTable } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { LOOSENS_GUARDS } from '../../model/acceptedGuards.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { endTime, timeText } from '../../model/ending.ts';
import { type GrantLimits, lengthOf } from '../../model/grantLimits.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { globOf } from '../../model/text/glob.ts';
import { quoted } from '../../model/text/visible.ts';
import { type Selector, selectorOf, sourceSelectorOf } from '../ask/selector.ts';
import { ALL_TRAFFIC, joinedIntervals, type Traffic, without } from '../sets/traffic.ts';
import { trafficText } from '../sets/trafficText.ts';
import type { Rule, Side } from '../state/accessState.ts';
import { stateOfFiles } from '../state/stateOfFiles.ts';
import { ruleTraffic } from '../world/compiledPolicies.ts';

/** The declared objects under `grants/`, and the limits for them. */
export interface Grants {
  readonly objects: readonly Desired[];
  /** All other declared objects. */
  readonly others: readonly Desired[];
  readonly kinds: KindTable;
  /** The limits of all project files that apply. Grants must satisfy each of them. */
  readonly limits: readonly GrantLimits[];
  /** The limits of the last apply that the files loosen. */
  readonly former: readonly GrantLimits[];
  /** The current time, in milliseconds. */
  readonly now: number;
  /**
   * Whether the run carries out only expiries. If so, a grant beyond the limits is only a warning,
   * because it must not prevent an expiry.
   */
  readonly isOnlyEnded: boolean;
}

/** The findings for grants that exceed the limits, and for faults of the limits themselves. */
export function grantFindings(grants: Grants): readonly Diagnostic[] {
  const malformed = grants.limits.flatMap(limitFaults);
  if (malformed.length > 0) return malformed;
  const severity = grants.isOnlyEnded ? 'warning' : 'error';
  return [
    ...grants.objects.flatMap(object => [...withoutEnd(object), ...takenOver(object)]),
    ...beyondLimits(grants).map(one => ({ ...one, severity }) satisfies Diagnostic),
  ];
}

function beyondLimits(grants: Grants): readonly Diagnostic[] {
  const { objects, others, former, now, kinds } = grants;
  const limits: readonly Limit[] = [
    ...grants.limits.map(limit => ({ ...limit, isFormer: false })),
    ...former.map(limit => ({ ...limit, isFormer: true })),
  ];
  const long = objects.flatMap(object => limits.flatMap(limit => tooLong(object, limit, now)));
  const narrow = limits.filter(({ from, to }) => from !== undefined || to !== undefined);
  // An expired object grants nothing; its file may stay.
  const isLasting = ({ lifecycle }: Desired) =>
    (endTime(lifecycle.until) ?? Number.POSITIVE_INFINITY) > now;
  const granting = objects.filter(isLasting);
  if (narrow.length === 0) {
    const isLimited = limits.some(({ max }) => max !== undefined);
    const joining = isLimited ? granting.filter(({ kind }) => JOINING.has(kind)) : [];
    return [...long, ...joining.map(outlasting)];
  }
  return [
    ...long,
    ...granting.filter(({ kind }) => !JUDGED.has(kind)).map(unjudged),
    ...narrow.flatMap(limit => beyond(granting, limit)),
    ...usedElsewhere(granting, others.filter(isLasting), kinds),
  ];
}

/** A limit. `isFormer`: the limit applies only because the files loosen it. */
interface Limit extends GrantLimits {
  readonly isFormer: boolean;
}

/** The kinds to which limits of sources and destinations apply. A grant under such limits must not contain other kinds. */
const JUDGED: ReadonlySet<string> = new Set(['policy', 'group']);

/**
 * The kinds that let machines or people join the account. They remain members after the object has
 * expired.
 */
const JOINING: ReadonlySet<string> = new Set(['setup_key', 'user_invite', 'user']);

const refused = (message: string, at: Span, hint: string): Diagnostic => ({
  code: 'GRANT_REFUSED',
  severity: 'error',
  message,
  at,
  hint,
});

const nameOf = ({ kind, key }: Desired): string => addressOf(kind, key);

function withoutEnd(object: Desired): readonly Diagnostic[] {
  if (object.lifecycle.until !== undefined) return [];
  const message = `${nameOf(object)} is under \`grants/\`, but cannot expire`;
  return [
    refused(message, object.at, 'add `lifecycle: { until: … }`, or move it to another folder'),
  ];
}

// Refuses policies that deny access. Otherwise, somebody could declare an existing policy that
// denies access as a grant and let it expire.
function takenOver(object: Desired): readonly Diagnostic[] {
  return (['was', 'id'] as const)
    .filter(setting => object.lifecycle[setting] !== undefined)
    .map(setting =>
      refused(
        `${nameOf(object)} is under \`grants/\`, and takes over an object of the account by ${quoted(`lifecycle.${setting}`)}`,
        object.at,
        `remove ${quoted(setting)}: a grant must create a new object`,
      ),
    );
}

function tooLong(object: Desired, limit: Limit, now: number): readonly Diagnostic[] {
  const { max } = limit;
  if (max === undefined) return [];
  const until = endTime(object.lifecycle.until);
  const latest = now + lengthOf(max);
  if (until === undefined || until <= latest) return [];
  const message = `${nameOf(object)} ends at ${timeText(until)}, but ${limitName('max', limit)} allows only ${max} from now, until ${timeText(latest)}`;
  return [refused(message, object.at, hintOf('max', limit, 'give it an earlier end'))];
}

const limitName = (side: 'max' | 'from' | 'to', { isFormer }: Limit): string => {
  const name = quoted(`grants.${side}`);
  return isFormer ? `${name} as it was last applied` : name;
};

// A change that loosens a limit must itself satisfy the former limit.
const hintOf = (side: 'max' | 'from' | 'to', { isFormer }: Limit, hint: string): string =>
  isFormer
    ? `apply the change of \`grants\` first, and this in a later change; or add --allow ${LOOSENS_GUARDS}=grants.${side}`
    : hint;

const unjudged = (object: Desired): Diagnostic =>
  refused(
    `${nameOf(object)} is neither a policy nor a group, so the limits under \`grants\` cannot be checked`,
    object.at,
    'move it to another folder, where it is reviewed like everything else',
  );

const outlasting = (object: Desired): Diagnostic =>
  refused(
    `${nameOf(object)} is under \`grants/\`, and whoever joins through it stays after its end, so \`grants.max\` does not limit that access`,
    object.at,
    'move it to another folder, where it is reviewed like everything else',
  );

const groupsIn = (objects: readonly Desired[]): ReadonlySet<string> =>
  new Set(objects.flatMap(({ kind, key }) => (kind === 'group' ? [key] : [])));

// A group that is declared under `grants/` must not be used elsewhere. Otherwise, its members would
// get access that another folder grants to the group, or members from another folder would get the
// grant.
function usedElsewhere(
  objects: readonly Desired[],
  others: readonly Desired[],
  kinds: KindTable,
): readonly Diagnostic[] {
  const own = groupsIn(objects);
  if (own.size === 0) return [];
  return others.flatMap(object => {
    const shape = kinds.get(object.kind)?.shape;
    const refs = shape ? refsIn(shape, object.fields) : [];
    const used = refs.find(({ kind, key }) => kind === 'group' && own.has(key));
    if (used === undefined) return [];
    const message = `${nameOf(object)} names the group ${quoted(used.key)}, which is declared under \`grants/\``;
    return [refused(message, object.at, 'name another group, or move it to `grants/`')];
  });
}

function beyond(objects: readonly Desired[], limit: Limit): readonly Diagnostic[] {
  const { from, to } = limit;
  const state = stateOfFiles(objects, all => all);
  const own = new Map(state.groups.map(({ key, machines }) => [key, machines]));
  const declared = groupsIn(objects);
  const members = (side: Side): readonly string[] => {
    if (side.type === 'machine') return [`peer/${side.machine}`];
    if (side.type === 'resource') return [`network_resource/${side.resource}`];
    return side.groups.flatMap(group =>
      declared.has(group)
        ? (own.get(group) ?? []).map(machine => `peer/${machine}`)
        : `group/${group}`,
    );
  };
  return state.policies.flatMap(policy => {
    const object = objects.find(({ kind, key }) => kind === 'policy' && key === policy.key);
    const rules = policy.rules.flatMap(rule => directions(rule));
    return object
      ? rules.flatMap(({ sources, destinations, traffic }) => [
          ...outside(object, members(sources), { allowed: from, what: 'from', limit }),
          ...outside(object, members(destinations), { allowed: to, what: 'to', traffic, limit }),
        ])
      : [];
  });
}

// A bidirectional rule grants its access in both directions.
function directions(rule: Rule) {
  const { source, destination, isBidirectional } = rule;
  const traffic = ruleTraffic(rule);
  const there = { sources: source, destinations: destination, traffic };
  return isBidirectional
    ? [there, { sources: destination, destinations: source, traffic }]
    : [there];
}

interface Allowed {
  readonly allowed: readonly string[] | undefined;
  readonly what: 'from' | 'to';
  readonly limit: Limit;
  readonly traffic?: Traffic;
}

function outside(
  object: Desired,
  names: readonly string[],
  { allowed, what, limit, traffic = ALL_TRAFFIC }: Allowed,
): readonly Diagnostic[] {
  if (allowed === undefined) return [];
  const entries = allowed
    .map(one => selectorOf(one))
    .filter((one): one is Selector => !('fault' in one));
  return names.flatMap(name => {
    const own = entries.filter(one => globOf(`${one.type}/${one.name}`.split('*'))(name));
    const left = without(traffic, joinedIntervals(own.flatMap(one => one.traffic)));
    if (own.length > 0 && (what === 'from' || left.length === 0)) return [];
    const ports = what === 'to' && own.length > 0 ? ` for ${trafficText(left)}` : '';
    const message = `${nameOf(object)} grants access ${what} ${quoted(name)}${ports}, and ${limitName(what, limit)} does not allow that`;
    const hint = hintOf(what, limit, `it allows: ${allowed.join(', ') || 'nothing'}`);
    return [refused(message, object.at, hint)];
  });
}

function limitFaults({ from = [], to = [], at }: GrantLimits): readonly Diagnostic[] {
  const found = [
    ...from.map(one => ({ one, read: sourceSelectorOf(one) })),
    ...to.map(one => ({ one, read: selectorOf(one) })),
  ];
  return found.flatMap(({ read }): Diagnostic[] => {
    const isAddress = !('fault' in read) && !NAMED.has(read.type);
    if (!('fault' in read) && !isAddress) return [];
    return [
      {
        code: 'PROJECT_INVALID',
        severity: 'error',
        message:
          'fault' in read
            ? read.fault
            : `${quoted(read.text)} under \`grants\` is not the name of an object`,
        ...(at && { at }),
        hint: 'such as group/contractors, peer/*, or network_resource/prod/db:tcp/5432',
      },
    ];
  });
}

const NAMED: ReadonlySet<string> = new Set(['group', 'peer', 'network_resource']);
