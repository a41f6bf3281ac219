// Two folders of one account, `net` and `app`, with a clock that the machine and the server share.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Ended } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { type EndedFolder, withEndedFolder } from './endedFolder.ts';
import { RECORDED } from './recordedFolder.ts';

export interface SharedAccount extends EndedFolder {
  /** Writes files by their paths and commits them. */
  readonly commit: (files: Readonly<Record<string, string>>) => Promise<void>;
  /** Applies a folder, removes what it no longer declares, and records its base. */
  readonly apply: (folder: string, ...more: readonly string[]) => Promise<Ended>;
  /** Ends what has ended in a folder. */
  readonly expire: (folder: string) => Promise<Ended>;
  /** The members of a group; undefined if there is no such group. */
  readonly membersOf: (group: string) => Promise<readonly string[] | undefined>;
}

interface Group {
  readonly name: string;
  readonly peers: readonly { readonly name: string }[] | null;
}

/** Runs `use` at the end of November, with three machines: lap1, lap2 and lap3. */
export const withSharedAccount = (
  use: (shared: SharedAccount) => Promise<void>,
  server: Parameters<typeof withEndedFolder>[1] = {},
): Promise<void> =>
  withEndedFolder(async own => {
    const { account, folder, run } = own;
    for (const name of ['lap1', 'lap2', 'lap3']) await account.enrol(name);
    const [all] = (await account.call('GET', '/api/groups')) as readonly [{ readonly id: string }];
    git(folder, 'init', '-q', '-b', 'main');
    const commit = async (files: Readonly<Record<string, string>>) => {
      for (const [name, text] of Object.entries(files)) {
        const path = join(folder, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      }
      git(folder, 'add', '-A');
      git(folder, 'commit', '-qm', 'a change');
    };
    await commit({
      'net/meshform.yaml': `account: ${all.id}\n`,
      'app/meshform.yaml': `account: ${all.id}\n`,
    });
    await use({
      ...own,
      commit,
      apply: (name, ...more) =>
        run(['apply', name, '--yes', '--allow', 'DELETES_OBJECT', ...RECORDED, ...more]),
      expire: name => run(['expire', name, '--yes']),
      membersOf: async group => {
        const groups = (await account.call('GET', '/api/groups')) as unknown as readonly Group[];
        const found = groups.find(({ name }) => name === group);
        return found && (found.peers ?? []).map(({ name }) => name).sort();
      },
    });
  }, server);
