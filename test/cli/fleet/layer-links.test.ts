// Folders that cannot be layers of a fleet: a link could lead to the files of another account.
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { FLEET, inFleet, type TestFleet } from './fleetFolder.ts';

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

async function withLink(fleet: TestFleet, path: string, target: string): Promise<void> {
  await mkdir(join(fleet.folder, path, '..'), { recursive: true });
  await symlink(target, join(fleet.folder, path));
  git(fleet.folder, 'add', '--all');
  git(fleet.folder, 'commit', '--quiet', '--message', 'A link');
}

test('a link in place of an account’s folder is a fault of that account, in all commands', async () => {
  await inFleet({ tenants: 2 }, async fleet => {
    const first = fleet.domain(1);
    const second = fleet.domain(2);
    await fleet.write({ [`customers/${first}/own.yaml`]: 'groups: [{ name: secret }]\n' });
    await withLink(fleet, `customers/${second}`, first);
    const says = `the layer \`customers/${second}\` of the account \`${second}\` is a link`;
    const all = ['--format', 'json'];
    for (const words of [['validate'], ['test'], ['plan'], ['drift'], ['list', ...all]]) {
      const { code, stdout, stderr } = await fleet.fleet(words);
      expect(onOneLine(stdout + stderr)).toContain(says);
      expect([words[0], code]).toEqual([words[0], words[0] === 'list' ? 0 : 3]);
    }
    const compared = await fleet.fleet(['compare', first, second]);
    expect([compared.code, onOneLine(compared.stderr)]).toEqual([3, expect.stringContaining(says)]);
    const { stdout } = await fleet.fleet(['plan', '--out', 'plans', '--format', 'json']);
    const { groups } = JSON.parse(stdout);
    const named = JSON.stringify(groups);
    expect(named).toContain(first);
    expect(named).not.toContain(second);
  });
});

describe('a layer of the fleet file', () => {
  const planned = async (fleet: TestFleet, says: string) => {
    for (const words of [['validate'], ['plan']]) {
      const { code, stdout } = await fleet.fleet(words);
      expect(onOneLine(stdout)).toContain(says);
      expect(code).toBe(3);
      expect(stdout).not.toContain('not a git repository');
    }
  };

  test('a layer that is reached through a link is refused', async () => {
    await inFleet({ tenants: 1 }, async fleet => {
      const own = `customers/${fleet.domain(1)}/own.yaml`;
      await fleet.write({ [own]: 'groups: [{ name: own }]\n' });
      await rename(join(fleet.folder, 'customers'), join(fleet.folder, 'others'));
      await withLink(fleet, 'customers', 'others');
      await planned(fleet, 'leads through the link `customers`');
    });
  });

  test.each(['../outside', '${account.tenant.name}/../../outside'])(
    '%s, outside the repository, is refused, whether accounts are known or not',
    async layer => {
      const text = FLEET.replace('baseline, "customers/${account.name}"', `baseline, "${layer}"`);
      await inFleet({ tenants: 1, files: { 'fleet.yaml': text } }, fleet =>
        planned(fleet, 'is outside the repository'),
      );
    },
  );

  test('a layer in another repository, or in `.git`, is refused', async () => {
    const text = FLEET.replace('"customers/${account.name}"', 'inner');
    await inFleet({ tenants: 1, files: { 'fleet.yaml': text } }, async fleet => {
      await fleet.write({ 'inner/own.yaml': 'groups: [{ name: own }]\n' });
      git(fleet.folder, 'init', '--quiet', 'inner');
      await planned(fleet, 'is in another repository');
      await rm(join(fleet.folder, 'inner'), { recursive: true });
      await fleet.write({ 'fleet.yaml': text.replace('inner', '.git') });
      await planned(fleet, 'is in the folder of git');
    });
  });
});

describe('a fault of the fleet file is found without knowing an account:', () => {
  test.each([
    [
      'a reference that has no value',
      FLEET.replace('account.name', 'account.nope'),
      '`${account.nope}` has no value',
    ],
    [
      'a field that accounts do not have',
      `${FLEET}    labels: { a: "\${account.tenant.nope}" }\n`,
      '`${account.tenant.nope}` has no value',
    ],
    [
      'what of `from` lists no accounts',
      FLEET.replace('msp_tenants', 'groups'),
      '`groups` of `from` lists no accounts',
    ],
  ])('%s', async (_, text, says) => {
    await inFleet({ tenants: 1, files: { 'fleet.yaml': text } }, async fleet => {
      for (const words of [['validate'], ['test'], ['plan'], ['list']]) {
        const { code, stderr } = await fleet.fleet(words);
        expect([words[0], code, onOneLine(stderr)]).toEqual([
          words[0],
          3,
          expect.stringContaining(says),
        ]);
      }
    });
  });
});
