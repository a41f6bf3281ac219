// Notifications on their way: through the proxy of the environment, and to a server with a certificate of its own.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { selfSigned } from '../../api/certificate.ts';
import { listing, serveClosedProxy, serveProxy, serveTls } from '../../api/loopback.ts';
import { applyFiles, found, type Team, team } from '../../attribution/team.ts';

const HOST = 'hooks.example.com';
const URL = `https://${HOST}/T000/secretpath`;
const certificate = selfSigned(HOST);

const PROXIES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'];
beforeEach(() => {
  for (const name of PROXIES) vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
});

const FILES = `
posture_checks:
  - { name: recent, description: as agreed, checks: { nb_version_check: { min_version: 1.2.0 } } }
`;

/** Uses an account with drift, and a folder with the certificate of the webhook. */
const drifted = (use: (world: Team) => Promise<void>) =>
  team(async world => {
    await applyFiles(world, FILES);
    const [{ call }] = world.people;
    const path = '/api/posture-checks';
    const { id, ...check } = await found(call, path, 'recent');
    await call('PUT', `${path}/${id}`, { ...check, description: 'theirs' });
    await writeFile(join(world.cwd, 'webhook.pem'), certificate.cert);
    await use(world);
  });

// The connection reads the environment of the process, messages that of the command.
function notifyThrough({ run }: Team, proxy: string, ...flags: readonly string[]) {
  vi.stubEnv('HTTPS_PROXY', proxy);
  const env = { MESHFORM_NOTIFY_URL: URL, HTTPS_PROXY: proxy };
  return run(['drift', '--notify', ...flags], env);
}

test('a webhook request uses HTTPS_PROXY, and trusts the certificates in --ca-file', () =>
  drifted(async world => {
    const asked: string[] = [];
    const tunnels: string[] = [];
    const proxy = await serveProxy(await serveTls(listing(asked), certificate), tunnels);
    const ended = await notifyThrough(world, proxy, '--ca-file', 'webhook.pem');
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).not.toContain('warning');
    expect(tunnels).toEqual([`CONNECT ${HOST}:443`]);
    expect(asked).toEqual(['POST /T000/secretpath']);
  }));

test.each(['user:hush@proxy.example:3128', 'user:hush'])(
  'an invalid proxy ends the command before it reads the account: %s',
  proxy =>
    drifted(async world => {
      const { code, stdout, stderr } = await notifyThrough(world, proxy);
      expect(code).toBe(64);
      expect(stderr).toContain('of HTTPS_PROXY is not the address of a proxy');
      expect(stdout + stderr).not.toContain('hush');
    }),
);

test('a self-signed certificate is a warning without --ca-file, and nothing is sent', () =>
  drifted(async world => {
    const asked: string[] = [];
    const proxy = await serveProxy(await serveTls(listing(asked), certificate), []);
    const ended = await notifyThrough(world, proxy);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(
      /^warning: the notification of hooks\.example\.com failed: its certificate is not trusted \(.*\); if the server is private, name its certificates with --ca-file FILE/m,
    );
    expect(ended.stderr).not.toContain('secretpath');
    expect(asked).toEqual([]);
  }));

test('a proxy that refuses all connections is named in a warning', () =>
  drifted(async world => {
    const proxy = await serveClosedProxy();
    const ended = await notifyThrough(world, proxy.replace('://', '://user:hush@'));
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(
      'warning: the notification of hooks.example.com failed: the proxy refused the connection (through the proxy ',
    );
    expect(ended.stderr).not.toMatch(/secretpath|hush/);
  }));

test('NO_PROXY bypasses the proxy', () =>
  drifted(async world => {
    const asked: string[] = [];
    const tunnels: string[] = [];
    const own = selfSigned('localhost');
    const port = await serveTls(listing(asked), own);
    await writeFile(join(world.cwd, 'own.pem'), own.cert);
    vi.stubEnv('HTTPS_PROXY', await serveProxy(port, tunnels));
    vi.stubEnv('NO_PROXY', 'localhost');
    const env = { MESHFORM_NOTIFY_URL: `https://localhost:${port}/hook` };
    const ended = await world.run(['drift', '--notify', '--ca-file', 'own.pem'], env);
    expect(ended.stderr).not.toContain('warning');
    expect([asked, tunnels]).toEqual([['POST /hook'], []]);
  }));
