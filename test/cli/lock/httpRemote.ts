// A Git remote over HTTP, as a forge has it: git's own program behind a server that asks for a user and a password.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { git } from '../../support/git.ts';

/** Git's own program for HTTP; it is not part of every installation of git. */
const BACKEND = join(git('/', '--exec-path').trim(), 'git-http-backend');

export const hasHttpBackend = existsSync(BACKEND);

export const USER = 'robot';
export const PASSWORD = 'a-password-of-the-job';

export interface HttpRemote {
  readonly url: string;
  /** What the server was asked, as `METHOD path`. */
  readonly asked: string[];
  /** Pushes are forbidden. */
  isReadOnly: boolean;
  /** So many pushes are done, and the connection ends before the answer. */
  lostAnswers: number;
  readonly close: () => void;
}

/** Serves a bare repository. */
export async function httpRemote(repository: string): Promise<HttpRemote> {
  const server = createServer((request, response) => {
    answer(remote, repository, request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const remote: HttpRemote = {
    url: `http://127.0.0.1:${port}/${basename(repository)}`,
    asked: [],
    isReadOnly: false,
    lostAnswers: 0,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  git(repository, 'config', 'http.receivepack', 'true');
  return remote;
}

const CREDENTIALS = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;

async function answer(
  remote: HttpRemote,
  repository: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '', headers } = request;
  remote.asked.push(`${method} ${url}`);
  if (headers.authorization !== CREDENTIALS) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return;
  }
  const isPush = url.includes('git-receive-pack');
  if (isPush && remote.isReadOnly) {
    response.writeHead(403).end('this token may only read\n');
    return;
  }
  const [path = '', query = ''] = url.split('?');
  const child = spawn(BACKEND, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: dirname(repository),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: method,
      REMOTE_USER: USER,
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    },
  });
  request.pipe(child.stdin);
  const said = await buffer(child.stdout);
  if (isPush && method === 'POST' && remote.lostAnswers > 0) {
    remote.lostAnswers -= 1;
    response.destroy();
    return;
  }
  const end = said.indexOf('\r\n\r\n');
  const lines = said.subarray(0, end).toString('utf8').split('\r\n');
  const named = lines.map(line => line.split(': ') as [string, string]);
  const status = named.find(([name]) => name === 'Status')?.[1];
  response.writeHead(status === undefined ? 200 : Number(status.slice(0, 3)), named.flat());
  response.end(said.subarray(end + 4));
}
