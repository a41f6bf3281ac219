// The recorded bases at the Git remote: recorded after a push that failed, put back, taken over and forgotten from any clone.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import {
  expectCode,
  type Machine,
  type Machines,
  machines,
  PRUNE,
  refsAt,
} from './sharedMachines.ts';

/** Refuses the refs of bases, and no others. */
const REFUSING = '#!/bin/sh\ncase "$1" in refs/meshform-base/*) echo "not today"; exit 1;; esac\n';

async function refuseBases(remote: string): Promise<() => Promise<void>> {
  const hook = join(remote, 'hooks/update');
  await mkdir(join(remote, 'hooks'), { recursive: true });
  await writeFile(hook, REFUSING);
  await chmod(hook, 0o755);
  return () => rm(hook);
}

test('an apply whose last push fails ends with 4, releases the lock, and prints the command that records its base', async () => {
  await machines(async ({ machine, remote, base, groups }) => {
    const one = await machine('one');
    await one.declare('a', 'b');
    const allow = await refuseBases(remote);
    const ended = await one.apply();
    expectCode(ended, 4);
    expect(ended.stderr).toContain('the account is as planned, but its base is not recorded: ');
    expect(ended.stderr).toContain('not today');
    expect(ended.stderr).toContain('record it with `meshform base record network`');
    expect(refsAt(remote, 'refs/meshform-locks')).toBe('');
    expectCode(await one.run('base', 'record', 'network'), 1);
    await allow();
    const recorded = await one.run('base', 'record', 'network');
    expectCode(recorded, 0);
    expect(recorded.stderr).toContain('at the remote `origin` now');
    expect(refsAt(remote, 'refs/meshform-base')).toBe(base);
    const two = await machine('two');
    await two.declare('a');
    expectCode(await two.apply(), 0);
    expect(await groups()).toEqual(['a']);
  });
});

describe('the base of the last apply', () => {
  const LATER = 60_000;

  test('is not recorded over a newer base of another machine', async () => {
    await machines(async ({ machine, remote, base }) => {
      const one = await machine('one');
      const two = await machine('two');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      await one.declare('a', 'b');
      const allow = await refuseBases(remote);
      expectCode(await one.apply(), 4);
      await allow();
      git(two.folder, 'pull', '--quiet', 'origin', 'main');
      await two.declare('a', 'b', 'c');
      expectCode(await two.applyAt(LATER), 0);
      const newer = git(remote, 'rev-parse', base).trim();
      const refused = await one.runAt(2 * LATER, 'base', 'record', 'network');
      expectCode(refused, 6);
      expect(refused.stderr).toContain(
        'is not the base that the last apply of `network` was compared with',
      );
      expect(git(remote, 'rev-parse', base).trim()).toBe(newer);
      expect(refsAt(remote, 'refs/meshform-locks')).toBe('');
      expectCode(await one.run('base', 'show', 'network'), 0);
    });
  });

  test('is not recorded a second time, neither as the newest nor over a newer one', {
    tags: 'variation',
  }, async () => {
    await machines(async ({ machine, remote, base }) => {
      const one = await machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      const first = git(remote, 'rev-parse', base).trim();
      const again = await one.run('base', 'record', 'network');
      expectCode(again, 6);
      expect(again.stderr).toContain('the base of the last apply of `network` is recorded already');
      expect(git(remote, 'rev-parse', base).trim()).toBe(first);
      const two = await machine('two');
      await two.declare('a', 'c');
      expectCode(await two.applyAt(LATER), 0);
      const newer = git(remote, 'rev-parse', base).trim();
      expectCode(await one.runAt(2 * LATER, 'base', 'record', 'network'), 6);
      expect(git(remote, 'rev-parse', base).trim()).toBe(newer);
    });
  });

  test('is not recorded if somebody restored an older base than a machine has recorded since then', {
    tags: 'variation',
  }, async () => {
    await machines(async ({ machine, remote, base }) => {
      const one = await machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      const first = git(remote, 'rev-parse', base).trim();
      await one.declare('a', 'b');
      const allow = await refuseBases(remote);
      expectCode(await one.apply(), 4);
      await allow();
      const two = await machine('two');
      await two.declare('a', 'b', 'c');
      expectCode(await two.applyAt(LATER), 0);
      git(remote, 'update-ref', base, first);
      expectCode(await one.runAt(2 * LATER, 'base', 'record', 'network'), 6);
      expect(git(remote, 'rev-parse', base).trim()).toBe(first);
    });
  });

  test('is not recorded once another machine has undone that apply', {
    tags: 'variation',
  }, async () => {
    await machines(async ({ machine, remote, groups }) => {
      const one = await machine('one');
      await one.declare('a');
      const allow = await refuseBases(remote);
      expectCode(await one.apply(), 4);
      await allow();
      const two = await machine('two');
      const { stdout } = await two.run('runs', 'network', '--format', 'json');
      const [{ run }] = JSON.parse(stdout).runs;
      const undo = ['apply', 'network', '--undo', run.slice(0, 8), '--yes'];
      expectCode(await two.run(...undo, '--allow', 'DELETES_OBJECT'), 0);
      expect(await groups()).toEqual([]);
      const refused = await one.run('base', 'record', 'network');
      expectCode(refused, 6);
      expect(refused.stderr).toContain('was undone by');
      expect(refsAt(remote, 'refs/meshform-base')).toBe('');
    });
  });

  test('is in the journal at the remote once it is recorded, and the run keeps its name', {
    tags: 'variation',
  }, async () => {
    await machines(async ({ machine, remote, base }) => {
      const one = await machine('one');
      await one.declare('a');
      const allow = await refuseBases(remote);
      expectCode(await one.apply(), 4);
      await allow();
      expectCode(await one.run('base', 'record', 'network'), 0);
      const recorded = git(remote, 'rev-parse', base).trim();
      for (const name of ['one', 'two']) {
        const other = name === 'one' ? one : await machine(name);
        const { stdout } = await other.run('runs', 'network', '--format', 'json');
        expect(JSON.parse(stdout).runs).toMatchObject([
          { verified: true, outcome: 'complete', base: recorded },
        ]);
      }
      expectCode(await one.run('base', 'record', 'network'), 6);
    });
  });
});

test('an older base that was restored at the remote is recorded again by its commit, and by no other commit', {
  tags: 'variation',
}, async () => {
  await machines(async ({ machine, remote, base }) => {
    const one = await machine('one');
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    const older = git(remote, 'rev-parse', base).trim();
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const newer = git(remote, 'rev-parse', base).trim();
    git(remote, 'update-ref', base, older);
    git(one.folder, 'update-ref', '-d', base);
    const refused = await one.apply();
    expectCode(refused, 6);
    expect(refused.stderr).toContain(`\`meshform base record network --commit ${newer}\``);
    expectCode(await one.run('base', 'record', 'network', '--commit', older), 6);
    expectCode(await one.run('base', 'record', 'network', '--commit', 'HEAD'), 3);
    expectCode(await one.run('base', 'record', 'network', '--commit', newer), 0);
    expect(git(remote, 'rev-parse', base).trim()).toBe(newer);
    expectCode(await one.apply(), 0);
  });
});

test('an older base that was restored is detected on a machine that has never applied, and can be made the newest', async () => {
  await machines(async ({ machine, remote, base, groups }) => {
    const one = await machine('one');
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    const older = git(remote, 'rev-parse', base).trim();
    await one.declare('a');
    const later = ['apply', 'network', '--prune', 'removed', '--base', 'auto', '--record-base'];
    expectCode(await one.runAt(60_000, ...later, '--allow', 'DELETES_OBJECT', '--yes'), 0);
    git(remote, 'update-ref', base, older);
    const two = await machine('two');
    const refused = await two.apply();
    expectCode(refused, 6);
    expect(refused.stderr).toMatch(/\(1970-\S+\.jsonl\)/);
    expectCode(await two.run('base', 'record', 'network', '--as-newest', '--yes'), 64);
    const asNewest = ['base', 'record', 'network', '--as-newest', '--commit', older];
    expectCode(await two.run(...asNewest), 64);
    expectCode(await two.run(...asNewest, '--yes'), 0);
    expectCode(await two.apply(), 0);
    const three = await machine('three');
    await three.declare('a', 'c');
    expectCode(await three.apply(), 0);
    expect(await groups()).toEqual(['a', 'c']);
  });
});

test('an object that an apply of another machine created again without recording a base is deleted by files that remove it', {
  tags: 'variation',
}, async () => {
  await machines(async ({ account, machine, groups }) => {
    const one = await machine('one');
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    const all = (await account.call('GET', '/api/groups')) as { id: string; name: string }[];
    await account.call('DELETE', `/api/groups/${all.find(({ name }) => name === 'b')?.id}`);
    expectCode(await one.run('apply', 'network', '--yes'), 0);
    expect(await groups()).toEqual(['a', 'b']);
    const two = await machine('two');
    await two.declare('a');
    expectCode(await two.apply(), 0);
    expect(await groups()).toEqual(['a']);
  });
});

test('an object that an apply created is deleted if its base was never recorded and its change is reverted on another machine', {
  tags: 'variation',
}, async () => {
  await machines(async ({ machine, remote, groups }) => {
    const one = await machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    await one.declare('a', 'b');
    const allow = await refuseBases(remote);
    expectCode(await one.apply(), 4);
    await allow();
    const two = await machine('two');
    expect((await two.run('runs', 'network')).stdout).toContain('complete, base not recorded');
    await two.declare('a');
    const reverted = await two.apply();
    expectCode(reverted, 0);
    expect(reverted.stderr).toContain(
      'is complete, but its base is not recorded: it created group.b, which is deleted',
    );
    expect(await groups()).toEqual(['a']);
    const runs = (await two.run('runs', 'network')).stdout;
    expect(runs).not.toContain('base not recorded');
    expect(runs).toContain('superseded');
    expectCode(await one.run('base', 'record', 'network'), 6);
  });
});

test('an apply whose base was not recorded is closed by the next apply of the same files, or by a person', {
  tags: 'variation',
}, async () => {
  await machines(async ({ machine, remote }) => {
    const one = await machine('one');
    await one.declare('a');
    const allow = await refuseBases(remote);
    expectCode(await one.apply(), 4);
    await one.declare('a', 'b');
    expectCode(await one.apply(), 4);
    await allow();
    const two = await machine('two');
    const { stdout } = await two.run('runs', 'network', '--format', 'json');
    const runs: { run: string; base_recorded?: boolean }[] = JSON.parse(stdout).runs;
    expect(runs.map(run => run.base_recorded)).toEqual([false, false]);
    const run = runs.at(-1)?.run ?? '';
    const abandoned = ['apply', 'network', '--abandon', run.slice(0, 8)];
    expectCode(await two.run(...abandoned), 0);
    const next = await two.apply();
    expectCode(next, 0);
    expect(next.stderr.match(/its base is not recorded/g)).toHaveLength(1);
    const again = await two.apply();
    expectCode(again, 0);
    expect(again.stderr).not.toContain('is not recorded');
  });
});

test.for(someOf(['one', 'another machine'], 1))(
  'a resume on %s records the missing base of an otherwise complete apply',
  async where => {
    await machines(async ({ machine, remote, base }) => {
      const one = await machine('one');
      await one.declare('a');
      const allow = await refuseBases(remote);
      expectCode(await one.apply(), 4);
      await allow();
      const resuming = where === 'one' ? one : await machine('two');
      const resumed = await resuming.run('apply', 'network', '--resume', '--yes');
      expectCode(resumed, 0);
      expect(refsAt(remote, 'refs/meshform-base')).toBe(base);
      expect((await one.run('runs', 'network')).stdout).not.toContain('base not recorded');
      expectCode(await one.apply(), 0);
    });
  },
);

test('objects that several applies created are deleted with their declarations, even if no base was recorded', {
  tags: 'variation',
}, async () => {
  await machines(async ({ machine, remote, groups }) => {
    const one = await machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const allow = await refuseBases(remote);
    await one.declare('a', 'b');
    expectCode(await one.apply(), 4);
    await one.declare('a', 'b', 'c');
    expectCode(await one.apply(), 4);
    await allow();
    const two = await machine('two');
    await two.declare('a');
    expectCode(await two.apply(), 0);
    expect(await groups()).toEqual(['a']);
  });
});

test('an apply whose base was not recorded is no longer reported once it was undone', {
  tags: 'variation',
}, async () => {
  await machines(async ({ machine, remote, groups }) => {
    const one = await machine('one');
    await one.declare('a');
    const allow = await refuseBases(remote);
    expectCode(await one.apply(), 4);
    await allow();
    const undo = ['apply', 'network', '--undo', '--yes', '--allow', 'DELETES_OBJECT'];
    expectCode(await one.run(...undo), 0);
    const two = await machine('two');
    const next = await two.apply();
    expectCode(next, 0);
    expect(next.stderr).not.toContain('its base is not recorded');
    expect(await groups()).toEqual(['a']);
  });
});

test('plan and drift report a restored older base on any machine, and no machine records an older base', async () => {
  await machines(async ({ machine, remote, base }) => {
    const one = await machine('one');
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    const older = git(remote, 'rev-parse', base).trim();
    await one.declare('a');
    expectCode(await one.applyAt(60_000), 0);
    const newer = git(remote, 'rev-parse', base).trim();
    const two = await machine('two');
    const plan = ['plan', 'network', ...PRUNE, '--base', 'auto'];
    const drift = ['drift', 'network', '--base', 'auto'];
    expect((await two.run(...plan, '--record-base')).stderr).not.toContain('follow');
    expectCode(await two.run('base', 'record', 'network', '--commit', older), 6);
    expect(git(remote, 'rev-parse', base).trim()).toBe(newer);
    git(remote, 'update-ref', base, older);
    const asked = await two.run(...plan, '--record-base');
    expectCode(asked, 6);
    expect(asked.stderr).toContain('does not follow it');
    for (const argv of [plan, drift]) {
      const noted = await two.run(...argv);
      expect([0, 2]).toContain(noted.code);
      expect(noted.stderr).toContain('BASE_OLDER');
    }
    const other = { MESHFORM_SIGNING_KEY: 'the key of a job that only plans' };
    expectCode(await two.runWith(other, ...plan, '--record-base'), 0);
    expectCode(await two.apply(), 6);
  });
});

describe('a folder that was moved can take over its base only after its unfinished apply', {
  tags: 'variation',
}, () => {
  const LATE =
    'groups: [{ name: b }]\nposture_checks: [{ name: late, checks: { nb_version_check: { min_version: 0.60.0 } } }]\n';

  test.each([
    ['is undone', '--undo', []],
    ['is abandoned', '--abandon', ['b']],
  ])('%s', async (_, way, left) => {
    await machines(async ({ machine, groups, account }) => {
      const one = await machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      await one.write('late.yaml', LATE);
      await account.fault({
        method: 'POST',
        path: '/api/posture-checks',
        effect: 'status',
        status: 400,
        times: 1,
      });
      expectCode(await one.apply(), 4);
      const { runs } = JSON.parse((await one.run('runs', 'network', '--format', 'json')).stdout);
      const unfinished = runs.find((one: { outcome: string }) => one.outcome === 'incomplete');
      const short = String(unfinished.run).slice(0, 8);
      const two = await machine('two');
      git(two.folder, 'rm', '--quiet', 'network/late.yaml');
      git(two.folder, 'mv', 'network', 'overlay');
      git(two.folder, 'commit', '--quiet', '--message=taken back and moved');
      git(two.folder, 'push', '--quiet', 'origin', 'HEAD:main');
      git(two.folder, 'fetch', '--quiet', 'origin');
      const adopt = ['base', 'adopt', 'network', 'overlay', '--yes'];
      const refused = await two.run(...adopt);
      expectCode(refused, 6);
      expect(refused.stderr).toContain(`the apply ${short} of`);
      for (const flag of ['--resume', '--undo', '--abandon'])
        expect(refused.stderr).toContain(`meshform apply overlay ${flag} ${short}`);
      const closed = await two.run('apply', 'overlay', way, short, '--yes', ...PRUNE.slice(2));
      expectCode(closed, 0);
      expect(await groups()).toEqual(['a', ...left]);
      expectCode(await two.run(...adopt), 0);
    });
  });
});

test('a folder that was moved takes over its base at the remote, and `base forget` removes a base at the remote', {
  tags: 'variation',
}, async () => {
  await machines(async ({ machine, remote, base, id }) => {
    const one = await machine('one');
    await one.declare('a');
    expectCode(await one.apply(), 0);
    const two = await machine('two');
    await rename(join(two.folder, 'network'), join(two.folder, 'overlay'));
    git(two.folder, 'commit', '--quiet', '--all', '--message=moved');
    git(two.folder, 'add', '--all');
    git(two.folder, 'commit', '--quiet', '--amend', '--no-edit');
    git(two.folder, 'push', '--quiet', 'origin', 'HEAD:main');
    git(two.folder, 'fetch', '--quiet', 'origin');
    const adopted = await two.run('base', 'adopt', 'network', 'overlay', '--yes');
    expectCode(adopted, 0);
    expect(adopted.stderr).not.toContain('push');
    expect(refsAt(remote, 'refs/meshform-base')).toBe(`refs/meshform-base/${id}/overlay`);
    expect(base).toContain('/network');
    expectCode(await two.run('base', 'forget', 'network', 'overlay', '--yes'), 3);
    const unasked = await two.run('base', 'forget', 'overlay', 'overlay');
    expectCode(unasked, 64);
    expect(unasked.stdout).toContain('group.a');
    expectCode(await two.run('base', 'forget', 'overlay', 'overlay', '--yes'), 0);
    expect(refsAt(remote, 'refs/meshform-base')).toBe('');
  });
});

test('a base that was deleted at the remote is reported, read from the local copy, and restored by the next apply', {
  tags: 'variation',
}, async () => {
  await machines(async ({ machine, remote, base }) => {
    const one = await machine('one');
    await one.declare('a', 'b');
    expectCode(await one.apply(), 0);
    git(one.folder, 'fetch', '--quiet', 'origin', '+refs/meshform-base/*:refs/meshform-base/*');
    const plan = ['plan', 'network', '--base', 'auto', '--prune', 'removed'];
    expect((await one.run(...plan)).stderr).not.toContain('BASE_ONLY_HERE');
    git(remote, 'update-ref', '-d', base);
    await one.declare('a');
    const planned = await one.run(...plan);
    const told = `warning BASE_ONLY_HERE the remote \`origin\` does not have ${base}: it was not pushed, or somebody deleted it there`;
    expect(planned.stderr).toContain(told);
    expect(planned.stderr).toContain(`git push origin ${base}:${base}`);
    expect(planned.stdout).toContain('0 to add, 0 to change, 1 to destroy');
    const applied = await one.apply();
    expectCode(applied, 0);
    expect(applied.stderr).toContain(told);
    expect(refsAt(remote, 'refs/meshform-base')).toBe(base);
    expect((await one.run(...plan)).stderr).not.toContain('BASE_ONLY_HERE');
  });
});

describe('a base that was deleted at the remote while this clone has a copy', () => {
  const withCopy = (tell: (one: Machine) => Promise<void>) =>
    machines(async ({ machine, remote, base }) => {
      const one = await machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      git(one.folder, 'fetch', '--quiet', 'origin', '+refs/meshform-base/*:refs/meshform-base/*');
      git(remote, 'update-ref', '-d', base);
      const atRemote = () => refsAt(remote, 'refs/meshform-base');
      expect(atRemote()).toBe('');
      const commit = git(one.folder, 'rev-parse', base);
      await tell(one);
      expect([atRemote(), git(remote, 'rev-parse', base)]).toEqual([base, commit]);
      const two = await machine('two');
      await two.declare('b');
      expectCode(await two.apply(), 0);
    });

  test('is restored by an apply of the same revision', { tags: 'variation' }, async () => {
    await withCopy(async one => {
      const again = await one.apply();
      expectCode(again, 0);
      expect(again.stderr).toContain('BASE_ONLY_HERE');
    });
  });

  test('is restored by `base record`', { tags: 'variation' }, async () => {
    await withCopy(async one => {
      expectCode(await one.run('base', 'record', 'network'), 0);
      expectCode(await one.run('base', 'record', 'network'), 6);
    });
  });
});

describe('a base that was forgotten', () => {
  test('is replaced by the base of a first apply on every machine, also if that apply finds nothing to do', {
    tags: 'variation',
  }, async () => {
    await machines(async ({ machine, groups }) => {
      const one = await machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      const two = await machine('two');
      await two.declare('a', 'b');
      expectCode(await two.apply(), 0);
      git(one.folder, 'pull', '--quiet');
      expectCode(await one.run('base', 'forget', 'network', 'network', '--yes'), 0);
      const first = await one.apply('--first');
      expectCode(first, 0);
      expect(first.stdout).toContain('No changes.');
      const planned = await two.run('plan', 'network', ...PRUNE, '--base', 'auto', '--record-base');
      expect(planned.stderr).not.toContain('does not follow');
      const three = await machine('three');
      await three.declare('b', 'c');
      expectCode(await three.apply(), 0);
      expect(await groups()).toEqual(['b', 'c']);
      git(two.folder, 'pull', '--quiet');
      await two.declare('c');
      expectCode(await two.apply(), 0);
      expect(await groups()).toEqual(['c']);
    });
  });

  test('is reported in a clone with a copy until the printed command deletes the copy', {
    tags: 'variation',
  }, async () => {
    await machines(async ({ machine, remote, id }) => {
      const one = await machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      const gone = `refs/meshform-base/${id}/gone`;
      git(remote, 'update-ref', gone, `refs/meshform-base/${id}/network`);
      const two = await machine('two');
      git(two.folder, 'fetch', '--quiet', 'origin', '+refs/meshform-base/*:refs/meshform-base/*');
      expectCode(await one.run('base', 'forget', 'gone', 'network', '--yes'), 0);
      const plan = ['plan', 'network', '--base', 'auto', '--prune', 'removed'];
      const told = await two.run(...plan);
      expect(told.stderr).toContain('`meshform base forget gone FOLDER`');
      expect(told.stderr).toContain('the next apply of its folder that records a base pushes it');
      expectCode(await two.run('base', 'forget', 'gone', 'network', '--yes'), 0);
      expect((await two.run(...plan)).stderr).not.toContain('gone');
      expect(refsAt(remote, gone)).toBe('');
    });
  });
});

describe('a base that somebody moves while an apply runs', () => {
  /** An apply of which the base is deleted, or put back, after its first write. */
  const moved = (
    move: (all: Machines, older: string) => unknown,
    use: (all: Machines, one: Machine, stderr: string, newer: string) => Promise<void>,
  ): Promise<void> =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      expectCode(await one.apply(), 0);
      const older = git(all.remote, 'rev-parse', all.base).trim();
      await one.declare('a', 'b');
      expectCode(await one.apply(), 0);
      const newer = git(all.remote, 'rev-parse', all.base).trim();
      await one.declare('a', 'b', 'c');
      let isMoved = false;
      all.account.onAnswer(({ method }) => {
        if (method !== 'POST' || isMoved) return;
        isMoved = true;
        move(all, older);
      });
      const ended = await one.apply();
      expectCode(ended, 4);
      expect(isMoved).toBe(true);
      await use(all, one, ended.stderr, newer);
    });

  test.each(
    someOf(
      [
        [
          'deleted',
          ({ remote, base }: Machines) => git(remote, 'update-ref', '-d', base),
          'deleted',
        ],
        [
          'put back',
          ({ remote, base }: Machines, older: string) => git(remote, 'update-ref', base, older),
          'put an older base at',
        ],
      ],
      1,
    ),
  )('is %s: the apply names both commands that record its base, and they do', (_, move, how) =>
    moved(move, async (all, one, stderr, newer) => {
      expect(stderr).toContain(`somebody ${how} ${all.base} during this run`);
      const again = `meshform base record network --commit ${newer}`;
      expect(stderr).toContain(`first \`${again}\`, then \`meshform base record network\``);
      expectCode(await one.run('base', 'record', 'network', '--commit', newer), 0);
      expectCode(await one.run('base', 'record', 'network'), 0);
      expect((await one.run('plan', 'network', '--base', 'auto')).stderr).not.toContain(again);
      expectCode(await (await all.machine('two')).apply(), 0);
    }),
  );
});

test(
  '`base record` on a machine without the journal names the command that reads the journals at the remote',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a');
      const allow = await refuseBases(all.remote);
      expectCode(await one.apply(), 4);
      await allow();
      const two = await all.machine('two');
      const refused = await two.run('base', 'record', 'network');
      expect(refused.code).toBeGreaterThan(0);
      expect(refused.stderr).toContain('`meshform apply network --resume`');
      expect(refused.stderr).not.toContain('--undo');
      expectCode(await two.run('apply', 'network', '--resume', '--yes'), 0);
      expect(refsAt(all.remote, 'refs/meshform-base')).toBe(all.base);
    }),
);

test(
  'a base of another folder that cannot be read is refused with the command that forgets it',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      await one.declare('a', 'b');
      expectCode(await one.apply(), 0);
      const input = { input: 'no base' };
      const blob = execFileSync('git', ['-C', all.remote, 'hash-object', '-w', '--stdin'], input);
      const other = `refs/meshform-base/${all.id}/other`;
      git(all.remote, 'update-ref', other, blob.toString().trim());
      await one.declare('a');
      const refused = await one.apply();
      expectCode(refused, 3);
      expect(refused.stderr).toContain('`meshform base forget other network`');
      const shown = await one.run('base', 'show', 'other');
      expectCode(shown, 3);
      expect(shown.stderr).toContain('`meshform base forget other FOLDER`');
      expectCode(await one.run('base', 'forget', 'other', 'network', '--yes'), 0);
      expectCode(await one.apply(), 0);
      expect(await all.groups()).toEqual(['a']);
    }),
);
