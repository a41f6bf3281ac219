// The command line in a test: the same code as the process, with its world handed in.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import { InvariantError } from '../../src/model/errors.ts';
import { KnownSecrets } from '../../src/model/secrets/knownSecrets.ts';
import type { TestAccount } from './account.ts';
import { journalsFolder, stateFolder } from './journals.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The time it is, in milliseconds; 1970 where it does not matter. */
  readonly now?: number;
  /** A clock that advances, and the effect of a pause on it. Without it, the time does not change. */
  readonly clock?: Pick<Io, 'now' | 'sleep'>;
  /** Reads a project file. Without it, the file is read from the disk. */
  readonly readProjectFile?: Io['readProjectFile'];
  /** What is piped in. */
  readonly stdin?: string;
  /** What a person at the terminal answers; there is no terminal where it is not given. */
  readonly answer?: string;
  /** The same, for a test that does something while the person thinks. */
  readonly ask?: (question: string) => Promise<string>;
  /** Told of each question before it is answered. */
  readonly onQuestion?: (question: string) => void;
  /** Whether the output goes to a terminal. */
  readonly isTerminal?: boolean;
  /** How wide that terminal is; it does not say so where this is not given. */
  readonly columns?: number;
  /** Told, before the command begins, how to interrupt it. */
  readonly onStart?: (interrupt: (signal: 'SIGINT' | 'SIGTERM') => void) => void;
  /** Told of each text on stdout: lets a test use a command that waits, and interrupt it. */
  readonly onDocument?: (text: string, interrupt: (signal: 'SIGINT' | 'SIGTERM') => void) => void;
  /** Told of each text on stderr: lets a test interrupt at a certain moment. */
  readonly onTalk?: (text: string, interrupt: (signal: 'SIGINT' | 'SIGTERM') => void) => void;
}

/** Runs a command as a user would type it, without the name of the program. */
export async function meshform(argv: readonly string[], options: CliOptions = {}): Promise<Ended> {
  const { env = {}, cwd = process.cwd(), stdin = '', answer, isTerminal = false } = options;
  const { now = 0, clock, columns, onStart, onDocument, onTalk, onQuestion } = options;
  const ask = options.ask ?? (answer === undefined ? null : () => Promise.resolve(answer));
  const written = { stdout: '', stderr: '' };
  const handlers = new Set<(signal: 'SIGINT' | 'SIGTERM') => void>();
  const interrupt = (signal: 'SIGINT' | 'SIGTERM') => {
    for (const handler of [...handlers]) handler(signal);
  };
  onStart?.(interrupt);
  const io: Io = {
    stdout: {
      write: text => {
        written.stdout += text;
        onDocument?.(text, interrupt);
      },
      isTerminal,
      columns,
    },
    stderr: {
      write: text => {
        written.stderr += text;
        onTalk?.(text, interrupt);
      },
      isTerminal,
      columns,
    },
    stdin: () => Promise.resolve(stdin),
    secrets: new KnownSecrets(),
    env: { MESHFORM_JOURNALS: journalsFolder(), XDG_STATE_HOME: stateFolder(), ...env },
    cwd,
    ...(options.readProjectFile && { readProjectFile: options.readProjectFile }),
    self: { pid: process.pid, host: 'test', isAlive: () => true },
    now: clock?.now ?? (() => now),
    monotonic: clock?.now ?? (() => now),
    random: () => 0.5,
    // A pause before a repeated request is over at once.
    // A pause is over at the next turn of the event loop: a loop that waits must not keep the others from running.
    sleep: clock?.sleep ?? (() => setImmediate()),
    ask:
      ask &&
      (question => {
        onQuestion?.(question);
        return ask(question);
      }),
    onInterrupt: handler => {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    abort: code => {
      throw new InvariantError(`aborted with ${code}`);
    },
  };
  return { code: await run(argv, io, '0.0.0-test'), ...written };
}

/** The environment that leads to an account. */
export function environmentOf({ url, token }: TestAccount): Record<string, string> {
  return { MESHFORM_URL: url, MESHFORM_TOKEN: token };
}

/** Runs `use` in a folder that is there only for it. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'meshform-test-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
