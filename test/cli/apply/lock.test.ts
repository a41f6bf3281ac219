// One apply at a time: from before the account is read until after the last write.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type CliOptions, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { onlyFolderIn } from '../../support/journals.ts';

interface Setting {
  readonly account: TestAccount;
  readonly apply: (options?: CliOptions, ...flags: string[]) => ReturnType<typeof meshform>;
  /** Gives the lock of a running apply to another process. */
  readonly steal: () => void;
}

const withGroups = (count: number, use: (setting: Setting) => Promise<void>) =>
  inFolder(async folder => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const groups = Array.from({ length: count }, (_, i) => `  - name: group-${i}\n`);
    await writeFile(join(folder, 'network.yaml'), `groups:\n${groups.join('')}`);
    const env = { ...environmentOf(account), MESHFORM_JOURNALS: join(folder, 'journals') };
    await use({
      account,
      apply: (options = {}, ...flags) =>
        meshform(['apply', folder, ...flags], { env, cwd: folder, ...options }),
      steal: () => {
        const journals = onlyFolderIn(join(folder, 'journals'));
        const [name = ''] = readdirSync(journals).filter(one => one.endsWith('.lock'));
        const path = join(journals, name);
        const owner = JSON.parse(readFileSync(path, 'utf8'));
        writeFileSync(path, JSON.stringify({ ...owner, id: 'another' }));
      },
    });
  });

const writes = ({ requests }: TestAccount): number =>
  requests.filter(({ method }) => method !== 'GET').length;

test('the lock is held during a prompt: a second apply is refused before its first request', () =>
  withGroups(1, async ({ account, apply }) => {
    let second: Awaited<ReturnType<Setting['apply']>> | undefined;
    let requests = 0;
    const ended = await apply({
      ask: async () => {
        requests = account.requests.length;
        second = await apply({}, '--yes');
        requests -= account.requests.length;
        return 'yes';
      },
    });
    expect(second).toMatchObject({ code: 6 });
    expect(second?.stderr).toContain('another apply is running');
    expect(requests).toBe(0);
    expect(ended).toMatchObject({ code: 0 });
  }));

describe('a run that lost its lock stops before its next write', () => {
  test('the run stops with exit code 5 if it has written nothing', () =>
    withGroups(3, async ({ account, apply, steal }) => {
      const ask = async () => {
        steal();
        return 'yes';
      };
      const ended = await apply({ ask }, '--format', 'json');
      expect(ended).toMatchObject({ code: 5 });
      const { outcomes } = JSON.parse(ended.stdout);
      expect(outcomes[0]).toMatchObject({ fault: { code: 'LOCK_LOST' } });
      expect(writes(account)).toBe(0);
    }));

  test('the run warns that the run which has the lock now may have changed the account', () =>
    withGroups(3, async ({ account, apply, steal }) => {
      let time = Date.parse('2026-01-02T03:04:05Z');
      const ask = async () => {
        steal();
        await account.call('POST', '/api/groups', { name: 'group-0' });
        time += 600_000;
        return 'yes';
      };
      const clock = {
        now: () => time,
        sleep: async (milliseconds: number) => {
          time += milliseconds;
          await setImmediate();
        },
      };
      const ended = await apply({ ask, clock });
      expect(ended).toMatchObject({ code: 5 });
      const said = ended.stdout.replaceAll(/\s+/g, ' ');
      expect(said).toContain(
        'this run no longer holds the lock: another apply may have changed it',
      );
      expect(said).toContain('check what the other run did');
      // That of the other run.
      expect(writes(account)).toBe(1);
    }));

  test('the run stops with exit code 4 if it has written something', () =>
    withGroups(9, async ({ account, apply, steal }) => {
      let isStolen = false;
      const onTalk = (text: string) => {
        if (isStolen || !text.includes('created')) return;
        isStolen = true;
        steal();
      };
      const ended = await apply({ onTalk }, '--yes', '--concurrency', '1');
      expect(ended).toMatchObject({ code: 4 });
      expect(ended.stdout).toContain('Apply incomplete: 1 done, 1 failed, 7 skipped, 0 unknown.');
      expect(writes(account)).toBe(1);
    }));
});
