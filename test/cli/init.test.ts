// What `init` writes can be planned at once, and nothing that is there is written over.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount } from '../support/account.ts';
import { environmentOf, inFolder, meshform } from '../support/cli.ts';

test('a new folder validates, plans, applies, and then has no changes', async () => {
  const account = await startAccount();
  await inFolder(async cwd => {
    const env = environmentOf(account);
    expect((await meshform(['init', 'net'], { cwd })).code).toBe(0);
    expect((await meshform(['validate', 'net'], { cwd })).stdout).toMatch(
      /^Valid: \d+ objects declared\.\n$/,
    );
    expect((await meshform(['apply', 'net', '--yes'], { cwd, env })).code).toBe(0);
    expect((await meshform(['plan', 'net', '--detailed-exitcode'], { cwd, env })).code).toBe(0);
  });
  await account.close();
});

test('the schema for editors is where the first file says it is', () =>
  inFolder(async cwd => {
    await meshform(['init'], { cwd });
    const [, schema = ''] =
      (await readFile(join(cwd, 'network.yaml'), 'utf8')).match(/\$schema=(.*)$/m) ?? [];
    const written = JSON.parse(await readFile(join(cwd, schema), 'utf8'));
    expect(Object.keys(written.properties)).toContain('groups');
  }));

test('a folder that holds desired state is left as it is', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'groups.yaml'), 'groups: []\n');
    const ended = await meshform(['init'], { cwd });
    expect(ended.code).toBe(6);
    expect(ended.stderr).toContain('groups.yaml');
  }));
