// The effect of interrupts while a command changes something at a remote or in the account. The
// first interrupt lets the command end in an orderly way. The second interrupt aborts the current
// request to a remote. The third interrupt ends the process. Before anything is sent, the first
// interrupt ends the process.

import { quoted, visible } from '../model/text/visible.ts';
import type { Asking } from '../read/remote/remoteRefs.ts';
import { exitOn, type Interrupt } from './exitCodes.ts';

/**
 * The time limit for requests to a remote, in milliseconds. It starts with the first interrupt, or
 * when the running actions have ended.
 */
const LEFT_AFTER_INTERRUPT = 30_000;

/** The process that is interrupted. */
interface Interruptible {
  readonly stderr: { readonly write: (text: string) => void };
  readonly monotonic: () => number;
  /** Calls `handler` at each interrupt until the returned function is called. */
  readonly onInterrupt: (handler: (signal: Interrupt) => void) => () => void;
  readonly abort: (code: number) => never;
}

/** The interrupts of one command. */
export class Interrupts {
  readonly #io: Interruptible;
  readonly #first = new AbortController();
  readonly #second = new AbortController();
  #caught: { readonly signal: Interrupt; readonly at: number } | null = null;
  #release: (() => void) | undefined;
  #running = 0;
  /** The monotonic time at which actions last ended. */
  #ran = Number.NEGATIVE_INFINITY;
  /** The names of the remotes with a current request. */
  readonly #asked: string[] = [];
  #held: string | null = null;

  constructor(io: Interruptible) {
    this.#io = io;
  }

  /** The first interrupt; null if there was none. */
  get caught(): Interrupt | null {
    return this.#caught?.signal ?? null;
  }

  /** Aborted by the first interrupt: no new action or request begins. */
  get first(): AbortSignal {
    return this.#first.signal;
  }

  /** Aborted by the second interrupt, which ends current requests to a remote. */
  get second(): AbortSignal {
    return this.#second.signal;
  }

  /**
   * How long a request to a remote may take, in milliseconds from now; infinite before the first interrupt, and while actions are
   * carried out.
   */
  readonly left = (): number => {
    if (this.#caught === null || this.#running > 0) return Number.POSITIVE_INFINITY;
    const since = Math.max(this.#caught.at, this.#ran);
    return since + LEFT_AFTER_INTERRUPT - this.#io.monotonic();
  };

  /** From now on, until `release`, an interrupt does not end the process by itself. */
  begin(): void {
    this.#release ??= this.#io.onInterrupt(signal => this.#interrupted(signal));
  }

  release(): void {
    this.#release?.();
    this.#release = undefined;
  }

  /**
   * Marks that actions are being carried out, until the returned function is called. During this
   * time, the second interrupt ends the process.
   */
  running(): () => void {
    this.begin();
    this.#running += 1;
    return () => {
      this.#running -= 1;
      this.#ran = this.#io.monotonic();
    };
  }

  /** Marks that a request to a remote is in progress, until the returned function is called. */
  asking(remote: string, { isPush }: Pick<Asking, 'isPush'>): () => void {
    if (isPush) this.begin();
    this.#asked.push(remote);
    return () => {
      this.#asked.splice(this.#asked.indexOf(remote), 1);
    };
  }

  /**
   * A sentence about what would remain at a remote if the process ended now; null if nothing would.
   */
  set held(sentence: string | null) {
    this.#held = sentence;
  }

  #interrupted(signal: Interrupt): void {
    if (this.#caught === null) {
      this.#caught = { signal, at: this.#io.monotonic() };
      this.#say(`stopping: ${this.#waitsFor()}press Ctrl-C again to stop immediately`);
      this.#first.abort();
      return;
    }
    // When a terminal closes, both the shell and the system may send this signal. Nobody is at the
    // terminal who could have wanted to stop at once.
    if (signal === 'SIGHUP') return;
    const isOver = this.#running > 0 || this.#asked.length === 0 || this.#second.signal.aborted;
    if (isOver) {
      if (this.#held !== null) this.#say(this.#held);
      this.#io.abort(exitOn(signal));
    }
    this.#second.abort();
  }

  #say(sentence: string): void {
    const line = `${visible(sentence)}\n`;
    this.#io.stderr.write(line);
  }

  #waitsFor(): string {
    if (this.#running > 0) return 'waiting for running actions; ';
    const [remote] = this.#asked;
    if (remote === undefined) return '';
    const seconds = LEFT_AFTER_INTERRUPT / 1000;
    return `waiting for the remote ${quoted(remote)}, for at most ${seconds} s; `;
  }
}
