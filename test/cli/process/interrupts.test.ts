// What the interrupts of a command do, by what is under way.
import { expect, test } from 'vitest';
import { Interrupts } from '../../../src/cli/interrupts.ts';

function started() {
  let time = 0;
  let said = '';
  const handlers = new Set<(signal: 'SIGINT' | 'SIGTERM') => void>();
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
    interrupt: (signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM'): boolean => {
      for (const handler of handlers) handler(signal);
      return handlers.size > 0;
    },
  };
}

test('before anything is pushed, they are not caught', () => {
  const { interrupts, interrupt } = started();
  interrupts.asking('origin', { isPush: false })();
  expect(interrupt()).toBe(false);
});

test('a push is waited for, ended by the second one, and the process by the third', () => {
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

test('actions are waited for without a limit, and a remote for a limited time after them', () => {
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

test('the second one ends the process while actions are carried out', () => {
  const { interrupts, interrupt, codes } = started();
  interrupts.running();
  interrupt();
  expect(() => interrupt()).toThrow('has ended');
  expect(codes).toEqual([143]);
});

test('once the command is over, they are not caught any more', () => {
  const { interrupts, interrupt } = started();
  interrupts.running()();
  interrupts.release();
  expect(interrupt()).toBe(false);
});
