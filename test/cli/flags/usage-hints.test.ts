// What to do next after a wrong command line, and how a question is to be answered.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withLock } from '../../../src/apply/lock/serverLock.ts';
import { isRefusal } from '../../../src/apply/refusal.ts';
import { hostOf } from '../../../src/cli/apply/notes.ts';
import type { Io } from '../../../src/cli/io.ts';
import { stopOf } from '../../../src/cli/refusals/refusals.ts';
import { Stop } from '../../../src/cli/stop.ts';
import { KnownSecrets } from '../../../src/model/secrets/knownSecrets.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

test.each([
  [['plan', '--frobnicate'], '`meshform plan --help` lists the arguments and flags'],
  [['api', 'call'], '`meshform api call --help` lists the arguments and flags'],
  [['frobnicate'], '`meshform --help` lists the commands'],
  [['plam'], 'did you mean `plan`?'],
  [['plan', '--onl', 'a'], 'did you mean `--only`?'],
])('the hint for a wrong command line names the help or a similar word: %j', async (argv, hint) => {
  const { code, stderr } = await meshform(argv);
  expect([code, stderr]).toEqual([64, expect.stringContaining(`\n  hint: ${hint}`)]);
});

test('an error repeats an argument on one line, whatever it contains', async () => {
  const { stderr } = await meshform(['init', 'a', 'b\n::error::c\u001b[31m']);
  expect(stderr.split('\n')[0]).toContain('a, b\\n::error::c\\u001b[31m');
});

test('a prompt says how to answer it', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await inFolder(async cwd => {
    await writeFile(join(cwd, 'network.yaml'), 'groups: [{ name: a }]');
    const asked: string[] = [];
    const ended = await meshform(['apply', '.'], {
      cwd,
      env: environmentOf(account),
      answer: 'y',
      isTerminal: true,
      onQuestion: question => asked.push(question),
    });
    expect(asked).toEqual(['\nApply this plan? Type "yes" to continue: ']);
    expect(ended.code).toBe(6);
  });
});

test('the holder of a lock is named, whatever the name of its machine', () =>
  inFolder(async folder => {
    const io: Io = {
      stdout: { write: () => {}, isTerminal: false },
      stderr: { write: () => {}, isTerminal: false },
      stdin: async () => '',
      secrets: new KnownSecrets(),
      cwd: folder,
      env: { XDG_STATE_HOME: folder },
      self: { pid: 7, host: 'ci\n::error::forged \u202e', isAlive: () => true },
      now: () => 0,
      monotonic: () => 0,
      random: () => 0,
      sleep: async () => {},
      ask: null,
      onInterrupt: () => () => {},
      abort: () => {
        throw new Error('aborted');
      },
    };
    const request = { url: 'http://a', token: 't', path: folder };
    const host = hostOf(io, { kinds: new Map(), isText: true });
    const refusal = await withLock(request, host, () => withLock(request, host, async () => null));
    const second = isRefusal(refusal) ? stopOf(refusal, io) : refusal;
    expect(second).toMatchObject({
      message: expect.stringContaining('process 7 on "ci\\n::error::forged \\u202e", since'),
    });
    expect(second).toBeInstanceOf(Stop);
  }));
