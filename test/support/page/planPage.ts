// The page of a plan that changes access in several ways, for checks that look at all views.
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LAUNCHER, meshform } from './meshform.ts';

const COMPANY = resolve(import.meta.dirname, '../../../examples/company');

/**
 * The address of the page of a plan for the example company: a new resource, other ports, a group in place of a resource, a rule too
 * many.
 */
export async function planPage(folder: string, name: string): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'meshform-tasks-'));
  const server = ['emulator', '--account', COMPANY, '--format', 'json', '--token', 'tasks'];
  const child = spawn(process.execPath, [LAUNCHER, ...server, '--dialect', 'netbird'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...SECRETS },
  });
  try {
    const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    const { url } = JSON.parse(String(line).split('\n')[0] ?? '');
    await cp(COMPANY, join(cwd, 'net'), { recursive: true });
    for (const edit of EDITS) await edited(join(cwd, 'net'), edit);
    const file = join(folder, `${name}.html`);
    const env = { MESHFORM_URL: String(url), MESHFORM_TOKEN: 'tasks', ...SECRETS };
    // Access tests of the example fail with this plan, so it is refused; its page is there to see why.
    await assert.rejects(meshform(['plan', 'net', '--html', file, '--force'], cwd, env));
    return pathToFileURL(file).href;
  } finally {
    child.kill();
    await rm(cwd, { recursive: true, force: true });
  }
}

const SECRETS = {
  CHAT_AUTHORIZATION: 'chat-authorization',
  HELPDESK_TOKEN: 'helpdesk-token',
  HELPDESK_QUEUE_KEY: 'helpdesk-queue-key',
};

type Edit = readonly [file: string, from: string, to: string];

const EDITS: readonly Edit[] = [
  [
    'networks/production.yaml',
    '    routers:\n',
    '      - name: grafana\n        address: 10.40.30.40\n        groups: [prod-web]\n\n    routers:\n',
  ],
  [
    'policies/engineering.yaml',
    'destinationResource: { network_resource: production/orders-db-replica }',
    'destinations: [prod-databases]',
  ],
  [
    'policies/engineering.yaml',
    'destinations: [staging-services]\n        protocol: tcp\n        ports: ["443", "5432"]\n',
    `destinations: [staging-services]
        protocol: tcp
        ports: ["443"]
      - name: second look
        sources: [ci-runners]
        destinations: [staging-services]
        protocol: tcp
        ports: ["443"]
`,
  ],
  ['policies/contractors.yaml', 'ports: ["22", "8443"]', 'ports: ["8443"]'],
];

async function edited(net: string, [name, from, to]: Edit): Promise<void> {
  const file = join(net, name);
  const text = await readFile(file, 'utf8');
  assert.ok(text.includes(from), `${name} has ${from}`);
  await writeFile(file, text.replace(from, to));
}
