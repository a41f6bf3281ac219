// Servers on loopback that keep every byte that they get: one that nobody should call, one in front of another server, and the
// socket of an agent.
import { connect, createServer, type Socket } from 'node:net';

export interface Recorder {
  /** Where it listens; empty for the socket of an agent. */
  readonly url: string;
  readonly port: number;
  /** How many connections it got. */
  readonly connections: () => number;
  /** What it got, as text. */
  readonly received: () => string;
  /** Forgets what it got. */
  readonly clear: () => void;
  readonly close: () => Promise<void>;
}

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}';

/** Starts one at a free port, or at the path of a socket. `target` is the port of a server that gets all of it. */
export async function startRecorder({
  at,
  target,
}: {
  readonly at?: string;
  readonly target?: number;
} = {}): Promise<Recorder> {
  let bytes: Buffer[] = [];
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer(socket => {
    connections += 1;
    const upstream = target === undefined ? undefined : connect(target, '127.0.0.1');
    for (const one of upstream ? [socket, upstream] : [socket]) {
      open.add(one);
      one.on('error', () => {}).on('close', () => open.delete(one));
    }
    socket.on('data', data => {
      bytes.push(data);
      if (upstream) upstream.write(data);
      else socket.end(ANSWER);
    });
    socket.on('close', () => upstream?.destroy());
    upstream?.pipe(socket);
  });
  await new Promise<void>(done =>
    at === undefined ? server.listen(0, '127.0.0.1', done) : server.listen(at, done),
  );
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: port === 0 ? '' : `http://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    received: () => Buffer.concat(bytes).toString('utf8'),
    clear: () => {
      bytes = [];
      connections = 0;
    },
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise(done => server.close(() => done()));
    },
  };
}
