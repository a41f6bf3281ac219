// A git repository whose folder `net` holds the desired state of a new account.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { appliedRevision, git } from '../../support/git.ts';

export interface Repository {
  readonly account: TestAccount;
  /** The id of the group of all peers, by which the account is known. */
  readonly id: string;
  readonly cwd: string;
  readonly run: (...argv: string[]) => ReturnType<typeof meshform>;
  /** The same repository for a user with these variables. */
  readonly withEnv: (env: Readonly<Record<string, string>>) => Repository;
  /** Writes the desired state and commits it. */
  readonly commit: (text: string) => Promise<void>;
  /** The applied revision that the base of the folder names; empty if there is no base. */
  readonly recorded: () => string;
  readonly head: () => string;
  /** The names of the objects in the list at `path`, sorted. */
  readonly names: (path: string) => Promise<string[]>;
  /** The repository of the same account at another path. */
  readonly at: (cwd: string) => Repository;
}

function repositoryIn(
  cwd: string,
  account: TestAccount,
  id: string,
  env: Readonly<Record<string, string>> = {},
): Repository {
  return {
    account,
    id,
    cwd,
    run: async (...argv) => {
      const ended = await meshform(argv, { env: { ...environmentOf(account), ...env }, cwd });
      // Where a line is broken depends on the length of a path.
      return { ...ended, stderr: ended.stderr.replaceAll(/\s+/g, ' ') };
    },
    commit: async text => {
      await mkdir(join(cwd, 'net'), { recursive: true });
      await writeFile(join(cwd, 'net/meshform.yaml'), `account: ${id}\n`);
      await writeFile(join(cwd, 'net/network.yaml'), text);
      git(cwd, 'add', '.');
      git(cwd, 'commit', '--quiet', '--message=a change');
    },
    recorded: () => appliedRevision(cwd, `refs/meshform-base/${id}/net`),
    head: () => git(cwd, 'rev-parse', 'HEAD').trim(),
    names: async path =>
      ((await account.call('GET', path)) as { name: string }[]).map(({ name }) => name).sort(),
    at: path => repositoryIn(path, account, id, env),
    withEnv: more => repositoryIn(cwd, account, id, { ...env, ...more }),
  };
}

/** A new account, and a folder that is no repository yet. */
export async function inPlainFolder(
  story: (repository: Repository) => Promise<void>,
): Promise<void> {
  const account = await startAccount();
  try {
    const groups = (await account.call('GET', '/api/groups')) as { id: string }[];
    const id = groups[0]?.id ?? '';
    await inFolder(cwd => story(repositoryIn(cwd, account, id)));
  } finally {
    await account.close();
  }
}

/** A new account, and a repository without commits. */
export const inRepository = (story: (repository: Repository) => Promise<void>): Promise<void> =>
  inPlainFolder(async repository => {
    git(repository.cwd, 'init', '--quiet', '--initial-branch=main');
    await story(repository);
  });

export const nameless = (text: string) => `groups: [${text}]\n`;
export const BOTH = nameless('{ name: a }, { name: b }');
export const ONE = nameless('{ name: b }');
export const AUTO = ['--base', 'auto', '--record-base'] as const;
export const PRUNE = ['--prune', 'removed', '--allow', 'DELETES_OBJECT'] as const;
