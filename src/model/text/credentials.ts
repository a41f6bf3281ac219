// Removes credentials from web addresses that a person typed, for messages and for commands that the user can run again.

/** What is shown in place of credentials. */
const MASK = '***';

// A password may contain an unescaped `/` or `@`, so everything before the last `@` counts if there is a colon.
const CREDENTIALS = /([a-z][a-z\d+.-]*:[\\/]{2,})(?:[^\s\\/?#]*:\S*|[^\s\\/?#]*)@/gi;

/** A text in which the web addresses have `***` in place of the user and the password. */
export const withoutCredentials = (text: string): string =>
  text.replaceAll(CREDENTIALS, `$1${MASK}@`);
