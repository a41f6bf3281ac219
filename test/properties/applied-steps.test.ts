// Plans that are applied to an emulator. After each write the whole account is read and judged by the slow evaluator, in concrete
// worlds: what the model says of steps, and of what is unknown, has no part in that.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { orderJudge } from '../../src/access/replay/judgedOrder.ts';
import { planStates } from '../../src/access/replay/planStates.ts';
import { ACCESS_KINDS } from '../../src/access/state/stateOfLive.ts';
import { fetchAccount } from '../../src/api/account/fetch.ts';
import { accountPort } from '../../src/api/account/port.ts';
import { readTransport, writeTransport } from '../../src/api/transport/transport.ts';
import type { RunEvent } from '../../src/apply/port.ts';
import { runPlan } from '../../src/apply/run/run.ts';
import { secretOpener } from '../../src/apply/secrets/opener.ts';
import { kindsIn } from '../../src/kinds/schema/table.ts';
import type { Plan } from '../../src/model/plan.ts';
import { isList, isObject, type Json } from '../../src/model/value.ts';
import { fileOf, plannableOfAll } from '../access/plan/planInputs.ts';
import { idsIn, pointsOf } from '../access/plan/stepPoints.ts';
import { answersOf } from '../access/reach/answers.ts';
import { loadable } from '../access/reach/loadable.ts';
import type { Account } from '../access/slow/account.ts';
import { withRenewedLogins } from '../access/slow/everyone.ts';
import { portsOf, slowViolations } from '../access/slow/way.ts';
import { type Loading, loadAnswers } from '../emulator/reach/loading.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { gatesFor } from '../support/gates.ts';
import { patience, proof } from '../support/proof.ts';
import { plan as planOn } from '../support/reconcile.ts';
import { fc } from '../support/seeded.ts';

/** Some accounts cannot be loaded, and some plans change nothing: of these, 300 are applied. */
const APPLIED = { slice: 2, full: 345 };
vi.setConfig({ testTimeout: patience(APPLIED, 10_000) });

let account: TestAccount;
beforeAll(async () => {
  account = await startAccount();
});
afterAll(() => account.close());

const loading = (): Loading => ({
  control: (method, path, body) => account.control(method as 'POST', path, body as Json),
  get: path => account.call('GET', path),
  put: (path, body) => account.call('PUT', path, body as Json),
  remove: async path => {
    await account.call('DELETE', path);
  },
});

/** Two routes to one range may exclude each other. */
const EXCLUSIVE = /already has this route/;

/** Loads an account, unless the server refuses it. */
async function isLoaded(api: Loading, one: Account): Promise<boolean> {
  try {
    await loadAnswers(api, loadable(one, true));
    return true;
  } catch (error) {
    expect(String(error)).toMatch(EXCLUSIVE);
    return false;
  }
}

/** Everything that access depends on, as the server answers it. */
async function readWhole(): Promise<Account> {
  const api = loading();
  const listed = async (path: string) => [await api.get(`/api/${path}`)].flat();
  const answers = Object(await answersOf(api));
  // A route of domains reads with an address that is a placeholder.
  const routes = answers.routes.map(({ network, ...route }: { network: Json; domains?: Json[] }) =>
    route.domains?.length ? route : { ...route, network },
  );
  const people = (await listed('users')).filter(one => Object(one).is_service_user !== true);
  const whole = { ...answers, routes, users: people, setup_keys: await listed('setup-keys') };
  return withTextIds(whole) as unknown as Account;
}

// Dialect `spec` has numbers as ids where the server chooses them.
function withTextIds(value: Json): Json {
  if (isList(value)) return value.map(withTextIds);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === 'id' && typeof item === 'number' ? String(item) : withTextIds(item),
    ]),
  );
}

/** The accounts after each action, in the order in which they were carried out, and after each write that was not the last one of its action. */
async function applied(plan: Plan, before: Account) {
  const port = accountPort(writeTransport(account.transport), KINDS);
  const way: Account[] = [before];
  const within: Account[] = [];
  let isWritten = true;
  const watched =
    <A extends unknown[], R>(call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const result = await call(...given);
      const last = isWritten ? way.pop() : undefined;
      if (last) within.push(last);
      way.push(await readWhole());
      isWritten = true;
      return result;
    };
  const { outcomes } = await runPlan(plan, {
    kinds: kindsIn(KINDS, plan.dialect),
    port: {
      ...port,
      create: watched(port.create),
      update: watched(port.update),
      delete: watched(port.delete),
    },
    openSecret: secretOpener({ env: () => undefined, file: () => undefined }),
    now: () => 0,
    planReadAt: 0,
    concurrency: 1,
    onEvent: (event: RunEvent) => {
      if (event.type === 'start') isWritten = false;
    },
  });
  const open = outcomes.filter(({ status }) => status !== 'done');
  const refused = open.filter(({ status }) => status === 'failed');
  expect(refused.filter(one => !EXCLUSIVE.test(JSON.stringify(one)))).toEqual([]);
  return { way, within, isWhole: open.length === 0 };
}

// `gap 2 machine p1 > machine p2 tcp 22` without the number of the account.
const withoutPlace = (line: string): string => line.replace(/^(\w+) \d+ /, '$1 ');

/** The plan for files, and the access that it names as out of bounds, a point at a time. */
async function planned(files: string) {
  const scope = new Set([...KINDS.keys()].filter(name => ACCESS_KINDS.has(name)));
  const parents = new Map([...scope].map(name => [name, 'all' as const]));
  const transport = readTransport(account.transport);
  const { objects: live } = await fetchAccount(
    transport,
    KINDS,
    { kinds: scope, parents },
    { concurrency: 1 },
  );
  const plan = await planOn(account, desiredOf(files), {
    prune: 'unmanaged',
    concurrency: 1,
    access: gatesFor({}, [], []),
  });
  const replayed = { kinds: KINDS, live, unavailable: new Map(), plan };
  const judge = orderJudge(replayed, planStates(replayed, plan.actions));
  const order = judge.judged(plan.actions);
  const named = (way: readonly Account[]) =>
    new Set(pointsOf(order, judge.frame, idsIn(way.at(-1) as Account), portsOf(way)));
  return { plan, named, isNamed: (order.episodes ?? []).length > 0 };
}

test('access after each write of applied plans agrees with the slow evaluator', async () => {
  const { count, seed, found } = proof(
    'access after each write of applied plans agrees with the slow evaluator',
    APPLIED,
  );
  const sums = { plans: 0, writes: 0, within: 0, out: 0, named: 0, points: 0 };
  await fc.assert(
    fc.asyncProperty(plannableOfAll, async ([first, then]) => {
      const api = loading();
      if (!(await isLoaded(api, first))) return;
      const before = await readWhole();
      const { plan, named, isNamed } = await planned(
        fileOf({ ...then, services: [], zones: [], users: [] }),
      );
      if (plan.diagnostics.some(({ severity }) => severity === 'error')) return;
      if (plan.actions.length === 0) return;
      const { way: read, within, isWhole } = await applied(plan, before);
      if (!isWhole) return;
      const way = read.map(withRenewedLogins);
      // Actions that wait for nothing are carried out in another order, and the access that is named is the same.
      const lines = new Set([...named(way)].map(withoutPlace));
      const violations = slowViolations(way);
      expect([...violations].filter(one => !lines.has(withoutPlace(one)))).toEqual([]);
      const { steps = [], order } = plan.access ?? {};
      expect(steps.length > 0).toBe(isNamed);
      if (order) expect(order.status).toBe(isNamed ? 'out_of_bounds' : 'in_bounds');
      sums.plans += 1;
      sums.writes += way.length - 1 + within.length;
      sums.within += within.length;
      sums.points += violations.size;
      if (violations.size > 0) sums.out += 1;
      if (isNamed) sums.named += 1;
    }),
    { numRuns: count, seed, endOnFailure: true },
  );
  expect(sums.plans).toBeGreaterThan(count / 2);
  found(
    `${sums.plans} plans with ${sums.writes} writes: ${sums.out} had a step outside the bounds (${sums.points} points), each of them named; ` +
      `${sums.named} name one; ${sums.within} writes were not the last one of their action`,
  );
});
