// The log of traffic as it is served: how many records it keeps, and what is wrong with it on purpose.
import { describe, expect, it } from 'vitest';
import type { FlowRecord } from '../../../src/emulator/records/logs.ts';
import { NO_FAULTS, recordsIn } from '../../../src/emulator/traffic/traffic-log.ts';
import { type Emulated, emulated } from '../emulated.ts';
import { standingEnvironment, withStored } from '../reach/stored.ts';

const TRAFFIC = '/api/events/network-traffic';
const START = Date.parse('2026-03-02T00:00:00Z');

type Entry = Readonly<Record<string, unknown>>;

interface Page {
  readonly data: readonly Entry[];
  readonly total_pages: number;
  readonly total_records: number;
}

const page = async (api: Emulated, number = 1, size = 50): Promise<Page> =>
  Object(await api.get(`${TRAFFIC}?page=${number}&page_size=${size}`));

const flowIds = ({ data }: Page) => data.map(({ flow_id }) => String(flow_id));

/** An emulator with 200 flows of the last hour; the machines are too old for sums. */
async function logged(dialect: 'spec' | 'netbird' = 'netbird', version = '0.70.0') {
  const api = await emulated({ dialect, clock: () => new Date(START) });
  for (const name of ['a', 'b', 'c']) await api.enrol(name, { version });
  await api.control('POST', '/emulator/traffic', { count: 200 });
  return api;
}

const damage = (api: Emulated, faults: object) =>
  api.control('PUT', '/emulator/traffic-log', faults);

it('the log keeps the last 50,000 records that arrived', () => {
  withStored({}, account => {
    const template = { events: [], lag: 0, sums: { receive_timestamp: '' } };
    for (let place = 0; place < 50_010; place += 1) {
      const receive_timestamp = new Date(START - place * 1000).toISOString();
      const record = { ...template, id: String(60_000 - place), sums: { receive_timestamp } };
      account.flows.put(record as unknown as FlowRecord);
    }
    const environment = standingEnvironment(new Date(START).toISOString());
    const kept = recordsIn(account, NO_FAULTS, environment).map(({ id }) => Number(id));
    expect(kept).toHaveLength(50_000);
    expect([Math.max(...kept), Math.min(...kept)]).toEqual([60_000, 10_001]);
  });
});

describe('a fault of the log', () => {
  it('gives a wrong number of pages', async () => {
    const api = await logged();
    for (const [pages, expected] of [
      [-1, 3],
      [-9, 0],
      [2, 6],
    ]) {
      await damage(api, { pages });
      expect(await page(api)).toMatchObject({ total_pages: expected, total_records: 200 });
    }
  });

  it('serves records twice', async () => {
    const api = await logged();
    const before = flowIds(await page(api, 1, 200));
    await damage(api, { repeats: 4 });
    const after = flowIds(await page(api, 1, 250));
    expect(after).toEqual(before.flatMap((id, place) => (place % 4 === 3 ? [id, id] : [id])));
  });

  it('shifts pages while they are read', async () => {
    const api = await logged();
    const all = flowIds(await page(api, 1, 200));
    await damage(api, { held: 30, arrivals: 10 });
    const pages: string[][] = [];
    for (const number of [1, 2, 3, 4]) pages.push(flowIds(await page(api, number)));
    expect(pages).toEqual([
      all.slice(30, 80),
      all.slice(70, 120),
      all.slice(110, 160),
      all.slice(150),
    ]);
  });

  it('returns a page without records', async () => {
    const api = await logged();
    await damage(api, { blanks: 3 });
    const sizes: number[] = [];
    for (const number of [1, 2, 3, 4, 1, 2]) sizes.push((await page(api, number)).data.length);
    expect(sizes).toEqual([50, 50, 0, 50, 50, 0]);
  });

  it('delays every record', async () => {
    const api = await logged();
    await damage(api, { delay: 1800 });
    expect((await page(api)).total_records).toBe(100);
    await api.control('POST', '/emulator/clock', { advance: 1800 });
    expect((await page(api)).total_records).toBe(200);
  });

  it.each(['0.70.0', '0.76.0'])(
    'serves the flat form for machines of version %s',
    async version => {
      const api = await logged('netbird', version);
      const { data: plain } = await page(api, 1, 200);
      await damage(api, { flat: 2 });
      const { data } = await page(api, 1, 200);
      const isFlat = (entry: Entry) => 'policy_id' in entry;
      expect(data.filter(isFlat).length).toBeGreaterThan(data.length / 4);
      for (const [place, entry] of data.entries()) {
        const whole = plain[place] ?? {};
        const { user, policy, icmp, ...others } = whole;
        const flat = {
          user_id: Object(user).id,
          user_email: Object(user).email,
          user_name: Object(user).name,
          policy_id: Object(policy).id,
          policy_name: Object(policy).name,
          icmp_type: Object(icmp).type,
          icmp_code: Object(icmp).code,
        };
        expect(entry).toEqual(isFlat(entry) ? { ...others, ...flat } : whole);
      }
    },
  );

  it('does not affect the shape of the specification', async () => {
    const api = await logged('spec');
    await damage(api, { flat: 1 });
    expect((await page(api)).data.filter(entry => 'policy_id' in entry)).toEqual([]);
  });

  it('is replaced by the next fault, which counts requests from then on', async () => {
    const api = await logged();
    expect(await damage(api, { blanks: 2, pages: 1 })).toMatchObject({ blanks: 2, delay: 0 });
    await page(api);
    await damage(api, { blanks: 2 });
    expect((await page(api)).data).toHaveLength(50);
    expect((await page(api)).data).toEqual([]);
    await damage(api, {});
    for (const _ of [1, 2, 3])
      expect(await page(api)).toMatchObject({ total_pages: 4, data: { length: 50 } });
  });

  it('is added to request faults: a page that fails in the middle', async () => {
    const api = await logged();
    await api.control('POST', '/emulator/faults', { path: TRAFFIC, nth: 2, effect: 'status' });
    const statuses: number[] = [];
    for (const number of [1, 2, 3])
      statuses.push((await api.call('GET', `${TRAFFIC}?page=${number}&page_size=50`)).status);
    expect(statuses).toEqual([200, 503, 200]);
  });
});

it('ids continue after a restart', async () => {
  const api = await logged('netbird', '0.76.0');
  const snapshot = await api.control('GET', '/emulator/snapshot');
  const idsOf = async () => (await page(api, 1, 1000)).data.map(({ id }) => Number(id));
  const before = await idsOf();
  await api.control('PUT', '/emulator/snapshot', snapshot);
  await api.control('POST', '/emulator/traffic', { count: 50, over: 1 });
  const made = (await idsOf()).filter(id => !before.includes(id));
  expect(Math.min(...made)).toBeGreaterThan(Math.max(...before));
});
