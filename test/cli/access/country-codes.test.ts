// Country codes have capital letters: the server compares them letter by letter, and a small code matches no machine.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const fileWith = (code: string) => `posture_checks:
  - name: elsewhere
    checks: { geo_location_check: { action: deny, locations: [{ country_code: ${code} }] } }
`;

test('a lower-case country code in the account, which denies nobody, differs from the upper-case code in the files', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), fileWith('FR'));
    const account = await startAccount({ seed: 1 });
    try {
      const env = environmentOf(account);
      const body = {
        name: 'elsewhere',
        description: '',
        checks: { geo_location_check: { action: 'deny', locations: [{ country_code: 'fr' }] } },
      };
      await account.call('POST', '/api/posture-checks', body);
      const planned = await meshform(['plan'], { env, cwd });
      expect(planned.stdout).toMatch(/country_code.*"fr"|"fr".*"FR"/);
      expect(planned.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
      expect((await meshform(['apply', '--yes'], { env, cwd })).code).toBe(0);
      expect((await meshform(['plan'], { env, cwd })).stdout).toContain('No changes.');
    } finally {
      await account.close();
    }
  }));

test('a lower-case country code in a file is an error, with its place', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), fileWith('fr'));
    const { code, stdout } = await meshform(['validate'], { cwd });
    expect(code).toBe(3);
    expect(stdout).toContain('a.yaml:3:79 error SCHEMA_FORMAT');
    expect(stdout).toContain('hint: Two capital letters');
  }));
