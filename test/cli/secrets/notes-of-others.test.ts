// A secret that is not set is noted for the objects of the run, and not for those that it leaves out.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

let account: TestAccount;
beforeAll(async () => {
  account = await startAccount({ seed: 1 });
});
afterAll(() => account.close());

const FILE = `groups: [{ name: a }]
identity_providers:
  - { name: login, type: oidc, client_id: meshform, client_secret: "\${env:NOT_SET}", issuer: https://login.example.com }
`;

test.each([
  [[], true],
  [['--only', 'group/a'], false],
  [['--kinds', 'groups'], false],
  [['--except', 'identity_provider/login'], false],
  [['--except', 'group/a'], true],
])('an unset variable of another object is noted with %j: %j', (flags, isNoted) =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), FILE);
    const { stderr } = await meshform(['plan', ...flags], { env: environmentOf(account), cwd });
    expect(stderr.includes('NOT_SET')).toBe(isNoted);
  }),
);
