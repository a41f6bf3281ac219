// Network traffic events of newer machines under dialect `netbird`: sums over a time instead of single flows.
import { describe, expect, it } from 'vitest';
import { type Emulated, emulated } from '../emulated.ts';

const TRAFFIC = '/api/events/network-traffic';

type Entry = Readonly<Record<string, unknown>>;

const SUMS = ['num_of_drops', 'num_of_ends', 'num_of_starts', 'window_end', 'window_start'];

const logOf = async (api: Emulated, query = ''): Promise<readonly Entry[]> =>
  Object(await api.get(`${TRAFFIC}?page_size=50000${query}`)).data;

const isSum = (entry: Entry) => 'window_start' in entry;

const total = (entries: readonly Entry[], name: string) =>
  entries.reduce((sum, entry) => sum + Number(entry[name] ?? 0), 0);

/** Two machines that report sums, and one that does not. */
async function mixed(dialect: 'spec' | 'netbird') {
  const api = await emulated({ dialect });
  const fresh = [
    await api.enrol('a', { version: '0.75.1' }),
    await api.enrol('b', { version: '0.80.0' }),
  ];
  const old = await api.enrol('c', { version: '0.74.9' });
  await api.control('POST', '/emulator/traffic', { count: 900, over: 1800 });
  return { api, fresh, old, log: await logOf(api) };
}

describe('under netbird', () => {
  it('machines from version 0.75 report aggregated flows, and older machines report each flow', async () => {
    const { fresh, old, log } = await mixed('netbird');
    const sums = log.filter(isSum);
    const flows = log.filter(entry => !isSum(entry));
    expect(new Set(sums.map(one => one.reporter_id))).toEqual(new Set(fresh));
    expect(new Set(flows.map(one => one.reporter_id))).toEqual(new Set([old]));
    for (const one of sums) expect(Object.keys(one)).toEqual(expect.arrayContaining(SUMS));
    for (const one of flows) for (const name of SUMS) expect(one).not.toHaveProperty(name);
  });

  it('an aggregate has no events and no source port, and combines flows with equal fields', async () => {
    const { log } = await mixed('netbird');
    const sums = log.filter(isSum);
    for (const one of sums) {
      expect(one.events).toEqual([]);
      expect(String(Object(one.source).address)).toMatch(/:0$/);
      const length = Date.parse(String(one.window_end)) - Date.parse(String(one.window_start));
      expect(length).toBe(300_000);
    }
    const keys = sums.map(one => {
      const { reporter_id, direction, protocol, window_start, policy, source, destination } =
        Object(one);
      return JSON.stringify([
        reporter_id,
        direction,
        protocol,
        window_start,
        policy,
        source,
        destination,
      ]);
    });
    // Flows of two ways that cannot be told apart are two sums at most.
    const counts = Map.groupBy(keys, key => key).values();
    expect([...counts].every(({ length }) => length <= 2)).toBe(true);
    expect(sums.length).toBeLessThan(total(sums, 'num_of_starts') + total(sums, 'num_of_drops'));
  });

  it('an aggregate counts every flow once: each starts and ends, or is dropped', async () => {
    const { log } = await mixed('netbird');
    const sums = log.filter(isSum);
    const flows = log.length - sums.length;
    const starts = total(sums, 'num_of_starts');
    expect(starts + total(sums, 'num_of_drops') + flows).toBe(900);
    expect(total(sums, 'num_of_ends')).toBe(starts);
  });

  it('an aggregate has a policy only if the receiving side reported it', async () => {
    const { log } = await mixed('netbird');
    const known = new Set(
      log.filter(one => Object(one.policy).id !== '').map(({ direction }) => direction),
    );
    expect([...known]).toEqual(['INGRESS']);
  });

  it('aggregates are filtered by source, destination and type, and newest first', async () => {
    const { api, fresh, log } = await mixed('netbird');
    for (const [name, side] of [
      ['source_id', 'source'],
      ['destination_id', 'destination'],
    ] as const) {
      const found = await logOf(api, `&${name}=${fresh[0]}`);
      expect(found).toEqual(log.filter(one => Object(one[side]).id === fresh[0]));
      expect(found.length).toBeLessThan(log.length);
    }
    const dropped = (await logOf(api, '&type=TYPE_DROP')).filter(isSum);
    expect(dropped).toEqual(log.filter(one => Number(one.num_of_drops ?? 0) > 0));
    const times = log.map(one =>
      String(one.window_start ?? Object([one.events].flat()[0]).timestamp),
    );
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('aggregates survive a restart from a snapshot', async () => {
    const { api, log } = await mixed('netbird');
    const snapshot = await api.control('GET', '/emulator/snapshot');
    await api.control('POST', '/emulator/reset');
    expect(await logOf(api)).toEqual([]);
    await api.control('PUT', '/emulator/snapshot', snapshot);
    expect(await logOf(api)).toEqual(log);
  });
});

it('every machine reports each flow under spec', async () => {
  const { log } = await mixed('spec');
  expect(log).toHaveLength(900);
  expect(log.filter(isSum)).toEqual([]);
  const { api, fresh } = await mixed('spec');
  expect(await logOf(api, `&source_id=${fresh[0]}`)).toHaveLength(900);
});
