// Commands that change a lock at a remote that cannot be listed: they claim nothing.
import { describe, expect, onTestFinished, test } from 'vitest';
import { git } from '../../support/git.ts';
import { hasHttpBackend, httpRemote } from './httpRemote.ts';
import { expectCode, type Machine, type Machines, machines, refsAt } from './sharedMachines.ts';

const HOLD = ['lock', 'hold', 'network', '--reason', 'freeze'];
const COMMANDS = [
  HOLD,
  [...HOLD, '--until', '1970-01-05T00:00:00Z'],
  ['lock', 'release', 'network'],
  ['lock', 'break', '11111111', 'network'],
];

/** Each command ends as `lock show` does, and claims nothing. */
async function expectNothingDone(one: Machine, why: string): Promise<void> {
  for (const command of [['lock', 'show', 'network'], ...COMMANDS]) {
    const ended = await one.run(...command);
    expectCode(ended, 1);
    expect(ended.stderr, command.join(' ')).toContain('the remote `origin` does not answer');
    expect(ended.stderr, command.join(' ')).toContain(why);
    expect(ended.stderr, command.join(' ')).not.toMatch(/is held|not held any more|is broken/);
  }
}

const declared = (story: (all: Machines, one: Machine) => Promise<void>): Promise<void> =>
  machines(async all => {
    const one = await all.machine('one');
    await one.declare('a');
    await story(all, one);
  });

describe('`lock hold`, `lock release` and `lock break` are refused, and claim nothing, if the remote', () => {
  test('no longer exists', () =>
    declared(async (all, one) => {
      git(one.folder, 'remote', 'set-url', 'origin', `${all.remote}-gone`);
      await expectNothingDone(one, 'does not appear to be a git repository');
    }));

  test.skipIf(!hasHttpBackend)('asks for a password', () =>
    declared(async (all, one) => {
      const http = await httpRemote(all.remote);
      onTestFinished(() => http.close());
      git(one.folder, 'remote', 'set-url', 'origin', http.url);
      await expectNothingDone(one, 'could not read Username');
    }),
  );

  test('has several addresses to push to', () =>
    declared(async (all, one) => {
      git(one.folder, 'remote', 'set-url', '--push', 'origin', `file://${all.remote}`);
      git(one.folder, 'remote', 'set-url', '--push', '--add', 'origin', `${all.remote}-two`);
      await expectNothingDone(one, 'several addresses');
      expect(refsAt(all.remote, 'refs/meshform-locks')).toBe('');
    }));
});
