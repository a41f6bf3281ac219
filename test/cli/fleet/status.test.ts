// `fleet status`: what it adds to the ledger, and how it follows a rollout on a terminal.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { receiver } from '../../emulator/delivery/receiver.ts';
import { FLEET, type FleetOptions, inFleet, type TestFleet } from './fleetFolder.ts';

const WATCHED = `${FLEET}waves:
  - { count: 1, bake: 1h }
  - { share: 100% }
`;

/** Two accounts, with the waves of a watched rollout. */
const inWaves: FleetOptions = { tenants: 2, files: { 'fleet.yaml': WATCHED } };

async function planned({ fleet, folder }: TestFleet): Promise<string> {
  const made = await fleet(['plan', '--out', '../plans']);
  expect(made.code, made.stderr).toBe(0);
  const { digest } = JSON.parse(await readFile(join(folder, '../plans/fleet.json'), 'utf8'));
  return digest;
}

test('the status shows the access that each plan changes, and the drift of a comparison', async () => {
  const policy = `policies:
  - name: Default
    enabled: false
    rules: [{ name: Default, sources: [All], destinations: [All], protocol: all, bidirectional: true }]
`;
  const files = { ...inWaves.files, 'baseline/p.yaml': policy };
  await inFleet({ ...inWaves, files }, async all => {
    for (const { id } of all.msp.tenants)
      for (const name of ['one', 'two'])
        await all.msp.control(id, 'POST', '/emulator/peers', { name });
    const digest = await planned(all);
    expect((await all.fleet(['apply', '../plans', '--digest', digest])).code).toBe(4);
    const drift = await all.fleet(['drift', '--format', 'json']);
    expect(drift.code, drift.stderr).toBe(2);
    await writeFile(join(all.folder, '../drift.json'), drift.stdout);
    const words = ['status', '--drift', '../drift.json', '--format', 'json', '--once'];
    const status = await all.fleet(words);
    const { accounts } = JSON.parse(status.stdout);
    expect(accounts).toHaveLength(2);
    for (const account of accounts) expect(account.access).toEqual({ gained: 0, lost: 1 });
    const drifted = accounts.map(
      ({ drift: { objects } }: { drift: { objects: number } }) => objects,
    );
    expect(drifted).toEqual([0, 3]);
    const other = await all.fleet(['status', '--drift', 'fleet.yaml']);
    expect([other.code, other.stderr]).toEqual([
      3,
      expect.stringContaining('`fleet.yaml` is not the drift of a fleet'),
    ]);
  });
});

test('the status on a terminal follows a rollout until no run carries it out', {
  tags: 'variation',
}, async () => {
  await inFleet({ tenants: 2 }, async all => {
    const digest = await planned(all);
    const begun = Promise.withResolvers<void>();
    all.msp.onRequest(({ method }) => {
      if (method === 'POST') begun.resolve();
    });
    const rollout = all.fleet(['apply', '../plans', '--digest', digest, '--at-once', '1']);
    await begun.promise;
    const looks: string[] = [];
    const status = await all.fleet(['status'], {
      isTerminal: true,
      onDocument: text => looks.push(text),
      clock: {
        now: () => 0,
        sleep: async () => {
          expect((await rollout).code).toBe(0);
        },
      },
    });
    expect(status.code).toBe(0);
    expect(looks.join('')).toMatch(/2 accounts: .*\n[\s\S]*No rollout is open\.\n$/);
  });
});

test('the page and the metrics say so once no rollout is open', async () => {
  await inFleet(inWaves, async all => {
    const digest = await planned(all);
    await all.fleet(['apply', '../plans', '--digest', digest]);
    const words = ['status', '--metrics', '../m.prom', '--html', '../s.html'];
    expect((await all.fleet(words)).code).toBe(4);
    await all.fleet(['apply', '--abandon', 'a new plan']);
    expect((await all.fleet(words)).code).toBe(0);
    const metrics = await readFile(join(all.folder, '../m.prom'), 'utf8');
    expect(metrics).toMatch(/^meshform_fleet_rollout_open 0$/m);
    expect(metrics).not.toContain('account');
    const page = await readFile(join(all.folder, '../s.html'), 'utf8');
    expect(page).toContain('No rollout is open.');
    expect(page).not.toContain('customer.example');
    const document = await all.fleet(['status', '--format', 'json']);
    const value = JSON.parse(document.stdout);
    expect(value).toMatchObject({ rollout: null, next: 'No rollout is open.', accounts: [] });
    const junit = await all.fleet(['status', '--format', 'junit']);
    expect(junit.stdout).toMatch(/<testsuites[^>]* tests="0"/);
  });
});

test('the status of a rollout has an exit code for each state, and a rollout that could not be closed is still open', async () => {
  await inFleet({ tenants: 2 }, async all => {
    const digest = await planned(all);
    const status = ['status', '--once'];
    expect((await all.fleet(status)).code).toBe(0);
    // The remote refuses to close the rollout.
    const hook = join(all.remote, 'hooks/update');
    await mkdir(join(all.remote, 'hooks'));
    await writeFile(hook, CLOSES_NOTHING, { mode: 0o755 });
    const { url, received } = await receiver();
    const env = { MESHFORM_NOTIFY_URL: url };
    const applied = await all.fleet(['apply', '../plans', '--digest', digest, '--notify'], { env });
    expect(applied.stdout).toContain('Rollout complete: 2 of 2 accounts healthy.');
    expect(applied.stdout).toMatch(/^The rollout could not be closed: /m);
    expect(applied.code).toBe(4);
    // It is not finished for those who wait for it.
    expect(received.map(({ text }) => JSON.parse(text).meshform.event)).toEqual(['started']);
    const open = await all.fleet(status);
    expect(open.stdout).toContain(
      'Nothing is left to do, but the rollout is still open: meshform fleet apply --continue',
    );
    expect(open.code).toBe(4);
    await rm(hook);
    expect((await all.fleet(['apply', '--continue'])).code).toBe(0);
    const closed = await all.fleet(status);
    expect([closed.code, closed.stdout]).toEqual([0, 'No rollout is open.\n']);
  });
});

const CLOSES_NOTHING = `#!/bin/sh
case "$1 $2" in
  "refs/meshform-fleet-open"*" 0000000000000000000000000000000000000000") exit 0 ;;
  "refs/meshform-fleet-open"*) echo closes nothing >&2; exit 1 ;;
esac
`;
