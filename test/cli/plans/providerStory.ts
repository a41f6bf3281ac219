// Stories about groups that the identity provider makes, on an account of its own.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Json } from '../../../src/model/value.ts';
import { startAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';

/** An object of the account. */
export type Named = Record<string, Json> & { readonly id: string; readonly name: string };

/** An account without its Default policy, and a folder in git whose applies record their base. */
export async function story(
  dialect: 'spec' | 'netbird',
  tell: (stage: Awaited<ReturnType<typeof stageOf>>) => Promise<void>,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  await inFolder(async cwd => {
    const stage = await stageOf(dialect, cwd, variables);
    try {
      await tell(stage);
    } finally {
      await stage.account.close();
    }
  });
}

async function stageOf(
  dialect: 'spec' | 'netbird',
  cwd: string,
  variables: Readonly<Record<string, string>>,
) {
  const account = await startAccount({ dialect, signIn: 'external' });
  const list = async (path: string) => (await account.call('GET', path)) as readonly Named[];
  const named = async (path: string, name: string) =>
    (await list(path)).find(one => one.name === name);
  for (const { id } of await list('/api/policies'))
    await account.call('DELETE', `/api/policies/${id}`);
  const person = (await account.control('POST', '/emulator/users', {
    name: 'Ada',
    email: 'ada@example.com',
    role: 'user',
  })) as Named;
  await account.enrol('machine');
  git(cwd, 'init', '-q', '-b', 'main');
  const env = { ...environmentOf(account), ...variables };
  const run = (...line: readonly string[]) => meshform(line, { cwd, env });
  const all = await named('/api/groups', 'All');
  const write = async (yaml: string) => {
    await writeFile(join(cwd, 'net.yaml'), yaml);
    await writeFile(join(cwd, 'meshform.yaml'), `account: "${all?.id}"\n`);
    git(cwd, 'add', '.');
    git(cwd, 'commit', '-qm', 'files', '--allow-empty');
  };
  let isFirst = true;
  const based = () => (isFirst ? ['--base', 'auto', '--first'] : ['--base', 'auto']);
  return {
    account,
    person,
    run,
    write,
    list,
    named,
    plan: (...more: readonly string[]) => run('plan', '.', ...based(), ...more),
    drift: () => run('drift', '.', ...based()),
    apply: async (...more: readonly string[]) => {
      const ended = await run('apply', '.', ...based(), '--record-base', '--yes', ...more);
      if (ended.code === 0) isFirst = false;
      return ended;
    },
    /** The person signs in with these groups at the identity provider. */
    signIn: (...groups: readonly string[]) =>
      account.control('POST', `/emulator/users/${person.id}/groups`, { groups }),
    sourcesOf: async (name: string) => {
      const policy = (await named('/api/policies', name)) as Json;
      const { enabled, rules } = policy as unknown as {
        enabled: boolean;
        rules: { enabled: boolean; sources: Named[] | null }[];
      };
      const sources = rules.flatMap(rule => (rule.sources ?? []).map(source => source.name));
      return { isOn: enabled && rules.every(rule => rule.enabled), sources: sources.sort() };
    },
  };
}

/** Expects that a command ended well. */
export const ok = (ended: Ended): Ended => {
  expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(0);
  return ended;
};

/** Files that begin with a group of the identity provider, and two of their own. */
export const HEAD = `groups:
  - { name: engineers, from: identity_provider }
  - { name: servers, peers: [] }
  - name: ops
`;

/** A policy `ssh` with one rule `in`. */
export const ssh = (sources: string, more = '') => `policies:
  - name: ssh
    rules: [{ name: in, sources: [${sources}], destinations: [servers], protocol: tcp, ports: ["22"]${more} }]
`;

/** The body of that policy, as a dashboard sends it. */
export const policyBody = (source: string, destination: string) => ({
  name: 'ssh',
  enabled: true,
  source_posture_checks: [],
  rules: [
    {
      name: 'in',
      enabled: true,
      action: 'accept',
      bidirectional: false,
      protocol: 'tcp',
      ports: ['22'],
      sources: [source],
      destinations: [destination],
    },
  ],
});
