// The DNS answers to a name, from the records of zones and from the names of machines. It is
// unknown which machine asks, but the groups that get a zone are known.
import { domainText } from '../../kinds/values/domain.ts';
import type { AccessState, Group, Named, Zone } from '../state/accessState.ts';
import { overlayAddresses } from '../state/machines.ts';
import { rangeOf } from './address.ts';
import { machineId } from './movedMachines.ts';
import { namesOf } from './roster.ts';

/** Names from one origin, such as a zone, that the same machines get. */
export interface Source {
  /** The domain in which all full names and wildcards of the source end. */
  readonly domain: string;
  /** Whether machines search the domain for names with a single label. */
  readonly isSearched: boolean;
  readonly answers: ReadonlyMap<string, readonly Answer[]>;
  readonly receivers: Receivers;
  readonly providers: readonly Provider[];
}

/**
 * The groups whose machines get a source, by ids that are the same in all states; `EVERYBODY` if all machines get it, or if the
 * groups are unknown.
 */
interface Receivers {
  readonly groups: ReadonlySet<string>;
  /** Whether each machine of the groups certainly gets the source. */
  readonly areSure: boolean;
}

/** Stands for all machines, in place of a group. */
export const EVERYBODY = '';

/** The answer to a name, with the objects that provide it. */
interface Answer {
  readonly type: string;
  /** An address, or another name. */
  readonly content: string;
  /** The id of the place; absent if the place is an address. */
  readonly id?: string;
  readonly providers: readonly Provider[];
}

export interface Provider {
  readonly kind: 'peer' | 'dns_zone' | 'dns_record';
  readonly object: Named;
}

/** An answer that some machine gets, unless other answers hide it. */
export interface Reply {
  readonly answer: Answer;
  readonly source: Source;
  /**
   * The sources that may hide this answer from machines that get these sources too. Clients differ
   * in this.
   */
  readonly hidingSources: readonly Source[];
}

/** Whether at least one machine of a group may get a source. An empty group means any machine. */
export const mayReach = ({ receivers: { groups } }: Source, group: string): boolean =>
  isGivenTo(groups, group);

/** Whether these groups include the machines of a group. */
export const isGivenTo = (groups: ReadonlySet<string>, group: string): boolean =>
  groups.has(EVERYBODY) || groups.has(group);

const knownGroups = new WeakMap<readonly Group[], ReadonlyMap<string, string>>();

/** The ids of groups, by every name of a group. The ids are the same in all states of a plan. */
export function groupIds(groups: readonly Group[]): ReadonlyMap<string, string> {
  const found =
    knownGroups.get(groups) ??
    new Map(
      groups.flatMap(group => {
        const id = group.isAll ? EVERYBODY : (group.id ?? group.key);
        return namesOf(group).map(name => [name, id] as const);
      }),
    );
  knownGroups.set(groups, found);
  return found;
}

/** A string for the groups that get these zones. It is the same in states with the same groups. */
export const receiversText = (zones: readonly Zone[], groups: readonly Group[]): string =>
  JSON.stringify(zones.map(zone => [...receiversOf(zone, groups).groups].sort()));

const UNKNOWN: Receivers = { groups: new Set([EVERYBODY]), areSure: false };

function receiversOf({ groups: names }: Zone, groups: readonly Group[]): Receivers {
  if (names === undefined) return UNKNOWN;
  const ids = groupIds(groups);
  return { groups: new Set(names.map(name => ids.get(name) ?? name)), areSure: true };
}

const knownSources = new WeakMap<Zone, WeakMap<readonly Group[], Source>>();

/** The records of a zone. */
export function sourceOfZone(zone: Zone, groups: readonly Group[]): Source {
  const known = knownSources.get(zone) ?? new WeakMap<readonly Group[], Source>();
  knownSources.set(zone, known);
  const found = known.get(groups) ?? madeSource(zone, groups);
  known.set(groups, found);
  return found;
}

function madeSource(zone: Zone, groups: readonly Group[]): Source {
  const provider: Provider = { kind: 'dns_zone', object: zone };
  const all = zone.records.map(record => {
    const { name, type, content } = record;
    const providers: readonly Provider[] = [provider, { kind: 'dns_record', object: record }];
    return [domainText(name), { type, content, providers }] as const;
  });
  return {
    domain: domainText(zone.domain),
    isSearched: zone.isSearched,
    answers: byName(all),
    receivers: receiversOf(zone, groups),
    providers: [provider],
  };
}

const knownMachines = new WeakMap<AccessState['machines'], readonly Source[]>();

/**
 * The names of machines. A machine may not get the names of machines that it cannot reach, so these
 * names never certainly hide other answers.
 */
export function sourcesOfMachines(machines: AccessState['machines']): readonly Source[] {
  const known = knownMachines.get(machines);
  if (known !== undefined) return known;
  const all = machines.flatMap(machine => {
    const providers: readonly Provider[] = [{ kind: 'peer', object: machine }];
    const id = machineId(machine);
    const answers = overlayAddresses(machine).map(content => {
      const type = rangeOf(content)?.version === 6 ? 'AAAA' : 'A';
      return { type, content, id, providers };
    });
    const names = machine.dnsNames ?? [];
    return names.flatMap(name => answers.map(answer => [domainText(name), answer] as const));
  });
  const byDomain = Map.groupBy(all, ([name]) => name.slice(name.indexOf('.') + 1));
  const found = [...byDomain].map(
    ([domain, list]): Source => ({
      domain,
      isSearched: true,
      answers: byName(list),
      receivers: UNKNOWN,
      providers: [],
    }),
  );
  knownMachines.set(machines, found);
  return found;
}

function byName(
  all: readonly (readonly [string, Answer])[],
): ReadonlyMap<string, readonly Answer[]> {
  const lists = Map.groupBy(all, ([name]) => name);
  return new Map([...lists].map(([name, list]) => [name, list.map(([, answer]) => answer)]));
}

/**
 * The full names for which a short name may stand. The domains that a client searches are only
 * partly known, so every existing full name counts.
 */
export function searchedNames(name: string, sources: readonly Source[]): readonly string[] {
  if (name.startsWith('*.')) return [];
  const isLabel = !name.includes('.');
  const found = sources.flatMap(({ domain, isSearched, answers }) => {
    const whole = `${name}.${domain}`;
    return answers.has(whole) || (isLabel && isSearched) ? [whole] : [];
  });
  return [...new Set(found)];
}

const TYPES = ['A', 'AAAA'];

/** The type of a record that leads to another name. */
export const ALIAS = 'CNAME';

/** The answers of a source to a query for one type of address. */
interface Found {
  readonly source: Source;
  readonly type: string;
  /**
   * The distance from the requested name to the answered name: 0 for the name itself, otherwise the
   * number of the wildcard, counted from the name upwards.
   */
  readonly step: number;
  readonly answers: readonly Answer[];
}

/** The answers of sources to a name, or to any name that a wildcard covers. */
export function repliesTo(name: string, sources: readonly Source[]): readonly Reply[] {
  const steps = [name, ...wildcardsOver(name)];
  const found = sources.flatMap(source =>
    TYPES.flatMap(type => nearestIn(source, type, steps) ?? []),
  );
  const shown = found.filter(one => !isSurelyHidden(one, found));
  const replies = shown.flatMap(one => {
    const hidingSources = sources.filter(source => mayHide(source, one, name, found));
    return one.answers.map((answer): Reply => ({ answer, source: one.source, hidingSources }));
  });
  return name.startsWith('*.') ? [...replies, ...repliesBelow(name, sources)] : replies;
}

// The nearest answer in a zone. As in every DNS server, a record for the name itself takes
// precedence over wildcards, and the nearest wildcard takes precedence over others.
function nearestIn(source: Source, type: string, steps: readonly string[]): Found | undefined {
  for (const [step, name] of steps.entries())
    for (const wanted of [type, ALIAS]) {
      const answers = (source.answers.get(name) ?? []).filter(answer => answer.type === wanted);
      if (answers.length > 0) return { source, type, step, answers };
    }
  return undefined;
}

// The answers to all names that a wildcard covers, because each of them may have a separate answer.
const repliesBelow = (pattern: string, sources: readonly Source[]): readonly Reply[] =>
  sources.flatMap(source =>
    [...source.answers].flatMap(([name, own]) =>
      wildcardsOver(name).includes(pattern)
        ? own.map((answer): Reply => ({ answer, source, hidingSources: [] }))
        : [],
    ),
  );

/** Whether every machine that gets one source certainly gets the other source too. */
export function isGivenWith(other: Source, source: Source): boolean {
  if (other === source) return true;
  const { groups } = source.receivers;
  return other.receivers.areSure && [...groups].every(group => mayReach(other, group));
}

// Whether an answer is certainly hidden. A client with two zones uses either the answer in the
// longer domain or the nearest answer of all. So an answer is certainly hidden only if each of
// these two rules hides it from every machine that gets it.
function isSurelyHidden({ source, type, step }: Found, found: readonly Found[]): boolean {
  const { groups } = source.receivers;
  const hiding = found
    .filter(
      one => one.type === type && one.step < step && isBelow(one.source.domain, source.domain),
    )
    .map(one => one.source)
    .filter(({ receivers }) => receivers.areSure);
  return groups.size > 0 && [...groups].every(group => hiding.some(one => mayReach(one, group)));
}

function mayHide(other: Source, own: Found, name: string, found: readonly Found[]): boolean {
  const { source, type, step } = own;
  if (other === source) return false;
  // A zone has authority for its domain, so it answers that a name without a record does not exist.
  const asked = name.replace(/^\*\./, '');
  const isAnswering = asked === other.domain || isBelow(asked, other.domain);
  if (isAnswering && isBelow(other.domain, source.domain)) return true;
  return found.some(one => one.source === other && one.type === type && one.step < step);
}

/** Whether a domain is inside another domain. */
export const isBelow = (domain: string, other: string): boolean => domain.endsWith(`.${other}`);

/** The wildcards that cover a domain: `*.b.c` and `*.c` for `a.b.c`, and `*.c` for `*.b.c`. */
export function wildcardsOver(domain: string): readonly string[] {
  const labels = domain.split('.').slice(1);
  const from = domain.startsWith('*.') ? 1 : 0;
  return labels.slice(from).map((_, at) => `*.${labels.slice(from + at).join('.')}`);
}
