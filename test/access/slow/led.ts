// What a domain leads to by records of the account, where that is not the same in both of the accounts that are compared: each place
// is a destination of its own then.
import type { Account, DnsRecord, Zone } from './account.ts';

/** Whoever asks for a name: a machine in one group, or a machine in no group that a zone names. */
type Asker = string;

const ANYBODY: Asker = 'anybody';

/**
 * The places that a domain leads to in an account, and in not both of the ends, also if only one of them has the domain.
 * `192.0.2.9#hidden-open` is a place that the first end hides from some machines and the last end does not. A place that only the
 * last end hides is none of its own: others are still led there, and nobody knows whether these are.
 */
export function movedPlaces(
  account: Account,
  compared: readonly Account[],
  domain: string,
): readonly string[] {
  const [first, ...others] = compared;
  const both = [first, others.at(-1) ?? first].flatMap(one => one ?? []);
  const zones = [account, ...both].flatMap(one => one.zones ?? []);
  const askers = new Set([ANYBODY, ...zones.flatMap(zone => zone.distribution_groups)]);
  return [...placesOf(account, domain)].flatMap(place => {
    const leading = both.filter(one => placesOf(one, domain).has(place));
    const parts = [...askers].flatMap(asker => {
      if (!placesOf(account, domain, asker).has(place)) return [];
      const shown = leading.map(one => placesOf(one, domain, asker).has(place));
      if (shown.at(0) !== false) return [];
      return [`#hidden-${shown.at(-1) ? 'open' : 'hidden'}`];
    });
    const whole = leading.length === both.length ? [] : [''];
    return [...new Set([...whole, ...parts])].map(part => `${place}${part}`);
  });
}

/** The places that a name leads to for somebody; with an asker, those that no zone hides from it. */
export function placesOf(account: Account, domain: string, asker?: Asker): ReadonlySet<string> {
  const found = new Set<string>();
  const followed = new Set<string>();
  const follow = (name: string) => {
    if (followed.has(name)) return;
    followed.add(name);
    for (const { type, content } of recordsFor(account, name, asker)) {
      if (type !== 'CNAME' || !isPassed(account, domain, content)) found.add(content);
      if (type === 'CNAME') follow(content);
    }
    for (const whole of wholeNames(account, name)) {
      if (whole !== domain) found.add(whole);
      follow(whole);
    }
  };
  follow(domain);
  return found;
}

/** Whether whoever is led to a name on the way from a domain is also answered there, so that it is only passed. */
function isPassed(account: Account, domain: string, name: string): boolean {
  const leading = new Set<DnsRecord>();
  const asked = new Set<string>();
  const ask = (one: string) => {
    if (asked.has(one)) return;
    asked.add(one);
    for (const record of recordsFor(account, one)) {
      if (record.content === name) leading.add(record);
      if (record.type === 'CNAME') ask(record.content);
    }
    for (const whole of wholeNames(account, one)) ask(whole);
  };
  ask(domain);
  const zones = [...leading].map(record => zoneOf(account, record));
  return zones.length > 0 && zones.every(zone => isAnsweredIn(account, zone, name, []));
}

function isAnsweredIn(
  account: Account,
  asking: Zone | undefined,
  name: string,
  before: readonly string[],
): boolean {
  if (asking === undefined || before.includes(name)) return false;
  return recordsFor(account, name).some(record => {
    const zone = zoneOf(account, record);
    if (zone === undefined || isPerhapsHidden(account, zone, name, record.type)) return false;
    const isGiven =
      zone === asking || asking.distribution_groups.every(group => gets(account, zone, group));
    if (!isGiven) return false;
    return (
      record.type !== 'CNAME' || isAnsweredIn(account, asking, record.content, [...before, name])
    );
  });
}

const zoneOf = ({ zones = [] }: Account, record: DnsRecord): Zone | undefined =>
  zones.find(({ records }) => records.includes(record));

/** Whether another zone may answer the name in place of this one, for a question for any type of address. */
function isPerhapsHidden(account: Account, zone: Zone, name: string, type: string): boolean {
  const zones = (account.zones ?? []).filter(one => one.enabled && one.records.length > 0);
  const types = type === 'CNAME' ? ['A', 'AAAA'] : [type];
  return types.every(asked => {
    const own = bestIn(zone, name, asked);
    return zones.some(other => {
      if (other === zone) return false;
      const isWithin = other.domain.endsWith(`.${zone.domain}`);
      return (
        bestIn(other, name, asked).distance < own.distance ||
        (isWithin && `.${name}`.endsWith(`.${other.domain}`))
      );
    });
  });
}

/** The names of records that a name is short for, whichever zone they are in. */
function wholeNames({ zones = [] }: Account, short: string): readonly string[] {
  return zones
    .filter(({ enabled }) => enabled)
    .flatMap(({ domain, records }) =>
      records.flatMap(({ name }) => (name === `${short}.${domain}` ? [name] : [])),
    );
}

function recordsFor(account: Account, name: string, asker?: Asker): readonly DnsRecord[] {
  const zones = (account.zones ?? []).filter(zone => zone.enabled && zone.records.length > 0);
  return ['A', 'AAAA'].flatMap(type =>
    zones.flatMap(zone => {
      const own = bestIn(zone, name, type);
      const nearer = zones.filter(
        other => other !== zone && bestIn(other, name, type).distance < own.distance,
      );
      const within = zones.filter(other => other.domain.endsWith(`.${zone.domain}`));
      const isMissed =
        zone.distribution_groups.length > 0 &&
        zone.distribution_groups.every(group =>
          nearer.some(other => within.includes(other) && gets(account, other, group)),
        );
      if (isMissed) return [];
      const answering = within.filter(({ domain }) => `.${name}`.endsWith(`.${domain}`));
      const isHidden = [...nearer, ...answering].some(
        other => asker !== undefined && gets(account, other, asker),
      );
      return isHidden ? [] : own.records;
    }),
  );
}

/** The records of a zone that answer a name, and how far their own name is from it. */
function bestIn(
  { records }: Zone,
  name: string,
  type: string,
): { readonly distance: number; readonly records: readonly DnsRecord[] } {
  const answering = records.filter(one => one.type === type || one.type === 'CNAME');
  const distanceTo = (one: DnsRecord) => {
    if (one.name === name) return 0;
    const [star, ...above] = one.name.split('.');
    const labels = name.split('.');
    const isOver = star === '*' && `.${name}`.endsWith(`.${above.join('.')}`);
    return isOver && labels.length > above.length ? labels.length - above.length : Infinity;
  };
  const distance = Math.min(...answering.map(distanceTo), Infinity);
  if (distance === Infinity) return { distance, records: [] };
  return { distance, records: answering.filter(one => distanceTo(one) === distance) };
}

function gets({ groups }: Account, zone: Zone, asker: Asker): boolean {
  const everybody = groups.find(({ name }) => name === 'All')?.id;
  return zone.distribution_groups.some(id => id === asker || id === everybody);
}
