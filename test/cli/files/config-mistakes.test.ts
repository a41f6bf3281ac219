// Mistakes in what a run is given: however much it is allowed to delete, none of them deletes anything.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';

const GROUPS = 'groups:\n  - name: a\n  - name: b\n';
const NETWORKS = 'networks:\n  - name: n\n';
const EVERYTHING = ['DELETES_OBJECT', 'OVER_THRESHOLD', 'GAP'].flatMap(code => ['--allow', code]);
const REMOVED = ['--prune', 'removed', '--base', 'HEAD'];
const UNMANAGED = ['--prune', 'unmanaged'];

interface Ground {
  readonly cwd: string;
  readonly other: TestAccount;
}

/** What goes wrong, and what is said of it. */
const MISTAKES: readonly [
  name: string,
  make: (ground: Ground) => Promise<Partial<{ path: string; env: Record<string, string> }>>,
  flags: readonly string[],
  said: string,
][] = [
  [
    'an empty file',
    async ({ cwd }) => {
      await writeFile(join(cwd, 'network/groups.yaml'), '');
      return {};
    },
    REMOVED,
    'SOURCE_NO_KIND',
  ],
  [
    'a file that declares an empty list',
    async ({ cwd }) => {
      await rm(join(cwd, 'network/networks.yaml'));
      await writeFile(join(cwd, 'network/groups.yaml'), 'groups: []\n');
      return {};
    },
    REMOVED,
    'SOURCE_EMPTY',
  ],
  ['a missing folder', async () => ({ path: 'netwrok' }), UNMANAGED, 'SOURCE_UNREADABLE'],
  [
    'a folder without a file',
    async ({ cwd }) => {
      await mkdir(join(cwd, 'empty'));
      return { path: 'empty' };
    },
    UNMANAGED,
    'SOURCE_EMPTY',
  ],
  [
    'the wrong account',
    async ({ other }) => ({ env: environmentOf(other) }),
    UNMANAGED,
    'ACCOUNT_DIFFERS',
  ],
  [
    'half a merge conflict',
    async ({ cwd }) => {
      const text = `groups:\n<<<<<<< HEAD\n  - name: a\n=======\n  - name: c\n>>>>>>> other\n`;
      await writeFile(join(cwd, 'network/groups.yaml'), text);
      return {};
    },
    REMOVED,
    'SOURCE_YAML',
  ],
  [
    'a file that ends in the middle',
    async ({ cwd }) => {
      await writeFile(join(cwd, 'network/groups.yaml'), 'groups:\n  - name: a\n  - { name: ');
      return {};
    },
    REMOVED,
    'SOURCE_YAML',
  ],
  [
    'a misspelt key',
    async ({ cwd }) => {
      await writeFile(join(cwd, 'network/groups.yaml'), GROUPS.replace('groups', 'gruops'));
      return {};
    },
    REMOVED,
    'SOURCE_NO_KIND',
  ],
  [
    'a misspelt file name',
    async ({ cwd }) => {
      await rename(join(cwd, 'network/groups.yaml'), join(cwd, 'network/groups.ymal'));
      return {};
    },
    REMOVED,
    'SOURCE_MISNAMED',
  ],
  [
    'a base that is not there',
    async () => ({}),
    ['--prune', 'removed', '--base', 'nowhere'],
    'BASE_INVALID',
  ],
  [
    'a base that is another folder',
    async ({ cwd }) => {
      await mkdir(join(cwd, 'notes'));
      await writeFile(join(cwd, 'notes/readme.yaml'), 'hello: world\n');
      return {};
    },
    ['--prune', 'removed', '--base', 'notes'],
    'BASE_INVALID',
  ],
];

async function account(seed: number): Promise<TestAccount> {
  const started = await startAccount({ seed });
  onTestFinished(() => started.close());
  return started;
}

const deletes = ({ requests }: TestAccount) => requests.filter(({ method }) => method === 'DELETE');

test.each(someOf(MISTAKES, 3))(
  'a run with a misconfiguration deletes nothing: %s',
  (_, make, flags, said) =>
    inFolder(async cwd => {
      const ours = await account(1);
      const other = await account(2);
      await mkdir(join(cwd, 'network'));
      await writeFile(join(cwd, 'network/groups.yaml'), GROUPS);
      await writeFile(join(cwd, 'network/networks.yaml'), NETWORKS);
      const groups = (await ours.call('GET', '/api/groups')) as { id: string }[];
      await writeFile(join(cwd, 'network/meshform.yaml'), `account: ${groups[0]?.id}\n`);
      git(cwd, 'init', '--quiet');
      git(cwd, 'add', '.');
      git(cwd, 'commit', '--quiet', '--message=first');
      const first = await meshform(['apply', 'network', '--yes'], {
        cwd,
        env: environmentOf(ours),
      });
      expect(first.code, first.stderr).toBe(0);

      const { path = 'network', env = environmentOf(ours) } = await make({ cwd, other });
      const argv = ['apply', path, ...flags, ...EVERYTHING, '--yes'];
      const { code, stderr } = await meshform(argv, { cwd, env });
      expect([3, 6]).toContain(code);
      expect(stderr).toContain(said);
      expect([...deletes(ours), ...deletes(other)]).toEqual([]);
    }),
);
