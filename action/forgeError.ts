// What is said of a call that the forge did not do: the call, the status, what the forge said, and when to come back.

/** A call that the forge refused, or that did not reach it. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';
  /** The token may not do this, and waiting changes nothing. */
  readonly isForbidden: boolean;

  constructor(message: string, isForbidden = false) {
    super(message);
    this.isForbidden = isForbidden;
  }
}

/** The error of an answer with a status other than 2xx. */
export async function refusal(what: string, response: Response): Promise<ForgeError> {
  const { status, headers } = response;
  const isLimited =
    status === 429 || headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0';
  const said = messageIn(await response.text().catch(() => ''));
  const wait = headers.get('retry-after');
  const limit = isLimited ? `, a rate limit${wait === null ? '' : ` for ${inLine(wait)} s`}` : '';
  return new ForgeError(
    `${what} was answered with status ${status}${limit}${said === '' ? '' : `: ${said}`}`,
    !isLimited && [401, 403, 404].includes(status),
  );
}

/** Throws the error of a call without an answer that can be read. */
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

/** Text of somebody else in one line, in which it cannot begin a command of the runner. */
export const inLine = (text: string): string =>
  text
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 300);
