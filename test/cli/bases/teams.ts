// A repository with several folders of desired state for one account.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { writeTransport } from '../../../src/api/transport/transport.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { appliedRevision, git } from '../../support/git.ts';

type Env = Readonly<Record<string, string>>;

export interface Teams {
  readonly account: TestAccount;
  /** The id of the account. */
  readonly id: string;
  readonly cwd: string;
  readonly run: (argv: readonly string[], env?: Env) => Promise<Ended>;
  /** Applies a folder, removes what it no longer declares, and records its base. */
  readonly apply: (folder: string, more?: readonly string[], env?: Env) => Promise<Ended>;
  /** Writes files by their paths, or removes those that are null, and commits them. */
  readonly commit: (files: Readonly<Record<string, string | null>>) => Promise<void>;
  readonly head: () => string;
  /** The applied revision that the base of a folder names; empty if it has none. */
  readonly base: (name: string) => string;
  /** The names of the objects in the list at `path`, sorted. */
  readonly names: (path: string) => Promise<string[]>;
}

export const PRUNE = ['--prune', 'removed', '--allow', 'DELETES_OBJECT'] as const;

/** Uses a repository without commits, and a new account. */
export async function teams(
  story: (teams: Teams) => Promise<void>,
  dialect: 'spec' | 'netbird' = 'spec',
  edition: 'cloud' | 'self-hosted' = 'cloud',
): Promise<void> {
  const account = await startAccount({ dialect, edition });
  try {
    const groups = (await account.call('GET', '/api/groups')) as { id: string }[];
    await inFolder(async cwd => {
      git(cwd, 'init', '--quiet', '--initial-branch=main');
      await writeFile(join(cwd, '.git/info/exclude'), 'plan.json\n*.jsonl\n');
      await story(teamsIn(cwd, account, groups[0]?.id ?? ''));
    });
  } finally {
    await account.close();
  }
}

function teamsIn(cwd: string, account: TestAccount, id: string): Teams {
  const run: Teams['run'] = async (argv, env = {}) => {
    const ended = await meshform(argv, { env: { ...environmentOf(account), ...env }, cwd });
    // Where a line is broken depends on the length of a path.
    return { ...ended, stderr: ended.stderr.replaceAll(/\s+/g, ' ') };
  };
  const flags = [...PRUNE, '--base', 'auto', '--record-base', '--yes'];
  return {
    account,
    id,
    cwd,
    run,
    apply: (folder, more = [], env = {}) => run(['apply', folder, ...flags, ...more], env),
    commit: async files => {
      for (const [name, text] of Object.entries(files)) {
        const path = join(cwd, name);
        await mkdir(dirname(path), { recursive: true });
        await (text === null ? rm(path) : writeFile(path, text));
      }
      git(cwd, 'add', '--all', '.');
      git(cwd, 'commit', '--quiet', '--message=a change');
    },
    head: () => git(cwd, 'rev-parse', 'HEAD').trim(),
    base: name => appliedRevision(cwd, `refs/meshform-base/${id}/${name}`),
    names: async path =>
      ((await account.call('GET', path)) as { name: string }[]).map(({ name }) => name).sort(),
  };
}

/** The files of a folder with groups of these names. */
export const groupsIn = (folder: string, id: string, names: readonly string[], name?: string) => ({
  [`${folder}/meshform.yaml`]: `account: ${id}\n${name === undefined ? '' : `name: ${name}\n`}`,
  [`${folder}/groups.yaml`]: `groups: [${names.map(one => `{ name: ${one} }`).join(', ')}]\n`,
});

/** Expects that a command ended with a code; the message shows why it did not. */
export function expectCode(ended: Ended, code: number): void {
  expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(code);
}

/** The requests of another administrator, `ada`. */
export async function adminOf({ account }: Teams) {
  const asked = { name: 'ada', role: 'admin', is_service_user: true, auto_groups: [] };
  const ada = (await account.call('POST', '/api/users', asked)) as JsonObject;
  const made = (await account.call('POST', `/api/users/${ada.id}/tokens`, {
    name: 't',
    expires_in: 90,
  })) as JsonObject;
  return writeTransport({ ...account.transport, token: String(made.plain_token) });
}
