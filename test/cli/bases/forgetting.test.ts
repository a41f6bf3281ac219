// `base forget` of another folder that still has files: what was removed from them would stay in the account for good.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, groupsIn, type Teams, teams } from './teams.ts';

async function two({ id, apply, commit }: Teams): Promise<void> {
  await commit({ ...groupsIn('net', id, ['n']), ...groupsIn('other', id, ['o'], 'team') });
  expectCode(await apply('net'), 0);
  expectCode(await apply('other', ['--first']), 0);
}

describe.concurrent('the base of another folder is not forgotten', () => {
  test.each(
    someOf(
      [
        ['that has files', () => undefined],
        ['that a sparse checkout leaves out', cwd => git(cwd, 'sparse-checkout', 'set', 'net')],
        [
          'that was only removed in the checkout',
          cwd => rm(join(cwd, 'other'), { recursive: true }),
        ],
        ['whose removal is not committed', cwd => git(cwd, 'rm', '-r', '--quiet', 'other')],
      ] as readonly (readonly [string, (cwd: string) => unknown])[],
      2,
    ),
  )('%s', (_, change) =>
    teams(async all => {
      await two(all);
      await change(all.cwd);
      const before = all.base('team');
      const refused = await all.run(['base', 'forget', 'team', 'net', '--yes']);
      expectCode(refused, 6);
      expect(refused.stderr).toContain('the folder of that base still exists: `other`');
      expect(refused.stderr).toContain('`meshform base forget team other`');
      expect(all.base('team')).toBe(before);
    }),
  );

  test('the base of another folder is forgotten once the folder does not exist, or if the command names it', () =>
    teams(async all => {
      await two(all);
      expectCode(await all.run(['base', 'forget', 'team', 'other', '--yes']), 0);
      expectCode(await all.apply('other', ['--first']), 0);
      await all.commit({ 'other/groups.yaml': null, 'other/meshform.yaml': null });
      expectCode(await all.run(['base', 'forget', 'team', 'net', '--yes']), 0);
      expect(all.base('team')).toBe('');
    }));
});
