// The error of a remote that meshform lets git reach in no way.

/** The error for a remote that a commit can lead elsewhere, or that is pushed to several addresses. */
export class UnusableRemote extends Error {
  override readonly name = 'UnusableRemote';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
