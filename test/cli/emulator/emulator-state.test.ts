// `meshform emulator` begins with the state of a database, a snapshot or files of desired state.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';
import { call, emulating, names, type Ready } from './runningEmulator.ts';

const STATE = `
groups:
  - name: servers
    peers: [web-1]
peers:
  - name: web-1
policies:
  - name: web
    rules: [{ name: https, sources: [All], destinations: [servers], protocol: tcp, ports: ["443"] }]
`;

describe('--db', () => {
  test('keeps everything for the next start', () =>
    inFolder(async folder => {
      await emulating(
        ['--db', 'state.db', '--token', 'mine'],
        async ready => {
          await call(ready, 'mine', 'POST', '/api/groups', { body: { name: 'kept' } });
        },
        folder,
      );
      await emulating(
        ['--db', 'state.db'],
        async ready => {
          expect(await names(ready)).toEqual(['All', 'kept']);
          expect(await names(ready, 'mine')).toEqual(['All', 'kept']);
        },
        folder,
      );
    }));

  const refused = (folder: string) => meshform(['emulator', '--db', 'x.db'], { cwd: folder });
  const isShort = (stderr: string) => expect(stderr).toMatch(/^Error: .*x\.db .*\n {2}hint: .*\n$/);

  test('is refused for a text file, a folder, or a database of another program', async () => {
    await inFolder(async folder => {
      await writeFile(join(folder, 'x.db'), 'this is not a database, but a text long enough');
      const { code, stderr } = await refused(folder);
      expect([code, stderr]).toEqual([64, expect.stringContaining('file is not a database')]);
      isShort(stderr);
    });
    await inFolder(async folder => {
      const { code, stderr } = await refused(join(folder, 'not there'));
      expect(code).toBe(64);
      isShort(stderr);
    });
    await inFolder(async folder => {
      const foreign = new DatabaseSync(join(folder, 'x.db'));
      foreign.exec('CREATE TABLE theirs (id)');
      foreign.close();
      const { code, stderr } = await refused(folder);
      expect([code, stderr]).toEqual([
        64,
        expect.stringContaining('it is not a database of the emulator'),
      ]);
      isShort(stderr);
    });
  });

  test('is refused with a temporary failure while another process holds the file', () =>
    inFolder(folder =>
      emulating(
        ['--db', 'x.db'],
        async () => {
          const { code, stderr } = await refused(folder);
          expect([code, stderr]).toEqual([
            1,
            expect.stringContaining('another process has locked it'),
          ]);
          isShort(stderr);
        },
        folder,
      ).then(() => {}),
    ));
});

describe('--tenant-snapshot', () => {
  test('begins each tenant with the first account of a snapshot, also after a restart', () =>
    inFolder(async folder => {
      const make = async (ready: Ready) => {
        await call(ready, ready.token, 'POST', '/api/groups', { body: { name: 'staff' } });
        const { body } = await call(ready, ready.controls_token, 'GET', '/emulator/snapshot');
        await writeFile(join(folder, 'customer.json'), JSON.stringify(body));
      };
      await emulating(['--controls'], make, folder);
      const flags = ['--tenant-snapshot', 'customer.json', '--db', 'msp.db', '--accounts'];
      const use = (groups: readonly string[]) => async (ready: Ready) => {
        for (const { id } of ready.tenants) {
          const path = `/api/groups?account=${id}`;
          const { body } = await call(ready, ready.token, 'GET', path);
          expect([body].flat().map(({ name }) => name)).toEqual(groups);
          await call(ready, ready.token, 'POST', path, { body: { name: 'kept' } });
        }
        expect(await names(ready)).toEqual(['All', 'Tenant access']);
      };
      await emulating([...flags, '3'], use(['All', 'staff']), folder);
      await emulating([...flags, '3'], use(['All', 'staff', 'kept']), folder);
    }));

  test.each([
    ['[]', 'customer.json: it is not a snapshot'],
    ['{"form": 1, "rows": []}', 'customer.json: the snapshot has no account with an owner'],
  ])('is refused for %s', (text, message) =>
    inFolder(async folder => {
      await writeFile(join(folder, 'customer.json'), text);
      const flags = ['--accounts', '2', '--tenant-snapshot', 'customer.json'];
      const { code, stderr } = await meshform(['emulator', ...flags], { cwd: folder });
      expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
      expect(stderr).toContain('check --tenant-snapshot');
    }),
  );
});

describe('--snapshot', () => {
  test('begins with a snapshot from the controls', () =>
    inFolder(async folder => {
      await emulating(
        ['--controls'],
        async ready => {
          await call(ready, ready.token, 'POST', '/api/groups', { body: { name: 'kept' } });
          const { body } = await call(ready, ready.controls_token, 'GET', '/emulator/snapshot');
          await writeFile(join(folder, 'state.json'), JSON.stringify(body));
        },
        folder,
      );
      const use = async (ready: Ready) => expect(await names(ready)).toEqual(['All', 'kept']);
      await emulating(['--snapshot', 'state.json'], use, folder);
    }));

  test.each([
    ['{', 'state.json is not JSON'],
    ['{"form": 99, "rows": []}', 'state.json: this emulator cannot read a snapshot of format 99'],
    ['[]', 'state.json: it is not a snapshot'],
  ])('is refused for %s', (text, message) =>
    inFolder(async folder => {
      await writeFile(join(folder, 'state.json'), text);
      const { code, stderr } = await meshform(['emulator', '--snapshot', 'state.json'], {
        cwd: folder,
      });
      expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
      expect(stderr).toMatch(/\n {2}hint: .*\n$/);
    }),
  );

  test('is refused for a missing file', async () => {
    const { code, stderr } = await meshform(['emulator', '--snapshot', 'nowhere.json']);
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining('nowhere.json cannot be read: it does not exist'),
    ]);
  });
});

describe('an account with desired state', () => {
  test('is what an emulator with --account starts with, machines included', () =>
    inFolder(async folder => {
      await writeFile(join(folder, 'state.yaml'), STATE);
      await emulating(
        ['--account', '.'],
        async ready => {
          const { body } = await call(ready, ready.token, 'GET', '/api/groups?name=servers');
          expect(body).toMatchObject([{ peers: [{ name: 'web-1' }] }]);
          expect(await names(ready)).toEqual(['All', 'servers']);
        },
        folder,
      );
    }));

  test('is refused by --account with the place of each fault in the files', () =>
    inFolder(async folder => {
      await writeFile(join(folder, 'state.yaml'), 'groups:\n  - nome: servers\n');
      const { code, stderr } = await meshform(['emulator', '--account', '.'], { cwd: folder });
      expect(code).toBe(3);
      expect(stderr).toContain('state.yaml:2:');
    }));

  test('can be replaced by a control, which reports faults', () =>
    emulating(['--controls', '--accounts', '2'], async ready => {
      const second = ready.accounts[1] ?? { id: '', token: '' };
      const load = (body: string) =>
        call(ready, ready.controls_token, 'POST', `/emulator/desired-state?account=${second.id}`, {
          body,
        });
      expect(await load(STATE)).toEqual({ status: 200, body: {} });
      expect(await names(ready, second.token)).toEqual(['All', 'servers']);
      expect(await names(ready)).toEqual(['All']);
      // What is there already is as it should be.
      expect(await load(STATE)).toEqual({ status: 200, body: {} });
      expect(await load('groups: nonsense')).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining('desired-state.yaml:1:') },
      });
    }));
});
