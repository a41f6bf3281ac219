// `meshform emulator` begins with the state of a database, a snapshot or files of desired state.
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
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
      const text = 'this is not a database, but a text long enough';
      await writeFile(join(folder, 'x.db'), text, { mode: 0o600 });
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
      chmodSync(join(folder, 'x.db'), 0o600);
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

// It has the secrets of the declarations in clear.
test('a database, and what is written beside it, can be read by its owner only, with any umask', () =>
  inFolder(async folder => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const flags = ['--db', 'state.db', '--request-log', 'log.jsonl', '--token', 'mine'];
    const modes = () =>
      readdirSync(folder).map(name => [name, statSync(join(folder, name)).mode & 0o777]);
    await emulating(
      flags,
      async ready => {
        await call(ready, 'mine', 'GET', '/api/groups');
        expect(modes()).toEqual([
          ['log.jsonl', 0o600],
          ['state.db', 0o600],
          ['state.db-wal', 0o600],
        ]);
      },
      folder,
    );
    expect(modes()).toContainEqual(['state.db', 0o600]);
  }));

describe('a database is refused, and nothing is written', () => {
  const refused = async (prepare: (place: string) => void, file = 'x.db') =>
    inFolder(async folder => {
      mkdirSync(join(folder, 'checkout/.git/hooks'), { recursive: true });
      mkdirSync(join(folder, 'outside'));
      const cwd = join(folder, 'checkout');
      prepare(join(cwd, file));
      const { code, stderr } = await meshform(['emulator', '--db', file], { cwd });
      const files = ['outside', 'checkout/.git/hooks'].flatMap(at => readdirSync(join(folder, at)));
      return { code, files, said: stderr.replaceAll(/\s+/g, ' ') };
    });

  test('a database is refused if others can open its file', async () => {
    const { code, said } = await refused(place => {
      writeFileSync(place, '');
      chmodSync(place, 0o644);
    });
    expect([code, said]).toEqual([64, expect.stringContaining('others can open it (mode 0644)')]);
  });

  test('a database is refused if others can open the file that SQLite writes beside it', async () => {
    const { code, said } = await refused(place => {
      writeFileSync(`${place}-wal`, '');
      chmodSync(`${place}-wal`, 0o666);
    });
    expect([code, said]).toEqual([64, expect.stringContaining('others can open it (mode 0666)')]);
  });

  test('a database is refused if its file has a second name', async () => {
    const { code, said } = await refused(place => {
      writeFileSync(place, '', { mode: 0o600 });
      linkSync(place, `${place}.too`);
    });
    expect([code, said]).toEqual([69, expect.stringContaining('it has another hard link')]);
  });

  test.each([
    ['out of the checkout', '../outside', 'o/new.db'],
    ['into `.git`', '.git/hooks', 'o/post-checkout'],
  ])(
    'a database is refused if a link that a commit can contain points %s',
    async (_, target, file) => {
      const ended = await refused(place => symlinkSync(target, dirname(place)), file);
      expect(ended).toMatchObject({ code: 64, files: [] });
      expect(ended.said).toContain('link');
    },
  );
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
