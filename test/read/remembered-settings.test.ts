// In a rollout, git is asked once about the settings of the clone and of its remotes, and again about everything that may move.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withRememberedSettings } from '../../src/read/git/rememberedAnswers.ts';
import { type GitPlace, git as gitOf, isPushedElsewhere } from '../../src/read/git/runGit.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { type NoticedGit, noticed } from './noticedGit.ts';

const REMOTE = ['config', 'remote', 'remote'];

/** A repository with a remote, and a git that writes down its commands. */
const inClone = (
  use: (folder: string, noticed: NoticedGit) => Promise<void>,
  remote = 'https://example.com/net.git',
): Promise<void> =>
  inFolder(async folder => {
    git(folder, 'init', '--quiet');
    if (remote !== '') git(folder, 'remote', 'add', 'origin', remote);
    const bin = join(folder, '.git/bin');
    await mkdir(bin);
    await use(folder, await noticed(bin));
  });

const placeIn = (folder: string, { env }: NoticedGit): GitPlace => ({ folder, host: { env } });

test('the remote of two accounts is looked up once in a rollout, and for each account otherwise', () =>
  inClone(async (folder, log) => {
    const lookUp = async () => {
      for (const _ of ['one account', 'another'])
        expect(await isPushedElsewhere(placeIn(folder, log), 'origin')).toBe(false);
    };
    await withRememberedSettings(lookUp);
    expect((await log.asked()).toSorted()).toEqual(REMOTE);
    await lookUp();
    expect((await log.asked()).toSorted()).toEqual([...REMOTE, ...REMOTE].toSorted());
  }));

test('refs, and the keys that programs could hide behind, are read each time', () =>
  inClone(async (folder, log) => {
    await withRememberedSettings(async () => {
      for (const _ of ['one account', 'another']) {
        await gitOf(placeIn(folder, log), ['for-each-ref']);
        await gitOf(placeIn(folder, log), ['symbolic-ref', 'HEAD']);
      }
    });
    expect(await log.asked()).toEqual(
      Array.from({ length: 2 }, () => ['for-each-ref', 'config', 'symbolic-ref']).flat(),
    );
  }));

test('a question that git could not answer is asked again', () =>
  inClone(async (folder, log) => {
    const person = () => gitOf(placeIn(folder, log), ['var', 'GIT_COMMITTER_IDENT']);
    const unknown = { ...log, env: { ...log.env, GIT_DIR: '/dev/null' } };
    await withRememberedSettings(async () => {
      await expect(isPushedElsewhere(placeIn('/nowhere', unknown), 'origin')).rejects.toThrow();
      git(folder, 'config', 'user.useConfigOnly', 'true');
      await expect(person()).rejects.toThrow();
      git(folder, 'config', 'user.email', 'ada@example.com');
      git(folder, 'config', 'user.name', 'Ada');
      expect(String(await person())).toContain('ada@example.com');
    });
  }, ''));
