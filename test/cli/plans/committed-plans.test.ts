// A commit can replace a folder of desired state with a saved plan or a journal. `apply FOLDER --yes` must not carry that out.
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { give, giveLink, mayGiveAway } from '../../support/neighbour.ts';
import { NETWORKS, planned, writes } from './plannedFolder.ts';

const digestIn = (plan: string): string => JSON.parse(plan).meshform.digest;

describe.each(['plan.json', 'network', 'deep/linked'])('a plan that git tracks, at %s,', place => {
  test('is applied only with its digest', () =>
    planned(NETWORKS, async ({ account, folder, run }) => {
      git(folder, 'init', '--quiet');
      const text = await readFile(join(folder, 'plan.json'), 'utf8');
      if (place === 'network') {
        await rename(join(folder, 'network'), join(folder, 'moved'));
        await rename(join(folder, 'plan.json'), join(folder, 'network'));
      }
      if (place === 'deep/linked') {
        // The link is tracked, and its target is not.
        await mkdir(join(folder, 'deep'));
        await symlink('../plan.json', join(folder, place));
      }
      const before = await run('apply', place, '--yes', '--digest', `sha256:${'0'.repeat(64)}`);
      expect(before.code).toBe(6);
      git(folder, 'add', '--', place);
      const refused = await run('apply', place, '--yes');
      expect([refused.code, writes(account)]).toEqual([6, 0]);
      expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(
        `\`${place}\` is a saved plan, and git tracks it, so a commit can have put it there`,
      );
      expect((await run('show', place)).code).toBe(0);
      expect(await run('apply', place, '--yes', '--digest', digestIn(text))).toMatchObject({
        code: 0,
      });
    }));
});

test.runIf(mayGiveAway).each(['file', 'link'])(
  'a plan behind a %s of another user of the machine is applied only with its digest',
  of =>
    planned(NETWORKS, async ({ account, folder, run }) => {
      const plan = join(folder, 'plan.json');
      const digest = digestIn(await readFile(plan, 'utf8'));
      if (of === 'link') {
        await rename(plan, join(folder, 'other.json'));
        await symlink('other.json', plan);
        giveLink(plan);
      } else give(plan);
      const refused = await run('apply', 'plan.json', '--yes');
      expect([refused.code, writes(account)]).toEqual([6, 0]);
      expect(refused.stderr).toContain('it belongs to another user (uid 65534)');
      expect(await run('apply', 'plan.json', '--yes', '--digest', digest)).toMatchObject({
        code: 0,
      });
    }),
);

test('a plan in a checkout that git does not track is applied without a digest', () =>
  planned(NETWORKS, async ({ folder, run }) => {
    git(folder, 'init', '--quiet');
    git(folder, 'add', 'network');
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
  }));

test('a plan in a repository that git cannot read is applied only with its digest', () =>
  planned(NETWORKS, async ({ account, folder, run }) => {
    await mkdir(join(folder, '.git'));
    await writeFile(join(folder, '.git/HEAD'), 'broken');
    const refused = await run('apply', 'plan.json', '--yes');
    expect([refused.code, writes(account)]).toEqual([6, 0]);
    expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain('unknown whether git tracks it');
    await rm(join(folder, '.git'), { recursive: true });
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
  }));

test('a journal that git tracks is resumed only with the digest of its plan', () =>
  planned(NETWORKS, async ({ folder, run }) => {
    git(folder, 'init', '--quiet');
    const digest = digestIn(await readFile(join(folder, 'plan.json'), 'utf8'));
    const applied = await run('apply', 'plan.json', '--yes', '--journal', 'run.jsonl');
    expect(applied, applied.stderr).toMatchObject({ code: 0 });
    expect(await run('apply', '--resume', 'run.jsonl', '--yes')).toMatchObject({ code: 0 });
    git(folder, 'add', 'run.jsonl');
    const refused = await run('apply', '--resume', 'run.jsonl', '--yes');
    expect(refused).toMatchObject({ code: 6 });
    expect(refused.stderr).toContain('is a journal, and git tracks it');
    expect(await run('apply', '--resume', 'run.jsonl', '--yes', '--digest', digest)).toMatchObject({
      code: 0,
    });
  }));

test('a journal that git tracks is undone only with the digest of its plan', () =>
  planned(NETWORKS, async ({ account, folder, run }) => {
    git(folder, 'init', '--quiet');
    const digest = digestIn(await readFile(join(folder, 'plan.json'), 'utf8'));
    const applied = await run('apply', 'plan.json', '--yes', '--journal', 'run.jsonl');
    expect(applied, applied.stderr).toMatchObject({ code: 0 });
    git(folder, 'add', 'run.jsonl');
    const before = writes(account);
    const undo = (...flags: string[]) =>
      run('apply', '--undo', 'run.jsonl', '--yes', '--allow', 'DELETES_OBJECT', ...flags);
    const refused = await undo();
    expect(refused).toMatchObject({ code: 6 });
    expect(refused.stderr).toContain('is a journal, and git tracks it');
    expect(await undo('--digest', `sha256:${'0'.repeat(64)}`)).toMatchObject({ code: 6 });
    expect(writes(account)).toBe(before);
    expect(await undo('--digest', digest)).toMatchObject({ code: 0 });
    expect(writes(account)).toBeGreaterThan(before);
  }));
