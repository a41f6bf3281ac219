// A rollout whose processes are killed, wherever they are: each account is applied, none twice, and a wave begins only after the one before
// it. Time passes faster for the machines, so that the leases of the dead are soon over.
import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/emulator/index.ts';
import { inFleet, type TestFleet } from '../cli/fleet/fleetFolder.ts';
import { proof } from '../support/proof.ts';
import { fastTime } from './fastTime.ts';

const MACHINE = new URL('fleetMachine.ts', import.meta.url).pathname;

const FILES = {
  'meshform.yaml': 'lock_ttl: 180\n',
  'fleet.yaml': `accounts:
  - from: msp_tenants
    credentials: msp
    layers: [baseline, "customers/\${account.name}"]
waves:
  - { count: 1 }
  - { share: 40% }
  - { share: 100% }
`,
};

const PLAN = ['plan', '--prune', 'removed', '--base', 'auto', '--record-base', '--out', 'plans'];

interface Machine {
  readonly kill: () => void;
  /** Its exit code, and what it printed; the code is null if it was killed. */
  readonly ended: Promise<{ readonly code: number | null; readonly text: string }>;
}

function machine(
  { folder, env, home }: TestFleet,
  since: number,
  words: readonly string[],
): Machine {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MACHINE, 'fleet', ...words],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        XDG_STATE_HOME: `${home}/state`,
        // What a machine loads was compiled by the first one.
        NODE_COMPILE_CACHE: `${home}/compiled`,
        FAST_SINCE: String(since),
        ...env,
      },
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const ended = new Promise<{ code: number | null; text: string }>(resolve => {
    child.on('close', code => resolve({ code, text }));
  });
  return { kill: () => child.kill('SIGKILL'), ended };
}

/** The wave of each tenant, by the order in which they were first written to. */
function firstWrites({ msp }: TestFleet): readonly number[] {
  return msp.tenants.map(({ id }) => {
    const first = msp.requestsOf(id).find(({ method }) => method !== 'GET');
    return first ? Number(new Date(first.time)) : Number.POSITIVE_INFINITY;
  });
}

async function expectApplied(fleet: TestFleet): Promise<void> {
  for (const { id, domain } of fleet.msp.tenants) {
    const { body } = await fleet.msp.call(id, 'GET', '/api/groups');
    const names = (body as unknown as { name: string }[]).map(({ name }) => name).sort();
    expect(names, domain).toEqual(['All', 'admins', 'servers']);
  }
  expect(firstWrites(fleet).every(Number.isFinite)).toBe(true);
}

describe('a rollout', () => {
  test('loses no account and applies none twice if it is killed at random points and continued', {
    timeout: 3_600_000,
  }, async () => {
    const { count, seed, found } = proof('kills of a rollout', { slice: 1, full: 20 });
    const tenants = count > 2 ? 500 : 4;
    const random = seededRandom(seed);
    const since = Date.now();
    const time = fastTime(since);
    await inFleet({ tenants, files: FILES, clock: () => new Date(time.now()) }, async fleet => {
      const planned = await fleet.fleet(PLAN, { now: time.now() });
      expect(planned.code, planned.stderr).toBe(0);
      let requests = 0;
      let running: Machine | undefined;
      let killAt = Number.POSITIVE_INFINITY;
      fleet.msp.onRequest(() => {
        requests += 1;
        if (requests >= killAt) running?.kill();
      });
      let kills = 0;
      let words = ['apply', 'plans', '--yes'];
      for (let runs = 0; runs < 3 * count + 5; runs++) {
        killAt =
          kills < count
            ? requests + 3 + Math.floor(random() * 14 * (tenants / (count + 1)))
            : Number.POSITIVE_INFINITY;
        running = machine(fleet, since, words);
        const { code, text } = await running.ended;
        // The last one may have been killed when all was done.
        if (code === 0 || text.includes('has no open rollout')) break;
        expect(code, text).toBe(null);
        kills += 1;
        words = random() < 0.5 ? ['apply', 'plans', '--continue'] : ['apply', '--continue'];
      }
      await expectApplied(fleet);
      const after = await fleet.fleet(['plan', '--base', 'auto', '--detailed-exitcode'], {
        now: time.now(),
      });
      expect(after.code, after.stdout.slice(0, 2000)).toBe(0);
      found(
        `${tenants} accounts in 3 waves, ${kills} runs killed; all applied once, and a fresh plan is empty`,
      );
    });
  });

  test('a rollout in 4 shards of which one dies is finished by the next run', {
    timeout: 3_600_000,
  }, async () => {
    const { count, seed, found } = proof('a rollout in shards', { slice: 4, full: 500 });
    const random = seededRandom(seed + 1);
    const since = Date.now();
    const time = fastTime(since);
    await inFleet(
      { tenants: count, files: FILES, clock: () => new Date(time.now()) },
      async fleet => {
        expect((await fleet.fleet(PLAN, { now: time.now() })).code).toBe(0);
        let requests = 0;
        const dies = 1 + Math.floor(random() * 4);
        const killAt = 4 + Math.floor(random() * count * 3);
        const machines = [1, 2, 3, 4].map(i =>
          machine(fleet, since, ['apply', 'plans', '--yes', '--shard', `${i}/4`, '--wait', '10m']),
        );
        fleet.msp.onRequest(() => {
          requests += 1;
          if (requests === killAt) machines[dies - 1]?.kill();
        });
        const ended = await Promise.all(machines.map(one => one.ended));
        for (const [i, { code, text }] of ended.entries())
          if (i !== dies - 1) expect([0, 4], text).toContain(code);
        const finished = await machine(fleet, since, ['apply', '--continue', '--wait', '10m'])
          .ended;
        // It may have been finished by the others.
        expect([0, 3], finished.text).toContain(finished.code);
        await expectApplied(fleet);
        found(
          `${count} accounts in 4 shards, shard ${dies} killed after ${requests} requests; all applied once`,
        );
      },
    );
  });
});
