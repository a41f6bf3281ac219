// The lines of access tests over files, judged by the slow evaluator: every member, every destination, every port asked for.
import type { AccessTest } from '../../../src/model/access/accessTest.ts';
import type { Desired } from '../../../src/model/object.ts';
import type { Account } from './account.ts';
import { reaches } from './between.ts';
import type { Someone } from './everyone.ts';
import { type Assumed, accountOfFiles } from './files.ts';
import { type Offer, offersIn, passes } from './routed.ts';
import { portsWorthAsking } from './rows.ts';
import { type Protocol, type World, worldOf } from './world.ts';

type Point = readonly [Protocol, number];

interface Place {
  readonly machine?: Someone;
  /** Where it is no machine: the ways to it, by routing machine. */
  readonly ways?: readonly (readonly Offer[])[];
}

/** `test 2 deny group/x`: every line that fails; `unknown` if a selector names nothing. */
export function failingLines(
  desired: readonly Desired[],
  tests: readonly AccessTest[],
): readonly string[] {
  const failing: string[] = [];
  for (const { name, from, to, allow, deny, onlyFrom, facts, passesPosture } of tests) {
    const assumed = assumptionFor(facts, passesPosture);
    const [forAllow, forDeny] = (['against', 'pass'] as const).map(posture =>
      worldOf(accountOfFiles(desired, assumed ?? { posture }), 'seen'),
    );
    if (!forAllow || !forDeny) continue;
    const sources = (world: World) => membersIn(world, from?.text ?? 'all');
    for (const { text } of allow)
      if (!isOpen(forAllow, sources(forAllow), text)) failing.push(`${name} allow ${text}`);
    for (const { text } of deny)
      if (isAnyOpen(forDeny, sources(forDeny), text)) failing.push(`${name} deny ${text}`);
    if (to && onlyFrom.length > 0) {
      const listed = onlyFrom.flatMap(({ text }) => membersIn(forDeny, text));
      const others = forDeny.everyone.filter(one => one.peer && !listed.includes(one));
      if (isAnyOpen(forDeny, others, to.text)) failing.push(`${name} only_from ${to.text}`);
    }
  }
  return failing;
}

function assumptionFor(facts: AccessTest['facts'], passesPosture: boolean): Assumed | undefined {
  if (passesPosture) return { posture: 'pass' };
  if (facts === undefined) return undefined;
  return {
    posture: 'judged',
    facts: {
      ...(facts.version !== undefined && { version: facts.version }),
      ...(facts.os !== undefined && { os: facts.os }),
      ...(facts.country !== undefined && { country_code: facts.country }),
      ...(facts.address !== undefined && { connection_ip: facts.address }),
    },
  };
}

function membersIn({ everyone }: World, selector: string): Someone[] {
  const machines = everyone.filter(one => one.peer);
  if (selector === 'all') return machines;
  const [, group = ''] = selector.split('group/');
  return machines.filter(one => one.groups.has(group));
}

function isOpen(world: World, sources: readonly Someone[], selector: string): boolean {
  const { places, points } = askedIn(world, selector);
  return sources.every(source =>
    places.every(
      place => place.machine === source || points.every(at => isReached(world, source, place, at)),
    ),
  );
}

function isAnyOpen(world: World, sources: readonly Someone[], selector: string): boolean {
  const { places, points } = askedIn(world, selector);
  return sources.some(source =>
    places.some(place => points.some(at => isReached(world, source, place, at))),
  );
}

function isReached(world: World, source: Someone, { machine, ways = [] }: Place, at: Point) {
  if (machine) return reaches(world, source, machine, at);
  return ways.some(here => {
    const own = here.filter(({ destination }) => destination === here[0]?.destination);
    return passes(here, source, at, own[0]?.destination);
  });
}

// Such as `network_resource/production/orders-db:tcp/5432`, `network/tools`, `group/prod-servers:*`.
function askedIn(world: World, selector: string) {
  const [, name = '', port = '*'] = /^(.*?)(?::([^:]*))?$/.exec(selector) ?? [];
  return { places: placesIn(world, name), points: pointsOf(port, world.account) };
}

function placesIn(world: World, name: string): Place[] {
  const [kind = '', ...rest] = name.split('/');
  const key = rest.join('/');
  const resources = world.account.networks.flatMap(network =>
    network.resources
      .filter(one => {
        if (kind === 'network') return network.id === key;
        return kind === 'group' ? one.groups.some(({ id }) => id === key) : one.id === key;
      })
      .map(one => `resource ${network.id} ${one.address}`),
  );
  const offers = [
    ...Map.groupBy(offersIn(world), ({ via, address }) => `${via.name} ${address}`).values(),
  ];
  const routes = kind === 'route' ? world.account.routes : [];
  const ranges = routes
    .filter(({ network_id }) => network_id === key)
    .flatMap(({ network, domains = [] }) => (network ? [network] : domains))
    .map(address => `route ${key} ${address}`);
  const routed = [...new Set([...resources, ...ranges])].map(destination => ({
    ways: offers.flatMap(here => {
      const own = here.filter(one => one.destination === destination);
      return own.length > 0 ? [[...own, ...here.filter(one => !own.includes(one))]] : [];
    }),
  }));
  const machines = kind === 'group' ? membersIn(world, name) : [];
  return [...machines.map(machine => ({ machine })), ...routed];
}

function pointsOf(port: string, account: Account): Point[] {
  const [protocol = '*', numbers = '*'] = port.split('/');
  const [from = '0', to = from] = numbers === '*' ? ['0', '65535'] : numbers.split('-');
  const worth = [...new Set([Number(from), ...portsWorthAsking([account])])];
  const ports = worth.filter(one => one >= Number(from) && one <= Number(to));
  const spoken = protocol === '*' ? (['tcp', 'udp', 'icmp'] as const) : [protocol as Protocol];
  return spoken.flatMap((one): Point[] =>
    one === 'icmp' ? [['icmp', 0]] : ports.map(at => [one, at]),
  );
}
