// Starts programs and waits for their end: the first ones from this process, and those of a long run by the starter.
import type { EndGroup } from '../environment.ts';
import type { Ended, Program, Started } from './program.ts';
import { startByStarter } from './starter.ts';
import { startHere } from './startHere.ts';

/** When a program is ended early. */
export interface Limits {
  /** In milliseconds; 0 for no limit. */
  readonly timeout: number;
  /** Ends the program when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the process group of the program, together with the programs that it has started. */
  readonly endGroup?: EndGroup | undefined;
}

/** Most commands start fewer programs than this, and would wait longer for the starter than they gain from it. */
const FEW = 24;

let startedHere = 0;

/**
 * The standard output of the program. Rejects if it cannot be started, fails, is ended early, or has too much output: the error
 * has the properties of `FailedProgram`. The promise settles once all processes of the group have ended.
 */
export async function outputOf(
  program: Program,
  { timeout, signal, endGroup }: Limits,
): Promise<Buffer> {
  const started = await start(program, endGroup);
  let killed = false;
  const end = (): void => {
    if (!killed) started.end();
    killed = true;
  };
  const ended = await withLimits(started.ended, end, { timeout, signal });
  if (ended.code === 0 && !killed && !ended.isTooLarge) return Buffer.from(ended.stdout);
  throw failure(program, ended, { killed, timeout, signal });
}

async function start(program: Program, endGroup: EndGroup | undefined): Promise<Started> {
  if (startedHere >= FEW) {
    const started = await startByStarter(program, endGroup);
    if (started !== null) return started;
  }
  startedHere += 1;
  return startHere(program, endGroup);
}

/** Calls `end` after the timeout, or once the signal is aborted. */
async function withLimits<T>(
  ended: Promise<T>,
  end: () => void,
  { timeout, signal }: Pick<Limits, 'timeout' | 'signal'>,
): Promise<T> {
  const timer = timeout > 0 ? setTimeout(end, timeout) : undefined;
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  return ended.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  });
}

/** The properties of the error if a program has failed. */
interface FailedProgram {
  /** The exit code; null if a signal ended the program. A text: the error of the system, or of too much output. */
  readonly code: number | string | null;
  /** Whether the program was ended early. */
  readonly killed: boolean;
  /** In milliseconds. */
  readonly timeout: number;
  readonly isInterrupted: boolean;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

function failure(
  { file, args }: Pick<Program, 'file' | 'args'>,
  { code, stdout, stderr, isTooLarge }: Ended,
  { killed, timeout, signal }: Pick<FailedProgram, 'killed'> & Pick<Limits, 'timeout' | 'signal'>,
): Error {
  const properties: FailedProgram = {
    code: isTooLarge ? 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' : code,
    killed,
    timeout,
    isInterrupted: signal?.aborted === true,
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr),
  };
  // The message lacks what the program wrote: a remote may repeat a password there, which is removed from the outputs only.
  return Object.assign(new Error(`${file} ${args.join(' ')} failed`), properties);
}
