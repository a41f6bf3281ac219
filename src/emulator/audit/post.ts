// Sends deliveries over HTTP. By default they stay on this machine, so that a rehearsal with the webhooks of a real account calls
// none of these webhooks.
/** One request to a receiver. */
interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request, and resolves to the status; rejects if there is no response. */
export type Sender = (post: Post, signal: AbortSignal) => Promise<number>;

/** The timeout of a delivery, in milliseconds. */
const PATIENCE = 10_000;

/** Sends a delivery over the network. Resolves to the status of the response. */
export const realSender: Sender = async ({ url, headers, body }, signal) => {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
  });
  // Only the status of the response is used.
  await response.body?.cancel();
  return response.status;
};

/** Whether a URL points to this machine. */
export function isLoopback(text: string): boolean {
  const host = URL.parse(text)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
