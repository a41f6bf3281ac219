// What a self-hosted server does not offer stands in nobody's way, and is reported only to who speaks of it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { DIALECTS } from '../../../src/kinds/traits.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';

const open: TestAccount[] = [];
afterEach(() => Promise.all(open.splice(0).map(account => account.close())));

async function account(dialect: 'spec' | 'netbird', edition: 'cloud' | 'self-hosted') {
  const started = await startAccount({ dialect, edition });
  open.push(started);
  return started;
}

const PEERS = Array.from({ length: 12 }, (_, n) => `laptop-${n}`);

describe.each(someOf(DIALECTS, 1))('a self-hosted server of dialect %s', dialect => {
  test('deletes if files mention peers, and is asked for ingress ports once per run', async () => {
    const server = await account(dialect, 'self-hosted');
    for (const name of PEERS) await server.enrol(name);
    await server.call('POST', '/api/groups', { name: 'old' });
    await inFolder(async cwd => {
      const at = { cwd, env: environmentOf(server) };
      const kept = PEERS.slice(1).map(name => `  - { name: ${name} }\n`);
      const text = `groups: [{ name: staff, peers: [${PEERS[1]}] }]\npeers:\n${kept.join('')}`;
      const gone = `  - { name: ${PEERS[0]}, lifecycle: { delete: true } }\n`;
      await writeFile(join(cwd, 'network.yaml'), `${text}${gone}`);
      const words = ['apply', '--yes', '--prune', 'unmanaged', '--allow', 'DELETES_OBJECT'];
      const before = server.requests.length;
      const { code, stderr } = await meshform(words, at);
      expect([code, stderr.includes('ingress')]).toEqual([0, false]);
      const asked = server.requests.slice(before).filter(({ path }) => path.includes('/ingress/'));
      expect(asked.length).toBeLessThanOrEqual(2);
    });
    const names = (list: unknown) => (list as { name: string }[]).map(({ name }) => name).sort();
    expect(names(await server.call('GET', '/api/groups'))).toEqual(['All', 'staff']);
    expect(names(await server.call('GET', '/api/peers'))).toEqual(PEERS.slice(1).sort());
  });

  test('is exported without a note about kinds that it does not offer, unless they are requested', async () => {
    const env = environmentOf(await account(dialect, 'self-hosted'));
    const whole = await meshform(['export'], { env });
    expect([whole.code, whole.stderr]).toEqual([0, expect.not.stringContaining('UNAVAILABLE')]);
    const part = await meshform(['export', '--kinds', 'event_streams,notification_channels'], {
      env,
    });
    expect(part.code).toBe(0);
    expect(part.stderr.match(/does not return its [a-z ]+/g)).toEqual([
      'does not return its event streams',
      'does not return its notification channels',
    ]);
  });

  test('gets no plan for declarations of kinds that it does not offer: the error names the edition and says what to do', async () => {
    const at = { env: environmentOf(await account(dialect, 'self-hosted')) };
    const company = new URL('../../../examples/company', import.meta.url).pathname;
    const { code, stderr } = await meshform(['plan', company], at);
    const text = stderr.replaceAll(/\s+/g, ' ');
    expect([code, text]).toEqual([3, expect.stringContaining('error KIND_UNAVAILABLE')]);
    expect(text).toContain('only the cloud edition offers it, and the server runs the self-hosted');
    const [, flag = ''] = /with --except '(notification_channel\/\*)'/.exec(text) ?? [];
    expect(await meshform(['plan', company, '--except', flag], at)).toMatchObject({ code: 0 });
  });

  test('gets a printed line of --except flags for everything that it does not offer', async () => {
    const at = { env: environmentOf(await account(dialect, 'self-hosted')) };
    const everything = new URL('../../../examples/everything', import.meta.url).pathname;
    const { stderr } = await meshform(['plan', everything], at);
    const [, line = ''] = /does not offer: (--except .*)$/m.exec(stderr) ?? [];
    const flags = line.replaceAll("'", '').split(' ');
    expect(flags.filter(flag => flag === '--except').length).toBeGreaterThan(9);
    const again = await meshform(['plan', everything, ...flags], at);
    expect(again.stderr).not.toContain('KIND_UNAVAILABLE');
  });

  test.each([
    ['events', 'traffic'],
    ['api', 'call', 'getEdrProviderA'],
    ['api', 'call', 'listScimIntegrations'],
  ])('is named with its edition in the errors of other commands: %s %s', async (...words) => {
    const env = environmentOf(await account(dialect, 'self-hosted'));
    const { code, stderr } = await meshform(words, { env });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('only the cloud edition offers it'),
    ]);
    expect(stderr).toContain('self-hosted');
    expect(stderr).not.toContain('web pages');
  });
});

test('`api call` finds the path of the dialect', async () => {
  for (const dialect of DIALECTS) {
    const env = environmentOf(await account(dialect, 'cloud'));
    expect((await meshform(['api', 'call', 'listEventStreams'], { env })).code).toBe(0);
    expect((await meshform(['api', 'call', 'listDirectorySyncsA'], { env })).code).toBe(0);
  }
});
