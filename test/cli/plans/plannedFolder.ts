// An account, and a folder with a saved plan for it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

export const NETWORKS = `groups: [{ name: devs }]
networks: [{ name: one }, { name: two }, { name: three }]
policies:
  - name: devs reach devs
    rules: [{ name: web, sources: [devs], destinations: [devs], protocol: tcp, ports: ["443"] }]
`;

export interface Setting {
  readonly account: TestAccount;
  readonly folder: string;
  readonly run: (...argv: string[]) => ReturnType<typeof meshform>;
  readonly named: (path: string) => Promise<JsonObject[]>;
}

/** An account, and a folder with a plan of a text in `plan.json`, which may depend on what `seed` did. */
export async function planned(
  text: string | (() => string),
  use: (setting: Setting) => Promise<void>,
  {
    flags = [],
    seed,
    more = {},
    dialect = 'spec',
  }: {
    flags?: string[];
    dialect?: 'spec' | 'netbird';
    seed?: (account: TestAccount) => Promise<void>;
    /** More variables of the environment. */
    more?: Readonly<Record<string, string>>;
  } = {},
): Promise<void> {
  const account = await startAccount({ dialect });
  onTestFinished(() => account.close());
  await seed?.(account);
  await inFolder(async folder => {
    const env = { ...environmentOf(account), MESHFORM_JOURNALS: join(folder, 'journals'), ...more };
    const run = (...argv: string[]) => meshform(argv, { env, cwd: folder });
    await mkdir(join(folder, 'network'));
    await writeFile(join(folder, 'network/network.yaml'), typeof text === 'string' ? text : text());
    const made = await run('plan', 'network', '--out', 'plan.json', '--dialect', dialect, ...flags);
    expect(made, made.stderr).toMatchObject({ code: 0 });
    const named = async (path: string) => (await account.call('GET', path)) as JsonObject[];
    await use({ account, folder, run, named });
  });
}

export const writes = ({ requests }: TestAccount): number =>
  requests.filter(({ method }) => method !== 'GET').length;
