// Network traffic events and reverse proxy logs: every filter, the search, the orders and the pages of the specification,
// each held against a plain reading of the same entries (docs/server-behaviour.md#event-logs).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { policyBody, ruleBody } from '../bodies.ts';
import { type Emulated, emulated, idOf, refused, standing } from '../emulated.ts';
import { person, statusFor } from '../people/people.ts';

const TRAFFIC = '/api/events/network-traffic';
const PROXY = '/api/events/proxy';
const FLOWS = 600;
const ACCESSES = 400;

type Entry = Readonly<Record<string, unknown>>;
interface Page {
  readonly data: readonly Entry[];
  readonly page: number;
  readonly page_size: number;
  readonly total_records: number;
  readonly total_pages: number;
}

let api: Emulated;
let end: () => Promise<void>;
let flows: readonly Entry[];
let accesses: readonly Entry[];
let ada: string;
beforeAll(async () => {
  ({ api, end } = await standing());
  ada = (await person(api, 'user', { name: 'Ada', email: 'Ada@Example.com' })).id;
  // The desk is let in nowhere.
  const peers = [await api.enrol('laptop', { user_id: ada }), await api.enrol('Server')];
  await api.enrol('desk');
  for (const policy of [await api.get('/api/policies')].flat())
    await api.remove(`/api/policies/${idOf(policy)}`);
  const sides = [await api.make('/api/groups', { name: 'pair', peers })];
  const rule = ruleBody({ sources: sides, destinations: sides, bidirectional: true });
  await api.make('/api/policies', policyBody([rule], { name: 'pair' }));
  await api.control('POST', '/emulator/traffic', { count: FLOWS });
  await api.control('POST', '/emulator/proxy-logs', { count: ACCESSES });
  flows = (await page(TRAFFIC, { page_size: FLOWS })).data;
  accesses = await whole(PROXY);
});
afterAll(() => end());

async function page(path: string, query: object = {}, by = api): Promise<Page> {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return Object(await by.get(`${path}?${search}`));
}

/** All pages, one after the other. */
async function whole(path: string, query: object = {}): Promise<readonly Entry[]> {
  const first = await page(path, { ...query, page_size: 100 });
  const all = [...first.data];
  for (let number = 2; number <= first.total_pages; number += 1)
    all.push(...(await page(path, { ...query, page_size: 100, page: number })).data);
  return all;
}

/** A field however deep: `source.name`. */
const at = (entry: Entry, path: string): string =>
  String(path.split('.').reduce<unknown>((value, name) => Object(value)[name], entry));
const beginning = ({ events }: Entry) => String(Object([events].flat()[0]).timestamp);
/** A value as a text that sorts as it does. */
const text = (value: unknown) =>
  typeof value === 'number' ? String(value).padStart(12, '0') : String(value);
const has = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());

/** What a filter must leave, the order it had. */
async function leaves(
  path: string,
  query: object,
  all: readonly Entry[],
  keeps: (entry: Entry) => boolean,
) {
  const expected = all.filter(keeps);
  expect(expected.length, 'a filter that leaves nothing proves nothing').toBeGreaterThan(0);
  expect(expected.length).toBeLessThan(all.length);
  expect(await whole(path, query)).toEqual(expected);
}

type Filter = readonly [name: string, value: () => unknown, keeps: (entry: Entry) => boolean];

const TRAFFIC_FILTERS: readonly Filter[] = [
  ['user_id', () => ada, flow => at(flow, 'user.id') === ada],
  ['protocol', () => 17, flow => flow.protocol === 17],
  ['direction', () => 'INGRESS', flow => flow.direction === 'INGRESS'],
  [
    'type',
    () => 'TYPE_END',
    flow => [flow.events].flat().some(event => Object(event).type === 'TYPE_END'),
  ],
  ['search', () => 'ada@EXAMPLE', flow => has(at(flow, 'user.email'), 'ada@')],
  [
    'search',
    () => 'SERVER',
    flow =>
      [at(flow, 'source.name'), at(flow, 'destination.name')].some(name => has(name, 'server')),
  ],
  [
    'search',
    () => ':443',
    flow =>
      [at(flow, 'source.address'), at(flow, 'destination.address')].some(one => has(one, ':443')),
  ],
];

const PROXY_FILTERS: readonly Filter[] = [
  ['host', () => 'wiki.example.com', one => one.host === 'wiki.example.com'],
  ['path', () => 'ORDERS', one => has(String(one.path), 'orders')],
  ['user_id', () => ada, one => one.user_id === ada],
  ['user_email', () => 'ada@', one => one.user_id === ada],
  ['user_name', () => 'AD', one => one.user_id === ada],
  ['method', () => 'post', one => one.method === 'POST'],
  ['status_code', () => 404, one => one.status_code === 404],
  ['status', () => 'success', one => /^[23]/.test(String(one.status_code))],
  ['status', () => 'failed', one => !/^[23]/.test(String(one.status_code))],
  ['search', () => 'WIKI', one => has(String(one.host), 'wiki')],
  ['search', () => '/login', one => has(String(one.path), '/login')],
  ['search', () => 'ada@example', one => one.user_id === ada],
];

describe('network traffic', () => {
  it('flows between peers that policies connect, and is listed newest first', () => {
    expect(flows).toHaveLength(FLOWS);
    const times = flows.map(beginning);
    expect(times).toEqual(times.toSorted().toReversed());
    for (const flow of flows) {
      const isDropped = [flow.source, flow.destination].some(one => Object(one).name === 'desk');
      expect(at(flow, 'policy.name')).toBe(isDropped ? '' : 'pair');
      expect(Object([flow.events].flat()[0]).type).toBe(isDropped ? 'TYPE_DROP' : 'TYPE_START');
      expect([at(flow, 'source.id'), at(flow, 'destination.id')]).toContain(flow.reporter_id);
    }
  });

  it.each(TRAFFIC_FILTERS)('is filtered by %s', async (name, value, keeps) => {
    await leaves(TRAFFIC, { [name]: value() }, flows, keeps);
  });

  it('is filtered by the reporting peer, and by several filters at once', async () => {
    const reporter_id = at(flows[0] ?? {}, 'reporter_id');
    const keeps = (flow: Entry) => flow.reporter_id === reporter_id && flow.protocol === 6;
    await leaves(TRAFFIC, { reporter_id, protocol: 6 }, flows, keeps);
  });

  it('was direct or relayed, and can be filtered by that', async () => {
    const direct = await whole(TRAFFIC, { connection_type: 'P2P' });
    const routed = await whole(TRAFFIC, { connection_type: 'ROUTED' });
    expect(direct.length + routed.length).toBe(FLOWS);
    expect([direct.length > 0, routed.length > 0]).toEqual([true, true]);
    expect(JSON.stringify(flows)).not.toContain('connection_type');
  });

  it('is filtered by time, both ends included', async () => {
    const start_date = beginning(flows[400] ?? {});
    const end_date = beginning(flows[100] ?? {});
    await leaves(
      TRAFFIC,
      { start_date, end_date },
      flows,
      flow => beginning(flow) >= start_date && beginning(flow) <= end_date,
    );
  });

  it('comes in pages of 1000, or of the requested size up to 50,000', async () => {
    expect(await page(TRAFFIC)).toMatchObject({ page: 1, page_size: 1000, total_pages: 1 });
    expect(await page(TRAFFIC, { page_size: 7, page: 3 })).toEqual({
      data: flows.slice(14, 21),
      page: 3,
      page_size: 7,
      total_records: FLOWS,
      total_pages: Math.ceil(FLOWS / 7),
    });
    expect(await page(TRAFFIC, { page_size: 60_000 })).toMatchObject({ page_size: 50_000 });
    expect(await page(TRAFFIC, { page: 9999 })).toMatchObject({ data: [], page: 9999 });
  });
});

describe('reverse proxy access logs', () => {
  it('are newest first', () => {
    expect(accesses).toHaveLength(ACCESSES);
    const times = accesses.map(({ timestamp }) => String(timestamp));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it.each(PROXY_FILTERS)('are filtered by %s', async (name, value, keeps) => {
    await leaves(PROXY, { [name]: value() }, accesses, keeps);
  });

  it('are filtered by address, and searched by address or id', async () => {
    const [first] = accesses;
    const source_ip = String(first?.source_ip);
    await leaves(PROXY, { source_ip }, accesses, one => one.source_ip === source_ip);
    await leaves(PROXY, { search: source_ip }, accesses, one =>
      has(String(one.source_ip), source_ip),
    );
    expect(await whole(PROXY, { search: first?.id })).toEqual([first]);
  });

  it('are filtered by time, both ends included', async () => {
    const [start_date, end_date] = [accesses[300], accesses[50]].map(one => String(one?.timestamp));
    await leaves(PROXY, { start_date, end_date }, accesses, ({ timestamp }) =>
      [timestamp].every(
        time => String(time) >= String(start_date) && String(time) <= String(end_date),
      ),
    );
  });

  it.each([
    ['timestamp', ['timestamp']],
    ['url', ['host', 'path']],
    ['host', ['host']],
    ['path', ['path']],
    ['method', ['method']],
    ['status_code', ['status_code']],
    ['duration', ['duration_ms']],
    ['source_ip', ['source_ip']],
    ['user_id', ['user_id']],
    ['auth_method', ['auth_method_used']],
    ['reason', ['reason']],
  ] as const)('are sorted by %s, up and down, over all pages', async (sort_by, fields) => {
    const key = (one: Entry) => fields.map(field => text(one[field])).join('\u0000');
    for (const sort_order of ['asc', 'desc']) {
      const all = await whole(PROXY, { sort_by, sort_order });
      const keys = all.map(key);
      const sorted = keys.toSorted();
      expect(keys).toEqual(sort_order === 'asc' ? sorted : sorted.toReversed());
      expect(new Set(all.map(({ id }) => id)).size).toBe(ACCESSES);
    }
  });

  it('come in pages of 50', async () => {
    expect(await page(PROXY)).toMatchObject({
      page: 1,
      page_size: 50,
      total_records: ACCESSES,
      total_pages: ACCESSES / 50,
    });
    const third = await page(PROXY, { page: 3, page_size: 30 });
    expect(third.data).toEqual(accesses.slice(60, 90));
  });

  it('Reverse proxy access logs: page_size at most 100', async () => {
    expect(await page(PROXY, { page_size: 100 })).toMatchObject({ page_size: 100 });
    expect(await api.refusal('GET', `${PROXY}?page_size=101`)).toEqual(refused(422));
  });
});

describe.each([TRAFFIC, PROXY])('%s', path => {
  it('refuses malformed pages, numbers and times under spec', async () => {
    for (const query of ['page=x', 'page_size=1.5', 'start_date=yesterday', 'end_date=x'])
      expect(await api.refusal('GET', `${path}?${query}`), query).toEqual(refused(422));
  });

  it('ignores malformed pages, numbers and times under netbird', async () => {
    const loose = await emulated({ dialect: 'netbird' });
    for (const name of ['a', 'b']) await loose.enrol(name);
    await loose.control('POST', '/emulator/traffic', { count: 3 });
    await loose.control('POST', '/emulator/proxy-logs', { count: 3 });
    const query = { page: 'x', page_size: '-1', start_date: 'yesterday', sort_by: 'mood' };
    expect(await page(path, query, loose)).toMatchObject({ page: 1, total_records: 3 });
    expect(await page(PROXY, { page_size: 5000 }, loose)).toMatchObject({ page_size: 100 });
  });

  it('is empty at first, belongs to one account, and needs the permission to read events', async () => {
    const fresh = await emulated();
    expect(await page(path, {}, fresh)).toMatchObject({
      data: [],
      total_records: 0,
      total_pages: 0,
    });
    const auditor = await person(fresh, 'auditor');
    const user = await person(fresh, 'user');
    expect(await statusFor(fresh, auditor, 'GET', path)).toBe(200);
    expect(await statusFor(fresh, user, 'GET', path)).toBe(403);
  });
});

it('no traffic is generated without a reachable peer, or if the requested count is zero', async () => {
  const fresh = await emulated();
  expect(await fresh.control('POST', '/emulator/traffic', { count: 5 })).toEqual({ made: 0 });
  const answer = await fresh.call('POST', '/emulator/traffic', {}, `Token ${fresh.controlsToken}`);
  expect(answer.status).toBe(422);
});
