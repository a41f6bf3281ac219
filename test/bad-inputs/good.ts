// A plan that can be applied, and the journal of an apply that was cut off: what the rows make bad.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';
import { PLANTED_ENV } from './planted.ts';
import type { Good } from './row.ts';

const DESIRED = `groups: [{ name: devs }, { name: ops, lifecycle: { was: operators } }]
networks: [{ name: one }, { name: two }]
policies:
  - name: devs reach ops
    rules: [{ name: web, sources: [devs], destinations: [ops], protocol: tcp, ports: ["443"] }]
notification_channels:
  - type: webhook
    target: { url: "https://hooks.example.com", headers: { X-Key: "\${env:DB_PASSWORD}" } }
    event_types: []
`;

/** Makes both at an account, which then holds what the apply that was cut off has made. */
export function makeGood(account: TestAccount): Promise<Good> {
  return inFolder(async cwd => {
    const env = { ...environmentOf(account), ...PLANTED_ENV };
    const run = async (code: number, ...argv: string[]) => {
      const ended = await meshform(argv, { env, cwd });
      if (ended.code !== code) throw new Error(`${argv.join(' ')}: ${ended.stderr}`);
    };
    await account.call('POST', '/api/groups', { name: 'operators' });
    await mkdir(join(cwd, 'net'));
    await writeFile(join(cwd, 'net/a.yaml'), DESIRED);
    await account.fault({
      method: 'POST',
      path: '/api/networks',
      effect: 'status',
      status: 500,
      times: 2,
    });
    await run(4, 'apply', 'net', '--yes', '--journal', 'journal.jsonl');
    await writeFile(join(cwd, 'net/a.yaml'), DESIRED.replace('443', '8443'));
    await run(0, 'plan', 'net', '--out', 'plan.json');
    await account.call('POST', '/api/networks', { name: 'old' });
    const [plan, journal] = await Promise.all(
      ['plan.json', 'journal.jsonl'].map(name => readFile(join(cwd, name), 'utf8')),
    );
    if (!plan || !journal) throw new Error('no plan, or no journal');
    return { plan, journal };
  });
}
