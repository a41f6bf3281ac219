// The way to the server where something is wrong with it: one sentence, the right exit code, and no stack trace.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { selfSigned } from '../../api/certificate.ts';
import { serve, serveClosedProxy } from '../../api/loopback.ts';
import { startAccount } from '../../support/account.ts';
import { inFolder, meshform } from '../../support/cli.ts';
import { LAUNCHER } from '../../support/program/program.ts';

const GROUP = 'groups:\n  - name: engineers\n';
const SERVER = 'https://overlay.example.com';

beforeEach(() => {
  for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'NO_PROXY'])
    vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
});

/** A plan of one group at the end of this way. */
const plan = (env: Readonly<Record<string, string>>, ...flags: string[]) =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'network.yaml'), GROUP);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const ended = await meshform(['plan', ...flags], {
      cwd,
      env: { MESHFORM_TOKEN: 'nbp_token', MESHFORM_URL: SERVER, ...env },
    });
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    return { ...ended, stderr: ended.stderr.replaceAll(/\s+/g, ' ') };
  });

describe('a token that is passed in place of another setting', () => {
  const TOKEN = 'eyJhbGciOi.of-somebody.AbCdEf';
  test.each([
    ['the address', { MESHFORM_URL: TOKEN, MESHFORM_TOKEN: TOKEN }, []],
    [
      'the path of the address',
      { MESHFORM_URL: `http://127.0.0.1:1/${TOKEN}`, MESHFORM_TOKEN: TOKEN },
      [],
    ],
    ['the file of the token', { MESHFORM_TOKEN: TOKEN }, ['--token-file', TOKEN]],
    [
      'the address, and the address in its place',
      { MESHFORM_URL: 'nbp_Hh7Zk20rQwX', MESHFORM_TOKEN: SERVER },
      [],
    ],
    ['the file of the token alone', {}, ['--token-file', 'nbp_Hh7Zk20rQwX']],
  ])('is in no output: %s', async (_, env, flags) => {
    const { code, stdout, stderr } = await plan(env, '--format', 'comment', ...flags);
    expect(code).not.toBe(0);
    for (const secret of [TOKEN, 'Hh7Zk20rQwX']) expect(stdout + stderr).not.toContain(secret);
    expect(stderr).toContain('(secret)');
  });
});

describe('a proxy', () => {
  test.each([
    'proxy.example.com:3128',
    'http://',
    'ftp://user:hush@proxy',
    'user:hush@proxy:1',
    'user:hush',
    'https//user:hush',
    'http://user:hush',
  ])('may not be %s', async value => {
    for (const variable of ['HTTP_PROXY', 'HTTPS_PROXY']) {
      const { code, stderr } = await plan({ [variable]: value });
      expect(code).toBe(64);
      expect(stderr).toContain(`of ${variable} is not the address of a proxy`);
      expect(stderr).not.toContain('hush');
      vi.stubEnv(variable, undefined);
    }
  });

  test.each([
    ['connection refused', 'http://user:hush@127.0.0.1:1', 'http://127.0.0.1:1'],
    ['unknown host', 'http://proxy.invalid:3128', 'http://proxy.invalid:3128'],
  ])('a proxy that is unreachable is named, and not the server: %s', async (why, value, shown) => {
    const { code, stderr } = await plan({ HTTPS_PROXY: value });
    expect(code).toBe(1);
    expect(stderr).toContain(`the proxy ${shown} cannot be reached: `);
    if (why !== 'unknown host') expect(stderr).toContain(why);
    expect(stderr).toContain(`is ${shown} the right proxy?`);
    expect(stderr).not.toContain('overlay.example.com');
    expect(stderr).not.toContain('hush');
  });

  test('a proxy that refuses all connections is named, and not the server', async () => {
    const proxy = await serveClosedProxy();
    const { code, stderr } = await plan({ HTTPS_PROXY: proxy });
    expect(code).toBe(1);
    expect(stderr).toContain(`the proxy refused the connection ${proxy}:`);
    expect(stderr).not.toContain('overlay.example.com');
  });

  test('a proxy that is not used is not named in errors', async () => {
    const env = { HTTP_PROXY: 'http://127.0.0.1:2', NO_PROXY: '127.0.0.1' };
    const { code, stderr } = await plan({ ...env, MESHFORM_URL: 'http://127.0.0.1:1' });
    expect(code).toBe(1);
    expect(stderr).toContain('is http://127.0.0.1:1 the right address');
  });
});

describe('--ca-file', () => {
  const { cert } = selfSigned('overlay.example.com');

  test.each([
    ['garbage', 'garbage\n', 'contains no PEM certificate'],
    ['an empty file', '', 'contains no PEM certificate'],
    ['a certificate in binary', '\u0000\u0001', 'contains no PEM certificate'],
    [
      'a broken certificate',
      cert.replace(/[a-z]{2}/g, 'AA'),
      'contains a certificate that cannot be read',
    ],
    [
      'a certificate and a broken one',
      `${cert}${cert.replace(/[a-z]{2}/g, 'AA')}`,
      'certificate 2 cannot be read',
    ],
    ['what never ends', null, 'it is larger than 1 MB'],
  ])('may not be %s', (_, content, why) =>
    inFolder(async cwd => {
      const file = join(cwd, 'ca.pem');
      if (content !== null) await writeFile(file, content);
      const { code, stderr } = await plan({}, '--ca-file', content === null ? '/dev/zero' : file);
      expect([code, stderr]).toEqual([64, expect.stringContaining(why)]);
    }),
  );

  test('may contain several certificates with text between them', () =>
    inFolder(async cwd => {
      const file = join(cwd, 'ca.pem');
      await writeFile(file, `Ours:\n${cert}\n# and\n${cert}`);
      const url = { MESHFORM_URL: 'http://127.0.0.1:1' };
      expect((await plan(url, '--ca-file', file)).stderr).toContain('connection refused');
    }));
});

test('--token-file may be a pipe, which is read once', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await inFolder(async cwd => {
    await writeFile(join(cwd, 'network.yaml'), GROUP);
    const command = `${process.execPath} ${LAUNCHER} apply --yes --token-file`;
    const script = `${command} <(echo "$TOKEN") && echo "$TOKEN" | ${command} /dev/stdin`;
    const state = { XDG_STATE_HOME: join(cwd, 'state') };
    const env = {
      PATH: process.env.PATH,
      MESHFORM_URL: account.url,
      TOKEN: account.token,
      ...state,
    };
    const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [[code], stdout] = await Promise.all([
      once(child, 'exit'),
      text(child.stdout),
      text(child.stderr),
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('Apply complete');
    expect(stdout).toContain('No changes.');
  });
});

describe('a response', () => {
  const answering = async (listener: RequestListener) => {
    const asked: string[] = [];
    const port = await serve((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      listener(request, response);
    });
    const ended = await plan({ MESHFORM_URL: `http://127.0.0.1:${port}` });
    return { ...ended, asked };
  };

  test('a response of 200 kB that refuses the request is quoted by its beginning', async () => {
    const message = 'x'.repeat(200_000);
    const { code, stderr } = await answering((_, response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ message })),
    );
    expect(code).toBe(1);
    expect(stderr).toContain('a message of 200000 characters, which begins: xxx');
    expect(stderr.length).toBeLessThan(2_000);
  });

  test('a response of 200 kB that repeats the token reveals neither the token nor a part of it', async () => {
    for (let before = 485; before < 505; before++) {
      const message = `${'x'.repeat(before)}nbp_token${'y'.repeat(200_000)}`;
      const { stderr } = await answering((_, response) =>
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ message })),
      );
      expect(stderr).not.toMatch(/nbp_to/);
    }
  });

  test('a response of more than 512 MB is reported in one sentence, and is requested once', async () => {
    const { code, stderr, asked } = await answering((_, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': 600_000_000,
      });
      response.write('[');
    });
    expect(code).toBe(1);
    expect(stderr).toContain('GET /api/groups failed: its response is larger than 512 MB');
    expect(asked).toEqual(['GET /api/groups']);
  });
});
