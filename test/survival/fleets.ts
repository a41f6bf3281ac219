// Groups that setup keys put machines into, and that applies and people change at the same time.
import { accountPort } from '../../src/api/account/port.ts';
import { writeTransport } from '../../src/api/transport/transport.ts';
import type { AccountPort } from '../../src/apply/port.ts';
import { runPlan } from '../../src/apply/run/run.ts';
import { present } from '../../src/model/errors.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { isObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { plan } from '../support/reconcile.ts';
import { itemsOf } from './mixed.ts';
import { type PassingTime, passingTime } from './passingTime.ts';

const NAMES = ['laptops', 'servers', 'phones', 'printers'];
/** Machines that the files declare as members: they exist before the first apply. */
const DECLARED = ['anchor-1', 'anchor-2', 'anchor-3', 'anchor-4'];
/** How likely something happens before a request of an apply. */
const BUSY = 0.5;
/** How late the audit log is, and how long a request takes, in milliseconds. */
const LATE = 1_900;
const REQUEST = 20;

/** A group that a setup key puts machines into. */
interface Fleet {
  readonly id: string;
  readonly key: string;
  /** The names of its members, if nobody is lost and nobody comes back. */
  readonly members: Set<string>;
  /** What the files say of it, and whether they have ever declared a member. */
  name: string;
  readonly declared: Set<string>;
  isDeclared: boolean;
}

/** What came of it so far. */
interface Figures {
  enrolled: number;
  edits: number;
  /** Machines that an apply added again, and machines that it removed again. */
  again: number;
  out: number;
}

/** An account with fleets. */
export interface Fleets {
  readonly figures: Figures;
  /** Applies changed files while so many machines enrol and people edit groups. */
  readonly applyBeside: (machines: number) => Promise<readonly Outcome[]>;
  /** The members of each fleet as they should be, and as they are. */
  readonly expected: () => Record<string, string[]>;
  readonly held: () => Promise<Record<string, string[]>>;
  readonly close: () => Promise<void>;
}

/** Starts an account in which chance decides who does what. */
export async function startFleets(
  dialect: 'spec' | 'netbird',
  { random, seed }: { readonly random: () => number; readonly seed: number },
): Promise<Fleets> {
  const time = passingTime(Date.parse('2026-01-02T03:04:05Z'));
  const account = await startAccount({
    dialect,
    seed,
    eventDelay: LATE,
    schedule: time.schedule,
    clock: () => new Date(time.now()),
  });
  const ids = new Map<string, string>();
  for (const name of DECLARED) ids.set(name, idOf(await account.enrol(name)));
  const fleets: Fleet[] = [];
  for (const name of NAMES) fleets.push(await newFleet(account, name));
  const world = { account, time, random, ids, fleets, person: await newPerson(account) };
  const figures: Figures = { enrolled: 0, edits: 0, again: 0, out: 0 };
  return {
    figures,
    applyBeside: machines => applyBeside(machines, world, figures),
    expected: () => Object.fromEntries(fleets.map(({ id, members }) => [id, [...members].sort()])),
    held: async () => {
      const groups = itemsOf(await account.call('GET', '/api/groups'));
      const namesIn = (id: string) =>
        itemsOf(groups.find(group => group.id === id)?.peers ?? []).map(({ name }) => String(name));
      return Object.fromEntries(fleets.map(({ id }) => [id, namesIn(id).sort()]));
    },
    close: account.close,
  };
}

interface World {
  readonly account: TestAccount;
  readonly time: PassingTime;
  readonly random: () => number;
  /** The ids of machines by name. */
  readonly ids: Map<string, string>;
  readonly fleets: readonly Fleet[];
  /** Writes as somebody else. */
  readonly person: ReturnType<typeof writeTransport>['write'];
}

const idOf = (body: unknown): string =>
  String(body !== null && typeof body === 'object' && 'id' in body ? body.id : '');

async function newFleet(account: TestAccount, name: string): Promise<Fleet> {
  const id = idOf(await account.call('POST', '/api/groups', { name }));
  const made = await account.call('POST', '/api/setup-keys', {
    name,
    type: 'reusable',
    expires_in: 86_400,
    usage_limit: 0,
    auto_groups: [id],
  });
  const key = isObject(made) ? String(made.key) : '';
  return { id, key, members: new Set(), name, declared: new Set(), isDeclared: false };
}

async function newPerson(account: TestAccount) {
  const body = { name: 'person', role: 'admin', auto_groups: [], is_service_user: true };
  const id = idOf(await account.call('POST', '/api/users', body));
  const made = await account.call('POST', `/api/users/${id}/tokens`, {
    name: 'own',
    expires_in: 1,
  });
  const shown = isObject(made) ? made.plain_token : undefined;
  const token = String(isObject(shown) ? Object.values(shown)[0] : shown);
  return writeTransport({ ...account.transport, token }).write;
}

async function applyBeside(
  machines: number,
  world: World,
  figures: Figures,
): Promise<readonly Outcome[]> {
  const { account, time, random, fleets } = world;
  let due = machines;
  const enrolOne = async () => {
    due -= 1;
    figures.enrolled += 1;
    await enrol(`machine-${figures.enrolled}`, world);
  };
  const bustle = async () => {
    time.pass(REQUEST);
    if (random() >= BUSY) return;
    if (random() < 0.3) figures.edits += (await editByPerson(world)) ? 1 : 0;
    else if (due > 0) await enrolOne();
  };
  const base = desiredOf(filesOf(fleets));
  const before = new Map(fleets.map(({ id, name }) => [id, name]));
  for (const fleet of fleets) changeFiles(fleet, world);
  const made = await plan(account, desiredOf(filesOf(fleets, before)), { base });
  const sleep = async (milliseconds: number) => time.pass(milliseconds);
  const port = accountPort(writeTransport({ ...account.transport, sleep }), KINDS);
  const { outcomes } = await runPlan(made, {
    kinds: KINDS,
    now: time.now,
    planReadAt: time.now(),
    concurrency: 4,
    openSecret: () => 'unused',
    port: busyPort(port, bustle),
  });
  const notes = outcomes.flatMap(outcome => ('notes' in outcome ? outcome.notes : []));
  figures.again += countNamed(notes, 'was added again: ');
  figures.out += countNamed(notes, 'was removed again: ');
  while (due > 0) await enrolOne();
  return outcomes;
}

/** An account in which something may happen before each request. What a person does is done before anything else is. */
function busyPort(port: AccountPort, bustle: () => Promise<void>): AccountPort {
  let last: Promise<unknown> = Promise.resolve();
  const after = <T>(call: () => Promise<T>): Promise<T> => {
    const mine = last.then(bustle).then(call);
    last = mine.catch(() => {});
    return mine;
  };
  const { log } = port;
  return {
    ...port,
    read: (...call) => after(() => port.read(...call)),
    list: (...call) => after(() => port.list(...call)),
    update: (...call) => after(() => port.update(...call)),
    ...(log && { log: { ...log, events: () => after(log.events) } }),
  };
}

async function enrol(name: string, world: World): Promise<void> {
  const fleet = pick(world.fleets, world);
  const body = { name, setup_key: fleet.key };
  world.ids.set(name, idOf(await world.account.control('POST', '/emulator/peers', body)));
  fleet.members.add(name);
}

// Puts a machine into a group, or takes it out, as a dashboard does: with a read and a write of the group.
async function editByPerson(world: World): Promise<boolean> {
  const { account, ids, fleets, person, random } = world;
  const fleet = pick(fleets, world);
  const live = await account.call('GET', `/api/groups/${fleet.id}`);
  const { name: called = '', peers = [], resources = [] } = isObject(live) ? live : {};
  const members = itemsOf(peers).map(({ name }) => String(name));
  const enrolled = [...ids.keys()].filter(isEnrolled);
  const isOut = random() < 0.6;
  const candidates = isOut ? members.filter(isEnrolled) : enrolled;
  if (candidates.length === 0) return false;
  const name = pick(candidates, world);
  const left = new Set(members);
  for (const set of [left, fleet.members])
    if (isOut) set.delete(name);
    else set.add(name);
  const idsLeft = [...left].map(one => present(ids.get(one), one));
  await person('PUT', `/api/groups/${fleet.id}`, { name: called, peers: idsLeft, resources });
  return true;
}

const isEnrolled = (name: string): boolean => !DECLARED.includes(name);

// The files rename a group, and let machines that they declare join and leave it.
function changeFiles(fleet: Fleet, world: World): void {
  const { random } = world;
  if (random() < 0.5)
    fleet.name = `${fleet.name.replace(/-\d+$/, '')}-${Math.floor(random() * 1e6)}`;
  if (random() < 0.5) return;
  const anchor = pick(DECLARED, world);
  const isOut = fleet.declared.has(anchor);
  fleet.isDeclared = true;
  for (const set of [fleet.declared, fleet.members])
    if (isOut) set.delete(anchor);
    else set.add(anchor);
}

// A group of which the files declare no member yet is only renamed.
function filesOf(fleets: readonly Fleet[], before?: ReadonlyMap<string, string>): string {
  const groups = fleets.map(({ id, name, declared, isDeclared }) => ({
    name,
    ...(isDeclared && { peers: [...declared] }),
    ...(before && before.get(id) !== name && { lifecycle: { was: before.get(id) } }),
  }));
  return JSON.stringify({ groups });
}

const countNamed = (notes: readonly string[], before: string): number =>
  notes
    .filter(note => note.includes(before))
    .flatMap(note => note.split(before).at(-1)?.split(', ') ?? []).length;

const pick = <T>(list: readonly T[], { random }: Pick<World, 'random'>): T =>
  present(list[Math.floor(random() * list.length)], 'something to pick');
