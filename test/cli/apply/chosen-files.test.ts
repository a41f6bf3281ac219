// A run whose journal was selected with `--journal` is known without the name of the file: to `runs`, `--undo`, `--resume`, and
// as a run that left something.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectCode, groupsIn, type Teams, teams } from '../bases/teams.ts';

const FILE = ['--lock', 'file', '--yes'] as const;
const CHOSEN = ['--journal', 'my.jsonl'] as const;
const UNDO = ['--undo', '--allow', 'DELETES_OBJECT', ...FILE] as const;

/** The same with a folder of journals that no other test uses. */
const alone = (story: (all: Teams) => Promise<void>) =>
  teams(all => {
    const env = { MESHFORM_JOURNALS: join(all.cwd, '.journals') };
    return story({ ...all, run: argv => all.run(argv, env) });
  });

/** Two applies, the second with a selected journal, in which the server refuses to create the group `refused`. */
async function applied({ account, commit, id, run }: Teams, refused?: string): Promise<void> {
  await commit(groupsIn('net', id, ['a']));
  expectCode(await run(['apply', 'net', ...FILE]), 0);
  const more = refused === undefined ? [] : [refused];
  await commit(groupsIn('net', id, ['a', 'b', ...more]));
  if (refused !== undefined)
    await account.fault({
      method: 'POST',
      path: '/api/groups',
      effect: 'status',
      status: 400,
      nth: 2,
    });
  const ended = await run(['apply', 'net', ...CHOSEN, '--concurrency', '1', ...FILE]);
  expectCode(ended, refused === undefined ? 0 : 4);
}

test('an apply with a selected journal is undone by --undo without a run, and listed by `runs`', () =>
  alone(async all => {
    await applied(all);
    const listed = await all.run(['runs', 'net', '--format', 'json']);
    expect(JSON.parse(listed.stdout).runs).toHaveLength(2);
    expectCode(await all.run(['apply', 'net', ...UNDO]), 0);
    expect(await all.names('/api/groups')).toEqual(['All', 'a']);
  }));

test('an apply with a selected journal is continued by --resume without a run, and a plan of the reverted files names what it left', () =>
  alone(async all => {
    await applied(all, 'c');
    await all.commit(groupsIn('net', all.id, ['a']));
    const plan = await all.run(['plan', 'net']);
    expect(plan.stderr.match(/LEFT_BY_RUN group\.b was created/g)).toHaveLength(1);
    expectCode(await all.run(['apply', 'net', '--resume', ...FILE]), 0);
    expect(await all.names('/api/groups')).toEqual(['All', 'a', 'b', 'c']);
  }));

test('a selected journal that was removed is not used by --resume and --undo', () =>
  alone(async all => {
    await applied(all);
    await rm(join(all.cwd, 'my.jsonl'));
    const listed = await all.run(['runs', 'net', '--format', 'json']);
    expect(JSON.parse(listed.stdout).runs).toHaveLength(1);
  }));
