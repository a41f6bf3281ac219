// A rollout of a fleet: wave after wave, never lost, never twice, and stopped by what is not healthy.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { receiver } from '../../emulator/delivery/receiver.ts';
import { noticed } from '../../read/noticedGit.ts';
import type { Ended } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { FLEET, inFleet, type TestFleet } from './fleetFolder.ts';
import { fleetState } from './fleetStates.ts';

const PLAN = ['plan', '--prune', 'removed', '--base', 'auto', '--record-base', '--out', 'plans'];
const APPLY = ['apply', 'plans', '--yes', '--at-once', '2'];
const CONTINUE = ['apply', '--continue'];

const WAVES = `${FLEET}waves:
  - { count: 1, bake: 10m }
  - { share: 100% }
`;

/** The names of the groups of each tenant, in the order of the tenants. */
async function groupsOf({ msp }: TestFleet): Promise<string[][]> {
  const answers = await Promise.all(
    msp.tenants.map(({ id }) => msp.call(id, 'GET', '/api/groups')),
  );
  return answers.map(({ body }) =>
    (body as unknown as { name: string }[]).map(({ name }) => name).sort(),
  );
}

const APPLIED = ['All', 'admins', 'servers'];

const isApplied = (groups: readonly string[]): boolean => groups.includes('admins');

const made = async ({ fleet }: TestFleet) => expect((await fleet(PLAN)).code).toBe(0);

/** Two accounts with plans and no waves. */
const planned = fleetState({ tenants: 2 }).after(made);

/** The same with a wave of one account, which is watched, and a wave of the other. */
const inWaves = fleetState({ tenants: 2, files: { 'fleet.yaml': WAVES } }).after(made);

/** The account of the first wave is applied, and is watched. */
const watched = inWaves.after(async ({ fleet }) =>
  expect((await fleet(APPLY, { now: 0 })).code).toBe(4),
);

/** The place of the only account in the first wave: the hash of its name is the smallest. */
const CANARY = 0;

test('a fleet without waves is applied immediately, and a fresh plan is empty', {
  tags: 'variation',
}, async () => {
  await planned.use(async fleet => {
    const applied = await fleet.fleet(APPLY);
    expect(applied.stdout).toContain('Rollout complete: 2 of 2 accounts healthy.');
    expect(applied.code).toBe(0);
    expect(await groupsOf(fleet)).toEqual([APPLIED, APPLIED]);
    // Nothing is left open at the remote, and another rollout may start.
    const refs = git(fleet.remote, 'for-each-ref', '--format=%(refname)');
    expect(refs).not.toContain('refs/meshform-fleet-open');
    expect(refs).not.toContain('refs/meshform-locks');
    const again = await fleet.fleet(['plan', '--base', 'auto', '--detailed-exitcode']);
    expect(again.code).toBe(0);
  });
});

test('an account costs a rollout few programs: five pushes if nothing joins them, three listings, and three questions about refs', async () => {
  await planned.use(async fleet => {
    const bin = join(fleet.home, 'bin');
    await mkdir(bin);
    const { env, asked } = await noticed(bin);
    const words = ['apply', 'plans', '--yes', '--at-once', '1'];
    const applied = await fleet.fleet(words, { env: { PATH: env.PATH ?? '' } });
    expect(applied.code).toBe(0);
    const programs = await asked();
    const count = (command: string) => programs.filter(one => one === command).length;
    const accounts = 2;
    expect([count('push'), count('ls-remote'), count('for-each-ref')]).toEqual([
      3 + 5 * accounts,
      7 + 3 * accounts,
      3 * accounts,
    ]);
    expect(programs.length).toBeLessThanOrEqual(28 + 11 * accounts);
  });
});

test('a watched wave keeps no job running, and the next wave begins after its time', async () => {
  await inWaves.use(async fleet => {
    const first = await fleet.fleet(APPLY, { now: 0 });
    expect(first.code).toBe(4);
    expect(first.stdout).toContain('watched until 1970-01-01T00:10:00.000Z');
    expect((await groupsOf(fleet)).findIndex(isApplied)).toBe(CANARY);
    const early = await fleet.fleet(CONTINUE, { now: 9 * 60_000 });
    expect(early.code).toBe(4);
    expect((await groupsOf(fleet)).filter(isApplied)).toHaveLength(1);
    const second = await fleet.fleet(CONTINUE, { now: 11 * 60_000 });
    expect(second.stderr).toBe('');
    expect(second.code).toBe(0);
    expect(await groupsOf(fleet)).toEqual([APPLIED, APPLIED]);
  });
});

test('a machine whose clock is ahead of the server ends no watch time, and one that is behind starts it by the server', {
  tags: 'variation',
}, async () => {
  const minute = 60_000;
  let server = 0;
  const clock = () => new Date(server);
  await inFleet({ tenants: 2, files: { 'fleet.yaml': WAVES }, clock }, async fleet => {
    await fleet.fleet(PLAN);
    server = 60 * minute;
    const first = await fleet.fleet(APPLY, { now: 0 });
    expect([first.code, first.stdout]).toEqual([
      4,
      expect.stringContaining('watched until 1970-01-01T01:10:00.000Z'),
    ]);
    server = 61 * minute;
    const early = await fleet.fleet(CONTINUE, { now: 75 * minute });
    expect(early.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'the clock of this machine is 14 minutes ahead of the clock of the server, so the watch time of the wave may not be over',
    );
    expect(early.code).toBe(6);
    expect((await groupsOf(fleet)).filter(isApplied)).toHaveLength(1);
    server = 72 * minute;
    const second = await fleet.fleet(CONTINUE, { now: 75 * minute });
    expect({ code: second.code, stderr: second.stderr }).toEqual({ code: 0, stderr: '' });
  });
});

test('accounts that could not be planned are listed until the rollout ends', {
  tags: 'variation',
}, async () => {
  await inFleet({ files: { 'fleet.yaml': WAVES } }, async fleet => {
    const faulty = fleet.domain(2);
    await fleet.write({ [`customers/${faulty}/own.yaml`]: 'groups: [{ nam: x }]\n' });
    expect((await fleet.fleet(PLAN)).code).toBe(3);
    const says = `Not in this rollout, because they could not be planned: ${faulty}`;
    const started = await fleet.fleet(APPLY, { now: 0 });
    expect([started.code, started.stdout]).toEqual([4, expect.stringContaining(says)]);
    expect((await fleet.fleet(['status', '--once'])).stdout).toContain(says);
    const { stdout } = await fleet.fleet(['status', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ unplanned: [faulty] });
    const ended = await fleet.fleet(CONTINUE, { now: 11 * 60_000 });
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining(says)]);
    expect(ended.stdout).toContain('Rollout complete: 2 of 2 accounts healthy.');
  });
});

describe('an unhealthy account', () => {
  const failing = async (fleet: TestFleet) => {
    for (const { id } of fleet.msp.tenants)
      await fleet.msp.control(undefined, 'POST', '/emulator/faults', {
        account: id,
        method: 'POST',
        path: '/api/groups',
        effect: 'status',
        status: 400,
        nth: 1,
        times: 1,
      });
    return fleet.fleet(APPLY);
  };

  test('stops all later waves, which are listed', async () => {
    await inWaves.use(async fleet => {
      const stopped = await failing(fleet);
      expect(stopped.code).toBe(6);
      expect(stopped.stderr).toContain('the rollout is stopped:');
      expect(stopped.stdout).toContain('`meshform fleet apply --continue --accept NAME`');
      const [begun, other] = fleet.msp.tenants;
      expect(stopped.stderr).toContain(`  ${begun?.domain}: `);
      expect(stopped.stderr).toMatch(new RegExp(`not begun: .*${other?.domain}`));
      expect((await groupsOf(fleet)).filter(groups => groups.length > 1)).toHaveLength(1);
      const again = await fleet.fleet(CONTINUE);
      expect(again.code).toBe(6);
      const stray = await fleet.fleet([...CONTINUE, '--accept', other?.domain ?? '']);
      expect(stray.code).toBe(6);
      expect((await groupsOf(fleet)).filter(groups => groups.length > 1)).toHaveLength(1);
    });
  });

  test('no longer stops later waves once it is accepted by name', async () => {
    await inWaves.use(async fleet => {
      const { stderr } = await failing(fleet);
      await fleet.msp.mend();
      const [, name = ''] = /--accept (\S+)/.exec(stderr) ?? [];
      const accepted = await fleet.fleet([...CONTINUE, '--accept', name]);
      expect(accepted.code).toBe(0);
      expect((await groupsOf(fleet))[1]).toEqual(APPLIED);
    });
  });

  test('is left unchanged once it is accepted, and is applied by a separate plan', {
    tags: 'variation',
  }, async () => {
    await inWaves.use(async fleet => {
      const { stderr } = await failing(fleet);
      await fleet.msp.mend();
      const [, name = ''] = /--accept (\S+)/.exec(stderr) ?? [];
      const [left] = await groupsOf(fleet);
      expect(left).not.toEqual(APPLIED);
      const accepted = await fleet.fleet([...CONTINUE, '--accept', name]);
      expect(accepted.code).toBe(0);
      expect(await groupsOf(fleet)).toEqual([left, APPLIED]);
      expect((await fleet.fleet([...PLAN, '--force', '--account', name])).code).toBe(0);
      // It is the first wave of this rollout, which is watched.
      expect(await fleet.fleet(APPLY)).toMatchObject({ code: 4, stderr: '' });
      expect(await groupsOf(fleet)).toEqual([APPLIED, APPLIED]);
    });
  });

  test('is recognised by a change that somebody made while it was watched', {
    tags: 'variation',
  }, async () => {
    await watched.use(async fleet => {
      const id = fleet.msp.tenants[CANARY]?.id;
      const { body } = await fleet.msp.call(id, 'GET', '/api/groups');
      const group = (body as unknown as { name: string; id: string }[]).find(
        one => one.name === 'admins',
      );
      await fleet.msp.call(id, 'DELETE', `/api/groups/${group?.id}`);
      const stopped = await fleet.fleet(CONTINUE, { now: 11 * 60_000 });
      expect(stopped.code).toBe(6);
      expect(stopped.stderr).toContain('a fresh plan has a change');
      expect((await groupsOf(fleet)).filter(groups => groups.length > 1)).toHaveLength(1);
    });
  });
});

const CLOSED = `policies:
  - name: Default
    enabled: false
    rules: [{ name: Default, sources: [All], destinations: [All], protocol: all, bidirectional: true }]
access_tests: [{ name: closed, from: group/admins, deny: ["group/servers:tcp/22"] }]
`;

test('an access test that fails after the watch time makes an account unhealthy, although its plan is empty', {
  tags: 'variation',
}, async () => {
  const files = { 'fleet.yaml': WAVES, 'baseline/closed.yaml': CLOSED };
  await inFleet({ tenants: 2, files }, async ({ fleet, msp }) => {
    await fleet(PLAN);
    expect((await fleet(APPLY, { now: 0 })).code).toBe(4);
    // Somebody opens what the test says is closed, with an object that the files do not have.
    const canary = msp.tenants[CANARY];
    const { body } = await msp.call(canary?.id, 'GET', '/api/groups');
    const groups = body as unknown as { id: string; name: string }[];
    const idsOf = (name: string) =>
      groups.flatMap(group => (group.name === name ? [group.id] : []));
    const rule = { name: 'r', enabled: true, action: 'accept', protocol: 'all' };
    const between = { sources: idsOf('admins'), destinations: idsOf('servers') };
    await msp.call(canary?.id, 'POST', '/api/policies', {
      name: 'by hand',
      enabled: true,
      rules: [{ ...rule, ...between, bidirectional: false }],
    });
    const stopped = await fleet(CONTINUE, { now: 11 * 60_000 });
    expect([stopped.code, stopped.stderr]).toEqual([
      6,
      expect.stringContaining(`an access test of \`${canary?.domain}\` fails`),
    ]);
    expect(stopped.stderr).toContain(`not begun: ${msp.tenants[1]?.domain}`);
  });
});

test('an account that no longer exists does not delay the rollout, and a new account waits for the next rollout', {
  tags: 'variation',
}, async () => {
  await watched.use(async fleet => {
    const { msp } = fleet;
    const [, second] = msp.tenants;
    const users = (await msp.call(second?.id, 'GET', '/api/users')).body;
    const owner = (users as unknown as { id: string; role: string }[]).find(
      ({ role }) => role === 'owner',
    );
    const unlink = `/api/integrations/msp/tenants/${second?.id}/unlink`;
    expect((await msp.call(undefined, 'POST', unlink, { owner: owner?.id ?? '' })).status).toBe(
      200,
    );
    const late = { name: 'late', domain: 'late.example' };
    const made = Object(await msp.control(undefined, 'POST', '/emulator/tenants', late));
    const ended = await fleet.fleet(CONTINUE, { now: 11 * 60_000 });
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('Rollout complete: 1 of 2 accounts healthy.');
    expect(ended.stdout).toContain(`  ${second?.domain}  gone\n`);
    const { body } = await msp.call(made.id, 'GET', '/api/groups');
    expect((body as unknown as { name: string }[]).map(({ name }) => name)).toEqual(['All']);
  });
});

test('a rollout notifies when it begins, stops and ends, once for all accounts', async () => {
  await inWaves.use(async fleet => {
    const { env, events } = await notified();
    await fleet.fleet([...APPLY, '--notify'], { env, now: 0 });
    expect(events()).toEqual(['started']);
    await fleet.fleet([...CONTINUE, '--notify'], { env, now: 11 * 60_000 });
    expect(events()).toEqual(['started', 'finished']);
  });
});

/** A receiver of notifications of rollouts, with the variables that lead to it. */
async function notified() {
  const { url, received } = await receiver();
  return {
    env: { MESHFORM_NOTIFY_URL: url },
    events: () => received.map(({ text }) => String(JSON.parse(text).meshform.event)),
  };
}

test('a rollout continues without the folder of its plans, on any machine', {
  tags: 'variation',
}, async () => {
  await watched.use(async fleet => {
    await rm(join(fleet.folder, 'plans'), { recursive: true });
    const second = await fleet.fleet(CONTINUE, { now: 11 * 60_000 });
    expect(second.code).toBe(0);
    expect(await groupsOf(fleet)).toEqual([APPLIED, APPLIED]);
  });
});

describe('a stale plan', () => {
  const changed = async (fleet: TestFleet, name: string) => {
    const id = fleet.msp.tenants[0]?.id;
    await fleet.msp.call(id, 'POST', '/api/groups', { name });
    return fleet.fleet(APPLY);
  };

  test('a stale plan that would now make other changes leaves its account unchanged', async () => {
    const files = { 'fleet.yaml': `${FLEET}stop: { stale: 50% }\n` };
    await inFleet({ tenants: 2, files }, async fleet => {
      await fleet.fleet(PLAN);
      const ended = await changed(fleet, 'admins');
      expect(ended.code).toBe(4);
      expect(ended.stdout).toContain('stale');
      const [first, ...others] = await groupsOf(fleet);
      expect(first).toEqual(['All', 'admins']);
      expect(others).toEqual([APPLIED]);
    });
  });

  test('is made again and carried out if only an unaffected object is new', {
    tags: 'variation',
  }, async () => {
    await watched.use(async fleet => {
      for (const { id } of fleet.msp.tenants)
        await fleet.msp.call(id, 'POST', '/api/groups', { name: 'by-hand' });
      // Without the plans they are made again, and a new account is new no more.
      const { code, stderr } = await fleet.fleet(CONTINUE, { now: 11 * 60_000 });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const others = (await groupsOf(fleet)).map(groups => groups.filter(one => one !== 'by-hand'));
      expect(others).toEqual([APPLIED, APPLIED]);
    });
  });

  test('stops the rollout if more plans are stale than the file allows', {
    tags: 'variation',
  }, async () => {
    await planned.use(async fleet => {
      const ended = await changed(fleet, 'admins');
      expect(ended.code).toBe(6);
      expect(ended.stderr).toContain('changed since it was approved');
    });
  });
});

describe('an account that another run holds', () => {
  test('waits, and is applied by the next run', async () => {
    await inWaves.use(async fleet => {
      const index = JSON.parse(await readFile(join(fleet.folder, 'plans/fleet.json'), 'utf8'));
      const held = index.accounts.map(({ account }: { account: string }) => account);
      const message = `meshform lock: hold\n\nid: x\nreason: freeze\nperson: z\nsince: 1970-01-01T00:00:00Z\n`;
      const commit = git(fleet.folder, 'commit-tree', '-m', message, 'HEAD^{tree}').trim();
      for (const account of held)
        git(fleet.folder, 'push', '--quiet', 'origin', `${commit}:refs/meshform-locks/${account}`);
      const waiting = await fleet.fleet(APPLY, { now: 0 });
      expect({ code: waiting.code, stderr: waiting.stderr }).toEqual({ code: 4, stderr: '' });
      expect(waiting.stdout).toContain(
        '1 account could not begin, because somebody else holds the lock',
      );
      const status = await fleet.fleet(['status', '--once']);
      expect(status.stdout).toContain('is held on purpose');
      expect((await groupsOf(fleet)).some(isApplied)).toBe(false);
      for (const account of held)
        git(fleet.folder, 'push', '--quiet', 'origin', `:refs/meshform-locks/${account}`);
      expect((await fleet.fleet(CONTINUE, { now: 0 })).stdout).toContain('Wave 1 is watched');
      expect((await groupsOf(fleet)).filter(isApplied)).toHaveLength(1);
    });
  });
});

test('a fleet file has at most one open rollout', async () => {
  await watched.use(async fleet => {
    const second = await fleet.fleet(APPLY);
    expect(second.code).toBe(6);
    expect(second.stderr).toContain('`fleet.yaml` has an open rollout');
    expect(second.stderr).toContain('meshform fleet apply --continue');
  });
});

test('drift names the rollout that applied the account last', { tags: 'variation' }, async () => {
  await watched.use(async fleet => {
    const { msp } = fleet;
    const { id, domain = '' } = msp.tenants[CANARY] ?? {};
    const { body } = await msp.call(id, 'GET', '/api/groups');
    const group = (body as unknown as { id: string; name: string }[]).find(
      ({ name }) => name === 'servers',
    );
    await msp.call(id, 'DELETE', `/api/groups/${group?.id}`);
    const { rollout } = JSON.parse((await fleet.fleet(['status', '--format', 'json'])).stdout);
    const { code, stdout } = await fleet.fleet(['drift', '--account', domain]);
    expect(stdout).toContain(`Last applied by the rollout ${rollout}, which began at 1970-01-01T`);
    expect(code).toBe(2);
  });
});

test('no account is in two open rollouts, whatever the fleet file is called', async () => {
  await watched.use(async fleet => {
    git(fleet.folder, 'mv', 'fleet.yaml', 'all.yaml');
    // The rollout of the file under its former name is not silently overlooked.
    for (const words of [['status'], ['apply', '--continue']]) {
      const { stderr } = await fleet.fleet(words.toSpliced(1, 0, 'all.yaml'));
      expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
        /a rollout of `fleet\.yaml`, a file that this checkout does not have, is open: .*`meshform fleet apply fleet\.yaml --continue`/,
      );
    }
    const [first, ...words] = PLAN.with(-1, 'again');
    expect((await fleet.fleet([first ?? '', 'all.yaml', ...words])).code).toBe(0);
    const second = await fleet.fleet(['apply', 'again', '--yes']);
    expect(second.stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /and 1 other account are in the open rollout of `fleet\.yaml`, .*`meshform fleet apply fleet\.yaml --continue`/,
    );
    expect(second.code).toBe(6);
  });
});

/** A clock for runs beside each other: a run that waits goes on once another one ends, or all of them wait. */
function sharedClock() {
  const waiting = new Set<() => void>();
  let running = 0;
  const wake = () => {
    for (const goOn of [...waiting]) goOn();
    waiting.clear();
  };
  const clock = {
    now: () => 0,
    sleep: () =>
      new Promise<void>(goOn => {
        waiting.add(goOn);
        if (waiting.size >= running) wake();
      }),
  };
  const within = async (run: () => Promise<Ended>): Promise<Ended> => {
    running += 1;
    try {
      return await run();
    } finally {
      running -= 1;
      wake();
    }
  };
  return { clock, within };
}

test('shards share the accounts of one rollout, and notify once together', {
  tags: 'variation',
}, async () => {
  // By the hashes of their names, every shard has one of these accounts.
  await inFleet({ tenants: 5 }, async fleet => {
    await fleet.fleet(PLAN);
    const { clock, within } = sharedClock();
    const { env, events } = await notified();
    const ended = await Promise.all(
      [1, 2, 3].map(i =>
        within(() => {
          const words = [...APPLY, '--shard', `${i}/3`, '--wait', '1m', '--notify'];
          return fleet.fleet(words, { clock, env });
        }),
      ),
    );
    expect(events()).toEqual(['started', 'finished']);
    expect(ended.map(({ stderr }) => stderr)).toEqual(['', '', '']);
    expect(await groupsOf(fleet)).toEqual(Array.from({ length: 5 }, () => APPLIED));
    // Each group was created once.
    for (const { id } of fleet.msp.tenants) {
      const posts = fleet.msp.requestsOf(id).filter(({ method }) => method === 'POST');
      expect(posts).toHaveLength(2);
    }
  });
});

test('a shard waits for a shard that begins later', { tags: 'variation' }, async () => {
  // The account of the first wave belongs to the second shard.
  await inFleet(
    { tenants: 2, files: { 'fleet.yaml': WAVES.replace('bake: 10m', 'bake: 0s') } },
    async fleet => {
      await fleet.fleet(PLAN);
      const { clock, within } = sharedClock();
      const shard = (which: string, sleep = clock.sleep) =>
        within(() => fleet.fleet([...APPLY, '--shard', which], { clock: { ...clock, sleep } }));
      let second: Promise<Ended> | undefined;
      const first = await shard('1/2', () => {
        second ??= shard('2/2');
        return clock.sleep();
      });
      expect(first.stderr).toBe('');
      second ??= shard('2/2');
      expect((await second).stderr).toBe('');
      expect((await groupsOf(fleet)).every(isApplied)).toBe(true);
    },
  );
});

test('a wave that matches no account is an error, so that no canary is skipped', async () => {
  const typo = `${FLEET}    labels: { size: small }
waves:
  - { match: { size: smal }, count: 1, bake: 1h }
  - { share: 100% }
`;
  await inFleet({ tenants: 1, files: { 'fleet.yaml': typo } }, async fleet => {
    const { code, stderr } = await fleet.fleet(PLAN);
    expect([code, stderr]).toEqual([3, expect.stringContaining('no account matches wave 1')]);
  });
});

test('a plan that was changed after it was made stops the rollout before it begins', async () => {
  await planned.use(async fleet => {
    const [, last] = fleet.msp.tenants;
    const file = join(fleet.folder, 'plans', `${last?.domain}.plan.json`);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll('servers', 'others'));
    const { code, stderr } = await fleet.fleet(APPLY);
    expect([code, stderr]).toEqual([3, expect.stringContaining('was changed after it was made')]);
    await rm(file);
    expect((await fleet.fleet(APPLY)).code).toBe(3);
    expect((await groupsOf(fleet)).some(isApplied)).toBe(false);
  });
});

test('a rollout whose ledger somebody deleted can be given up, and the next one begins', async () => {
  await watched.use(async fleet => {
    const ref = git(fleet.remote, 'for-each-ref', '--format=%(refname)', 'refs/meshform-fleet');
    git(fleet.remote, 'update-ref', '-d', ref.trim());
    const lost = await fleet.fleet(CONTINUE);
    expect([lost.code, lost.stderr]).toEqual([6, expect.stringContaining('--abandon REASON')]);
    const gone = await fleet.fleet(['apply', '--abandon', 'the ledger is gone']);
    expect([gone.code, gone.stderr]).toEqual([0, '']);
    await fleet.fleet([...PLAN, '--force']);
    expect((await fleet.fleet(APPLY)).code).toBe(4);
  });
});

test('a ledger written without the signing key is refused', async () => {
  await watched.use(async fleet => {
    const env = { MESHFORM_SIGNING_KEY: 'b'.repeat(64) };
    const refused = await fleet.fleet(CONTINUE, { env, now: 11 * 60_000 });
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain('is not signed with a key of this run');
  });
});

test('a rollout cannot be given up with another key than that of its ledger', {
  tags: 'variation',
}, async () => {
  await watched.use(async fleet => {
    const refs = git(fleet.remote, 'for-each-ref');
    const env = { MESHFORM_SIGNING_KEY: 'b'.repeat(64) };
    const refused = await fleet.fleet(['apply', '--abandon', 'wrong baseline'], { env });
    expect([refused.code, refused.stderr]).toEqual([
      6,
      expect.stringContaining('is not signed with a key of this run'),
    ]);
    expect(git(fleet.remote, 'for-each-ref')).toBe(refs);
  });
});

describe('the command line of a rollout', () => {
  for (const [words, code, says] of [
    [['apply', 'plans'], 64, 'nothing says that these plans were approved'],
    [['apply', '.'], 64, 'has no plans of a fleet'],
    [['apply', 'plans', '--yes', '--accept', 'x'], 64, 'works only with --continue'],
    [CONTINUE, 3, 'the fleet has no open rollout'],
    [[...APPLY, '--notify'], 64, 'no address for notifications is in MESHFORM_NOTIFY_URL'],
    [['apply', 'plans', '--digest', `sha256:${'0'.repeat(64)}`], 3, 'have the digest'],
  ] as const)
    test(`${words.join(' ')}: ${says}`, async () => {
      await planned.use(async fleet => {
        const ended = await fleet.fleet(words);
        expect(ended.stderr).toContain(says);
        expect(ended.code).toBe(code);
      });
    });
});

test('`fleet list` shows, beside an open rollout, which accounts are new', {
  tags: 'variation',
}, async () => {
  await watched.use(async fleet => {
    await fleet.msp.control(undefined, 'POST', '/emulator/tenants', {
      name: 'late',
      domain: 'late.example',
    });
    const { stdout, code } = await fleet.fleet(['list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/late\.example.*new/);
  });
});

test('a rollout can be given up with a reason, and a new rollout may begin', {
  tags: 'variation',
}, async () => {
  await watched.use(async fleet => {
    const ended = await fleet.fleet(['apply', '--abandon', 'wrong baseline']);
    expect(ended.stderr).toBe('');
    expect(ended.stdout).toContain('is given up; 1 account not begun.');
    expect(ended.code).toBe(0);
    expect((await groupsOf(fleet)).filter(isApplied)).toHaveLength(1);
    expect((await fleet.fleet(CONTINUE)).code).toBe(3);
    await fleet.fleet([...PLAN, '--force']);
    expect((await fleet.fleet(APPLY)).code).toBe(4);
  });
});

test('plans that a commit may have added are applied only with the approved digest', async () => {
  await planned.use(async fleet => {
    git(fleet.folder, 'add', '--force', 'plans');
    git(fleet.folder, 'commit', '--quiet', '--message', 'Plans of a pull request');
    const refused = await fleet.fleet(APPLY);
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain('git tracks it');
    expect((await groupsOf(fleet)).some(isApplied)).toBe(false);
  });
});

describe('files that change while a wave is watched', () => {
  const merged = async (fleet: TestFleet) => {
    await fleet.write({ 'baseline/base.yaml': 'groups: [{ name: admins }, { name: later }]\n' });
    git(fleet.folder, 'commit', '--quiet', '--all', '--message', 'Another change');
  };

  test('do not make an account unhealthy if it is as the apply left it', {
    tags: 'variation',
  }, async () => {
    await watched.use(async fleet => {
      await merged(fleet);
      const { code, stderr } = await fleet.fleet(
        ['apply', join(fleet.folder, 'plans'), '--continue'],
        {
          now: 11 * 60_000,
        },
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      // What was approved was applied, not what came since.
      expect(await groupsOf(fleet)).toEqual([APPLIED, APPLIED]);
    });
  });

  test('do not hide that somebody changed the account', { tags: 'variation' }, async () => {
    await watched.use(async fleet => {
      await merged(fleet);
      const id = fleet.msp.tenants[CANARY]?.id;
      const { body } = await fleet.msp.call(id, 'GET', '/api/groups');
      const groups = body as unknown as { name: string; id: string }[];
      const group = groups.find(({ name }) => name === 'admins');
      await fleet.msp.call(id, 'DELETE', `/api/groups/${group?.id}`);
      const { code, stderr } = await fleet.fleet(CONTINUE, { now: 11 * 60_000 });
      expect(code).toBe(6);
      expect(stderr).toContain('a fresh plan has a change');
    });
  });
});

test('a rollout that is open at another remote of the clone is not overlooked, whatever the files choose', {
  tags: 'variation',
}, async () => {
  await watched.use(async fleet => {
    const fork = join(fleet.home, 'fork.git');
    git(fleet.home, 'init', '--quiet', '--bare', fork);
    git(fleet.folder, 'remote', 'add', 'fork', fork);
    await fleet.write({ 'meshform.yaml': 'lock_remote: fork\n' });
    const told = 'the remote `origin` has an open rollout of the fleet';
    const started = await fleet.fleet(APPLY, { now: 0 });
    expect(started.stderr.replaceAll(/\s+/g, ' ')).toContain(told);
    expect(started.code).toBe(6);
    expect(git(fork, 'for-each-ref')).toBe('');
    const continued = await fleet.fleet(CONTINUE, { now: 11 * 60_000 });
    expect(continued.code).toBe(3);
    expect(continued.stderr.replaceAll(/\s+/g, ' ')).toContain(told);
    expect((await groupsOf(fleet)).filter(isApplied)).toHaveLength(1);
    await rm(join(fleet.folder, 'meshform.yaml'));
    expect((await fleet.fleet(CONTINUE, { now: 11 * 60_000 })).code).toBe(0);
  });
});
