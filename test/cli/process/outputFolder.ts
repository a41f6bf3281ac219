// A folder of desired state and a new account, for tests of the files that a command writes.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

export const GROUP = 'groups:\n  - name: engineers\n';

export interface Ground {
  readonly account: TestAccount;
  readonly cwd: string;
  readonly at: (name: string) => string;
  readonly run: (...argv: string[]) => ReturnType<typeof meshform>;
}

/** A folder with desired state in `net/` and a new account. */
export async function onGround(use: (ground: Ground) => Promise<void>): Promise<void> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await inFolder(async cwd => {
    await mkdir(join(cwd, 'net'));
    await writeFile(join(cwd, 'net/network.yaml'), GROUP);
    const key = { MESHFORM_FINGERPRINT_KEY: 'a key of enough length' };
    const env = { ...environmentOf(account), ...key };
    const at = (name: string) => join(cwd, name);
    await use({ account, cwd, at, run: (...argv) => meshform(argv, { cwd, env }) });
  });
}
