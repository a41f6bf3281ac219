// A base that somebody put back to an older state is signed too: this machine has noted that there was a newer one.
import { rmSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentOf, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { expectCode, groupsIn, PRUNE, type Teams, teams } from './teams.ts';

const FLAGS = [...PRUNE, '--base', 'auto'] as const;
const APPLY = ['apply', 'net', ...FLAGS, '--record-base', '--yes'] as const;
const MINUTE = 60_000;

/** Runs a command in some minute of the story. */
const at = (minute: number, argv: readonly string[], { cwd, account }: Teams) =>
  meshform(argv, {
    cwd,
    now: minute * MINUTE,
    env: { ...environmentOf(account), MESHFORM_JOURNALS: join(cwd, '.git/journals') },
  }).then(ended => ({ ...ended, stderr: ended.stderr.replaceAll(/\s+/g, ' ') }));

const refOf = ({ id }: Teams) => `refs/meshform-base/${id}/net`;
const commitAt = (all: Teams) => git(all.cwd, 'rev-parse', refOf(all)).trim();

/** Removes the commit of a base from the repository. */
const lose = (commit: string, { cwd }: Teams) =>
  rmSync(join(cwd, '.git/objects', commit.slice(0, 2), commit.slice(2)));

/** Applies `victim` first, then files that leave it to somebody else; resolves to both bases. */
async function twoApplies(all: Teams): Promise<{ readonly older: string; readonly newer: string }> {
  const { id, commit } = all;
  await commit(groupsIn('net', id, ['a', 'victim']));
  expectCode(await at(1, APPLY, all), 0);
  const older = commitAt(all);
  await commit(groupsIn('net', id, ['a', 'b']));
  expectCode(await at(2, [...APPLY, '--forget', 'group/victim'], all), 0);
  return { older, newer: commitAt(all) };
}

describe.concurrent('a base that was restored to an older state, or removed,', () => {
  test(
    'stops an apply, which would delete objects declared since then',
    { tags: 'variation' },
    () =>
      teams(async all => {
        const { older, newer } = await twoApplies(all);
        git(all.cwd, 'update-ref', refOf(all), older);
        for (const argv of [APPLY, ['apply', 'net', ...FLAGS, '--yes']]) {
          const refused = await at(3, argv, all);
          expectCode(refused, 6);
          expect(refused.stderr).toContain(
            'at 1970-01-01T00:02:00.000Z, and the base there now, of 1970-01-01T00:01:00.000Z, does not follow it',
          );
        }
        expect(await all.names('/api/groups')).toEqual(['All', 'a', 'b', 'victim']);
        git(all.cwd, 'update-ref', refOf(all), newer);
        expectCode(await at(4, APPLY, all), 0);
        expect(await all.names('/api/groups')).toEqual(['All', 'a', 'b', 'victim']);
      }),
  );

  test('is a note in plan and drift', () =>
    teams(async all => {
      const { older } = await twoApplies(all);
      expect((await at(3, ['plan', 'net', ...FLAGS], all)).stderr).not.toContain('BASE_OLDER');
      git(all.cwd, 'update-ref', refOf(all), older);
      for (const argv of [
        ['plan', 'net', ...FLAGS],
        ['drift', 'net', '--base', 'auto'],
      ])
        expect((await at(3, argv, all)).stderr).toContain('BASE_OLDER');
    }));

  test('stops the apply of a saved plan too', { tags: 'variation' }, () =>
    teams(async all => {
      const { older } = await twoApplies(all);
      git(all.cwd, 'update-ref', refOf(all), older);
      const saved = join('.git', 'plan.json');
      const plan = ['plan', 'net', ...FLAGS, '--out', saved];
      const asked = await at(3, [...plan, '--record-base'], all);
      expectCode(asked, 6);
      expect(asked.stderr.match(/does not follow it/g)).toHaveLength(1);
      expectCode(await at(3, plan, all), 0);
      expectCode(await at(3, ['apply', saved, '--yes'], all), 6);
      expect(await all.names('/api/groups')).toContain('victim');
    }),
  );

  test('does not make the next run a first run', () =>
    teams(async all => {
      const { newer } = await twoApplies(all);
      git(all.cwd, 'update-ref', '-d', refOf(all));
      const refused = await at(3, APPLY, all);
      expectCode(refused, 6);
      expect(refused.stderr).toContain('there is no base now');
      expect(refused.stderr).toContain('add --first');
      expectCode(await at(3, [...APPLY, '--first'], all), 6);
      lose(newer, all);
      const lost = await at(4, APPLY, all);
      expectCode(lost, 6);
      expect(lost.stderr).toContain(
        'if it is lost, forget it with `meshform base forget NAME net`, and add --first',
      );
      expectCode(await at(5, [...APPLY, '--first'], all), 6);
      expectCode(await at(6, ['base', 'forget', 'net', 'net', '--yes'], all), 0);
      expectCode(await at(6, ['base', 'forget', 'net', 'net', '--yes'], all), 3);
      expect((await at(7, APPLY, all)).stderr).toContain('to begin again, add --first');
      expectCode(await at(7, [...APPLY, '--first'], all), 0);
    }));

  test(
    'does not make the next run a first run if another folder of the account has a base',
    { tags: 'variation' },
    () =>
      teams(async all => {
        await all.commit(groupsIn('app', all.id, ['c']));
        const app = ['apply', 'app', ...FLAGS, '--record-base', '--yes'];
        expectCode(await at(0, app, all), 0);
        await all.commit(groupsIn('net', all.id, ['a', 'victim']));
        expectCode(await at(1, [...APPLY, '--first'], all), 0);
        const newer = commitAt(all);
        git(all.cwd, 'update-ref', '-d', refOf(all));
        for (const argv of [APPLY, [...APPLY, '--first'], ['plan', 'net', ...FLAGS]]) {
          const refused = await at(3, argv, all);
          expectCode(refused, 6);
          expect(refused.stderr).toContain(
            `BASE_NOT_FOUND an apply recorded ${refOf(all)} at 1970-01-01T00:01:00.000Z, and there is no base now`,
          );
          expect(refused.stderr).toContain(`meshform base record net --commit ${newer}`);
          expect(refused.stderr).not.toContain('never applied');
        }
        expectCode(await at(4, ['base', 'record', 'net', '--commit', newer, '--yes'], all), 0);
        expectCode(await at(5, APPLY, all), 0);
      }),
  );

  test('is refused as well if the ref of earlier versions replaces it', { tags: 'variation' }, () =>
    teams(async all => {
      const { older } = await twoApplies(all);
      git(all.cwd, 'update-ref', '-d', refOf(all));
      git(all.cwd, 'update-ref', `refs/meshform/${all.id}`, `${older}^1`);
      expectCode(await at(3, APPLY, all), 6);
      expect(await all.names('/api/groups')).toContain('victim');
    }),
  );

  test.each(['{"ref":"garbage"}\n', 'not even JSON'])(
    'is used with a warning if the file that names the newest base is %s',
    { tags: 'variation' },
    text =>
      teams(async all => {
        const { older } = await twoApplies(all);
        git(all.cwd, 'update-ref', refOf(all), older);
        const [, file = ''] =
          /\((\.git\/journals\S+)\)/.exec((await at(3, APPLY, all)).stderr) ?? [];
        await writeFile(join(all.cwd, file), text);
        const warned = await at(3, APPLY, all);
        expectCode(warned, 0);
        expect(warned.stderr).toContain(
          `warning: ${file} should name the base that was recorded last, and cannot be trusted: no key of this run has signed it`,
        );
        const after = await at(4, APPLY, all);
        expectCode(after, 0);
        expect(after.stderr).not.toContain('is not believed');
      }),
  );

  test('is used once the file that names the newest base is removed', { tags: 'variation' }, () =>
    teams(async all => {
      const { older } = await twoApplies(all);
      git(all.cwd, 'update-ref', refOf(all), older);
      const [, file = ''] = /\((\.git\/journals\S+)\)/.exec((await at(3, APPLY, all)).stderr) ?? [];
      await rm(join(all.cwd, file));
      expectCode(await at(3, APPLY, all), 0);
      expect(await all.names('/api/groups')).toEqual(['All', 'a', 'b']);
    }),
  );
});

/** Applies `victim`, and then files without it to an account without it: that writes nothing. Resolves to the first base. */
async function applyOfNothing(all: Teams): Promise<string> {
  const { id, account, commit } = all;
  await commit(groupsIn('net', id, ['a', 'victim']));
  expectCode(await at(1, APPLY, all), 0);
  const older = commitAt(all);
  const groups = (await account.call('GET', '/api/groups')) as { id: string; name: string }[];
  const victim = groups.find(({ name }) => name === 'victim');
  await account.call('DELETE', `/api/groups/${victim?.id}`);
  await commit(groupsIn('net', id, ['a']));
  const nothing = await at(2, APPLY, all);
  expectCode(nothing, 0);
  expect(nothing.stdout).toContain('No changes');
  await account.call('POST', '/api/groups', { name: 'victim' });
  return older;
}

describe.concurrent('an apply that writes nothing to the account', () => {
  test('notes its base too: a restored older base is detected', () =>
    teams(async all => {
      const older = await applyOfNothing(all);
      git(all.cwd, 'update-ref', refOf(all), older);
      expect((await at(3, ['plan', 'net', ...FLAGS], all)).stderr).toContain('BASE_OLDER');
      expectCode(await at(3, APPLY, all), 6);
      expect(await all.names('/api/groups')).toContain('victim');
    }));

  test('is skipped by --undo', { tags: 'variation' }, () =>
    teams(async all => {
      const { id, commit } = all;
      await commit(groupsIn('net', id, ['a', 'b']));
      expectCode(await at(1, APPLY, all), 0);
      await commit({ 'readme.txt': 'nothing that is applied\n' });
      expectCode(await at(2, APPLY, all), 0);
      const undone = await at(
        3,
        ['apply', 'net', '--undo', '--yes', '--allow', 'DELETES_OBJECT'],
        all,
      );
      expectCode(undone, 0);
      expect(await all.names('/api/groups')).toEqual(['All']);
    }),
  );

  test('ends with 0 and a note if its base cannot be noted', { tags: 'variation' }, () =>
    teams(async all => {
      const { id, commit, run } = all;
      await commit(groupsIn('net', id, ['a']));
      expectCode(await run(['apply', 'net', '--yes']), 0);
      await writeFile(join(all.cwd, '.git/file'), '');
      const journals = { MESHFORM_JOURNALS: join(all.cwd, '.git/file/journals') };
      const noted = await all.apply('net', [], journals);
      expectCode(noted, 0);
      expect(noted.stderr).toContain('BASE_NOT_NOTED');
      const [, words = ''] =
        /`meshform (base record [^`]*)`/.exec(noted.stderr.replaceAll(/\s+/g, ' ')) ?? [];
      expect(words).toContain('--commit');
      // The hint works, as often as it is followed.
      for (let times = 0; times < 2; times++) {
        const again = await at(5 + times, words.split(' '), all);
        expectCode(again, 0);
        expect(again.stderr).not.toContain('BASE_NOT_NOTED');
      }
      const notes = (await readdir(join(all.cwd, '.git/journals'), { recursive: true })).filter(
        name => /base-.*\.json$/.test(name),
      );
      expect(notes).toHaveLength(1);
    }),
  );
});

describe.concurrent('a saved plan that was applied', () => {
  test('records nothing on a restored older base', { tags: 'variation' }, () =>
    teams(async all => {
      const { id, commit } = all;
      await commit(groupsIn('net', id, ['a', 'victim']));
      expectCode(await at(1, APPLY, all), 0);
      const older = commitAt(all);
      await commit(groupsIn('net', id, ['a', 'victim', 'b']));
      const saved = join('.git', 'plan.json');
      expectCode(await at(2, ['plan', 'net', ...FLAGS, '--record-base', '--out', saved], all), 0);
      const again = ['apply', saved, '--record-base', '--yes'] as const;
      expectCode(await at(3, again, all), 0);
      const recorded = commitAt(all);
      expectCode(await at(4, again, all), 0);
      await commit(groupsIn('net', id, ['a', 'b']));
      expectCode(await at(5, APPLY, all), 0);
      const newest = commitAt(all);
      await all.account.call('POST', '/api/groups', { name: 'victim' });
      for (const commitThere of [older, recorded]) {
        git(all.cwd, 'update-ref', refOf(all), commitThere);
        expectCode(await at(6, again, all), 6);
        expect(commitAt(all)).toBe(commitThere);
        expectCode(await at(7, APPLY, all), 6);
      }
      git(all.cwd, 'update-ref', refOf(all), newest);
      expectCode(await at(8, APPLY, all), 0);
    }),
  );
});

describe.concurrent('a base with an earlier time', () => {
  test(
    'is not treated as older if its commit follows the one in the journal: the other clock is slow',
    { tags: 'variation' },
    () =>
      teams(async all => {
        const { id, commit, cwd } = all;
        await twoApplies(all);
        await commit(groupsIn('net', id, ['a', 'b', 'c']));
        const elsewhere = { MESHFORM_JOURNALS: join(cwd, '.git/elsewhere') };
        expectCode(await all.apply('net', [], elsewhere), 0);
        await commit(groupsIn('net', id, ['a', 'b', 'c', 'd']));
        expectCode(await at(5, APPLY, all), 0);
      }),
  );

  test('is not refused because of a journal that another key signed', () =>
    teams(async all => {
      const { older } = await twoApplies(all);
      const key = { MESHFORM_SIGNING_KEY: 'a key that nobody can guess' };
      git(all.cwd, 'update-ref', refOf(all), older);
      const digest = /sha256:[0-9a-f]+/.exec((await all.run(['base', 'show', 'net'])).stdout);
      expectCode(await all.run(['base', 'sign', 'net', '--digest', String(digest)], key), 0);
      const journals = join(all.cwd, '.git/journals');
      expectCode(await all.apply('net', [], { ...key, MESHFORM_JOURNALS: journals }), 0);
    }));
});
