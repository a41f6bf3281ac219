// A hostile page in the same browser, and other programs of the same machine, learn nothing from a studio.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder } from '../../support/cli.ts';
import { answerTo, type RunningStudio, responseTo, type Sent, withStudio } from './studioRun.ts';

const SECRET_NAME = 'acquisition-of-globex';

function studio(use: (studio: RunningStudio) => Promise<void>): Promise<void> {
  return inFolder(async folder => {
    await mkdir(join(folder, 'network'));
    await writeFile(join(folder, 'network/a.yaml'), `groups: [{ name: ${SECRET_NAME} }]\n`);
    await withStudio(['network'], { cwd: folder }, use);
  });
}

/** Requests with the token that must be refused all the same. `OWN` and `TOKEN` stand for what the studio has. */
const REFUSED: readonly (readonly [string, number, Sent])[] = [
  ['a name that resolves to this machine', 403, { headers: { host: 'evil.example:PORT' } }],
  ['the name of this machine without the port', 403, { headers: { host: '127.0.0.1' } }],
  ['the port of another server', 403, { headers: { host: '127.0.0.1:80' } }],
  ['another spelling of loopback', 403, { headers: { host: '127.1:PORT' } }],
  ['a name that ends in a dot', 403, { headers: { host: 'localhost.:PORT' } }],
  ['a request that another site makes', 403, { headers: { 'sec-fetch-site': 'cross-site' } }],
  ['a request of another port', 403, { headers: { 'sec-fetch-site': 'same-site' } }],
  ['the origin of another site', 403, { headers: { origin: 'https://evil.example' } }],
  ['the origin of a frame without one', 403, { headers: { origin: 'null' } }],
  ['the origin of another port', 403, { headers: { origin: 'http://127.0.0.1:1' } }],
  ['a path that is not there', 404, { path: '/network/a.yaml' }],
  ['a path with a query', 404, { path: '/updates?token=TOKEN' }],
  ['a path that leads upwards', 404, { path: '/../../etc/passwd' }],
  ['a whole address', 404, { path: 'http://127.0.0.1:PORT/updates' }],
  ['a name that every object has', 404, { path: '/constructor' }],
];

const filled = (text: string, { port, token }: RunningStudio): string =>
  text.replaceAll('PORT', `${port}`).replaceAll('TOKEN', token);

test('the studio refuses every request from another page, with its token and without it', async () => {
  await studio(async own => {
    for (const [what, status, { path = '/updates', headers = {} }] of REFUSED)
      for (const token of [{ authorization: `Bearer ${own.token}` }, {}]) {
        const given = Object.entries(headers).map(([name, value]) => [
          name,
          filled(`${value}`, own),
        ]);
        const sent = {
          path: filled(path, own),
          headers: { ...Object.fromEntries(given), ...token },
        };
        const { status: got, text, headers: response } = await answerTo(own, sent);
        expect(got, what).toBe(status);
        expect(text, what).not.toContain(SECRET_NAME);
        expect(Object.keys(response).filter(name => name.startsWith('access-control'))).toEqual([]);
      }
  });
});

test('the studio serves only the empty page without the token of this start', async () => {
  await studio(async own => {
    const wrong = [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: own.token },
      { cookie: `token=${own.token}` },
    ];
    for (const headers of wrong) {
      expect(await answerTo(own, { path: '/updates', headers })).toMatchObject({ status: 401 });
      for (const path of ['/ask', '/refresh'])
        expect(await answerTo(own, { path, headers, method: 'POST', body: '{}' })).toMatchObject({
          status: 401,
        });
    }
    const { status, text, headers } = await answerTo(own, {});
    expect(status).toBe(200);
    expect(text).not.toContain(SECRET_NAME);
    expect(text).not.toContain(own.token);
    expect(headers['set-cookie']).toBeUndefined();
  });
});

test('the studio answers its own page with the token, by both host names of the machine', async () => {
  await studio(async own => {
    for (const name of ['127.0.0.1', 'localhost']) {
      const host = `${name}:${own.port}`;
      const headers = {
        host,
        origin: `http://${host}`,
        'sec-fetch-site': 'same-origin',
        authorization: `Bearer ${own.token}`,
      };
      const response = await responseTo(own, { path: '/updates', headers });
      expect(response.statusCode).toBe(200);
      const [first] = await response.take(1).toArray();
      expect(String(first)).toContain(SECRET_NAME);
    }
  });
});

test('the studio’s page cannot be framed, linked, embedded or opened by another page, and contacts no other host', async () => {
  await studio(async own => {
    for (const path of ['/', '/updates', '/nothing']) {
      const { headers } = await answerTo(own, { path });
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      const policy = `${headers['content-security-policy']}`.split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "connect-src 'self'",
          "frame-ancestors 'none'",
          "form-action 'none'",
          "base-uri 'none'",
        ]),
      );
      expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
    }
  });
});

test('the studio refuses other methods, and a question that is too large', async () => {
  await studio(async own => {
    const headers = { authorization: `Bearer ${own.token}` };
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'HEAD'])
      expect(await answerTo(own, { method, path: '/ask', headers })).toMatchObject({
        status: 405,
        headers: { allow: 'POST' },
      });
    const ask = (body: string) => answerTo(own, { method: 'POST', path: '/ask', headers, body });
    expect(await ask('x'.repeat(5000))).toMatchObject({ status: 413 });
    for (const body of ['', 'null', '{"from":1}', '{"from":"","to":"","port":"","in":"other"}'])
      expect(await ask(body), body).toMatchObject({ status: 400 });
  });
});

test('two starts of the studio have different tokens', async () => {
  const tokens = new Set<string>();
  for (let start = 0; start < 2; start += 1)
    await studio(async ({ token }) => {
      tokens.add(token);
      expect(token.length).toBeGreaterThanOrEqual(32);
    });
  expect(tokens.size).toBe(2);
});
