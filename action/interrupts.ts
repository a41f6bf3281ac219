// The interrupts of a job: a runner that cancels it sends SIGINT, and SIGTERM some seconds later.
import { EXIT } from '../src/cli/exitCodes.ts';

/** The signals of an interrupt. */
export const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

type Interrupt = (typeof SIGNALS)[number];

/** A program that can be interrupted. */
interface Program {
  readonly kill: (signal: Interrupt) => unknown;
}

export type Interrupts = ReturnType<typeof listenToInterrupts>;

/** Listens to interrupts from now on: the process no longer ends by itself. */
export function listenToInterrupts() {
  const ending = new AbortController();
  const programs = new Set<Program>();
  let code: number | null = null;
  const react = (signal: Interrupt) => {
    for (const program of programs) program.kill(signal);
    // At SIGINT a program ends in its own time, and its outcome is reported. At SIGTERM there is no time left for that.
    if (programs.size > 0 && signal === 'SIGINT') return;
    code ??= signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
    ending.abort(new Error('the job was cancelled'));
  };
  for (const signal of SIGNALS) process.on(signal, react);
  return {
    /** Ends what the action itself does. */
    signal: ending.signal,
    /** The exit code of the action; null if it was not interrupted. */
    exitCode: (): number | null => code,
    /** Passes interrupts on to a program, until the function that is returned is called. */
    forwardTo: (program: Program): (() => void) => {
      programs.add(program);
      return () => void programs.delete(program);
    },
  };
}
