// The effects of commands, except files and the network. Tests pass their own effects.
import type { SharedJournals } from '../apply/journal/sharedJournals.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { KnownSecrets } from '../model/secrets/knownSecrets.ts';
import type { Withheld } from '../model/secrets/withheld.ts';
import { visible } from '../model/text/visible.ts';
import type { EndGroup, SharedRefs } from '../read/environment.ts';
import type { FileInFolder } from '../read/files/projectFilesAbove.ts';
import type { Remote } from '../read/remote/remoteRefs.ts';
import type { SopsKeys } from '../read/sops.ts';
import type { Interrupt } from './exitCodes.ts';
import type { Interrupts } from './interrupts.ts';

/** The text of a status line for a width of `room` columns. */
export type Status = (room: number) => string;

/** A stream for output. */
export interface Sink {
  readonly write: (text: string) => void;
  /** Writes without the filter, for sequences and commands of meshform that terminals and pipelines should execute. */
  readonly control?: (text: string) => void;
  /** Shows a line at the bottom of the terminal until the next call; null removes it. Other output appears above it. */
  readonly status?: (status: Status | null) => void;
  readonly isTerminal: boolean;
  /** The current width of the terminal. */
  readonly columns?: number | undefined;
  /** Whether the reader closed the stream. */
  readonly isClosed?: boolean;
}

export interface Io {
  /** stdout: the document. */
  readonly stdout: Sink;
  /** stderr: messages. */
  readonly stderr: Sink;
  /** Reads all of stdin. */
  readonly stdin: () => Promise<string>;
  /** Secrets that are redacted from every error. Commands add the secrets that they read. */
  readonly secrets: KnownSecrets;
  /** Called with the findings that a command prints to stderr. */
  readonly onFindings?: (findings: readonly Diagnostic[]) => void;
  /** Called with how far the clock of a server is ahead of this machine, in milliseconds. */
  readonly onSkew?: (milliseconds: number) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The variables that `${env:NAME}` in files may read; by default the whole environment. */
  readonly fileEnv?: Readonly<Record<string, string | undefined>>;
  /** Returns why files of a fleet get no value for a variable; see `SecretInputs`. */
  readonly withheld?: (name: string) => Withheld | undefined;
  /** The keys that open encrypted files; by default the keys of the run. */
  readonly sopsKeys?: SopsKeys | undefined;
  /** The refs of meshform at the remote. They replace the refs of the clone. */
  readonly shared?: SharedRefs | undefined;
  /** See `ProgramHost`. */
  readonly withoutBases?: string | undefined;
  /** Reads the refs of the remote. Called once the secrets of the files are known, because git must not get them. */
  readonly openShared?: () => Promise<unknown>;
  /**
   * Returns the journals of the applies on all machines, after the refs of the remote are read;
   * none if they do not count.
   */
  readonly sharedJournals?: () => Promise<SharedJournals | null | undefined>;
  /** Reads a project file from the disk. Tests pass their own. */
  readonly readProjectFile?: FileInFolder;
  /** The project files of this run, each read once. */
  readonly projectFiles?: FileInFolder | undefined;
  readonly cwd: string;
  /** The id of this process, and whether another process of this host is running. */
  readonly self: {
    readonly pid: number;
    readonly host: string;
    readonly isAlive: (pid: number) => boolean;
  };
  /** Ends a process that leads a group, and all other processes of the group; absent at a terminal. */
  readonly endGroup?: EndGroup | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds from a monotonic clock. Its origin is arbitrary. */
  readonly monotonic: () => number;
  readonly random: () => number;
  /** Joins the pushes and listings of runs for several accounts; absent for a run for one account. */
  readonly joint?: Pick<Remote, 'joined' | 'listedTogether'>;
  /** Resolves after this many milliseconds, or as soon as `signal` is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /**
   * Calls `tick` at this interval in milliseconds until the returned function is called. Absent if
   * the clock does not advance.
   */
  readonly every?: (milliseconds: number, tick: () => void) => () => void;
  /**
   * Asks at the terminal; null if there is no terminal. Once `signal` is aborted, the answer is
   * empty.
   */
  readonly ask: ((question: string, signal?: AbortSignal) => Promise<string>) | null;
  /** Calls `handler` at each interrupt until the returned function is called. */
  readonly onInterrupt: (handler: (signal: Interrupt) => void) => () => void;
  /** Calls `handler` once the terminal is closed, until the returned function is called; absent without a terminal. */
  readonly onTerminalGone?: ((handler: () => void) => () => void) | undefined;
  /**
   * The interrupts of the command, after something is sent. Absent if the caller decides when the
   * command ends.
   */
  readonly interrupts?: Interrupts | undefined;
  /** Ends the process at once. Only the second interrupt or a later interrupt does this. */
  readonly abort: (code: number) => never;
}

/** Writes text for a terminal or a pipeline to execute. It must not contain text that others have chosen. */
export const control = (sink: Sink, text: string): void => (sink.control ?? sink.write)(text);

/** Prints a message on its own line. */
export const say = (sink: Sink, sentence: string): void => sink.write(`${visible(sentence)}\n`);
