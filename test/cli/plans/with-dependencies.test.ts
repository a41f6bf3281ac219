// A run that is limited to an object, and what that object needs.
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

const FILE = `groups: [{ name: dev }, { name: db }, { name: other }]
networks:
  - name: office
    resources: [{ name: printer, address: 10.1.1.1, groups: [db] }]
posture_checks: [{ name: recent, checks: { nb_version_check: { min_version: 0.60.0 } } }]
policies:
  - name: x
    source_posture_checks: [recent]
    rules: [{ name: r, sources: [dev], destinationResource: { network_resource: office/printer }, protocol: tcp, ports: ["22"] }]
`;

async function addedBy(...flags: readonly string[]): Promise<readonly string[] | string> {
  let answer: readonly string[] | string = '';
  await inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), FILE);
    const argv = ['plan', ...flags, '--format', 'json'];
    const { stdout, stderr, code } = await meshform(argv, { env: environmentOf(account), cwd });
    answer = stderr;
    if (code !== 0) return;
    const { resource_changes: changes } = JSON.parse(stdout) as {
      readonly resource_changes: readonly { readonly address: string }[];
    };
    answer = changes.map(({ address }) => address).sort();
  });
  return answer;
}

test('the run stops without --with-dependencies, and the hint names the flag', async () => {
  expect(await addedBy('--only', 'policy/x')).toContain('add --with-dependencies');
});

test('the run with --with-dependencies includes everything that the object needs, and nothing else', async () => {
  expect(await addedBy('--only', 'policy/x', '--with-dependencies')).toEqual([
    'group.db',
    'group.dev',
    'network.office',
    'network_resource.office/printer',
    'policy.x',
    'posture_check.recent',
  ]);
});

test('a selection of a kind includes its dependencies too, except the objects of --except', async () => {
  expect(await addedBy('--kinds', 'policies', '--with-dependencies')).toContain('network.office');
  const left = ['--kinds', 'policies', '--with-dependencies', '--except', 'group/dev'];
  expect(await addedBy(...left)).toContain('the declared group `dev` is not part of this run');
});
