// Country codes may be written in small letters: they are compared, and sent, in capital letters.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const FILE = `groups: [{ name: a }, { name: b }]
policies:
  - name: p
    source_posture_checks: [dutch]
    rules: [{ name: r, sources: [a], destinations: [b], protocol: all }]
posture_checks:
  - { name: dutch, checks: { geo_location_check: { action: allow, locations: [{ country_code: nl }] } } }
access_tests:
  - { name: from there, from: group/a, with: { country: NL }, allow: ["group/b:tcp/22"] }
  - { name: from elsewhere, from: group/a, with: { country: DE }, deny: ["group/b:tcp/22"] }
`;

test('a small code passes its tests, is sent in capital letters, and is no difference afterwards', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), FILE);
    const account = await startAccount({ seed: 1 });
    try {
      const env = environmentOf(account);
      const tested = await meshform(['test'], { env, cwd });
      expect(tested.stderr + tested.stdout).not.toContain('FAIL');
      expect(tested.code).toBe(0);
      expect((await meshform(['apply', '--yes', '--no-tests'], { env, cwd })).code).toBe(0);
      const listed = await meshform(['api', 'call', 'listPostureChecks'], { env, cwd });
      expect(listed.stdout).toContain('"country_code": "NL"');
      const planned = await meshform(['plan'], { env, cwd });
      expect(planned.stdout).toContain('No changes.');
    } finally {
      await account.close();
    }
  }));
