// Who may log in at a machine as one local user may log in as every one, once a rule opens the port of SSH to them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const OPEN =
  '{ name: open, sources: [engineers], destinations: [production], protocol: tcp, ports: ["22"] }';
const files = (more: string, ssh = true): string => `
groups: [{ name: production, peers: [web] }, { name: engineers, peers: [laptop] }]
peers: [{ name: web, ssh_enabled: ${ssh} }]
policies:
  - name: ssh
    rules: [{ name: ssh, sources: [engineers], destinations: [production], protocol: netbird-ssh, authorized_groups: { engineers: [ubuntu] } }]
  - { name: Default, enabled: false, rules: [{ name: Default, sources: [All], destinations: [All], bidirectional: true, protocol: all }] }
${more}`;

test.each([
  [true, 6],
  [false, 0],
])(
  'opening the port of SSH beside a rule for named users is a right if SSH is enabled on the machine (%s)',
  async (ssh, code) => {
    const account = await startAccount({ dialect: 'netbird', edition: 'self-hosted' });
    onTestFinished(() => account.close());
    await account.enrol('web');
    await account.enrol('laptop');
    await inFolder(async cwd => {
      const want = (text: string) => writeFile(join(cwd, 'network.yaml'), text);
      const run = (...words: readonly string[]) =>
        meshform(words, { cwd, env: environmentOf(account) });
      await want(files('', ssh));
      const first = await run('apply', '--yes');
      expect(first.code, first.stderr).toBe(0);
      await want(files(`  - { name: more, rules: [${OPEN}] }\n`, ssh));
      const second = await run('plan', '--no-new-access');
      expect(second.code, second.stdout + second.stderr).toBe(code);
      const says = 'group/engineers may log in as any user by rule open';
      expect(second.stdout.includes(says)).toBe(ssh);
    });
  },
);
