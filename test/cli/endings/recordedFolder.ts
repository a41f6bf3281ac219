// A folder in a repository, applied with a grant and recorded as a base.
import { expect } from 'vitest';
import { git } from '../../support/git.ts';
import { type EndedFolder, withEndedFolder } from './endedFolder.ts';

/** The files that stay. */
export const FILES = `
groups: [{ name: staff, peers: [ada] }, { name: servers, peers: [db] }]
policies:
  - { name: stays, rules: [{ name: a, sources: [staff], destinations: [servers], protocol: tcp, ports: ["443"] }] }
`;
const GRANT =
  'policies: [{ name: grant, lifecycle: { until: 2026-12-01 }, rules: [{ name: a, sources: [staff], destinations: [servers], protocol: tcp, ports: ["22"] }] }]\n';

/** The flags of an apply that is compared with the recorded base, and records the next one. */
export const RECORDED = ['--prune', 'removed', '--base', 'auto', '--record-base'];

/** Runs `use` in a repository whose folder was applied and recorded, with a grant that ends in December. */
export const recorded = (
  use: (folder: EndedFolder) => Promise<void>,
  server: Parameters<typeof withEndedFolder>[1] = {},
  files = FILES,
) =>
  withEndedFolder(async own => {
    const { account, folder, run, write } = own;
    for (const name of ['ada', 'bob', 'db']) await account.enrol(name);
    const [all] = (await account.call('GET', '/api/groups')) as readonly [{ readonly id: string }];
    await write({
      'meshform.yaml': `account: ${all.id}\n`,
      'a.yaml': files,
      'grants/g.yaml': GRANT,
    });
    git(folder, 'init', '-q', '-b', 'main');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'first');
    const { code, stderr } = await run(['apply', 'network', '--yes', '--first', ...RECORDED]);
    expect([code, stderr]).toMatchObject([0, expect.anything()]);
    await use(own);
  }, server);
