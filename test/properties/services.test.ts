// Who reaches what through services of the reverse proxy: the model and an evaluator that shares no code with it agree on drawn
// accounts, for each source, destination, port and condition, and so do the verdicts of access tests.
import { expect, test, vi } from 'vitest';
import { accountReach } from '../../src/access/accountReach.ts';
import { possiblyOf } from '../../src/access/ask/members.ts';
import { checkedSelector } from '../../src/access/ask/selector.ts';
import { reachesIn } from '../../src/access/flows/reaches.ts';
import { unreadFor } from '../../src/access/gates/dependence.ts';
import { has, indexesIn } from '../../src/access/sets/bits.ts';
import { type Row, trafficFrom } from '../../src/access/sets/row.ts';
import { rowPool } from '../../src/access/sets/rowPool.ts';
import { rangesOf } from '../../src/access/sets/trafficText.ts';
import type { AccessState, Outsiders } from '../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../src/access/state/stateOfAnswers.ts';
import { judgeTests } from '../../src/access/tests/judgeTests.ts';
import { resourceDestination } from '../../src/access/world/destinationNames.ts';
import { type World, worldOf } from '../../src/access/world/world.ts';
import type { AccessTest } from '../../src/model/access/accessTest.ts';
import type { Json } from '../../src/model/value.ts';
import { type Extent, patience, proof } from '../support/proof.ts';
import { fc } from '../support/seeded.ts';
import { type DrawnAccount, drawnAccount } from '../support/services/drawnServices.ts';
import {
  evaluateServices,
  isExpired,
  type RawTarget,
  type Reach,
} from '../support/services/evaluateServices.ts';

const EXTENT: Extent = { slice: 60, full: 5_000 };
vi.setConfig({ testTimeout: patience(EXTENT, 100) });

const LIMITS = {
  addresses: 'some addresses',
  countries: 'some countries',
};

interface Counted {
  unknown: number;
  ways: number;
  conditional: number;
  verdicts: number;
}

test('the model and an independent evaluator agree on services', () => {
  const { count, seed, found } = proof('services: who reaches what, evaluated twice', EXTENT);
  const counted: Counted = { unknown: 0, ways: 0, conditional: 0, verdicts: 0 };
  const property = fc.property(drawnAccount, account => agree(account, counted));
  fc.assert(property, { numRuns: count, seed });
  expect(counted.ways).toBeGreaterThan(count);
  expect(counted.conditional).toBeGreaterThan(count);
  found(
    `${counted.ways} ways of a source to a port of a destination, ${counted.conditional} of them under a condition, and ${counted.verdicts} verdicts of access tests; ${counted.unknown} lists could not be read`,
  );
});

function agree(account: DrawnAccount, counted: Counted): void {
  const reached = evaluateServices(account);
  const state = stateFor(account);
  if (reached === 'unknown') {
    counted.unknown++;
    expect(unreadFor(state, [checkedSelector('all')])).toContain('proxy services');
    return;
  }
  expect(unreadFor(state, [checkedSelector('all')])).toEqual([]);
  const inside = reached.filter(({ destination }) => destination.kind !== 'outside');
  const expected = new Set(inside.flatMap(one => waysOf(one, account)));
  expect(sorted(waysInModel(account, worldOf(state)))).toEqual(sorted(expected));
  counted.ways += expected.size;
  counted.conditional += [...expected].filter(way => way.includes('[')).length;
  counted.verdicts += expectVerdicts(account, state, inside, calledBeside(account));
}

/**
 * What proxies call by themselves, as if they called it over the overlay: nobody knows whether what has the address near the proxy is
 * the same. A test that denies it fails, and so does one that asks for it.
 */
function calledBeside(account: DrawnAccount): readonly Reach[] {
  const { status, body } = account.services;
  const isBeside = ({ options }: RawTarget) => options?.direct_upstream === true;
  const only = body.map(service => ({
    ...service,
    targets: service.targets.filter(isBeside).map(target => ({ ...target, options: {} })),
  }));
  const reached = evaluateServices({
    ...account,
    services: { status, body: only },
  });
  if (reached === 'unknown') return [];
  return reached.filter(({ destination }) => destination.kind !== 'outside');
}

const sorted = (ways: ReadonlySet<string>): readonly string[] => [...ways].toSorted();

function stateFor(account: DrawnAccount): AccessState {
  const { services, accounts: _, ...lists } = account;
  // A server without a reverse proxy has no services; a list that is refused is not there.
  const list = services.status === 404 ? [] : services.body;
  // The API shows which logins have expired, and not why.
  const peers = account.peers.map(peer => ({ ...peer, login_expired: isExpired(peer, account) }));
  const answers = { ...lists, peers, routes: [], posture_checks: [], setup_keys: [] };
  const answered = stateOfAnswers({
    ...answers,
    ...(services.status !== 403 && { services: list }),
  } as unknown as Json);
  if ('faults' in answered) throw new Error(answered.faults.join());
  return answered.state;
}

/** The ways that a reach is, as texts: for each lock that suffices, and for each person who may sign in. */
function waysOf(reach: Reach, account: DrawnAccount): readonly string[] {
  const { source, destination, protocol, port, limits, locks } = reach;
  if (destination.kind === 'outside') return [];
  const words = limits.map(limit => LIMITS[limit]);
  const to = `${destination.kind} ${destination.id} ${protocol}/${port}`;
  const way = (who: string, conditions: readonly string[]) =>
    `${who} → ${to}${conditions.length > 0 ? ` [${conditions.join(', ')}]` : ''}`;
  if (source.kind === 'machine') return [way(`machine ${source.id}`, words)];
  if (source.kind === 'users') {
    const name = account.groups.find(({ id }) => id === source.group)?.name ?? source.group;
    return [
      way(`users of ${name}`, words),
      ...source.today.map(id => way(`user ${id} by sign-in of ${name}`, words)),
    ];
  }
  if (locks.length === 0) return [way('internet', words)];
  return locks.map(lock => way('internet', [secretOf(lock), ...words]));
}

function secretOf(lock: Reach['locks'][number]): string {
  if (lock === 'password') return 'a password';
  return lock === 'pin' ? 'a PIN' : 'a header';
}

/** The ways of the model: the traffic of each of its outsiders to each machine and network resource. */
function waysInModel(account: DrawnAccount, world: World): ReadonlySet<string> {
  const reach = accountReach(world, 'seen', rowPool());
  const outsiders = new Map(world.state.internetPorts.map(({ to }) => [to.name, to]));
  const ways = [...indexesIn(world.internet)].flatMap(index => {
    const to = outsiders.get(world.members[index]?.key ?? '');
    if (to === undefined) throw new Error('outsiders without a port');
    // What a proxy calls by itself is outside for the evaluator, whatever has the address inside.
    if (to.name.endsWith(' beside the overlay')) return [];
    const who = sourcesOf(to, index, account, world);
    const reached = [
      ...account.peers.map(({ id, name }) => ({
        name: `peer ${id}`,
        row: reach.machines.rowAt(world.positions.machine.get(name) ?? -1),
      })),
      ...world.state.networks.flatMap(network =>
        network.resources.map(({ id, address }) => ({
          name: `resource ${id}`,
          row: reach.routedRow(resourceDestination(world.siteOf(network, address), address)),
        })),
      ),
    ];
    return reached.flatMap(({ name, row }) =>
      portsIn(row, index).flatMap(port =>
        who.map(({ source, conditions }) => `${source} → ${name} ${port}${conditions}`),
      ),
    );
  });
  return new Set(ways);
}

const portsIn = (row: Row, index: number): readonly string[] =>
  (['tcp', 'udp'] as const).flatMap(protocol =>
    rangesOf(trafficFrom(row, index), protocol).flatMap(range => {
      const [from = 0, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, at) => `${protocol}/${from + at}`);
    }),
  );

/** Who outsiders are, and what they must have, from their name. */
function sourcesOf(to: Outsiders, index: number, account: DrawnAccount, world: World) {
  const [, secret] = / with (a password|a PIN|a header)/.exec(to.name) ?? [];
  const [, limits] = / from (some .*)$/.exec(to.name) ?? [];
  const words = [...(secret ? [secret] : []), ...(limits ? limits.split(' and ') : [])];
  const conditions = words.length > 0 ? ` [${words.join(', ')}]` : '';
  const mayBe = (selector: string) => {
    const possible = possiblyOf(world, checkedSelector(selector));
    return possible !== undefined && has(possible, index);
  };
  const named = (sources: readonly string[]) => sources.map(source => ({ source, conditions }));
  if (to.are === 'machines') {
    const callers = account.peers.filter(({ name }) => mayBe(`peer/${name}`));
    return named(callers.map(({ id }) => `machine ${id}`));
  }
  if (to.are !== 'users') return named(['internet']);
  const groups = to.groups ?? ['everybody'];
  const known = groups.filter(group => group === 'everybody' || world.positions.group.has(group));
  return named(
    known.flatMap(group => [
      `users of ${group}`,
      ...peopleIn(group, account, world).map(id => `user ${id} by sign-in of ${group}`),
    ]),
  );
}

/** The users who join a group as the model has it. */
const peopleIn = (group: string, account: DrawnAccount, { state }: World): readonly string[] =>
  state.enrolments
    .filter(({ groups }) => group === 'everybody' || groups.includes(group))
    .map(({ id, key }) => account.users.find(one => one.id === id)?.id ?? key);

const AT = { file: 'tests.yaml', line: 1, column: 1 };
const TEST: AccessTest = {
  name: '',
  at: AT,
  allow: [],
  deny: [],
  onlyFrom: [],
  except: [],
  passesPosture: false,
};

/**
 * Access tests of every machine, user and of the internet toward what services open. Whoever may reach it, with a secret or
 * without, must not be denied it; the internet is allowed what it reaches without a condition.
 */
function expectVerdicts(
  account: DrawnAccount,
  state: AccessState,
  reached: readonly Reach[],
  beside: readonly Reach[],
) {
  const names = new Map<string, string>([
    ...account.peers.map(({ id, name }) => [id, `peer/${name}`] as const),
    ...account.networks.flatMap(network =>
      network.resources.map(
        ({ id, name }) => [id, `network_resource/${network.name}/${name}`] as const,
      ),
    ),
  ]);
  const placeOf = ({ destination, protocol, port }: Reach) =>
    destination.kind === 'outside'
      ? []
      : [`${names.get(destination.id) ?? ''}:${protocol}/${port}`];
  const places = Map.groupBy([...reached, ...beside], one => placeOf(one).join());
  const certain = new Set(reached);
  const asked = [...places].flatMap(([to, ways]) => questionsOn(to, ways, certain, account));
  const { verdicts, diagnostics } = judgeTests(
    reachesIn(state),
    asked.map(({ test: one }) => one),
  );
  expect(diagnostics).toEqual([]);
  const wrong = asked.filter(
    ({ fails }, at) => fails !== (verdicts[at] as (typeof verdicts)[number]).failures.length > 0,
  );
  expect(wrong.map(({ test: one, fails }) => `${one.name}: fails ${fails}`)).toEqual([]);
  return asked.length;
}

interface Question {
  readonly test: AccessTest;
  readonly fails: boolean;
}

function questionsOn(
  to: string,
  ways: readonly Reach[],
  certain: ReadonlySet<Reach>,
  account: DrawnAccount,
): readonly Question[] {
  const fromInternet = ways.filter(({ source }) => source.kind === 'internet');
  const isOpen = fromInternet.some(
    way => certain.has(way) && way.limits.length === 0 && way.locks.length === 0,
  );
  const question = (line: 'allow' | 'deny', from: string, fails: boolean): Question => ({
    fails,
    test: {
      ...TEST,
      name: `${line} ${from} → ${to}`,
      from: { text: from, at: AT },
      [line]: [{ text: to, at: AT }],
    },
  });
  const denied = (from: string, mayReach: boolean) =>
    question('deny', from, fromInternet.length > 0 || mayReach);
  return [
    denied('internet', false),
    ...(fromInternet.length > 0 ? [question('allow', 'internet', !isOpen)] : []),
    // A test from a machine to itself asks for no access, and fails.
    ...account.peers
      .filter(({ name }) => !to.startsWith(`peer/${name}:`))
      .map(({ id, name, user_id: owner }) =>
        denied(
          `peer/${name}`,
          ways.some(({ source }) => {
            if (source.kind === 'machine') return source.id === id;
            return source.kind === 'users' && isAtMachine(source, id, owner, account);
          }),
        ),
      ),
    // Who cannot be in the files, because of being blocked or no person, is no source. Machines that they enrol later are no part
    // of the account, so only what people do today is known.
    ...account.users
      .filter(({ id }) => ways.some(({ source }) => signsIn(source, id)))
      .map(({ email }) => denied(`user/${email}`, true)),
  ];
}

const signsIn = (source: Reach['source'], user: string): boolean =>
  source.kind === 'users' && source.today.includes(user);

// People sign in at machines: whoever may use a machine is its owner, or somebody of its groups.
function isAtMachine(
  { group, today }: Extract<Reach['source'], { kind: 'users' }>,
  machine: string,
  owner: string | undefined,
  { groups }: DrawnAccount,
): boolean {
  if (group === 'everybody' || (owner && today.includes(owner))) return true;
  return groups.some(({ id, peers }) => id === group && peers.some(peer => peer.id === machine));
}
