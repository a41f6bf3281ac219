// A machine that somebody deletes between a plan and its apply is left out of its groups: that alone is no failure.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

test.each(['spec', 'netbird'] as const)(
  'an apply leaves a machine deleted after the plan out of its group: dialect %s',
  async dialect => {
    const account = await startAccount({ dialect });
    try {
      const ids = new Map<string, string>();
      for (const name of ['m1', 'm2', 'm3']) {
        const made = (await account.control('POST', '/emulator/peers', { name })) as { id: string };
        ids.set(name, made.id);
      }
      await inFolder(async cwd => {
        const run = (...argv: string[]) => meshform(argv, { cwd, env: environmentOf(account) });
        const write = (peers: string) =>
          writeFile(join(cwd, 'n.yaml'), `groups: [{ name: eng, peers: [${peers}] }]\n`);
        await write('m1');
        expect((await run('apply', '--yes')).code).toBe(0);
        await write('m1, m2, m3');
        await run('plan', '--out', 'plan.json');
        await account.call('DELETE', `/api/peers/${ids.get('m2')}`);
        const applied = await run('apply', 'plan.json', '--yes');
        expect(applied.code, `${applied.stdout}${applied.stderr}`).toBe(0);
        expect(`${applied.stdout}${applied.stderr}`).toContain(
          'no longer in the account, and left out: peer.m2',
        );
        const groups = (await account.call('GET', '/api/groups')) as {
          name: string;
          peers: { name: string }[] | null;
        }[];
        const members = groups.find(({ name }) => name === 'eng')?.peers ?? [];
        expect(members.map(({ name }) => name).sort()).toEqual(['m1', 'm3']);
      });
    } finally {
      await account.close();
    }
  },
);
