// `meshform emulator`: what it says when it is ready, what its flags do, and how it refuses to start.
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { inFolder, meshform } from '../support/cli.ts';

interface Ready {
  readonly url: string;
  readonly token: string;
  readonly controls_token: string;
  readonly accounts: readonly { readonly id: string; readonly token: string }[];
}

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

/** Starts one, uses it, interrupts it; resolves to how it ended. */
async function emulating(
  flags: readonly string[],
  use: (ready: Ready) => Promise<void>,
  cwd = process.cwd(),
) {
  const failures: unknown[] = [];
  const ended = await meshform(['emulator', '--format', 'json', ...flags], {
    cwd,
    onDocument: (text, interrupt) => {
      use(JSON.parse(text))
        .catch(error => failures.push(error))
        .finally(() => interrupt('SIGINT'));
    },
  });
  expect(failures).toEqual([]);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended;
}

async function call(
  { url }: Ready,
  token: string,
  method: string,
  path: string,
  { body, userAgent = 'test' }: { readonly body?: unknown; readonly userAgent?: string } = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: token.includes(' ') ? token : `Token ${token}`,
      'user-agent': userAgent,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  return { status: response.status, body: Object(await response.json()) };
}

const names = async (ready: Ready, token = ready.token) => {
  const { body } = await call(ready, token, 'GET', '/api/groups');
  return [body]
    .flat()
    .map(({ name }) => name)
    .toSorted();
};

test('in JSON the line has url and token, and what was asked for besides', async () => {
  const { stdout } = await emulating([], async () => {});
  expect(Object.keys(JSON.parse(stdout))).toEqual(['url', 'token']);
  const all = await emulating(['--controls', '--accounts', '2'], async () => {});
  expect(Object.keys(JSON.parse(all.stdout))).toEqual([
    ...['url', 'token', 'controls_token', 'accounts'],
  ]);
});

test('as text it says how to go on', async () => {
  const ended = await meshform(['emulator', '--accounts', '2', '--controls'], {
    onDocument: (_, interrupt) => interrupt('SIGTERM'),
  });
  expect(ended.code).toBe(0);
  const rows = ended.stdout.match(/^ {2}(url|token|token 2|controls) +\S+$/gm);
  expect(rows).toHaveLength(4);
  expect(ended.stdout).toMatch(/export MESHFORM_URL=http:\/\/127\.0\.0\.1:\d+\n/);
});

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

  test('that is text, a folder, or another program’s is a wrong command line', async () => {
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

  test('that another process holds is a failure, which may pass', () =>
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

test('--port that is taken is a failure', async () => {
  const holder = createServer();
  await new Promise<void>(resolve => holder.listen(0, '127.0.0.1', resolve));
  const { port } = Object(holder.address());
  const { code, stderr } = await meshform(['emulator', '--port', String(port)]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: the emulator cannot listen on port \d+: .*\n {2}hint: .*\n$/);
  await new Promise(resolve => holder.close(resolve));
});

test('--accounts has so many, none of which sees another', () =>
  emulating(['--accounts', '3'], async ready => {
    expect(ready.accounts).toHaveLength(3);
    expect(ready.accounts[0]?.token).toBe(ready.token);
    expect(new Set(ready.accounts.map(({ id }) => id)).size).toBe(3);
    for (const [index, { token }] of ready.accounts.entries())
      await call(ready, token, 'POST', '/api/groups', { body: { name: `of ${index}` } });
    for (const [index, { token }] of ready.accounts.entries())
      expect(await names(ready, token)).toEqual(['All', `of ${index}`]);
  }));

test('--rate-limit refuses what comes too soon, but for one client', () =>
  emulating(['--rate-limit', '1/2'], async ready => {
    const ask = (userAgent: string) =>
      call(ready, ready.token, 'GET', '/api/groups', { userAgent });
    const statuses = [await ask('test'), await ask('test'), await ask('test')].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([200, 200, 429]);
    expect(await ask('Terraform/1.9')).toMatchObject({ status: 200 });
  }));

test('--bearer-tokens takes those that the controls make', () =>
  emulating(['--controls', '--bearer-tokens'], async ready => {
    const made = await call(ready, ready.controls_token, 'POST', '/emulator/access-tokens', {});
    const bearer = `Bearer ${made.body.access_token}`;
    expect(await call(ready, bearer, 'GET', '/api/users/current')).toMatchObject({ status: 200 });
  }));

test('--sign-in none leaves nobody to invite people', () =>
  emulating(['--sign-in', 'none'], async ready => {
    expect(await call(ready, ready.token, 'GET', '/api/users/invites')).toMatchObject({
      status: 412,
    });
  }));

test('--edition self-hosted answers 404 where the open server does', () =>
  emulating(['--edition', 'self-hosted', '--dialect', 'netbird'], async ready => {
    const response = await fetch(`${ready.url}/api/integrations/edr/falcon`);
    expect([response.status, await response.text()]).toEqual([404, '404 page not found\n']);
    expect(await names(ready)).toEqual(['All']);
  }));

test.each([
  [['--token', 'two words'], 'It must be a single word'],
  [['--token', 'one\nline'], 'It must be a single word'],
  [['--controls-token', 'two words'], 'It must be a single word'],
  [['--token', 'same', '--controls-token', 'same'], 'are the same'],
])('%j is a wrong command line', async (flags, message) => {
  const { code, stderr } = await meshform(['emulator', ...flags]);
  expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
});

test('--controls-token turns the controls on', () =>
  emulating(['--controls-token', 'mine'], async ready => {
    expect(ready.controls_token).toBe('mine');
    expect(await call(ready, 'mine', 'GET', '/emulator/clock')).toMatchObject({ status: 200 });
  }));

describe('--snapshot', () => {
  test('begins with what a control gave', () =>
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
  ])('that is %s is a wrong command line', (text, message) =>
    inFolder(async folder => {
      await writeFile(join(folder, 'state.json'), text);
      const { code, stderr } = await meshform(['emulator', '--snapshot', 'state.json'], {
        cwd: folder,
      });
      expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
      expect(stderr).toMatch(/\n {2}hint: .*\n$/);
    }),
  );

  test('that is not there is a wrong command line', async () => {
    const { code, stderr } = await meshform(['emulator', '--snapshot', 'nowhere.json']);
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining('nowhere.json cannot be read: it does not exist'),
    ]);
  });
});

describe('--stub', () => {
  const stub = { method: 'GET', path: '/api/instance', status: 200, body: { ready: true } };

  test('answers a path that the emulator does not have', () =>
    inFolder(async folder => {
      await writeFile(join(folder, 'stubs.json'), JSON.stringify([stub]));
      await emulating(
        ['--stub', 'stubs.json'],
        async ready => {
          expect(await call(ready, 'none', 'GET', '/api/instance')).toEqual({
            ...{ status: 200, body: { ready: true } },
          });
        },
        folder,
      );
    }));

  test.each([
    [[{ ...stub, header: {} }], 'stubs.json: stub 1: unknown field header'],
    [[{ ...stub, path: '/api/groups' }], 'GET /api/groups is an operation of the emulator'],
  ])('%j is a wrong command line', (stubs, message) =>
    inFolder(async folder => {
      await writeFile(join(folder, 'stubs.json'), JSON.stringify(stubs));
      const { code, stderr } = await meshform(['emulator', '--stub', 'stubs.json'], {
        cwd: folder,
      });
      expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
    }),
  );
});

test('--request-log adds a line for each request', () =>
  inFolder(async folder => {
    const file = join(folder, 'requests.ndjson');
    await writeFile(file, '{"kept":true}\n');
    await emulating(
      ['--request-log', 'requests.ndjson'],
      ready => names(ready).then(() => {}),
      folder,
    );
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.map(line => JSON.parse(line))).toEqual([
      { kept: true },
      { time: expect.any(String), method: 'GET', path: '/api/groups', status: 200 },
    ]);
    const { code, stderr } = await meshform(['emulator', '--request-log', join('no', 'log')], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([64, expect.stringContaining('cannot be written: ')]);
  }));

describe('desired state', () => {
  test('--account begins with it, machines included', () =>
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

  test('--account that is wrong is refused with its place', () =>
    inFolder(async folder => {
      await writeFile(join(folder, 'state.yaml'), 'groups:\n  - nome: servers\n');
      const { code, stderr } = await meshform(['emulator', '--account', '.'], { cwd: folder });
      expect(code).toBe(3);
      expect(stderr).toContain('state.yaml:2:');
    }));

  test('a control makes any account what it says, and tells what is wrong', () =>
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
