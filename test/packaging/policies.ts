// The policy checks of the examples, each over plans that meshform prints: one that passes, and one that fails. And SARIF for lints.
import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAccount } from '../support/account.ts';
import type { Bench } from './bench.ts';
import type { Part } from './part.ts';

const GROUPS = 'groups: [{ name: devs }, { name: prod-servers }, { name: test-servers }]';
const rule = (sources: string, destinations: string, ports: string) =>
  `{ name: r, sources: [${sources}], destinations: [${destinations}], protocol: tcp, ports: ["${ports}"] }`;
const policy = (rules: string, more = '') =>
  `policies:\n  - name: p\n${more}    rules: [${rules}]\n`;
const CHECKS = `posture_checks:
  - name: recent
    checks: { nb_version_check: { min_version: "0.32.0" } }
`;

/** By file: what passes, what fails, and the message. The account has a network `old`, and a machine in each group. */
const PLANS: Readonly<Record<string, readonly [passes: string, fails: string, message: string]>> = {
  'posture.rego': [
    `${CHECKS}${policy(rule('devs', 'prod-servers', '443'), '    source_posture_checks: [recent]\n')}`,
    policy(rule('devs', 'prod-servers', '443')),
    'leads to prod-servers without a posture check',
  ],
  'open.rego': [
    policy(rule('devs', 'test-servers', '443')),
    policy(rule('All', 'All', '443')),
    'lets everybody reach everybody',
  ],
  'deletions.rego': [
    'networks: [{ name: new }]',
    'networks: [{ name: old, lifecycle: { delete: true } }]',
    'network.old would be deleted',
  ],
  'access.rego': [
    policy(rule('devs', 'test-servers', '443')),
    policy(rule('devs', 'test-servers', '22')),
    'gains SSH to',
  ],
};

export const policies: Part = {
  tools: ['conftest'],
  notRun: ['code scanning, which reads the SARIF'],
  open: async bench => {
    const planOf = await planner(bench);
    const folder = join(bench.root, 'examples/policies');
    const check = async (file: string, text: string, exit: number) => {
      const args = ['test', '--policy', join(folder, file), await planOf(text)];
      return (await bench.run(bench.tool('conftest'), args, { exit })).stdout;
    };
    const steps = Object.entries(PLANS).map(([file, [passes, fails, message]]) => [
      `${file} lets a plan pass, and stops another`,
      async () => {
        await check(file, passes, 0);
        assert.ok((await check(file, fails, 1)).includes(message));
      },
    ]);
    return {
      'every policy check is run': async () => {
        const files = (await readdir(folder)).filter(name => name.endsWith('.rego'));
        assert.deepEqual(files.sort(), Object.keys(PLANS).sort());
      },
      ...Object.fromEntries(steps),
      'lints are SARIF for code scanning': async () => {
        const lint = [
          'validate',
          join(bench.root, 'examples/everything'),
          '--lint',
          '--format',
          'sarif',
        ];
        const { stdout } = await meshform(bench, lint);
        const { version, runs } = JSON.parse(stdout);
        assert.equal(version, '2.1.0');
        assert.equal(runs[0].tool.driver.name, 'meshform');
      },
    };
  },
};

const meshform = (bench: Bench, args: readonly string[], env: NodeJS.ProcessEnv = bench.env) =>
  bench.run(process.execPath, [join(bench.root, 'bin/meshform.js'), ...args], { env });

/** Plans files for an account; resolves to the saved plan. */
async function planner(bench: Bench): Promise<(text: string) => Promise<string>> {
  const account = await startAccount();
  bench.onEnd(account.close);
  const groups = ['devs', 'prod-servers', 'test-servers'];
  const ids = await Promise.all(
    groups.map(async name => Object(await account.call('POST', '/api/groups', { name })).id),
  );
  for (const [i, name] of groups.entries()) await account.enrol(`${name}-1`, [ids[i]]);
  await account.call('POST', '/api/networks', { name: 'old' });
  const policies = Object(await account.call('GET', '/api/policies'));
  for (const { id } of policies) await account.call('DELETE', `/api/policies/${id}`);
  const env = { ...bench.env, MESHFORM_URL: account.url, MESHFORM_TOKEN: account.token };
  let number = 0;
  return async text => {
    number += 1;
    const folder = join(bench.scratch, `network-${number}`);
    await mkdir(folder);
    await writeFile(join(folder, 'network.yaml'), `${GROUPS}\n${text}`);
    const file = join(bench.scratch, `plan-${number}.json`);
    await meshform(bench, ['plan', folder, '--out', file], env);
    return file;
  };
}
