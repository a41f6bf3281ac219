// A git server over HTTPS on loopback: it lets nobody in who does not have the token of the job, and keeps the headers of requests.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { selfSigned } from '../api/certificate.ts';

/** Serves the bare repositories of a folder. */
export async function startGitServer(folder: string, authorization: string) {
  const certificate = selfSigned('localhost');
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, certificate.cert);
  const seen: (readonly string[])[] = [];
  let isReadOnly = false;
  const server = createServer(certificate, (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const given = request.rawHeaders.filter(
      (_, index, all) => index % 2 === 1 && /^authorization$/i.test(all[index - 1] ?? ''),
    );
    seen.push(given);
    // As GitHub does: two headers are a malformed request, even where they are equal.
    if (given.length > 1) return void response.writeHead(400).end();
    if (given[0]?.toLowerCase() !== authorization.toLowerCase())
      return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
    // As GitHub does with a token that may only read.
    if (isReadOnly && `${path}?${query}`.includes('git-receive-pack'))
      return void response.writeHead(403).end('Write access to repository not granted.');
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: 'job',
        PATH_INFO: path,
        QUERY_STRING: query,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    backend.on('close', () => {
      const answer = Buffer.concat(chunks);
      const end = answer.indexOf('\r\n\r\n');
      const headers = answer.subarray(0, end).toString().split('\r\n');
      const [, status = '200'] = /^Status: (\d+)/m.exec(headers.join('\n')) ?? [];
      const pairs = headers
        .filter(line => !line.startsWith('Status:'))
        .map((line): [string, string] => [
          line.slice(0, line.indexOf(':')),
          line.slice(line.indexOf(':') + 2),
        ]);
      response.writeHead(Number(status), Object.fromEntries(pairs)).end(answer.subarray(end + 4));
    });
    request.pipe(backend.stdin);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `https://localhost:${port}`,
    authority,
    seen,
    refusePushes: () => {
      isReadOnly = true;
    },
    close: () => new Promise(done => server.close(done)),
  };
}
