// A question about a name that several objects of the account have: each is named by its id.
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

test.each(['from', 'to'])(
  'a name of two machines after `%s` is answered with their ids, which are valid selectors',
  async word => {
    const account = await startAccount({ dialect: 'netbird' });
    onTestFinished(() => account.close());
    const one = await account.enrol('laptop');
    const other = await account.enrol('laptop');
    await inFolder(async cwd => {
      const ask = (...words: string[]) =>
        meshform(['access', ...words, '--live'], { env: environmentOf(account), cwd });
      const ended = await ask(word, 'peer/laptop');
      expect(ended.code).toBe(3);
      const stderr = ended.stderr.replaceAll(/\s+/g, ' ');
      expect(stderr).toContain('`peer/laptop` is the name of 2 objects in the live account');
      for (const { id, ip } of [one, other])
        expect(stderr).toContain(`peer/id:${String(id)} (laptop, ${String(ip)})`);
      expect((await ask(word, `peer/id:${String(one.id)}`)).code).toBe(0);
    });
  },
);
