// Everything a command may do to the world besides files and the network. Tests hand in their own.
import type { KnownSecrets } from '../model/secrets/knownSecrets.ts';
import { visible } from '../model/text/visible.ts';
import type { Interrupt } from './exitCodes.ts';

/** The text of a status line that has `room` columns. */
export type Status = (room: number) => string;

/** Where text goes. */
export interface Sink {
  readonly write: (text: string) => void;
  /** Past the guard: sequences and commands of our own, which terminals and pipelines are to obey. */
  readonly control?: (text: string) => void;
  /** Shows a line at the bottom of the terminal until the next one, or null; what is written stands above it. */
  readonly status?: (status: Status | null) => void;
  readonly isTerminal: boolean;
  /** How many columns the terminal has at the moment. */
  readonly columns?: number | undefined;
  /** Whether the reader closed it. */
  readonly isClosed?: boolean;
}

export interface Io {
  /** The document. */
  readonly stdout: Sink;
  /** The talk. */
  readonly stderr: Sink;
  /** Everything that is piped in. */
  readonly stdin: () => Promise<string>;
  /** What must not be told: struck from every error. Commands add what they come to know. */
  readonly secrets: KnownSecrets;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** This process, and whether another one of this host runs. */
  readonly self: {
    readonly pid: number;
    readonly host: string;
    readonly isAlive: (pid: number) => boolean;
  };
  readonly now: () => number;
  readonly random: () => number;
  /** Resolves after so long, or as soon as `signal` is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Calls `tick` every so many milliseconds until the returned function is called; where nothing does, time stands still. */
  readonly every?: (milliseconds: number, tick: () => void) => () => void;
  /** Asks at the terminal; null where there is none to ask at. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Calls `handler` at each interrupt until the returned function is called. */
  readonly onInterrupt: (handler: (signal: Interrupt) => void) => () => void;
  /** Ends the process at once. Only a second interrupt does that. */
  readonly abort: (code: number) => never;
}

/** Writes what a terminal or a pipeline is to obey. Nothing that others have chosen may be in it. */
export const control = (sink: Sink, text: string): void => (sink.control ?? sink.write)(text);

/** Says one sentence, on a line of its own. */
export const say = (sink: Sink, sentence: string): void => sink.write(`${visible(sentence)}\n`);
