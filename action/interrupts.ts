// The interrupts of a job. A runner that cancels a job sends SIGINT, and SIGTERM some seconds later.
import { EXIT } from '../src/cli/exitCodes.ts';

/** The signals of an interrupt. */
export const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

type Interrupt = (typeof SIGNALS)[number];

/** A program that can be interrupted. */
interface Program {
  readonly kill: (signal: Interrupt) => unknown;
}

export type Interrupts = ReturnType<typeof listenToInterrupts>;

/** Listens to interrupts. From now on, an interrupt no longer ends the process automatically. */
export function listenToInterrupts() {
  const ending = new AbortController();
  const programs = new Set<Program>();
  let code: number | null = null;
  const react = (signal: Interrupt) => {
    for (const program of programs) program.kill(signal);
    // After SIGINT, a running program may finish, and the action reports its outcome. After SIGTERM, there is no time for that.
    if (programs.size > 0 && signal === 'SIGINT') return;
    code ??= signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
    ending.abort(new Error('the job was cancelled'));
  };
  for (const signal of SIGNALS) process.on(signal, react);
  return {
    /** Aborts the requests and transfers of the action itself. */
    signal: ending.signal,
    /** The exit code of the action; null if it was not interrupted. */
    exitCode: (): number | null => code,
    /** Forwards interrupts to a program until the returned function is called. */
    forwardTo: (program: Program): (() => void) => {
      programs.add(program);
      return () => void programs.delete(program);
    },
  };
}
