// What the interrupts of a command do, by what is under way.
import { expect, test } from 'vitest';
import type { Interrupt } from '../../../src/cli/exitCodes.ts';
import { Interrupts } from '../../../src/cli/interrupts.ts';
import type { Io } from '../../../src/cli/io.ts';
import { withRunLock } from '../../../src/cli/lock/runLock.ts';
import { KnownSecrets } from '../../../src/model/secrets/knownSecrets.ts';
import type { Project } from '../../../src/source/project/project.ts';
import { git } from '../../support/git.ts';
import { machines, refsAt } from '../lock/sharedMachines.ts';

function started() {
  let time = 0;
  let said = '';
  const handlers = new Set<(signal: Interrupt) => void>();
  const codes: number[] = [];
  const interrupts = new Interrupts({
    stderr: {
      write: text => {
        said += text;
      },
    },
    monotonic: () => time,
    onInterrupt: handler => {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    abort: code => {
      codes.push(code);
      throw new Error('the process has ended');
    },
  });
  return {
    interrupts,
    codes,
    said: () => said,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    /** Whether anybody heard of it. */
    interrupt: (signal: Interrupt = 'SIGTERM'): boolean => {
      for (const handler of handlers) handler(signal);
      return handlers.size > 0;
    },
  };
}

test('interrupts are not caught before anything is pushed', () => {
  const { interrupts, interrupt } = started();
  interrupts.asking('origin', { isPush: false })();
  expect(interrupt()).toBe(false);
});

test('an interrupt waits for a push, a second one ends the push, and a third one ends the process', () => {
  const { interrupts, interrupt, said, codes } = started();
  interrupts.asking('origin', { isPush: true });
  interrupts.held = 'the lock is there';
  interrupt();
  expect([interrupts.first.aborted, interrupts.second.aborted]).toEqual([true, false]);
  expect(said()).toContain('waiting for the remote `origin`, for at most 30 s');
  interrupt();
  expect(interrupts.second.aborted).toBe(true);
  expect(() => interrupt('SIGINT')).toThrow('has ended');
  expect(codes).toEqual([130]);
  expect(said()).toContain('the lock is there');
  expect(interrupts.caught).toBe('SIGTERM');
});

test('an interrupt waits for actions without a limit, and after them for a remote for a limited time', () => {
  const { interrupts, interrupt, pass } = started();
  const over = interrupts.running();
  expect(interrupts.left()).toBe(Number.POSITIVE_INFINITY);
  interrupt();
  pass(100_000);
  expect(interrupts.left()).toBe(Number.POSITIVE_INFINITY);
  over();
  expect(interrupts.left()).toBe(30_000);
  pass(31_000);
  expect(interrupts.left()).toBeLessThan(0);
});

test('a second interrupt ends the process while actions are carried out', () => {
  const { interrupts, interrupt, codes } = started();
  interrupts.running();
  interrupt();
  expect(() => interrupt()).toThrow('has ended');
  expect(codes).toEqual([143]);
});

test('the signal of a closed terminal, which arrives twice, does not count as a second interrupt', () => {
  const { interrupts, interrupt, codes } = started();
  interrupts.running();
  for (let count = 0; count < 3; count++) interrupt('SIGHUP');
  expect(interrupts.caught).toBe('SIGHUP');
  expect(codes).toEqual([]);
  expect(() => interrupt('SIGQUIT')).toThrow('has ended');
  expect(codes).toEqual([143]);
});

test('interrupts are no longer caught once the command is over', () => {
  const { interrupts, interrupt } = started();
  interrupts.running()();
  interrupts.release();
  expect(interrupt()).toBe(false);
});

test('a lock that was released with the push of the base is not reported as left', () =>
  machines(async ({ machine, id, remote, base: ref }) => {
    const one = await machine('one');
    await one.declare('a');
    const { interrupts, interrupt, said, codes } = started();
    const sink = { write: () => {}, isTerminal: false };
    const io = {
      stdout: sink,
      stderr: sink,
      secrets: new KnownSecrets(),
      env: { ...process.env, XDG_STATE_HOME: `${one.folder}-state` },
      cwd: one.folder,
      self: { host: 'one', pid: 1 },
      now: () => 0,
      monotonic: () => 0,
      sleep: async () => {},
      interrupts,
    } as unknown as Io;
    const project: Pick<Project, 'account' | 'lock'> = { account: id, lock: 'git' };
    const files = {
      path: 'network',
      project: project as Project,
      accountBehind: async () => undefined,
    };
    await withRunLock(files, {}, io, async ({ open }) => {
      const held = await (await open())?.take();
      if (held === undefined || 'refused' in held) throw new Error('not held');
      const commit = git(one.folder, 'rev-parse', 'HEAD').trim();
      const base = { ref, commit, digest: '', recordedAt: '' };
      const note = { name: 'a note', text: '{}' };
      const pushed = await held.store?.end(base, { ref, from: null, to: commit }, note);
      expect(pushed).toEqual({ is: 'done' });
      expect(refsAt(remote, 'refs/meshform-locks')).toBe('');
      interrupt();
      expect(() => interrupt()).toThrow('has ended');
      expect(codes).toEqual([143]);
      expect(said()).not.toContain('may still have the lock');
    });
  }));
