// Sends one message to a webhook. The address of the webhook is a credential, so no error contains it.
import { type Dispatcher, request as send } from 'undici';
import { nameText } from '../../model/text/visible.ts';
import { CERTIFICATE, PROXY } from '../transport/networkErrors.ts';
import { answerText } from '../transport/responseText.ts';

/** A message, and its destination. */
export interface Delivery {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  /**
   * The address of the proxy that the dispatcher uses for the webhook, in the form for messages.
   */
  readonly proxy?: string | undefined;
  /** Ends the attempt, including the reading of the response. */
  readonly signal: AbortSignal;
}

/** The maximum number of bytes of a response. The response is not used, so the rest is cut off. */
const LARGEST_ANSWER = 64 * 1024;

/**
 * Sends the message once. Resolves to null, or to the reason why it did not arrive, as words that
 * complete "… failed: ". Redirects are not followed.
 */
export async function post({ url, proxy, ...delivery }: Delivery): Promise<string | null> {
  const { body, headers, dispatcher, signal } = delivery;
  try {
    const answer = await send(url, {
      method: 'POST',
      body,
      dispatcher,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
      headers: { 'content-type': 'application/json', 'user-agent': 'meshform', ...headers },
    });
    // Only the status counts, and the status arrived before the body.
    await answerText(answer.body, undefined, LARGEST_ANSWER).catch(() => {});
    const { statusCode } = answer;
    if (statusCode >= 200 && statusCode < 300) return null;
    const isRedirect = statusCode >= 300 && statusCode < 400;
    return `it returned ${statusCode}${isRedirect ? ', and redirects are not followed' : ''}`;
  } catch (error) {
    const why = whyUnsent(error);
    return proxy === undefined ? why : `${why} (through the proxy ${nameText(proxy)})`;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  TimeoutError: 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
};

// The reason of a network error. Messages of network errors may contain the address, so only their
// codes are used.
function whyUnsent(error: unknown): string {
  const { code, name, cause } = Object(error);
  if (PROXY.has(code)) return 'the proxy refused the connection';
  if (CERTIFICATE.test(code))
    return `its certificate is not trusted (${code}); if the server is private, name its certificates with --ca-file FILE`;
  const found = [code, name, Object(cause).code].find(
    one => typeof one === 'string' && one in REASONS,
  );
  if (found !== undefined) return REASONS[found] ?? found;
  return typeof code === 'string' ? code : 'the connection failed';
}
