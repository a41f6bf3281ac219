// Starting and stopping an emulator, and what it takes from the world.
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type AnsweredRequest,
  type Emulator,
  type EmulatorOptions,
  memoryStore,
  seededRandom,
  startEmulator,
} from '../../../src/emulator/index.ts';
import { policyBody, ruleBody, setupKeyBody, userBody } from '../bodies.ts';
import { emulated, idOf } from '../emulated.ts';

const started: Emulator[] = [];
const start = async (options?: EmulatorOptions) => {
  const emulator = await startEmulator(options);
  started.push(emulator);
  return emulator;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map(emulator => emulator.close()));
});
const groups = async ({ url, token }: Emulator) => {
  const response = await fetch(`${url}/api/groups`, {
    headers: { authorization: `Token ${token}` },
  });
  return { status: response.status, text: await response.text() };
};

describe('an emulator', () => {
  it('listens on loopback, each on a free port, with its own token', async () => {
    const one = await start();
    const other = await start();
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(one.url).not.toBe(other.url);
    expect(one.token).toMatch(/^nbp_[0-9A-Za-z]{36}$/);
    expect(new Set([one.token, one.controlsToken, other.token, other.controlsToken]).size).toBe(4);
    expect(await groups(one)).toMatchObject({ status: 200 });
    expect(await groups({ ...one, token: other.token })).toMatchObject({ status: 404 });
  });

  it('listens on the given port, and fails if it is in use', async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    await expect(startEmulator({ port })).rejects.toThrow('EADDRINUSE');
    await started.pop()?.close();
    expect((await start({ port })).url).toBe(url);
  });

  it('ends every connection when it is closed', async () => {
    const emulator = await start();
    await groups(emulator);
    await emulator.close();
    started.pop();
    await expect(groups(emulator)).rejects.toThrow();
    const port = Number(new URL(emulator.url).port);
    const heir = createServer();
    await new Promise<void>(resolve => heir.listen(port, '127.0.0.1', resolve));
    await new Promise(resolve => heir.close(resolve));
  });

  it('is identical for the same seed and time', async () => {
    const options = () => ({ random: seededRandom(7), clock: () => new Date(0), shuffle: true });
    const one = await start(options());
    const other = await start(options());
    expect(one.token).toBe(other.token);
    expect(await groups(one)).toEqual(await groups(other));
    const { token } = await start({ ...options(), random: seededRandom(8) });
    expect(token).not.toBe(one.token);
  });

  it('reports each request before its response arrives, whatever its result', async () => {
    const reported: AnsweredRequest[] = [];
    const api = await emulated({ onRequest: request => reported.push(request) });
    await api.get('/api/groups?name=All');
    await api.call('POST', '/api/groups', '{');
    await api.call('PATCH', '/nowhere');
    await api.enrol('laptop');
    expect(reported).toEqual([
      { method: 'GET', path: '/api/groups', status: 200 },
      { method: 'POST', path: '/api/groups', status: 400 },
      { method: 'PATCH', path: '/nowhere', status: 404 },
      { method: 'POST', path: '/emulator/peers', status: 200 },
    ]);
  });

  it('continues with the account of a store that has one, and leaves the store open', async () => {
    const store = memoryStore();
    const first = await emulated({ store, token: 'first' });
    const id = await first.make('/api/groups', { name: 'kept' });
    const second = await emulated({ store, token: 'second' });
    expect(await second.get(`/api/groups/${id}`)).toMatchObject({ name: 'kept' });
    expect(await second.get('/api/policies')).toHaveLength(1);
    expect(await second.call('GET', '/api/groups', undefined, 'Token first')).toMatchObject({
      status: 200,
    });
  });

  it('answers 500 to an internal error, and reports it', async () => {
    const faults: unknown[] = [];
    const fault = new Error('disk full');
    const store = memoryStore();
    let broken = false;
    const brittle = {
      ...store,
      transaction: <T>(work: Parameters<typeof store.transaction<T>>[0]) => {
        if (broken) throw fault;
        return store.transaction(work);
      },
    };
    const emulator = await start({ store: brittle, onFault: error => faults.push(error) });
    broken = true;
    expect(await groups(emulator)).toEqual({
      status: 500,
      text: '{"message":"internal server error","code":500}',
    });
    expect(faults).toEqual([fault]);
  });
});

describe('shuffled answers', () => {
  it('contain the same in another order, in lists of any depth', async () => {
    const api = await emulated({ shuffle: true });
    const names = Array.from({ length: 20 }, (_, n) => `p${n}`);
    const peers = await Promise.all(names.map(name => api.enrol(name)));
    const id = await api.make('/api/groups', { name: 'g', peers });
    const read = async () => {
      const group = Object(await api.get(`/api/groups/${id}`));
      return [group.peers].flat().map(peer => String(Object(peer).id));
    };
    const one = await read();
    const other = await read();
    expect(one).not.toEqual(other);
    expect(new Set(one)).toEqual(new Set(peers));
    expect(one).toHaveLength(peers.length);
  });

  it('keep the order of lists that a server orders', async () => {
    const api = await emulated({ shuffle: true });
    const numbers = Array.from({ length: 20 }, (_, n) => n + 1);
    const groups: string[] = [];
    for (const n of numbers) groups.push(await api.make('/api/groups', { name: `g${n}` }));
    const ports = numbers.map(String);
    const port_ranges = numbers.map(n => ({ start: n, end: n }));
    const rules = [
      ruleBody({ name: 'ports', ports, sources: groups }),
      ruleBody({ name: 'ranges', port_ranges, destinations: groups }),
      ...numbers.map(n => ruleBody({ name: `rule ${n}` })),
    ];
    const id = await api.make('/api/policies', policyBody(rules));
    const policy = Object(await api.get(`/api/policies/${id}`));
    const namesOf = (list: readonly object[]) => list.map(one => Object(one).name);
    expect(namesOf(policy.rules)).toEqual(namesOf(rules));
    expect(policy.rules[0].ports).toEqual(ports);
    expect(policy.rules[0].sources.map((one: object) => Object(one).id)).toEqual(groups);
    expect(policy.rules[1].port_ranges).toEqual(port_ranges);
    const key = await api.post('/api/setup-keys', setupKeyBody({ auto_groups: groups }));
    expect(Object(key).auto_groups).toEqual(groups);
    const robot = userBody({ name: 'robot', is_service_user: true, auto_groups: groups });
    const user = await api.make('/api/users', robot);
    const listed = [await api.get('/api/users')].flat().map(Object);
    expect(listed.find(one => one.id === user)?.auto_groups).toEqual(groups);
  });

  it('are optional: otherwise lists come in the order of creation', async () => {
    const api = await emulated({ shuffle: false });
    const names = Array.from({ length: 20 }, (_, n) => `g${n}`);
    for (const name of names) await api.make('/api/groups', { name });
    const listed = [await api.get('/api/groups')].flat().map(group => Object(group).name);
    expect(listed).toEqual(['All', ...names]);
  });
});

describe('ids', () => {
  it('are 20 characters that sort by the time of creation', async () => {
    let now = Date.UTC(2026, 0, 1);
    const api = await emulated({ clock: () => new Date(now) });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      ids.push(idOf(await api.post('/api/groups', { name })));
      now += 1000;
    }
    for (const id of ids) expect(id).toMatch(/^[0-9a-v]{20}$/);
    expect(ids.toSorted()).toEqual(ids);
  });
});

describe('failed writes', () => {
  it('leave nothing behind, even if many arrive concurrently', async () => {
    const api = await emulated();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.call('POST', '/api/groups', { name: 'one of a kind' })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => status === 200)).toHaveLength(1);
    expect(statuses.filter(status => status === 409)).toHaveLength(19);
    expect(await api.get('/api/groups')).toHaveLength(2);
  });
});
