// The commit that a comment names: the one that was planned.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { revisionText } from '../../action/revision.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';

const host = { env: process.env };

interface Setting {
  readonly folder: string;
  readonly base: string;
  readonly head: string;
  /** The event of the pull request. */
  readonly event: (branch?: string) => unknown;
}

/** A repository with a branch and a commit for a pull request; the merge of both is checked out. */
const merged = (use: (setting: Setting) => Promise<void>) =>
  inFolder(async folder => {
    const commit = (message: string) => {
      git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
      return git(folder, 'rev-parse', 'HEAD').trim();
    };
    git(folder, 'init', '--quiet', '--initial-branch', 'main');
    commit('first');
    git(folder, 'switch', '--quiet', '--create', 'change');
    const head = commit(`change\n\nparent ${'0'.repeat(40)}`);
    git(folder, 'switch', '--quiet', 'main');
    const base = commit('second');
    git(folder, 'merge', '--quiet', '--no-ff', '--no-edit', 'change');
    const event = (branch = 'main') => ({
      pull_request: { number: 7, head: { sha: head, ref: 'change' }, base: { ref: branch } },
    });
    await use({ folder, base, head, event });
  });

test('the revision of a pull request is its head', () =>
  merged(async ({ folder, head, event }) => {
    git(folder, 'checkout', '--quiet', head);
    expect(await revisionText({ folder, host }, event())).toBe(`commit ${head.slice(0, 12)}`);
  }));

test('the revision names the base too, if the merge commit of the forge was planned', () =>
  merged(async ({ folder, base, head, event }) => {
    const expected = (branch: string) =>
      `commit ${head.slice(0, 12)} merged into ${branch} at ${base.slice(0, 12)}`;
    expect(await revisionText({ folder, host }, event())).toBe(expected('`main`'));
    const hostile = expected('<code>a&#96;&#60;b&#62;</code>');
    expect(await revisionText({ folder, host }, event('a`<b>'))).toBe(hostile);
    // The checkout of a runner has no history.
    const clone = join(folder, '.git/clone');
    git(folder, 'clone', '--quiet', '--depth', '1', `file://${folder}`, clone);
    expect(await revisionText({ folder: clone, host }, event())).toBe(expected('`main`'));
  }));

test('the reported revision is the checked-out commit if there is no pull request, or if somebody merged by hand', () =>
  merged(async ({ folder, event }) => {
    const here = `commit ${git(folder, 'rev-parse', 'HEAD').slice(0, 12)}`;
    expect(await revisionText({ folder, host }, {})).toBe(here);
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'third');
    const next = `commit ${git(folder, 'rev-parse', 'HEAD').slice(0, 12)}`;
    expect(await revisionText({ folder, host }, event())).toBe(next);
  }));

test('no revision is reported outside a repository, or before the first commit', () =>
  inFolder(async folder => {
    expect(await revisionText({ folder, host }, {})).toBe('');
    await mkdir(join(folder, 'empty'));
    git(join(folder, 'empty'), 'init', '--quiet');
    expect(await revisionText({ folder: join(folder, 'empty'), host }, {})).toBe('');
  }));
