// Errors of the forge's API: the call, the status, the message of the forge, and its rate limit.

/** A call that the forge rejected, or that did not reach the forge. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';
  /** Whether the token lacks the permission; false for a rate limit. */
  readonly isForbidden: boolean;

  constructor(message: string, isForbidden = false) {
    super(message);
    this.isForbidden = isForbidden;
  }
}

/** The error for a response with a status other than 2xx. */
export async function refusal(what: string, response: Response): Promise<ForgeError> {
  const { status, headers } = response;
  const isLimited =
    status === 429 || headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0';
  const said = messageIn(await response.text().catch(() => ''));
  const wait = headers.get('retry-after');
  const limit = isLimited ? `, a rate limit${wait === null ? '' : ` for ${inLine(wait)} s`}` : '';
  return new ForgeError(
    `${what} returned status ${status}${limit}${said === '' ? '' : `: ${said}`}`,
    !isLimited && [401, 403, 404].includes(status),
  );
}

/** The error for a redirect that is not followed. */
export function redirected(what: string, to: URL | null): ForgeError {
  const where = to === null ? 'an invalid address' : inLine(`${to.origin}${to.pathname}`);
  return new ForgeError(
    `${what} was redirected to ${where}; the API has moved, or the repository was renamed`,
  );
}

/** Throws the error for a call without a readable response. */
export function unreachable(what: string, error: unknown): never {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const reason = cause instanceof Error ? cause.message : message;
  throw new ForgeError(`${what} failed: ${inLine(reason)}`);
}

function messageIn(body: string): string {
  try {
    const { message } = Object(JSON.parse(body));
    return typeof message === 'string' ? inLine(message) : '';
  } catch {
    return '';
  }
}

/** External text on one line, so that it cannot start a command of the runner. */
export const inLine = (text: string): string =>
  text
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 300);
