// A command's end before its time, for a reason that is the user's to mend.

/** Ends the command with `code` after `message` and `hint` are printed. Not for faults of our own. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly code: number;
  readonly hint: string | undefined;

  constructor(code: number, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
