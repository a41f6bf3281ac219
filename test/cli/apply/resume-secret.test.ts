// An update with a secret whose response was lost: a read cannot show whether the secret was stored, so `--resume` sends it again.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const SERVICES = '/api/reverse-proxies/services';
const service = (name: string, secret: string) => `reverse_proxy:
  services:
    - domain: wiki.eu.proxy.test
      name: ${name}
      targets: [{ target: { peer: web }, port: 8080, protocol: http }]
      auth: { password_auth: { enabled: true, password: "\${env:${secret}}" } }
`;

interface Stage {
  readonly id: string;
  readonly bodies: readonly string[];
  readonly resume: () => Promise<Ended>;
  readonly put: (body: JsonObject) => Promise<unknown>;
  readonly live: () => Promise<JsonObject>;
}

/** An apply of another name and password, of which every response to a PUT is lost after the server stored it. */
async function interrupted(use: (stage: Stage) => Promise<void>): Promise<void> {
  const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
  onTestFinished(() => account.close());
  const cluster = { address: 'eu.proxy.test', shared: true };
  await account.control('POST', '/emulator/proxy-clusters', cluster);
  await account.enrol('web');
  await inFolder(async cwd => {
    const env = { ...environmentOf(account), OLD: 'old-password', NEW: 'new-password' };
    const run = (...words: readonly string[]) => meshform(words, { cwd, env });
    const write = (text: string) => writeFile(join(cwd, 'network.yaml'), text);
    const allow = ['--yes', '--allow', 'SERVICE_PUBLIC'];
    await write(service('Wiki', 'OLD'));
    expect((await run('apply', ...allow)).code).toBe(0);
    await write(service('Team wiki', 'NEW'));
    const fault = { method: 'PUT', path: `${SERVICES}/*`, effect: 'reset', commit: true, times: 9 };
    await account.control('POST', '/emulator/faults', fault);
    const cut = await run('apply', ...allow, '--journal', 'run.jsonl');
    expect(cut.code, cut.stdout + cut.stderr).toBe(4);
    await account.control('DELETE', '/emulator/faults');
    const live = async () => ((await account.call('GET', SERVICES)) as JsonObject[])[0] ?? {};
    const { id } = await live();
    const before = account.requests.length;
    await use({
      id: String(id),
      get bodies() {
        const sent = account.requests.slice(before).filter(({ method }) => method === 'PUT');
        return sent.map(({ path }) => path);
      },
      resume: () => run('apply', '--resume', 'run.jsonl', ...allow),
      put: body => account.call('PUT', `${SERVICES}/${String(id)}`, body),
      live,
    });
  });
}

test('a resume sends a secret again whose response was lost, and the run ends', () =>
  interrupted(async stage => {
    expect(await stage.live()).toMatchObject({ name: 'Team wiki' });
    const resumed = await stage.resume();
    expect(resumed.code, resumed.stdout + resumed.stderr).toBe(0);
    expect(stage.bodies).toEqual([`${SERVICES}/${stage.id}`]);
    expect(await stage.live()).toMatchObject({ name: 'Team wiki' });
  }));

test('a resume does not send a secret over what somebody changed meanwhile', () =>
  interrupted(async stage => {
    const { id: _, meta: __, ...body } = await stage.live();
    await stage.put({ ...body, name: 'Wiki of somebody else' });
    const resumed = await stage.resume();
    expect(resumed.code, resumed.stdout + resumed.stderr).toBe(5);
    expect(resumed.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'changed in the account since the plan was made',
    );
    expect(await stage.live()).toMatchObject({ name: 'Wiki of somebody else' });
  }));
