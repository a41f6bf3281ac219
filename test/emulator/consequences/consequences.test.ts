// The tables of consequences against the emulator, in both dialects and editions: what goes is exactly what a row says.
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../../src/contract/index.ts';
import { type Emulated, emulated } from '../emulated.ts';
import { OUTSIDE, POINTERS } from './pointers.ts';
import { REFUSED } from './refused.ts';
import type { Load } from './row.ts';
import { CONSEQUENCES } from './writes.ts';

const SERVERS = (['spec', 'netbird'] as const).flatMap(dialect =>
  (['cloud', 'self-hosted'] as const).map(edition => ({ dialect, edition })),
);

/** Where one kind has another path in a dialect. */
const EDR = {
  spec: '/api/integrations/edr/edr-provider-b',
  netbird: '/api/integrations/edr/intune',
};

const TOP = ['groups', 'networks', 'peers', 'routes', 'setup-keys', 'policies', 'posture-checks'];

/** The paths of all objects of an account. */
async function inventory(api: Emulated, isCloud: boolean): Promise<readonly string[]> {
  const ids = async (path: string) =>
    [(await api.get(path)) ?? []].flat().map(one => String(Object(one).id));
  const within = async (parent: string, child: string) => {
    const paths = (await ids(parent)).map(id => `${parent}/${id}/${child}`);
    const lists = await Promise.all(
      paths.map(async path => (await ids(path)).map(id => `${path}/${id}`)),
    );
    return lists.flat();
  };
  const robots = (await ids('/api/users?service_user=true')).map(id => `/api/users/${id}/tokens`);
  const lists = [...TOP.map(name => `/api/${name}`), '/api/users', '/api/users/invites', ...robots];
  const all = await Promise.all(
    [...lists, ...(isCloud ? ['/api/ingress/peers'] : [])].map(async path =>
      (await ids(path)).map(id => `${path}/${id}`),
    ),
  );
  return [
    ...all.flat(),
    ...(await within('/api/networks', 'resources')),
    ...(await within('/api/networks', 'routers')),
    ...(isCloud ? await within('/api/peers', 'ingress/ports') : []),
  ];
}

/** What is read, without what the dialects tell in two ways: groups as ids, and lists that are not there as empty ones. */
function plain(value: unknown): unknown {
  if (value === null) return [];
  if (Array.isArray(value))
    return value.map(plain).toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

const text = (value: unknown) => JSON.stringify(value);

/** A field that is left out where it is empty reads as empty. */
function held(read: unknown, expected: object): unknown {
  const found = Object(read);
  const entries = Object.entries(expected).map(([name, value]) => {
    const own = found[name];
    if (Array.isArray(value) && Array.isArray(own))
      return [name, own.map((one, index) => nested(one, value[index]))];
    return [name, nested(own ?? [], value)];
  });
  return Object.fromEntries(entries);
}

function nested(read: unknown, expected: unknown): unknown {
  return typeof expected === 'object' && expected !== null && !Array.isArray(expected)
    ? held(read, expected)
    : read;
}

async function read(api: Emulated, path: string): Promise<unknown> {
  if (!/^\/api\/users\/[^/]+$/.test(path) || path.endsWith('/invites')) return api.get(path);
  const users = [await api.get('/api/users')].flat();
  return users.find(user => path.endsWith(`/${Object(user).id}`));
}

async function expectReads(api: Emulated, after: Readonly<Record<string, object>>): Promise<void> {
  for (const [path, expected] of Object.entries(after)) {
    const found = plain(await read(api, path));
    if (Array.isArray(expected)) expect(found, path).toMatchObject(plain(expected) as object);
    else expect(held(found, expected), path).toEqual(plain(expected));
  }
}

it.each(OUTSIDE)('no operation of the contract writes: $from → $to', ({ within }) => {
  const { operations } = loadContract();
  expect(operations.filter(({ path }) => path.startsWith(within))).toEqual([]);
});

describe.each(SERVERS)('$dialect, $edition', ({ dialect, edition }) => {
  const isCloud = edition === 'cloud';
  const isOffered = (row: { readonly edition?: string }) => isCloud || row.edition !== 'cloud';
  const at = (path: string) => path.replace('{edr}', EDR[dialect]);

  /** An account with what a row begins with. */
  async function begun(before: Load): Promise<Emulated> {
    const api = await emulated({ dialect, edition });
    const load = Object.entries(before).map(([path, bodies]) => [at(path), bodies]);
    await api.control('POST', '/emulator/load', Object.fromEntries(load));
    return api;
  }

  describe.each(POINTERS.filter(isOffered))('$from → $to', row => {
    const { unknown, deletion, after = {} } = row;

    it(`names nothing: ${unknown.status}`, async () => {
      const api = await begun(row.before);
      const [method, path, body] = unknown.write;
      const answer = await api.call(method, at(path), body);
      expect(answer.status, answer.text).toBe(unknown.status);
      if (unknown.reads === undefined) return;
      expect(held(plain(answer.body), unknown.reads)).toEqual(plain(unknown.reads));
    });

    it(`the deletion of its target: ${deletion.status}`, async () => {
      const api = await begun(row.before);
      const answer = await api.call('DELETE', deletion.path);
      expect(answer.status, answer.text).toBe(deletion.status);
      await expectReads(api, after);
    });
  });

  it.each(CONSEQUENCES.filter(isOffered))(
    '$of',
    async ({ before, settings, write, gone, after }) => {
      const api = await begun(before);
      if (settings !== undefined) await api.control('PUT', '/emulator/settings', settings);
      const there = await inventory(api, isCloud);
      const [method, path, body] = write;
      const answer = await api.call(method, path, body);
      expect(answer.status, answer.text).toBe(200);
      const left = new Set(await inventory(api, isCloud));
      expect(there.filter(one => !left.has(one)).toSorted()).toEqual([...gone].toSorted());
      expect([...left].filter(one => !there.includes(one))).toEqual([]);
      await expectReads(api, after);
    },
  );

  it.each(REFUSED.filter(isOffered))('$of cannot be deleted', async ({ before, path, status }) => {
    const api = await begun(before);
    for (const key of path.startsWith('/api/groups') ? ['/api/setup-keys/7'] : [])
      await api.put(key, { revoked: true, auto_groups: ['g'] });
    const there = await inventory(api, isCloud);
    expect(await api.call('DELETE', path)).toMatchObject({ status });
    expect((await inventory(api, isCloud)).toSorted()).toEqual([...there].toSorted());
  });
});

it('a route whose peer was deleted cannot be written until it has another', async () => {
  const api = await emulated({ dialect: 'netbird' });
  const row = POINTERS.find(({ from }) => from === 'route peer');
  await api.control('POST', '/emulator/load', row?.before);
  await api.remove('/api/peers/p');
  const {
    id: _,
    network_type: __,
    domains: ___,
    ...body
  } = Object(await api.get('/api/routes/rt'));
  const put = (peer: string) => api.call('PUT', '/api/routes/rt', { ...body, peer });
  expect(await put('p')).toMatchObject({ status: 422 });
  expect(await put('q')).toMatchObject({ status: 200 });
});
