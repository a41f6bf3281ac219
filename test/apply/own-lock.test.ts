// A lock that a program brings itself, such as one of a database: an apply takes it, asks it before each write, and gives it back.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  type AccountLock,
  type Applied,
  type HeldAccountLock,
  isRefusal,
  loadDesired,
  loadSchemas,
  planAndApply,
  planDesired,
  projectSettings,
  type Refusal,
  readTransport,
  secretSources,
} from '../../src/index.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { inFolder } from '../support/cli.ts';

const tools = loadSchemas();

/** Applies two groups under a lock, as a program does with the library. */
async function applied(
  account: TestAccount,
  folder: string,
  accountLock: AccountLock,
): Promise<Applied | Refusal> {
  await writeFile(join(folder, 'groups.yaml'), 'groups: [{ name: a }, { name: b }]\n');
  const env = { XDG_STATE_HOME: join(folder, 'state') };
  const state = await loadDesired(tools, {
    path: folder,
    strict: false,
    env: () => undefined,
    host: { env },
    cwd: folder,
    shownAs: path => path,
  });
  const { transport: connection } = account;
  return planAndApply(
    {
      path: folder,
      plan: () =>
        planDesired(tools, state, readTransport(connection), {
          ...projectSettings(state),
          concurrency: 1,
          now: 0,
        }),
    },
    {
      kinds: tools.kinds,
      connection,
      concurrency: 1,
      accountLock,
      host: {
        now: () => 0,
        sleep: () => Promise.resolve(),
        self: { pid: 1, host: 'test', isAlive: () => false },
        cwd: folder,
        env,
        signingKey: 'a signing key of the program',
        tell: () => {},
      },
      secrets: { sources: path => secretSources(path, { env, cwd: folder, token: '' }) },
    },
  );
}

/** A lock that says what happens to it; `writes` is how many writes it allows. */
function lockOf(writes: number): { lock: AccountLock; said: string[] } {
  const said: string[] = [];
  let left = writes;
  const held: HeldAccountLock = {
    mayWrite: async () => {
      left -= 1;
      said.push(left >= 0 ? 'may write' : 'may not write');
      return left >= 0;
    },
    renew: async () => true,
    release: async () => {
      said.push('released');
    },
  };
  return {
    said,
    lock: {
      take: async () => {
        said.push('taken');
        return held;
      },
    },
  };
}

async function groupsOf(account: TestAccount): Promise<string[]> {
  const groups = (await account.call('GET', '/api/groups')) as { name: string }[];
  return groups.map(({ name }) => name).sort();
}

async function started(): Promise<TestAccount> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  return account;
}

test('a lock of the caller is taken first, checked before each write, and released', () =>
  inFolder(async folder => {
    const account = await started();
    const { lock, said } = lockOf(10);
    const result = await applied(account, folder, lock);
    expect(isRefusal(result), JSON.stringify(result)).toBe(false);
    expect(said).toEqual(['taken', 'may write', 'may write', 'released']);
    expect(await groupsOf(account)).toEqual(['All', 'a', 'b']);
  }));

test('a lock of the caller that refuses a write ends the run with what was done, and nothing else is sent', () =>
  inFolder(async folder => {
    const account = await started();
    const { lock, said } = lockOf(1);
    const result = await applied(account, folder, lock);
    if (isRefusal(result)) throw new Error(result.refused);
    expect(result.result.outcomes.map(({ status }) => status)).toEqual(['done', 'failed']);
    expect(said.at(-1)).toBe('released');
    expect(await groupsOf(account)).toHaveLength(2);
  }));

test('a lock of the caller that somebody else holds refuses the apply before the account is read', () =>
  inFolder(async folder => {
    const account = await started();
    const before = account.requests.length;
    const lock: AccountLock = {
      take: async () => ({ refused: 'not-waited', account: 'of the program' }),
    };
    expect(await applied(account, folder, lock)).toMatchObject({ refused: 'not-waited' });
    expect(account.requests.length).toBe(before);
  }));
