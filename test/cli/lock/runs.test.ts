// The journals of all machines at the Git remote: listed, shown, resumed, undone and closed by any of them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockMessage } from '../../../src/apply/lockRecord.ts';
import { git } from '../../support/git.ts';
import { expectCode, type Machine, type Machines, machines, PRUNE } from './sharedMachines.ts';

/** A create of a group that the server refuses once. */
const REFUSED = { method: 'POST', path: '/api/groups', effect: 'status', status: 400, times: 1 };

const failing = ({ account }: Machines) => account.fault(REFUSED);

const journalsOf = ({ remote, id }: Machines): string => {
  const ref = `refs/meshform-journal/${id}`;
  const files = git(remote, 'ls-tree', '--name-only', ref).trim().split('\n');
  return files.filter(name => name.endsWith('.jsonl')).join('\n');
};

interface Listed {
  readonly run: string;
  readonly verified: boolean;
  readonly outcome: string;
  readonly undone_by?: string;
  readonly undoes?: string;
  readonly closed_by?: string;
  readonly revision?: string;
  readonly by?: { readonly person?: string; readonly machine: string };
  readonly resumed_by: readonly unknown[];
}

async function runsOf(machine: Machine): Promise<Listed[]> {
  const { code, stdout, stderr } = await machine.run('runs', 'network', '--format', 'json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).runs;
}

test('every machine lists the applies of all machines, with plan and outcome', {
  tags: 'variation',
}, async () => {
  await machines(async all => {
    const one = await all.machine('one');
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    const two = await all.machine('two');
    const [run] = await runsOf(two);
    expect(run).toMatchObject({
      verified: true,
      outcome: 'complete',
      revision: git(one.folder, 'rev-parse', 'HEAD').trim(),
      by: { machine: 'test' },
    });
    const table = await two.run('runs', 'network');
    expect(table.stdout).toMatch(/^RUN +BEGAN +BY +REVISION +PLAN +ACCESS +OUTCOME\n/);
    expect(table.stdout).toContain('+2 ~0 -0');
    const shown = await two.run('runs', 'show', run?.run.slice(0, 8) ?? '', 'network');
    expectCode(shown, 0);
    expect(shown.stdout).toContain('+ group "a"');
    expect(shown.stdout).toContain('Outcome');
    expectCode(await two.run('runs', 'show', '00000000', 'network'), 64);
  });
});

test('an apply that writes nothing leaves no journal', { tags: 'variation' }, async () => {
  await machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const before = journalsOf(all);
    expectCode(await one.apply(), 0);
    expect(journalsOf(all)).toBe(before);
  });
});

test('another machine resumes an unfinished run without a file, and the next command of the first machine says so', async () => {
  await machines(async all => {
    const one = await all.machine('one');
    await one.declare('a', 'b', 'c');
    await failing(all);
    const broken = await one.apply('--concurrency', '1', '--on-error', 'stop');
    expectCode(broken, 4);
    const two = await all.machine('two');
    const resumed = await two.run('apply', 'network', '--resume', '--yes');
    expectCode(resumed, 0);
    expect(await all.groups()).toEqual(['a', 'b', 'c']);
    const [run] = await runsOf(one);
    expect(run).toMatchObject({ outcome: 'complete', resumed_by: [{ machine: 'test' }] });
    const late = await one.run('apply', 'network', '--resume', '--yes');
    expectCode(late, 6);
    expect(late.stderr).toContain(
      'at the Git remote contains more than the journal on this machine',
    );
    // It records the base as the first one would have.
    await two.declare('a');
    expectCode(await two.apply(), 0);
    expect(await all.groups()).toEqual(['a']);
  });
});

test('a run can be undone by its name on any machine, and the lists show both runs as undo and undone', async () => {
  await machines(async all => {
    const one = await all.machine('one');
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    const two = await all.machine('two');
    const [run] = await runsOf(two);
    const name = run?.run.slice(0, 8) ?? '';
    const undone = await two.run(
      'apply',
      'network',
      '--undo',
      name,
      '--yes',
      '--allow',
      'DELETES_OBJECT',
    );
    expectCode(undone, 0);
    expect(await all.groups()).toEqual([]);
    const runs = await runsOf(one);
    const undo = runs.find(({ undoes }) => undoes !== undefined);
    const first = runs.find(({ undoes }) => undoes === undefined);
    expect(undo).toMatchObject({ undoes: first?.run, outcome: 'complete' });
    expect(first?.undone_by).toBe(undo?.run);
  });
});

test('a saved plan with a base from another machine counts as applied, without a fetch', {
  tags: 'variation',
}, async () => {
  await machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    await one.declare('a', 'b');
    const two = await all.machine('two');
    expectCode(
      await one.run('plan', 'network', '--base', 'auto', '--record-base', '--out', '../plan.json'),
      0,
    );
    const apply = ['apply', '../plan.json', '--record-base', '--yes'];
    for (const machine of [two, two, one]) {
      const ended = await machine.run(...apply);
      expectCode(ended, 0);
    }
  });
});

test('a saved plan that one machine applied is not applied again by another machine', async () => {
  await machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    await one.declare('a', 'b');
    const two = await all.machine('two');
    const plan = ['plan', 'network', '--base', 'auto', '--record-base', '--out', '../plan.json'];
    expectCode(await one.run(...plan), 0);
    const apply = ['apply', '../plan.json', '--record-base', '--yes'];
    expectCode(await one.run(...apply), 0);
    // Somebody puts the account back: the plan would fit again.
    const groups = (await all.account.call('GET', '/api/groups')) as { id: string; name: string }[];
    const made = groups.find(({ name }) => name === 'b');
    await all.account.call('DELETE', `/api/groups/${made?.id}`);
    const again = await two.run(...apply);
    expectCode(again, 5);
    expect(again.stderr).toContain('group.b');
    expect(await all.groups()).toEqual(['a']);
  });
});

/** The lock of the account as a run holds it. */
async function lockedBy(run: string, { folder }: Machine, { lock }: Machines): Promise<void> {
  const record = { id: run, machine: 'runner', since: '1970-01-01T00:00:00Z', is: 'run' } as const;
  const message = lockMessage({ ...record, ttl: 180, counter: 1 });
  const tree = git(folder, 'hash-object', '-t', 'tree', '-w', '/dev/null').trim();
  const commit = git(folder, 'commit-tree', '-m', message, tree).trim();
  git(folder, 'push', '--quiet', 'origin', `${commit}:${lock}`);
}

/** A machine that had applied the group `a`, and whose apply of `b` and `c` ended after `b`. */
async function unfinished(all: Machines): Promise<Machine> {
  const one = await all.machine('one');
  await one.declare('a');
  expectCode(await one.apply(), 0);
  await one.declare('a', 'b', 'c');
  await all.account.fault({ ...REFUSED, nth: 2 });
  expectCode(await one.apply('--concurrency', '1', '--on-error', 'stop'), 4);
  return one;
}

describe('an unfinished apply', () => {
  test('is closed by the next apply that prunes, which deletes the undeclared objects it created', async () => {
    await machines(async all => {
      await unfinished(all);
      expect(await all.groups()).toEqual(['a', 'b']);
      const two = await all.machine('two');
      await two.declare('a');
      const next = await two.apply();
      expectCode(next, 0);
      expect(next.stderr).toContain('was not finished: it created group.b, which is deleted');
      expect(await all.groups()).toEqual(['a']);
      const outcomes = (await runsOf(two)).map(({ outcome }) => outcome);
      expect(outcomes).toContain('superseded');
      expect(outcomes).not.toContain('incomplete');
    });
  });

  test('has its objects deleted by a change that reverts it, in plan and apply', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      await unfinished(all);
      const two = await all.machine('two');
      await two.declare('a');
      const plan = ['plan', 'network', ...PRUNE, '--base', 'auto', '--detailed-exitcode'];
      const shown = await two.run(...plan);
      expectCode(shown, 2);
      expect(shown.stdout).toContain('- group "b"');
      expect(shown.stderr).toContain('was not finished: it created group.b, which is deleted');
      const limited = await two.run(...plan, '--only', 'group/a');
      expectCode(limited, 0);
      expect(limited.stderr).toContain('it created group.b, which stays if no file declares it');
      const other = { MESHFORM_SIGNING_KEY: 'the key of a job that only plans' };
      const unsigned = await two.runWith(other, ...plan);
      expectCode(unsigned, 0);
      expect(unsigned.stderr).toContain(
        'an apply with the right key deletes what that run created and no file declares',
      );
      expectCode(await two.apply(), 0);
      expect(await all.groups()).toEqual(['a']);
      const after = await two.run(...plan);
      expectCode(after, 0);
      expect(after.stderr).not.toContain('was not finished');
    });
  });

  test('is in progress while it holds the lock: plans ignore what it creates, and nobody is asked to close it', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await unfinished(all);
      const open = (await runsOf(one)).find(({ outcome }) => outcome === 'incomplete');
      await lockedBy(open?.run ?? '', one, all);
      const two = await all.machine('two');
      await two.declare('a');
      const plan = await two.run('plan', 'network', ...PRUNE, '--base', 'auto');
      expectCode(plan, 0);
      expect(plan.stdout).not.toContain('- group "b"');
      expect(plan.stderr).toContain('holds the lock of the account: it is under way');
      expect(plan.stderr).not.toContain('--abandon');
      const found = (await runsOf(two)).find(({ run }) => run === open?.run);
      expect(found?.outcome).toBe('running');
    });
  });

  test.for([
    ['limited to other objects', ['--only', 'group/c']],
    ['that does not prune', []],
  ] as const)(
    'stays unfinished after an apply %s, and the next complete apply undoes it',
    { tags: 'variation' },
    async ([, flags]) => {
      await machines(async all => {
        await unfinished(all);
        const two = await all.machine('two');
        await two.declare('a', 'c');
        const between = ['apply', 'network', '--base', 'auto', '--record-base', '--yes', ...flags];
        expectCode(await two.run(...between), 0);
        expect(await all.groups()).toEqual(['a', 'b', 'c']);
        const resumed = await two.run('apply', 'network', '--resume', '--yes');
        expectCode(resumed, 6);
        expect(resumed.stderr).toContain('after this plan was made');
        const next = await two.apply();
        expectCode(next, 0);
        expect(await all.groups()).toEqual(['a', 'c']);
        expect((await two.apply()).stderr).not.toContain('was not finished');
      });
    },
  );

  test('is identified by its first eight characters or more', { tags: 'variation' }, async () => {
    await machines(async all => {
      const one = await unfinished(all);
      const [run] = await runsOf(one);
      const short = run?.run.slice(0, 7) ?? '';
      const commands = [
        ['apply', 'network', '--abandon', short],
        ['runs', 'show', short, 'network'],
      ];
      for (const command of commands) {
        const ended = await one.run(...command);
        expectCode(ended, 64);
        expect(ended.stderr).toContain('too short to name a run');
      }
    });
  });

  test.for([
    ['and both are there', null],
    ['and the old one is gone', 0],
    ['and somebody deleted the new one', 1],
  ] as const)(
    'an unfinished apply that was replacing a setup key, %s, leaves one key if its change is reverted',
    { tags: 'variation' },
    async ([, gone]) => {
      await machines(async all => {
        const one = await all.machine('one');
        // The change renames the group of the key as well.
        const keyFor = async (type: string, group: string, machine: Machine) => {
          const [name = '', was] = group.split(' was ');
          const lifecycle = was === undefined ? '' : `, lifecycle: { was: ${was} }`;
          const key = `{ name: k, type: ${type}, expires_in: 86400, auto_groups: [${name}] }`;
          await writeFile(
            join(machine.folder, 'network/keys.yaml'),
            `groups: [{ name: ${name}${lifecycle} }]\nsetup_keys: [${key}]\n`,
          );
          await machine.declare('a');
        };
        const keys = async () =>
          ((await all.account.call('GET', '/api/setup-keys')) as { id: string }[]).map(
            ({ id }) => id,
          );
        const allowed = ['--secrets-to', 'file:../secrets', '--allow', 'REVEALS_SECRET'];
        await one.declare('a');
        await keyFor('reusable', 'old', one);
        expectCode(await one.apply(...allowed), 0);
        const before = await keys();
        await keyFor('one-off', 'new was old', one);
        await all.account.fault({ ...REFUSED, method: 'DELETE', path: '/api/setup-keys/*' });
        expectCode(await one.apply(...allowed, '--allow', 'REPLACES_OBJECT'), 4);
        const both = await keys();
        expect(both).toHaveLength(2);
        const made = both.find(id => !before.includes(id));
        const deleted = gone === null ? undefined : [before[0], made][gone];
        if (deleted !== undefined) await all.account.call('DELETE', `/api/setup-keys/${deleted}`);
        const two = await all.machine('two');
        await keyFor('reusable', 'old', two);
        const reverted = await two.apply(...allowed, '--allow', 'REPLACES_OBJECT');
        expectCode(reverted, 0);
        expect(reverted.stderr).not.toContain('they stay as they are');
        if (gone === 0) expect(await keys()).toHaveLength(1);
        else expect(await keys()).toEqual(before);
        expect(await all.groups()).toEqual(['a', 'old']);
      });
    },
  );

  test('an unfinished apply that deleted an object which it was replacing is named as the author if its change is reverted', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      const declare = async (type: string, more: string, machine: Machine) => {
        const key = `{ name: k, type: ${type}, expires_in: 86400 }`;
        await writeFile(join(machine.folder, 'network/keys.yaml'), `setup_keys: [${key}]\n${more}`);
        await machine.declare('a');
      };
      const allowed = ['--secrets-to', 'file:../secrets', '--allow', 'REVEALS_SECRET'];
      await one.declare('a');
      await declare('reusable', '', one);
      expectCode(await one.apply(...allowed), 0);
      await declare('one-off', 'networks: [{ name: n }]\n', one);
      await all.account.fault({ ...REFUSED, method: 'POST', path: '/api/networks' });
      expectCode(await one.apply(...allowed, '--allow', 'REPLACES_OBJECT'), 4);
      const keys = (await all.account.call('GET', '/api/setup-keys')) as { id: string }[];
      expect(keys).toHaveLength(1);
      await all.account.call('DELETE', `/api/setup-keys/${keys[0]?.id}`);
      const two = await all.machine('two');
      await declare('reusable', '', two);
      const planned = await two.run('plan', 'network', '--prune', 'removed', '--base', 'auto');
      const said = planned.stderr.replaceAll(/\s+/g, ' ');
      expect(said).toMatch(
        /OBJECT_DELETED setup_key\.k is no longer in the account: the unfinished apply [\da-f]{8} deleted it; it is created again/,
      );
      expect(said).not.toContain('it was deleted by');
    });
  });

  test('an unfinished apply that renamed a network leaves no children behind if its change is reverted', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      const network = async (text: string, machine: Machine) => {
        await writeFile(join(machine.folder, 'network/networks.yaml'), `networks: [${text}]\n`);
        await machine.declare('a');
      };
      const resources = async () =>
        ((await all.account.call('GET', '/api/networks')) as { resources: string[] }[]).map(
          found => found.resources.length,
        );
      const before = '{ name: n1, resources: [{ name: r1, address: 10.1.0.0/24, groups: [a] }] }';
      await one.declare('a');
      await network(before, one);
      expectCode(await one.apply(), 0);
      const added =
        '{ name: r8, address: 10.8.0.0/24, groups: [a] }, { name: r9, address: r9.example.com, groups: [a] }';
      await network(
        before
          .replace('name: n1', 'name: n9, lifecycle: { was: n1 }')
          .replace(' }] }', ` }, ${added}] }`),
        one,
      );
      await all.account.fault({ ...REFUSED, path: '/api/networks/*/resources', nth: 2 });
      expectCode(await one.apply('--concurrency', '1', '--on-error', 'stop'), 4);
      expect(await resources()).toEqual([2]);
      const two = await all.machine('two');
      await network(before, two);
      expectCode(await two.apply(), 0);
      expect(await resources()).toEqual([1]);
    });
  });

  test('is closed by a saved plan that deletes what it created', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      await unfinished(all);
      const two = await all.machine('two');
      await two.declare('a');
      const plan = ['plan', 'network', ...PRUNE, '--base', 'auto', '--record-base'];
      expectCode(await two.run(...plan, '--out', '../plan.json'), 0);
      const three = await all.machine('three');
      expectCode(await three.run('apply', '../plan.json', '--record-base', '--yes'), 0);
      expect(await all.groups()).toEqual(['a']);
      const outcomes = (await runsOf(two)).map(({ outcome }) => outcome);
      expect(outcomes).toContain('superseded');
      expect(outcomes).not.toContain('incomplete');
      expect((await two.run(...plan)).stderr).not.toContain('was not finished');
    });
  });

  test('is listed by an apply that does not prune, and can be closed with --abandon', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await one.declare('a', 'b');
      await failing(all);
      expectCode(await one.apply('--concurrency', '1'), 4);
      const two = await all.machine('two');
      const plain = await two.runAt(60_000, 'apply', 'network', '--yes');
      expectCode(plain, 0);
      expect(plain.stderr).toContain('was not finished');
      // The rest is done, so nobody is told to continue the first apply.
      const done = await two.runAt(120_000, 'apply', 'network', '--yes');
      expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining('--resume')]);
      const open = (await runsOf(two)).find(({ outcome }) => outcome === 'superseded');
      const name = open?.run.slice(0, 8) ?? '';
      expectCode(await two.run('apply', 'network', '--abandon', name), 0);
      const closed = (await runsOf(one)).find(({ run }) => run === open?.run);
      expect(closed?.outcome).toBe('abandoned');
      const again = await one.run('apply', 'network', '--yes');
      expect(again.stderr).not.toContain('was not finished');
      expectCode(await one.run('apply', 'network', '--resume', '--yes'), 6);
      const by = await two.run('apply', 'network', '--resume', name, '--yes');
      expectCode(by, 6);
      expect(by.stderr).toContain('cannot be continued: it was abandoned');
    });
  });

  test('an abandoned apply is not suggested for continuation on any machine', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      const ask = (machine: Machine) => machine.run('apply', 'network', '--resume', '--yes');
      await one.declare('a', 'b');
      const two = await all.machine('two');
      const plan = ['plan', 'network', '--base', 'auto', '--first', '--record-base'];
      expectCode(await one.run(...plan, '--out', '../plan.json'), 0);
      await all.account.fault({ ...REFUSED, nth: 2 });
      const apply = ['apply', '../plan.json', '--record-base', '--yes'];
      const stopped = await one.run(...apply, '--concurrency', '1', '--on-error', 'stop');
      expectCode(stopped, 4);
      // Until then, either machine is told how to continue it.
      for (const machine of [one, two]) {
        const stale = await machine.run(...apply);
        expectCode(stale, 5);
        expect(stale.stderr).toContain('Continue it with `meshform apply --resume');
        expect(stale.stdout).toContain('was created by an earlier apply of this plan');
      }
      const [run] = await runsOf(one);
      const name = run?.run.slice(0, 8) ?? '';
      const closed = await one.run('apply', 'network', '--abandon', name);
      expect([closed.code, closed.stderr]).toEqual([
        0,
        expect.stringContaining('It created group.'),
      ]);
      for (const machine of [one, two]) {
        const stale = await machine.run(...apply);
        expectCode(stale, 5);
        expect(stale.stdout + stale.stderr).not.toContain('--resume');
      }
      const none = await ask(two);
      expectCode(none, 64);
      expect(none.stderr).toContain('and the Git remote has no unfinished one');
      expect(none.stderr).toContain('name one: `meshform apply network --resume RUN`');
      expectCode(await ask(one), 6);
      expect((await ask(one)).stderr).toContain('cannot be continued: it was abandoned');
      // Its journal on this machine says so, too.
      const beside = await one.run('apply', 'network', '--lock', 'file', '--yes');
      expectCode(beside, 0);
      expect(beside.stderr).not.toContain('--resume');
    });
  });

  test('an unfinished apply of a newer revision is kept by an apply of an older revision', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      const two = await all.machine('two');
      await one.declare('a', 'b', 'c');
      await all.account.fault({ ...REFUSED, nth: 2 });
      expectCode(await one.apply('--concurrency', '1', '--on-error', 'stop'), 4);
      const older = await two.apply();
      expectCode(older, 0);
      expect(older.stderr).toContain('which stays if no file declares it');
      expect(await all.groups()).toEqual(['a', 'b']);
      expectCode(await one.run('apply', 'network', '--resume', '--yes'), 0);
      expect(await all.groups()).toEqual(['a', 'b', 'c']);
    });
  });

  test('an unfinished apply before the recorded base has no effect if somebody restored its journal', {
    tags: 'variation',
  }, async () => {
    await machines(async all => {
      const one = await all.machine('one');
      await one.declare('a', 'b');
      await all.account.fault({ ...REFUSED, nth: 2 });
      expectCode(await one.apply('--concurrency', '1', '--on-error', 'stop'), 4);
      const ref = `refs/meshform-journal/${all.id}`;
      const old = git(all.remote, 'rev-parse', ref).trim();
      git(all.remote, 'update-ref', 'refs/heads/kept', old);
      expectCode(await one.run('apply', 'network', '--resume', '--yes'), 0);
      await one.declare('b');
      const later = ['apply', 'network', '--prune', 'removed', '--base', 'auto', '--record-base'];
      expectCode(await one.runAt(60_000, ...later, '--yes', '--forget', 'group/a'), 0);
      git(all.remote, 'update-ref', ref, old);
      const two = await all.machine('two');
      const applied = await two.apply();
      expectCode(applied, 0);
      expect(applied.stderr).toContain('was not finished');
      expect(await all.groups()).toEqual(['a', 'b']);
      const again = await two.apply();
      expect(again.stderr).not.toMatch(/the apply \w+ of \S+ was not finished/);
      // Nothing there says any longer that the group was given up on purpose.
      expect(again.stderr).toContain('LEFT_BY_RUN group.a was created by the apply');
    });
  });
});

test('the message says what can be done if `--resume` could not complete a run of which somebody deleted an object', {
  tags: 'variation',
}, async () => {
  await machines(async all => {
    const one = await all.machine('one');
    await one.declare('a', 'b');
    await all.account.fault({
      method: 'POST',
      path: '/api/groups',
      effect: 'status',
      status: 400,
      nth: 2,
    });
    expectCode(await one.apply('--concurrency', '1'), 4);
    const outcome = async () => (await one.run('runs', 'network')).stdout;
    expect(await outcome()).toMatch(/incomplete, 1 of 2 actions done$/m);
    const groups = (await all.account.call('GET', '/api/groups')) as {
      readonly id: string;
      readonly name: string;
    }[];
    const [made] = groups.filter(({ name }) => name !== 'All');
    await all.account.call('DELETE', `/api/groups/${made?.id}`);
    expectCode(await one.run('apply', 'network', '--resume', '--yes'), 4);
    const hint = 'an object of it was deleted since: apply the files, or --abandon it';
    expect(await outcome()).toContain(`incomplete, 2 of 2 actions done, ${hint}, resumed 1 time`);
    expectCode(await one.run('apply', 'network', '--resume', '--yes'), 4);
    expectCode(await one.apply(), 0);
    expect(await outcome()).not.toContain('deleted since');
    expect(await all.groups()).toEqual(['a', 'b']);
  });
});

test('--undo without a run undoes the newest apply, even if only this machine has its journal', {
  tags: 'variation',
}, async () => {
  await machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const two = await all.machine('two');
    await two.declare('a', 'b');
    const now = 60_000;
    expectCode(await two.runAt(now, 'apply', 'network', '--yes', '--lock', 'file'), 0);
    const undo = ['apply', 'network', '--undo', '--yes', '--allow', 'DELETES_OBJECT'];
    expectCode(await two.runAt(2 * now, ...undo), 0);
    expect(await all.groups()).toEqual(['a']);
  });
});

test('a run that another key signed is not resumed', async () => {
  await machines(async all => {
    const one = await all.machine('one');
    await one.declare('a', 'b');
    await failing(all);
    expectCode(await one.apply('--concurrency', '1'), 4);
    const two = await all.machine('two');
    const other = { MESHFORM_SIGNING_KEY: 'another key of somebody' };
    const refused = await two.runWith(other, 'apply', 'network', '--resume', '--yes');
    expectCode(refused, 6);
    expect(refused.stderr).toContain('has no valid signature');
  });
});

test('a journal written without the key has no effect, and is not resumed', {
  tags: 'variation',
}, async () => {
  await machines(async all => {
    const one = await all.machine('one');
    await one.declare('a', 'b');
    await failing(all);
    expectCode(await one.apply('--concurrency', '1'), 4);
    const ref = `refs/meshform-journal/${all.id}`;
    const name = journalsOf(all);
    const text = git(all.remote, 'show', `${ref}:${name}`).replaceAll('"name":"b"', '"name":"x"');
    const file = join(all.remote, 'forged');
    await writeFile(file, text);
    const blob = git(all.remote, 'hash-object', '-w', file).trim();
    git(all.remote, 'update-index', '--add', '--cacheinfo', `100644,${blob},${name}`);
    const tree = git(all.remote, 'write-tree').trim();
    git(all.remote, 'update-ref', ref, git(all.remote, 'commit-tree', '-m', 'forged', tree).trim());
    const two = await all.machine('two');
    const resumed = await two.run('apply', 'network', '--resume', name.slice(-42, -34), '--yes');
    expectCode(resumed, 6);
    expect(resumed.stderr).toContain('has no valid signature');
    const applied = await two.apply();
    expectCode(applied, 0);
    expect(applied.stderr).toContain('no key of this run signed its journal: meshform ignores it');
    const [listed] = (await runsOf(two)).filter(({ verified }) => !verified);
    expect(listed?.run).toBe(name.slice(-42, -6));
  });
});
