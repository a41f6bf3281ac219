// A folder of desired state and its account, with a clock that both the machine and the server read.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

export interface EndedFolder {
  readonly account: TestAccount;
  readonly folder: string;
  /** Writes a file of the folder `network`, or `meshform.yaml` there. */
  readonly write: (texts: Readonly<Record<string, string>>) => Promise<void>;
  /** Runs a command; `clock` is the reading of the machine, by default that of the server. */
  readonly run: (argv: readonly string[], clock?: string) => Promise<Ended>;
  /** Runs the commands to come with the token of another user. */
  readonly as: (token: string) => void;
  /** Sets the clocks. */
  readonly at: (time: string) => void;
}

/** Runs `use` with a folder, at the end of November. */
export async function withEndedFolder(
  use: (folder: EndedFolder) => Promise<void>,
  server: Parameters<typeof startAccount>[0] = {},
): Promise<void> {
  let time = Date.parse('2026-11-30T12:00:00Z');
  let own: string | undefined;
  const account = await startAccount({ ...server, clock: () => new Date(time) });
  try {
    await withoutDefault(account);
    await inFolder(async folder => {
      await use({
        account,
        folder,
        write: async texts => {
          for (const [name, text] of Object.entries(texts)) {
            const file = join(folder, 'network', name);
            await mkdir(dirname(file), { recursive: true });
            await writeFile(file, text);
          }
        },
        run: (argv, clock) =>
          meshform(argv, {
            env: { ...environmentOf(account), ...(own && { MESHFORM_TOKEN: own }) },
            cwd: folder,
            now: clock === undefined ? time : Date.parse(clock),
          }),
        as: token => {
          own = token;
        },
        at: text => {
          time = Date.parse(text);
        },
      });
    });
  } finally {
    await account.close();
  }
}

// The policy of a new account lets everybody reach everybody, so that no end would take anything away.
async function withoutDefault(account: TestAccount): Promise<void> {
  const policies = (await account.call('GET', '/api/policies')) as readonly {
    readonly id: string;
  }[];
  for (const { id } of policies) await account.call('DELETE', `/api/policies/${id}`);
}

/** The names of the objects of a collection. */
export async function namesOf(account: TestAccount, path: string): Promise<readonly string[]> {
  const list = (await account.call('GET', `/api/${path}`)) as readonly { readonly name: string }[];
  return list.map(({ name }) => name).sort();
}
