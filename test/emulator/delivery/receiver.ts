// A receiver of notifications over HTTP: keeps what arrives, and answers as badly as a test likes.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';

/** How a request is answered: with a status, or not at all after it was read. */
type Mood = number | 'reset';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Whether the sender was told that it arrived. */
  readonly isTaken: boolean;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** What was taken, as JSON. */
  taken(): readonly Readonly<Record<string, unknown>>[];
  /** Resolves once so many were taken. */
  until(count: number): Promise<void>;
}

/** Starts one that ends with the test. `moods` are for the first requests; all others are answered with 200. */
export async function receiver(moods: readonly Mood[] = []): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', chunk => chunks.push(chunk));
    incoming.on('end', () => {
      const mood = moods[received.length] ?? 200;
      const isTaken = typeof mood === 'number' && mood < 300;
      const text = Buffer.concat(chunks).toString();
      received.push({ headers: incoming.headers, text, isTaken });
      if (mood === 'reset') outgoing.destroy();
      else outgoing.writeHead(mood).end();
      for (const check of waiting.splice(0)) check();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = Object(server.address());
  const taken = () => received.filter(one => one.isTaken).map(({ text }) => JSON.parse(text));
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    taken,
    until: async count => {
      while (taken().length < count) await new Promise<void>(resolve => waiting.push(resolve));
    },
  };
}
