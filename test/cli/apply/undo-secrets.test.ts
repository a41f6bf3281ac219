// An undo does not create a deleted object again without a secret that the object needs: the server would store an empty one.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const GROUPS = 'groups: [{ name: laptops }]\n';
const ENV = { A: 'secret-value-a', B: 'c2VjcmV0dmFsdWVCYQ==' };

const SPEC = `directory_sync:
  provider_a: [{ tenant_id: 1d9c3b7e-5f02-4a86-b1c4-7e80a3f6d259, client_id: overlay, client_secret: "\${env:B}", host: microsoft.com, sync_interval: 3600 }]
edr:
  provider_a: { api_url: "https://console.edr-a.example.com", api_token: "\${env:A}", groups: [laptops], last_synced_interval: 24, match_attributes: { infected: false } }
event_streams:
  - { platform: datadog, config: { api_key: "\${env:A}", api_url: "https://intake.example.com/eu" } }
identity_providers:
  - { name: staff, type: oidc, issuer: "https://idp.example.com", client_id: abc, client_secret: "\${env:A}" }
`;
const NETBIRD = `reverse_proxy:
  services:
    - domain: wiki.eu.proxy.test
      name: Wiki
      private: true
      access_groups: [laptops]
      targets:
        - target: { peer: gate }
          port: 8080
          protocol: http
          options: { custom_headers: { Authorization: "\${env:A}" } }
`;

test.each([
  [
    'spec' as const,
    SPEC,
    [
      'directory_sync_a.1d9c3b7e-5f02-4a86-b1c4-7e80a3f6d259 cannot be restored: its `client_secret` is a secret',
      'edr_provider_a.account cannot be restored: its `api_token` is a secret',
      'event_stream.datadog cannot be restored: its `config` has a secret',
      'identity_provider.staff cannot be restored: its `client_secret` is a secret',
    ],
  ],
  [
    'netbird' as const,
    NETBIRD,
    ['proxy_service.wiki.eu.proxy.test cannot be restored: its `targets` has a secret'],
  ],
])(
  'deleted objects that need a secret are named and not restored: dialect %s',
  async (dialect, files, says) => {
    const account = await startAccount({ dialect });
    onTestFinished(() => account.close());
    if (dialect === 'netbird') {
      await account.enrol('gate');
      await account.control('POST', '/emulator/proxy-clusters', {
        address: 'eu.proxy.test',
        shared: true,
        private: true,
      });
    }
    await inFolder(async cwd => {
      const env = { ...environmentOf(account), ...ENV };
      const run = (...flags: string[]) =>
        meshform(['apply', 'net', '--yes', ...flags], { env, cwd });
      for (const folder of ['net', 'before']) {
        await mkdir(join(cwd, folder));
        await writeFile(join(cwd, folder, 'network.yaml'), GROUPS + files);
      }
      const applied = await run();
      expect(applied.code, applied.stderr).toBe(0);
      await writeFile(join(cwd, 'net', 'network.yaml'), GROUPS);
      const allow = ['--allow', 'DELETES_OBJECT', '--allow', 'LOCKS_OUT'];
      const removed = await run(
        '--prune',
        'removed',
        '--base',
        'before',
        ...allow,
        '--journal',
        'run.jsonl',
      );
      expect(removed.code, removed.stderr).toBe(0);
      expect(removed.stdout).toContain(`${says.length} destroyed`);
      const sent = account.requests.length;
      const undone = await run('--undo', 'run.jsonl');
      const text = `${undone.stdout}${undone.stderr}`.replaceAll(/\s+/g, ' ');
      expect(undone.code, text).toBe(0);
      for (const one of says)
        expect(text).toContain(
          `${one} that only the files know: declare it again with that secret, and apply`,
        );
      expect(account.requests.slice(sent).every(({ method }) => method === 'GET')).toBe(true);
    });
  },
);
