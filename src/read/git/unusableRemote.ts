// The error for a remote that meshform never lets git contact.

/** The error for a remote that a commit can redirect, or that is pushed to several addresses. */
export class UnusableRemote extends Error {
  override readonly name = 'UnusableRemote';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
