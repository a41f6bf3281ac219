// What is protected stays by whatever way a change would take it away: with its parent, by an id, under another name, or with the
// template that had its protection.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const writes = () => account.requests.filter(({ method }) => method !== 'GET').length;

const idOf = async (path: string, name: string): Promise<string> => {
  const list = (await account.call('GET', `/api/${path}`)) as { id: string; name: string }[];
  return list.find(one => one.name === name)?.id ?? '';
};

const NETWORK = `
groups: [{ name: vault }, { name: gateways }]
networks:
  - name: prod
    resources: [{ name: db, address: 10.20.0.5, groups: [vault] }]
    routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }]
  - name: lab
`;
const WITHOUT_PROD = 'groups: [{ name: vault }, { name: gateways }]\nnetworks: [{ name: lab }]\n';
const ANCHORS = `
x-safe: &safe { protect: true }
x-plain: &plain { break_glass: false }
groups:
  - { name: vault, lifecycle: *safe }
  - { name: other, lifecycle: { <<: *safe } }
`;
const PRUNED = ['--prune', 'removed', '--base', './before'] as const;

interface Story {
  readonly project?: string;
  readonly before?: string;
  readonly after: string;
  readonly flags?: readonly string[];
  readonly says: string;
}

test.each<[string, Story]>([
  [
    'a child, with the parent that is marked for deletion',
    {
      project: 'protect: [network_resource/prod/db]',
      after: `${WITHOUT_PROD.replace('[{ name: lab }]', '[{ name: lab }, { name: prod, lifecycle: { delete: true } }]')}`,
      says: 'network_resource.prod/db is protected and would be deleted',
    },
  ],
  [
    'a child, with the parent that no file declares any more',
    {
      project: 'protect: [network_resource/prod/db]',
      after: WITHOUT_PROD,
      flags: PRUNED,
      says: 'network_resource.prod/db',
    },
  ],
  [
    'a child that had lifecycle.protect, with its parent',
    {
      before: NETWORK.replace(
        'groups: [vault] }',
        'groups: [vault], lifecycle: { protect: true } }',
      ),
      after: WITHOUT_PROD,
      flags: PRUNED,
      says: 'network_resource.prod/db is protected as the files were last applied',
    },
  ],
  [
    'a parent, by its id',
    {
      project: 'protect: ["network/id:PROD"]',
      after: WITHOUT_PROD,
      flags: PRUNED,
      says: 'network.prod',
    },
  ],
  [
    'a child, with a parent that gets another name',
    {
      project: 'protect: [network_resource/prod/db]',
      after: NETWORK.replace('- name: prod', '- name: live\n    lifecycle: { was: prod }'),
      says: '`network_resource/prod/db` is protected and would be renamed to network_resource.live/db',
    },
  ],
  [
    'a child that moves to another parent',
    {
      project: 'protect: [network_resource/prod/db]',
      after: `${NETWORK.replace('    resources: [{ name: db, address: 10.20.0.5, groups: [vault] }]\n', '').trimEnd()}
    resources: [{ name: db, address: 10.20.0.5, groups: [vault], lifecycle: { was: prod/db } }]
`,
      says: 'network_resource.lab/db is protected and would be replaced',
    },
  ],
  [
    'what a declaration deletes by its id, under another name',
    {
      project: 'protect: [group/vault]',
      before: 'groups: [{ name: vault }]',
      after: 'groups: [{ name: gone, lifecycle: { id: VAULT, delete: true } }]',
      says: 'group.vault is protected and would be deleted',
    },
  ],
  [
    'what a declaration deletes by its former name',
    {
      project: 'protect: [group/vault]',
      before: 'groups: [{ name: vault }]',
      after: 'groups: [{ name: gone, lifecycle: { was: vault, delete: true } }]',
      says: 'PROTECTED',
    },
  ],
  [
    'what exchanges its name with another object',
    {
      project: 'protect: [group/vault]',
      before: 'groups: [{ name: vault }, { name: spare }]',
      after:
        'groups: [{ name: spare, lifecycle: { id: VAULT } }, { name: vault, lifecycle: { id: SPARE } }]',
      says: '`group/vault` is protected and would be renamed to group.spare',
    },
  ],
  [
    'whose anchor is emptied',
    {
      before: ANCHORS,
      after: ANCHORS.replace('{ protect: true }', '{ delete: true }'),
      flags: ['--base', './before'],
      says: 'lifecycle.protect group/vault is removed',
    },
  ],
  [
    'whose anchor is merged into another object, and which is no longer declared',
    {
      before: ANCHORS,
      after: ANCHORS.replace('  - { name: vault, lifecycle: *safe }\n', ''),
      flags: PRUNED,
      says: 'group.vault is protected as the files were last applied',
    },
  ],
  [
    'whose alias is replaced',
    {
      before: ANCHORS,
      after: ANCHORS.replace(
        'vault, lifecycle: *safe',
        'vault, lifecycle: { <<: *plain, delete: true }',
      ),
      flags: ['--base', './before'],
      says: 'group.vault is protected as the files were last applied',
    },
  ],
])('%s', (_, { project = '', before = NETWORK, after, flags = [], says }) =>
  inFolder(async cwd => {
    const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
    await mkdir(join(cwd, 'net'));
    await mkdir(join(cwd, 'before'));
    await writeFile(join(cwd, 'net/network.yaml'), before);
    await writeFile(join(cwd, 'before/network.yaml'), before);
    const applied = await run('apply', 'net', '--yes');
    expect(applied.code, applied.stderr).toBe(0);
    const ids = {
      PROD: await idOf('networks', 'prod'),
      VAULT: await idOf('groups', 'vault'),
      SPARE: await idOf('groups', 'spare'),
    };
    const filled = (text: string) =>
      Object.entries(ids).reduce((filledText, [name, id]) => filledText.replace(name, id), text);
    await writeFile(join(cwd, 'net/meshform.yaml'), filled(project));
    await writeFile(join(cwd, 'net/network.yaml'), filled(after));
    const count = writes();
    const allow = ['DELETES_OBJECT', 'LOSES_MEMBERS', 'OVER_THRESHOLD'].flatMap(code => [
      '--allow',
      code,
    ]);
    const refused = await run('apply', 'net', '--yes', ...flags, ...allow);
    expect([refused.code, writes() - count], refused.stderr).toEqual([6, 0]);
    expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(says);
  }),
);
