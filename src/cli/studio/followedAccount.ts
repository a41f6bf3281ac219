// The account of a studio. It is read on request, but not so often that it would burden the server.
import { type AccountSeen, accountContent } from '../../report/studio/accountDifferences.ts';
import { partId, partText } from '../../report/studio/changingParts.ts';
import type { AnsweredState } from '../access/questionState.ts';
import type { Io } from '../io.ts';
import type { Board } from './board.ts';
import { type Turns, turnsOf } from './oneAtATime.ts';
import type { ReadAccount } from './readAccount.ts';

/** The shortest time between two reads, in seconds. */
export const ACCOUNT_EVERY = 15;

/** The inputs for following an account. */
interface Following {
  readonly read: () => Promise<ReadAccount>;
  /** Returns the number of times the files were read. */
  readonly readings: () => number;
  readonly board: Board;
  readonly io: Pick<Io, 'monotonic'>;
}

/** The account next to the files. */
export class FollowedAccount {
  readonly #following: Following;
  readonly #turns: Turns;
  #seen: AccountSeen = { is: 'reading' };
  #judged: AnsweredState | undefined;
  #begunAt = Number.NEGATIVE_INFINITY;
  #readings = 0;
  #isReading = false;

  constructor(following: Following) {
    this.#following = following;
    this.#turns = turnsOf(() => this.#turn());
  }

  /** The state of the account at the last read; undefined before the first read. */
  get judged(): AnsweredState | undefined {
    return this.#judged;
  }

  /** Reads the account, unless it was read very recently. Returns whether a read begins. */
  refresh(): boolean {
    const { io } = this.#following;
    const now = io.monotonic();
    if (now - this.#begunAt < ACCOUNT_EVERY * 1000) return false;
    this.#begunAt = now;
    this.#turns.ask();
    return true;
  }

  /**
   * Shows the account as it was last read, and whether the files have changed since the comparison.
   */
  show(): void {
    const { board, readings } = this.#following;
    const isOlder = readings() !== this.#readings;
    const content = accountContent(this.#seen, { isOlder, isReading: this.#isReading });
    board.show({ parts: { [partId('account')]: partText(content) } });
  }

  /** Resolves after the current read. */
  settled(): Promise<void> {
    return this.#turns.settled();
  }

  async #turn(): Promise<void> {
    const { read, readings } = this.#following;
    this.#readings = readings();
    this.#isReading = true;
    this.show();
    const { seen, judged } = await read();
    this.#isReading = false;
    this.#seen = seen;
    this.#judged = judged ?? this.#judged;
    this.show();
  }
}
