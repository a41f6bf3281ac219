// Ends a command early, for a reason that the user can fix.

/**
 * Ends the command with `code` after `message`, `lines` and `hint` are printed. Not for bugs of
 * meshform. `hint` is the next step. It is null only if findings that were already printed contain
 * the next step.
 */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly code: number;
  readonly hint: string | null;
  /** Lines below the message. */
  readonly lines: readonly string[];
  /**
   * The precondition that did not hold; see `Refusal`. For code that continues after the `Stop`.
   */
  readonly refused?: string;

  constructor(code: number, message: string, hint: string | null, lines: readonly string[] = []) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.lines = lines;
  }

  /** The same `Stop` with more lines. */
  withLines(more: readonly string[]): Stop {
    const { code, message, hint, lines, refused } = this;
    const stop = new Stop(code, message, hint, [...lines, ...more]);
    return refused === undefined ? stop : Object.assign(stop, { refused });
  }
}
