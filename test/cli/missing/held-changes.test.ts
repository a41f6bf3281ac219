// What somebody changes by hand in objects that cannot be written, because somebody deleted what they need: drift tells it all the same.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/model/value.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

type Named = JsonObject & { readonly id: string; readonly name?: string };

const FILE = `groups:
  - { name: staff }
  - { name: team, peers: [gone, stays], lifecycle: { exact: [peers] } }
policies:
  - name: one
    rules:
      - { name: r, protocol: tcp, ports: ["22"], sources: [staff], destinationResource: { peer: gone } }
`;

test.each(['spec', 'netbird'] as const)(
  'objects that need a renamed machine are reported as drift once somebody widens them, in dialect %s',
  dialect =>
    inFolder(async cwd => {
      const account = await startAccount({ dialect });
      try {
        for (const name of ['gone', 'stays', 'third']) await account.enrol(name);
        await writeFile(join(cwd, 'a.yaml'), FILE);
        const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
        const list = async (path: string) => (await account.call('GET', path)) as readonly Named[];
        const idOf = async (path: string, name: string) =>
          (await list(path)).find(one => one.name === name)?.id ?? '';
        expect(await run('apply', '.', '--yes')).toMatchObject({ code: 0 });
        await account.call('PUT', `/api/peers/${await idOf('/api/peers', 'gone')}`, {
          name: 'other',
          ssh_enabled: false,
          login_expiration_enabled: false,
          inactivity_expiration_enabled: false,
        });

        const before = await run('drift', '.');
        expect(before.code).toBe(2);
        expect(before.stdout).toContain('# peer.gone is missing from the account');
        // That the machine is there under another name is no difference of theirs.
        expect(before.stdout).not.toContain('has changed');
        expect(before.stderr).toContain(
          'group.team stays as it is: it cannot be written as declared without peer.gone\n',
        );

        const team = await idOf('/api/groups', 'team');
        const members = await Promise.all(
          ['other', 'stays', 'third'].map(name => idOf('/api/peers', name)),
        );
        await account.call('PUT', `/api/groups/${team}`, { name: 'team', peers: members });
        const policy = (await list('/api/policies')).find(({ name }) => name === 'one');
        const sources = [await idOf('/api/groups', 'staff'), await idOf('/api/groups', 'All')];
        const rules = ((policy?.rules ?? []) as readonly JsonObject[]).map(rule => ({
          ...rule,
          sources,
          ports: ['22', '23'],
        }));
        await account.call('PUT', `/api/policies/${policy?.id}`, { ...policy, rules } as Json);

        const after = await run('drift', '.');
        expect(after.code).toBe(2);
        expect(after.stdout).toMatch(
          /# group\.team has changed in the account\n.*\n\s+~ peers\n\s+\+ "third"\n\s+\(\d unchanged\)/,
        );
        expect(after.stdout).toMatch(/# policy\.one has changed[^#]*ports\n\s+\+ "23"/);
        expect(after.stdout).toMatch(/# policy\.one has changed[^#]*sources\n\s+\+ "All"/);
        expect(after.stdout).not.toContain('destination_resource');
        expect(after.stdout).not.toContain('destinationResource');
        const applied = await run('apply', '.', '--yes');
        expect(applied.code).toBe(4);
        expect(applied.stderr).toContain(
          'without peer.gone; it differs in `rules["r"].ports`, `rules["r"].sources` too\n',
        );
        expect(applied.stderr).toContain('2 objects stay as they are');
      } finally {
        await account.close();
      }
    }),
);
