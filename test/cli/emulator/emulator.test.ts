// `meshform emulator` prints its address and tokens, and obeys its flags or refuses them.
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inFolder, meshform } from '../../support/cli.ts';
import { call, emulating, names } from './runningEmulator.ts';

test('the start line in JSON has url and token, and other requested values', async () => {
  const { stdout } = await emulating([], async () => {});
  expect(Object.keys(JSON.parse(stdout))).toEqual(['url', 'token']);
  const all = await emulating(['--controls', '--accounts', '2'], async () => {});
  expect(Object.keys(JSON.parse(all.stdout))).toEqual([
    'url',
    'token',
    'controls_token',
    'accounts',
  ]);
});

test('the start message in text says what to do next', async () => {
  const ended = await meshform(['emulator', '--accounts', '2', '--controls'], {
    onDocument: (_, interrupt) => interrupt('SIGTERM'),
  });
  expect(ended.code).toBe(0);
  const rows = ended.stdout.match(/^ {2}(url|token|token 2|controls) +\S+$/gm);
  expect(rows).toHaveLength(4);
  expect(ended.stdout).toMatch(/export MESHFORM_URL=http:\/\/127\.0\.0\.1:\d+\n/);
});

test('--port fails for a port that is in use', async () => {
  const holder = createServer();
  await new Promise<void>(resolve => holder.listen(0, '127.0.0.1', resolve));
  const { port } = Object(holder.address());
  const { code, stderr } = await meshform(['emulator', '--port', String(port)]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Error: the emulator cannot listen on port \d+: .*\n {2}hint: .*\n$/);
  await new Promise(resolve => holder.close(resolve));
});

test('--accounts creates that many accounts, which do not see each other', () =>
  emulating(['--accounts', '3'], async ready => {
    expect(ready.accounts).toHaveLength(3);
    expect(ready.accounts[0]?.token).toBe(ready.token);
    expect(new Set(ready.accounts.map(({ id }) => id)).size).toBe(3);
    for (const [index, { token }] of ready.accounts.entries())
      await call(ready, token, 'POST', '/api/groups', { body: { name: `of ${index}` } });
    for (const [index, { token }] of ready.accounts.entries())
      expect(await names(ready, token)).toEqual(['All', `of ${index}`]);
  }));

test('--msp makes the other accounts tenants, which one token opens', async () => {
  const { stdout } = await emulating(['--accounts', '3', '--msp'], async ready => {
    expect(ready.tenants.map(({ name, domain }) => [name, domain])).toEqual([
      ['t001', 't001.customer.example'],
      ['t002', 't002.customer.example'],
    ]);
    for (const { id, name } of ready.tenants)
      await call(ready, ready.token, 'POST', `/api/groups?account=${id}`, { body: { name } });
    for (const { token, name } of ready.tenants)
      expect(await names(ready, token)).toEqual(['All', name]);
  });
  expect(Object.keys(JSON.parse(stdout))).toEqual(['url', 'token', 'accounts', 'tenants']);
  const text = await meshform(['emulator', '--accounts', '3', '--msp'], {
    onDocument: (_, interrupt) => interrupt('SIGTERM'),
  });
  expect(text.stdout).toContain(
    '  tenants   2, from t001.customer.example to t002.customer.example; add ?account=<id> to a request',
  );
  expect(text.stdout).not.toContain('token 2');
});

test('--msp is refused in the edition without tenants', async () => {
  const { code, stderr } = await meshform(['emulator', '--msp', '--edition', 'self-hosted']);
  expect([code, stderr]).toEqual([64, expect.stringContaining('that edition has no tenants')]);
});

test('--rate-limit refuses requests that come too soon, except from one client', () =>
  emulating(['--rate-limit', '1/2'], async ready => {
    const ask = (userAgent: string) =>
      call(ready, ready.token, 'GET', '/api/groups', { userAgent });
    const statuses = [await ask('test'), await ask('test'), await ask('test')].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([200, 200, 429]);
    expect(await ask('Terraform/1.9')).toMatchObject({ status: 200 });
  }));

test('--shuffle returns a list in a different order from time to time', () =>
  emulating(['--shuffle'], async ready => {
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await call(ready, ready.token, 'POST', '/api/groups', { body: { name } });
    const order = async () => {
      const { body } = await call(ready, ready.token, 'GET', '/api/groups');
      return [body]
        .flat()
        .map(({ name }) => name)
        .join();
    };
    const orders = new Set<string>();
    for (let asked = 0; asked < 20; asked++) orders.add(await order());
    expect(orders.size).toBeGreaterThan(1);
  }));

test.for([
  ['loopback', true],
  ['anywhere', false],
] as const)(
  '--deliver %s withholds deliveries to an address outside this machine: %s',
  async ([deliver, isWithheld]) => {
    await emulating(['--controls', '--deliver', deliver], async ready => {
      const stream = {
        platform: 'generic_http',
        enabled: true,
        // Every address of this machine: nothing listens there, and nothing leaves the machine.
        config: { url: 'http://0.0.0.0:9/events', body_template: '{}' },
      };
      const made = await call(ready, ready.token, 'POST', '/api/event-streaming', { body: stream });
      expect(made.status).toBe(200);
      await call(ready, ready.token, 'POST', '/api/groups', { body: { name: 'a' } });
      const { body } = await call(ready, ready.controls_token, 'GET', '/emulator/outbox');
      expect(JSON.stringify(body).includes('withheld')).toBe(isWithheld);
    });
  },
);

test('--bearer-tokens accepts tokens that the controls create', () =>
  emulating(['--controls', '--bearer-tokens'], async ready => {
    const made = await call(ready, ready.controls_token, 'POST', '/emulator/access-tokens', {});
    const bearer = `Bearer ${made.body.access_token}`;
    expect(await call(ready, bearer, 'GET', '/api/users/current')).toMatchObject({ status: 200 });
  }));

test('--sign-in none disables the invitation of people', () =>
  emulating(['--sign-in', 'none'], async ready => {
    expect(await call(ready, ready.token, 'GET', '/api/users/invites')).toMatchObject({
      status: 412,
    });
  }));

test('--edition self-hosted answers 404 where the open-source server does', () =>
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
])('%j is refused as a wrong command line', async (flags, message) => {
  const { code, stderr } = await meshform(['emulator', ...flags]);
  expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
});

test('--controls-token enables the controls', () =>
  emulating(['--controls-token', 'mine'], async ready => {
    expect(ready.controls_token).toBe('mine');
    expect(await call(ready, 'mine', 'GET', '/emulator/clock')).toMatchObject({ status: 200 });
  }));

describe('--stub', () => {
  const stub = { method: 'GET', path: '/api/instance', status: 200, body: { ready: true } };

  test('answers a path that the emulator does not implement', () =>
    inFolder(async folder => {
      await writeFile(join(folder, 'stubs.json'), JSON.stringify([stub]));
      await emulating(
        ['--stub', 'stubs.json'],
        async ready => {
          expect(await call(ready, 'none', 'GET', '/api/instance')).toEqual({
            status: 200,
            body: { ready: true },
          });
        },
        folder,
      );
    }));

  test.each([
    [[{ ...stub, header: {} }], 'stubs.json: stub 1: unknown field header'],
    [[{ ...stub, path: '/api/groups' }], 'GET /api/groups is an operation of the emulator'],
  ])('%j is refused as a wrong command line', (stubs, message) =>
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
