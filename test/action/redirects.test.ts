// Redirects of the forge: writes are not repeated elsewhere, and the token stays at its origin.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { forgeAt } from '../../action/forge.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(answer: Answer) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    answer(request, response);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise(done => server.close(() => done())));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { calls, url: `http://127.0.0.1:${port}` };
}

const open = (api: string) => forgeAt({ api, repository: 'example/network', token: 'secret' });
const STATUSES = [301, 302, 303, 307, 308];

test.each(STATUSES)(
  'a write that is redirected with %i is not repeated, and is reported',
  async status => {
    const { calls, url } = await serve((_, response) =>
      response.writeHead(status, { location: '/repositories/7/issues' }).end(),
    );
    await expect(open(url).createIssue('drift', 'text')).rejects.toThrow(
      `POST /repos/example/network/issues was redirected to ${url}/repositories/7/issues`,
    );
    expect(calls).toHaveLength(1);
  },
);

test.each(STATUSES)(
  'a read that is redirected with %i is followed on the same origin',
  async status => {
    const { calls, url } = await serve(({ url: path = '' }, response) => {
      if (path.startsWith('/repos/'))
        response.writeHead(status, { location: path.replace('example', 'renamed').slice(6) }).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
    expect(await open(url).comments(7)).toEqual([]);
    expect(calls).toHaveLength(2);
    expect(calls[1]).toMatch(/^GET \/renamed\/.* Bearer secret$/);
  },
);

test('the token is not sent to another origin', async () => {
  const other = await serve((_, response) => response.end('[]'));
  const { url } = await serve((_, response) =>
    response.writeHead(302, { location: `${other.url}/comments?key=1` }).end(),
  );
  await expect(open(url).comments(7)).rejects.toThrow(`was redirected to ${other.url}/comments;`);
  expect(other.calls).toEqual([]);
});

test.each([
  ['a loop', { location: '/repos/example/network/issues/7/comments' }],
  ['no address', {}],
  ['an invalid address', { location: 'http://' }],
])('a redirect with %s is an error', async (_, headers) => {
  const { calls, url } = await serve((_request, response) =>
    response.writeHead(302, headers).end(),
  );
  await expect(open(url).comments(7)).rejects.toThrow('was redirected to');
  expect(calls.length).toBeLessThan(10);
});
