// A base belongs to a folder: the base of one of its files would declare the same objects a second time, and block the folder.
import { expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, groupsIn, type Teams, teams } from './teams.ts';

const RECORD = ['--base', 'auto', '--record-base'] as const;

async function twoFiles({ commit, id }: Teams): Promise<void> {
  await commit({ ...groupsIn('net', id, ['a']), 'net/more.yaml': 'groups: [{ name: b }]\n' });
}

test.each([
  ['plan', 'net/more.yaml', ...RECORD],
  ['apply', 'net/more.yaml', ...RECORD, '--yes'],
  ['apply', 'net/more.yaml', ...RECORD, '--first', '--yes'],
])('%s %s does not record the base of one file of a folder', (...argv) =>
  teams(async all => {
    await twoFiles(all);
    expectCode(await all.apply('net'), 0);
    const ended = await all.run(argv);
    expectCode(ended, 64);
    expect(ended.stderr).toContain('a base belongs to a folder');
    expect(ended.stderr).toContain('`meshform apply net --only KIND/NAME`');
    expectCode(await all.apply('net'), 0);
  }),
);

test.each([
  ['plan', 'net/more.yaml', '--base', 'auto'],
  ['drift', 'net/more.yaml', '--base', 'auto'],
  ['apply', 'net/more.yaml', '--base', 'auto', '--prune', 'removed', '--yes'],
  ['expire', 'net/more.yaml', '--base', 'auto', '--yes'],
])('%s %s has no base of its own, and the message names the folder that has one', (...argv) =>
  teams(async all => {
    await twoFiles(all);
    for (const isApplied of [false, true]) {
      if (isApplied) expectCode(await all.apply('net'), 0);
      const ended = await all.run(argv);
      expectCode(ended, 64);
      expect(ended.stderr).toContain('a base belongs to a folder');
      expect(ended.stderr).toContain('name the folder in its place, `net`');
      expect(ended.stderr).not.toMatch(/--first|base adopt/);
    }
    // What the message says works.
    const inFolder = await all.run(argv.with(1, 'net'));
    expectCode(inFolder, 0);
  }),
);

test.each([
  ['show'],
  ['sign'],
  ['record'],
  ['record', '--commit', 'HEAD'],
  ['adopt', 'other', '--yes'],
  ['forget', 'other', '--yes'],
])('base %s of one file of a folder names the folder', (...words) =>
  teams(async all => {
    await twoFiles(all);
    expectCode(await all.apply('net'), 0);
    const [verb = '', ...more] = words;
    const named = /^(?:adopt|forget)$/.test(verb) ? more.splice(0, 1) : [];
    const ended = await all.run(['base', verb, ...named, 'net/more.yaml', ...more]);
    expectCode(ended, 64);
    expect(ended.stderr).toContain('name the folder in its place, `net`');
    expect(ended.stderr).not.toMatch(/base (?:show|record) net\/more/);
  }),
);

test('the only file of a folder has a base', () =>
  teams(async all => {
    await all.commit(groupsIn('net', all.id, ['a']));
    expectCode(await all.run(['apply', 'net/groups.yaml', ...RECORD, '--yes']), 0);
    expectCode(await all.run(['plan', 'net/groups.yaml', '--base', 'auto']), 0);
    expectCode(await all.run(['base', 'show', 'net/groups.yaml']), 0);
  }));

test('a base that an older version recorded for a file of the folder is named with the command that forgets it', () =>
  teams(async all => {
    const { commit, cwd, id, run } = all;
    await commit({ ...groupsIn('net', id, ['a']), 'net/policies.yaml': 'policies: []\n' });
    await commit({ 'net/policies.yaml': null });
    expectCode(await run(['apply', 'net/groups.yaml', ...RECORD, '--yes']), 0);
    await commit({ 'net/more.yaml': 'groups: [{ name: b }]\n' });
    const blocked = await all.apply('net', ['--first']);
    expectCode(blocked, 3);
    expect(blocked.stderr).toContain('`meshform base forget net/groups.yaml FOLDER`');
    const forgotten = await run(['base', 'forget', 'net/groups.yaml', 'net', '--yes']);
    expectCode(forgotten, 0);
    expect(forgotten.stderr).toContain('`net/groups.yaml` still has files');
    expectCode(await all.apply('net'), 0);
    expect(git(cwd, 'for-each-ref', `refs/meshform-base/${id}`)).toContain('/net');
  }));
