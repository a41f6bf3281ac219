// A command's end before its time, for a reason that is the user's to mend.

/**
 * Ends the command with `code` after `message`, `lines` and `hint` are printed. Not for faults of our own. `hint` says what
 * to do next; it is null only where findings that say so are printed already.
 */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly code: number;
  readonly hint: string | null;
  /** What the message counts up, each on a line of its own. */
  readonly lines: readonly string[];

  constructor(code: number, message: string, hint: string | null, lines: readonly string[] = []) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.lines = lines;
  }
}
