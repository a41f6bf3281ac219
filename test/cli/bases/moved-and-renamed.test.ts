// An object that moves to another folder and is renamed in the same commit: its new folder is applied first.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, machines, PRUNE } from '../lock/sharedMachines.ts';

vi.setConfig({ testTimeout: 60_000 });

const policyTo = (name: string): string =>
  `policies:\n  - name: ssh\n    rules: [{ name: ssh, sources: [staff], destinations: [${name}], protocol: tcp, ports: ["22"] }]\n`;

test(
  'the former folder, applied first, names the folder that is to be applied before it',
  { tags: 'variation' },
  () =>
    machines(async all => {
      const one = await all.machine('one');
      const folder = join(one.folder, 'other');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'meshform.yaml'), `account: ${all.id}\n`);
      await writeFile(join(folder, 'groups.yaml'), 'groups: [{ name: own }]\n');
      await one.write(
        'a.yaml',
        `groups: [{ name: staff }, { name: servers }]\n${policyTo('servers')}`,
      );
      const apply = (path: string, ...more: string[]) =>
        one.run('apply', path, ...PRUNE, '--base', 'auto', '--record-base', '--yes', ...more);
      expectCode(await apply('network', '--first'), 0);
      expectCode(await apply('other', '--first'), 0);
      await writeFile(
        join(folder, 'groups.yaml'),
        'groups: [{ name: own }, { name: srv, lifecycle: { was: servers } }]\n',
      );
      await one.write('a.yaml', `groups: [{ name: staff }]\n${policyTo('srv')}`);
      expect(git(one.folder, 'status', '--porcelain')).toBe('');
      const refused = await apply('network');
      expectCode(refused, 3);
      expect(refused.stderr).toContain('the folder `other` declares it, with `was: servers`');
      expectCode(await apply('other'), 0);
      expectCode(await apply('network'), 0);
      expect(await all.groups()).toEqual(['own', 'srv', 'staff']);
    }),
);
