// Workers that are processes: a rollout survives whatever happens to them, and no two of them work on one account at a time.
import { renameSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { present } from '../../src/model/errors.ts';
import { openJobs } from '../../src/queue/jobs.ts';
import { proof } from '../support/proof.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import {
  type FleetServer,
  startWorkerFleet,
  type TestWorker,
  until,
  type WorkerFleet,
  type WorkerFleetOptions,
} from './workerFleet.ts';

let postgres: TestPostgres;
beforeAll(() => {
  postgres = startPostgres();
});
afterAll(() => postgres.stop());

const FLEET = (waves: string): string => `accounts:
  - from: msp_tenants
    credentials: msp
    layers: [baseline, "customers/\${account.name}"]
waves:
${waves}`;

const BASELINE = `groups:
  - name: admins
  - name: servers
  - name: offices
`;

const PLAN = ['plan', '--out', 'plans'];

/** Milliseconds that a proof may take with all accounts. */
const WHOLE = 2 * 3_600_000;

async function fleetOf(
  waves: string,
  options: Partial<WorkerFleetOptions> = {},
): Promise<WorkerFleet> {
  const fleet = await startWorkerFleet({
    url: postgres.database(),
    tenants: 4,
    late: 20,
    ...options,
    files: { 'fleet.yaml': FLEET(waves), 'baseline/base.yaml': BASELINE, ...options.files },
  });
  onTestFinished(fleet.close);
  return fleet;
}

const isFinished = (fleet: WorkerFleet) => async () =>
  (await fleet.ledger().catch(() => null))?.finished !== undefined;

const outputsOf = (workers: readonly TestWorker[]) => () =>
  workers.map(({ output }) => output()).join('\n----\n');

/** The same, and the accounts that are not healthy with the writes to them. */
const stateOf = async (fleet: WorkerFleet, workers: readonly TestWorker[]): Promise<string> => {
  const { accounts = [] } = await fleet.ledger();
  const open = accounts.filter(({ state }) => state !== 'healthy');
  const writes = fleet.servers.flatMap(({ front }) =>
    front.requests.filter(
      ({ tenant, method }) => method !== 'GET' && open.some(({ account }) => account === tenant),
    ),
  );
  return [JSON.stringify(open), JSON.stringify(writes), outputsOf(workers)()].join('\n');
};

test('workers carry out what was queued, and end on SIGTERM', async () => {
  const fleet = await fleetOf('  - { count: 1, bake: 1s }\n  - { share: 100% }\n');
  const planned = await fleet.fleet(...PLAN);
  expect(planned.output).toContain('4 accounts');
  const queued = await fleet.fleet('apply', 'plans', '--yes', '--queue');
  expect(queued).toMatchObject({ code: 0 });
  expect(queued.output).toContain('is left to the workers');
  const again = await fleet.fleet('apply', 'plans', '--yes', '--queue');
  expect(again).toMatchObject({ code: 6 });
  // Nor is one begun without the queue beside it.
  const beside = await fleet.fleet('apply', 'plans', '--yes');
  expect(beside).toMatchObject({ code: 6 });
  expect(beside.output).toContain('has an open rollout in the queue');
  const workers = [await fleet.startWorker(), await fleet.startWorker()];
  await until('the rollout is finished', 60_000, isFinished(fleet), outputsOf(workers));
  const { accounts } = await fleet.ledger();
  expect(accounts.map(({ state }) => state)).toEqual(accounts.map(() => 'healthy'));
  for (const { process: one } of workers) one.kill('SIGTERM');
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
  // Drift names the rollout, which has no ledger at the Git remote.
  const [tenant] = fleet.msp.tenants;
  const { body } = await fleet.msp.call(tenant?.id, 'GET', '/api/groups');
  const group = (body as unknown as { id: string; name: string }[]).find(
    ({ name }) => name === 'servers',
  );
  await fleet.msp.call(tenant?.id, 'DELETE', `/api/groups/${group?.id}`);
  const { rollout } = await fleet.ledger();
  const drift = await fleet.fleet('drift', '--account', tenant?.domain ?? '');
  expect(drift.output).toContain(`Last applied by the rollout ${rollout}`);
});

const LISTED = ['All', 'admins', 'offices', 'servers'];

/** The names of the groups of each tenant. */
async function groupsOf({ servers }: WorkerFleet): Promise<string[][]> {
  const answers = await Promise.all(
    servers.flatMap(({ msp }) => msp.tenants.map(({ id }) => msp.call(id, 'GET', '/api/groups'))),
  );
  return answers.map(({ body }) =>
    (body as unknown as { name: string }[]).map(({ name }) => name).sort(),
  );
}

/** Where two workers wrote to one tenant at a time, or an object was made twice. */
const faultsOf = ({ servers }: WorkerFleet): string[] => servers.flatMap(faultsAt);

function faultsAt({ front, msp }: FleetServer): string[] {
  return msp.tenants.flatMap(({ id, name }) => {
    const writes = front.requests
      .filter(({ tenant, method }) => tenant === id && method !== 'GET')
      .sort((a, b) => a.begun - b.begun);
    const beside = writes.filter(one =>
      writes.some(
        other => other.token !== one.token && other.begun < one.ended && one.begun < other.ended,
      ),
    );
    const owners = writes
      .map(({ token }) => token)
      .filter((token, at, all) => token !== all[at - 1]);
    const made = writes.filter(({ status }) => status === 200);
    return [
      ...(beside.length > 0 ? [`${name}: two at once`] : []),
      ...(new Set(owners).size < owners.length ? [`${name}: back and forth`] : []),
      ...(made.length === LISTED.length - 1 ? [] : [`${name}: ${made.length} writes`]),
    ];
  });
}

const SERVERS = 5;

/** An entry for the tenants of each server. */
const ENTRIES = Array.from({ length: SERVERS }, (_, i) => {
  const credentials = i === 0 ? 'msp' : `msp${i + 1}`;
  return `  - { from: msp_tenants, credentials: ${credentials}, layers: [baseline] }\n`;
});

const SURVIVAL = `accounts:
${ENTRIES.join('')}waves:
  - { count: 3, bake: 1s }
  - { share: 60% }
  - { share: 100% }
`;

test('no account is lost, applied twice or by two workers concurrently, despite faults of workers and database', {
  timeout: WHOLE,
}, async () => {
  const extent = { slice: 14, full: 500 };
  const { count, found } = proof(
    'a rollout by workers that die, pause and lose the database',
    extent,
  );
  const fleet = await fleetOf('', {
    tenants: count,
    servers: SERVERS,
    late: 150,
    files: { 'fleet.yaml': SURVIVAL },
  });
  expect(await fleet.fleet(...PLAN)).toMatchObject({ code: 0 });
  expect(await fleet.fleet('apply', 'plans', '--yes', '--queue')).toMatchObject({ code: 0 });
  const tenants = fleet.servers.flatMap(({ msp }) => msp.tenants);
  expect(tenants).toHaveLength(count);
  const { accounts } = await fleet.ledger();
  const waveOf = new Map(
    tenants.map(({ id, domain }) => [id, accounts.find(({ name }) => name === domain)?.wave ?? 0]),
  );
  const workers: TestWorker[] = [];
  const start = async () => {
    workers.push(await fleet.startWorker('--at-once', '2', '--concurrency', '1'));
  };
  for (let started = 0; started < 3; started++) await start();
  /** When a worker was killed in the middle of a tenant, by its token. */
  const killed = new Map<string, { readonly tenant: string; readonly at: number }>();
  const dead = new Set<TestWorker>();
  const killedIn = new Set<number>();
  let paused:
    | {
        readonly tenant: string;
        readonly worker: TestWorker;
        readonly at: number;
      }
    | undefined;
  let isRestarted = false;
  const writes = new Map<string, number>();
  const onWrite = (tenant: string, token: string): void => {
    const wave = waveOf.get(tenant) ?? 0;
    const worker = workers.find(({ tokens }) => tokens.includes(token));
    if (worker === undefined || dead.has(worker) || paused?.worker === worker) return;
    const written = (writes.get(tenant) ?? 0) + 1;
    writes.set(tenant, written);
    // In the middle: something is done, and something is left.
    if (written !== 2) return;
    if (!killedIn.has(wave)) {
      killedIn.add(wave);
      worker.process.kill('SIGKILL');
      dead.add(worker);
      killed.set(token, { tenant, at: performance.now() });
      // As whoever runs the workers does.
      void start();
    } else if (wave === 2 && paused === undefined) {
      worker.process.kill('SIGSTOP');
      paused = { tenant, worker, at: performance.now() };
    } else if (wave === 3 && !isRestarted) {
      isRestarted = true;
      postgres.restart();
    }
  };
  for (const { front } of fleet.servers) front.onWrite = onWrite;
  const requests = () => fleet.servers.flatMap(({ front }) => front.requests);
  const patience = 60_000 + count * 4_000;
  await until('a worker is paused', patience, () => paused !== undefined, outputsOf(workers));
  const { tenant, worker, at } = present(paused, 'a paused worker');
  // Past its heartbeat, and longer than a job of a dead worker waits.
  await until('it is paused for long', 30_000, () => performance.now() - at > 16_000);
  const others = requests().filter(
    one => one.tenant === tenant && !worker.tokens.includes(one.token) && one.begun > at,
  );
  expect(others).toEqual([]);
  const status = await fleet.fleet('status');
  expect(status.output).toMatch(
    /A worker on \S+ has been silent for \d\d s, and \d accounts? wait for it/,
  );
  worker.process.kill('SIGCONT');
  await until('the rollout is finished', patience, isFinished(fleet), () =>
    stateOf(fleet, workers),
  );
  expect((await fleet.ledger()).accounts.filter(({ state }) => state !== 'healthy')).toEqual([]);
  expect(await groupsOf(fleet)).toEqual(tenants.map(() => LISTED));
  expect(faultsOf(fleet)).toEqual([]);
  expect(isRestarted).toBe(true);
  expect([...killedIn].sort()).toEqual([1, 2, 3]);
  const late = [...killed].map(([token, one]) => {
    const next = requests()
      .filter(other => other.tenant === one.tenant && other.token !== token && other.begun > one.at)
      .reduce((first, { begun }) => Math.min(first, begun), Number.POSITIVE_INFINITY);
    return Math.round((next - one.at) / 100) / 10;
  });
  expect(Math.max(...late)).toBeLessThan(15);
  found(
    `${count} accounts on ${SERVERS} servers, 3 workers, one killed in each of 3 waves, one paused, the database restarted: none lost, none twice, never two at once; taken over after ${late.join(', ')} s`,
  );
});

test('a worker whose clock is ahead ends no watch time early, and asks the account nothing meanwhile', async () => {
  const watch = 8000;
  const fleet = await fleetOf('  - { count: 1, bake: 8s }\n  - { share: 100% }\n', { tenants: 2 });
  expect(await fleet.fleet(...PLAN)).toMatchObject({ code: 0 });
  expect(await fleet.fleet('apply', 'plans', '--yes', '--queue')).toMatchObject({ code: 0 });
  const [canary, other] = (await fleet.ledger()).accounts.map(
    ({ name }) => fleet.msp.tenants.find(({ domain }) => domain === name)?.id,
  );
  const before = fleet.front.requests.length;
  const workers = [await fleet.startWorkerAhead(3_600_000), await fleet.startWorker()];
  await until('the rollout is finished', 60_000, isFinished(fleet), outputsOf(workers));
  expect((await fleet.ledger()).accounts.map(({ state }) => state)).toEqual(['healthy', 'healthy']);
  const requests = fleet.front.requests.slice(before);
  expect(new Set(requests.map(({ tenant }) => tenant))).toContain(other);
  const ofCanary = requests.filter(({ tenant }) => tenant === canary);
  const applied = ofCanary.findLast(({ method }) => method !== 'GET')?.ended ?? 0;
  const begun = requests.find(({ tenant }) => tenant === other)?.begun ?? 0;
  expect(begun - applied).toBeGreaterThan(watch);
  // The apply ends with a few reads.
  const meanwhile = ofCanary.filter(
    one => one.begun > applied + 2000 && one.begun < applied + watch,
  );
  expect(meanwhile).toEqual([]);
});

test('a canary that fails stops all later accounts, until somebody accepts the failure', async () => {
  const fleet = await fleetOf('  - { count: 1 }\n  - { share: 100% }\n', { tenants: 5 });
  expect(await fleet.fleet(...PLAN)).toMatchObject({ code: 0 });
  expect(await fleet.fleet('apply', 'plans', '--yes', '--queue')).toMatchObject({ code: 0 });
  const [canary] = (await fleet.ledger()).accounts;
  const { id = '' } = fleet.msp.tenants.find(({ domain }) => domain === canary?.name) ?? {};
  await fleet.msp.control(undefined, 'POST', '/emulator/faults', {
    account: id,
    method: 'POST',
    path: '/api/groups',
    times: 1000,
    effect: 'status',
    status: 422,
  });
  const worker = await fleet.startWorker();
  const isStopped = () => worker.output().includes('The rollout is stopped');
  await until('the rollout is stopped', 60_000, isStopped, worker.output);
  expect(worker.output()).toContain(`The rollout is stopped: \`${canary?.name}\` is not healthy`);
  const elsewhere = fleet.front.requests.filter(one => one.tenant !== id && one.method !== 'GET');
  expect(elsewhere).toEqual([]);
  const { code, output } = await fleet.fleet('status');
  expect(code).toBe(6);
  expect(output).toContain('1 worker on');
  // Whoever may write to the database has jobs done before their turn, or for another fleet.
  const { rollout } = await fleet.ledger();
  const [, second] = (await fleet.ledger()).accounts;
  const jobs = await openJobs(fleet.database, {
    fleet: 'fleet.yaml',
    name: 'test',
    isWorker: false,
    onTrouble: () => {},
  });
  onTestFinished(() => jobs.stop());
  for (const job of [
    { rollout, account: second?.name ?? '', step: 'apply' },
    { rollout, account: second?.name ?? '', step: 'check' },
    { rollout: 'another', account: second?.name ?? '', step: 'apply' },
  ] as const) {
    expect(await jobs.send(fleet.database, 'edited', job)).toBe(true);
    const isOver = async () => (await jobs.jobOf('edited')) === undefined;
    if (job.rollout === rollout) await until('the job is over', 30_000, isOver, worker.output);
    else
      await fleet.database.query(
        `delete from meshform_queue.job where data->>'rollout' = 'another'`,
      );
  }
  expect(fleet.front.requests.filter(one => one.tenant !== id && one.method !== 'GET')).toEqual([]);
  expect((await fleet.ledger()).accounts[1]).toMatchObject({ state: 'waiting' });
  const refused = await fleet.fleet('apply', '--continue', '--queue');
  expect(refused).toMatchObject({ code: 6 });
  expect(refused.output).toContain(`not accepted: \`${canary?.name}\``);
  await fleet.msp.mend();
  const going = await fleet.fleet('apply', '--continue', '--queue', '--accept', canary?.name ?? '');
  expect(going).toMatchObject({ code: 0 });
  await until('the rollout is finished', 60_000, isFinished(fleet));
  const states = (await fleet.ledger()).accounts.map(({ state }) => state);
  expect(states).toEqual(['failed', 'healthy', 'healthy', 'healthy', 'healthy']);
});

test('a temporary failure is retried, then given up and listed, and retried on request; the schedule runs drift', async () => {
  const fleet = await fleetOf('  - { share: 100% }\n', { tenants: 2 });
  expect(await fleet.fleet(...PLAN)).toMatchObject({ code: 0 });
  expect(await fleet.fleet('schedule', 'drift', '--every', '1m')).toMatchObject({ code: 0 });
  expect(await fleet.fleet('apply', 'plans', '--yes', '--queue')).toMatchObject({ code: 0 });
  // Six attempts with growing pauses take more than a minute: here it is two.
  await fleet.database.query(
    'update meshform_queue.queue set retry_limit = 1 where retry_limit = 6',
  );
  const letters = async () =>
    await fleet.database.query(`select data from meshform_queue.job where name like '%-dead'`);
  const before = fleet.front.requests.length;
  const workers = [await fleet.startWorker(), await fleet.startWorker()];
  renameSync(fleet.remote, `${fleet.remote}.away`);
  await until(
    'both are given up',
    90_000,
    async () => (await letters()).length === 2,
    outputsOf(workers),
  );
  const writes = fleet.front.requests.slice(before).filter(({ method }) => method !== 'GET');
  expect(writes).toEqual([]);
  renameSync(`${fleet.remote}.away`, fleet.remote);
  const { output } = await fleet.fleet('status');
  expect(output.match(/^Given up since \S+Z: apply t00\d\.customer\.example: .+$/gm)).toHaveLength(
    2,
  );
  expect(output).toContain('To try again: meshform fleet apply --continue --queue');
  expect(output).toContain('Drift is checked on the schedule * * * * *.');
  expect(await fleet.fleet('apply', '--continue', '--queue')).toMatchObject({ code: 0 });
  await until('the rollout is finished', 60_000, isFinished(fleet), outputsOf(workers));
  expect((await fleet.ledger()).accounts.map(({ state }) => state)).toEqual(['healthy', 'healthy']);
  expect(await letters()).toEqual([]);
  const looked = async () =>
    await fleet.database.query<{ output: unknown }>(
      `select output from meshform_queue.job where name like '%-drift' and state = 'completed'`,
    );
  await until(
    'drift was looked for',
    130_000,
    async () => (await looked()).length > 0,
    outputsOf(workers),
  );
  expect(await fleet.fleet('schedule', 'drift', '--off')).toMatchObject({ code: 0 });
  expect((await fleet.fleet('status')).output).not.toContain('Drift is checked');
  // Nobody who reads the database, the jobs or what is printed learns a token.
  const told = await fleet.database.query<{ text: string }>(
    `select data::text || coalesce(output::text, '') as text from meshform_queue.job
     union all select ledger from meshform_fleet.rollout union all select token from meshform_fleet.pace`,
  );
  const all = [...told.map(({ text }) => text), ...workers.map(one => one.output())].join('\n');
  for (const token of workers.flatMap(({ tokens }) => tokens)) expect(all).not.toContain(token);
});

test('all workers of a token keep its rate limit together', { timeout: WHOLE }, async () => {
  const { count, found } = proof('the rate limit that workers share', { slice: 12, full: 500 });
  // 120 a minute, sixty times as fast, or slower for few accounts.
  const perMinute = count > 100 ? 7200 : 1800;
  const fleet = await fleetOf('  - { share: 100% }\n', {
    tenants: count,
    late: 0,
    rateLimit: { requestsPerMinute: perMinute, burst: 10 },
    files: {
      'fleet.yaml': `${FLEET('  - { share: 100% }\n')}rate: { per: token, requests: ${perMinute} }\n`,
    },
  });
  expect(await fleet.fleet(...PLAN)).toMatchObject({ code: 0 });
  expect(await fleet.fleet('apply', 'plans', '--yes', '--queue')).toMatchObject({ code: 0 });
  const before = fleet.front.requests.length;
  const workers = [await fleet.startWorker(), await fleet.startWorker(), await fleet.startWorker()];
  const patience = 180_000 + count * 5_000;
  await until('the rollout is finished', patience, isFinished(fleet), outputsOf(workers));
  const requests = fleet.front.requests.slice(before);
  const refused = requests.filter(({ status }) => status === 429);
  expect(refused.length * 1000).toBeLessThanOrEqual(requests.length);
  const busy = workers.filter(({ output }) => /applied/.test(output()));
  expect(busy.length).toBeGreaterThan(1);
  const begun = requests.map(one => one.begun).sort((a, b) => a - b);
  const minutes = ((begun.at(-1) ?? 0) - (begun[0] ?? 0)) / 60_000;
  expect(requests.length).toBeLessThanOrEqual(minutes * perMinute + 10);
  found(
    `${count} accounts, ${workers.length} workers: ${requests.length} requests, ${Math.round(requests.length / minutes)} a minute of ${perMinute}, ${refused.length} refused`,
  );
});
