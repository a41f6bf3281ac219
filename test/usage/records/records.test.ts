// Records of the log in each of its shapes, what of them is new, and the states that they touch.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { countedAfter, NOTHING, newIn } from '../../../src/usage/records/growth.ts';
import { statesOfTime } from '../../../src/usage/records/statesOfTime.ts';
import { type TrafficRecord, trafficRecord } from '../../../src/usage/records/trafficRecord.ts';

const AT = '2026-11-01T10:00:00.5Z';
const LATER = '2026-11-01T10:05:00Z';

const flow: JsonObject = {
  flow_id: 'f1',
  reporter_id: 'm2',
  source: { id: 'm1', type: 'PEER', name: 'laptop', address: '100.64.0.1:40000' },
  destination: { id: 'm2', type: 'PEER', address: '100.64.0.2:5432' },
  user: { id: 'u1', email: 'anna@example.com', name: 'Anna' },
  policy: { id: 'p1', name: 'databases' },
  protocol: 6,
  direction: 'INGRESS',
  events: [{ type: 'TYPE_START', timestamp: AT }],
};
const sum: JsonObject = {
  ...flow,
  id: 'r1',
  events: [],
  window_start: AT,
  window_end: LATER,
  num_of_starts: 3,
  num_of_ends: 2,
  num_of_drops: 1,
};

function parsed(body: JsonObject): TrafficRecord {
  const record = trafficRecord(body);
  if (record === null) throw new Error('it is no record');
  return record;
}

describe('a record of the log', () => {
  test('is a flow with events', () => {
    expect(parsed(flow)).toMatchObject({
      reporter: 'm2',
      source: { type: 'machine', id: 'm1' },
      destination: { type: 'machine', id: 'm2', host: '100.64.0.2', port: 5432 },
      protocol: 6,
      port: 5432,
      direction: 'in',
      policy: 'p1',
      happenings: [{ is: 'start', count: 1, from: Date.parse(AT), to: Date.parse(AT) }],
    });
  });

  test('is an aggregate of the flows of a period', () => {
    const span = { from: Date.parse(AT), to: Date.parse(LATER) };
    expect(parsed(sum).happenings).toEqual([
      { is: 'start', count: 3, ...span },
      { is: 'drop', count: 1, ...span },
      { is: 'other', count: 2, ...span },
    ]);
  });

  test('has its policy and its ICMP type also as flat fields', () => {
    const { policy: _, user: __, ...rest } = flow;
    const flat = {
      ...rest,
      protocol: 1,
      policy_id: 'p2',
      user_id: 'u1',
      icmp_type: 8,
      icmp_code: 0,
    };
    expect(parsed(flat)).toMatchObject({ policy: 'p2', port: 8 });
    expect(parsed({ ...flow, protocol: 58, icmp: { type: 128, code: 0 } })).toMatchObject({
      port: 128,
    });
  });

  test.each([
    ['a negative count', { ...sum, num_of_starts: -5 }],
    ['a count that no number can hold', { ...sum, num_of_starts: 1e300 }],
    ['a fraction as a count', { ...sum, num_of_drops: 1.5 }],
    ['a text as a count', { ...sum, num_of_ends: '5' }],
    ['a protocol above 255', { ...flow, protocol: 999 }],
    ['a port above 65535', { ...flow, destination: { id: 'm2', address: '100.64.0.2:99999' } }],
    ['a negative port', { ...flow, destination: { id: 'm2', address: '100.64.0.2:-1' } }],
    ['an ICMP type above 255', { ...flow, protocol: 1, icmp: { type: 256, code: 0 } }],
    ['a negative ICMP type', { ...flow, protocol: 58, icmp: { type: -1, code: 0 } }],
    ['a text as an ICMP type', { ...flow, protocol: 1, icmp: { type: '8', code: 0 } }],
    ['an ICMP code above 255', { ...flow, protocol: 1, icmp: { type: 3, code: 300 } }],
    ['a flat ICMP type above 255', { ...flow, protocol: 1, icmp_type: 99_999 }],
    ['a flat ICMP code that is a fraction', { ...flow, protocol: 1, icmp_type: 3, icmp_code: 0.5 }],
    ['a source port above 65535', { ...flow, source: { id: 'm1', address: '100.64.0.1:123456' } }],
  ])('is none with %s', (_, body) => {
    expect(trafficRecord(body)).toBeNull();
  });

  test('may lack its ICMP type and code; for another protocol, they say nothing', () => {
    expect(parsed({ ...flow, protocol: 1 }).port).toBeNull();
    for (const icmp of [null, {}, { type: null, code: null }])
      expect(parsed({ ...flow, protocol: 1, icmp }).port).toBeNull();
    expect(parsed({ ...flow, protocol: 1, icmp: { type: 0, code: 255 } }).port).toBe(0);
    expect(parsed({ ...flow, icmp: { type: 999, code: -1 } }).port).toBe(5432);
  });

  test('may lack counts, and have addresses without a port', () => {
    const { num_of_drops: _, ...rest } = sum;
    expect(parsed({ ...rest, num_of_ends: null }).happenings).toMatchObject([{ count: 3 }]);
    const destination = { id: 'm2', address: 'fd00::1' };
    expect(parsed({ ...flow, destination })).toMatchObject({ port: null });
  });

  test('contains nothing about the user', () => {
    expect(JSON.stringify(parsed(flow))).not.toMatch(/u1|anna/i);
  });

  test('has no port if its protocol has none, and an IPv6 address with or without a port', () => {
    const to = (address: string) => parsed({ ...flow, destination: { id: '', address } });
    expect(to('10.0.0.5:0').port).toBeNull();
    expect(to('[fd00::5]:443')).toMatchObject({ port: 443, destination: { host: 'fd00::5' } });
    expect(to('fd00::5')).toMatchObject({ port: null, destination: { host: 'fd00::5' } });
    expect(to('db.example.com:22')).toMatchObject({
      port: 22,
      destination: { host: 'db.example.com' },
    });
  });

  test('counts as other if it neither started nor was dropped', () => {
    const idle = parsed({ ...sum, num_of_starts: 0, num_of_drops: 0, num_of_ends: 0 });
    expect(idle.happenings).toMatchObject([{ is: 'other', count: 1 }]);
  });

  test.each([
    ['flow_id', { flow_id: '' }],
    ['reporter_id', { reporter_id: null }],
    ['protocol', { protocol: 'tcp' }],
    ['time', { events: [{ type: 'TYPE_START', timestamp: 'soon' }] }],
    [
      'time, only the first year',
      { events: [{ type: 'TYPE_START', timestamp: '0001-01-01T00:00:00Z' }] },
    ],
  ])('is invalid without its %s', (_, without) => {
    expect(trafficRecord({ ...flow, ...without })).toBeNull();
  });
});

describe('the identity of a record', () => {
  test('stays when it grows, and differs by reporter and by the period of an aggregate', () => {
    const grown = {
      ...flow,
      events: [...(flow.events as JsonObject[]), { type: 'TYPE_END', timestamp: LATER }],
    };
    expect(parsed(grown).id).toBe(parsed(flow).id);
    const others = [
      { ...flow, reporter_id: 'm1' },
      { ...flow, flow_id: 'f2' },
      sum,
      { ...sum, id: 'r2' },
      { ...sum, window_start: LATER },
    ];
    expect(new Set([flow, ...others].map(body => parsed(body).id)).size).toBe(6);
  });
});

describe('a record that grows', () => {
  test('counts only what is new in it', () => {
    const events = ['TYPE_START', 'TYPE_DROP', 'TYPE_END'].map((type, at) => ({
      type,
      timestamp: new Date(Date.parse(LATER) + at * 1000).toISOString(),
    }));
    let counted = NOTHING;
    const found: string[] = [];
    for (const length of [1, 1, 3, 2, 3]) {
      const record = parsed({ ...flow, events: events.slice(0, length) });
      found.push(
        newIn(record, counted)
          .map(({ is, count }) => `${count} ${is}`)
          .join(', '),
      );
      counted = countedAfter(record, counted);
    }
    expect(found).toEqual(['1 start', '', '1 drop, 1 other', '', '']);
  });

  test('counts the difference of its sums', () => {
    const before = countedAfter(parsed(sum), NOTHING);
    const grown = parsed({ ...sum, num_of_starts: 5, num_of_drops: 1 });
    expect(newIn(grown, before)).toMatchObject([{ is: 'start', count: 2 }]);
    expect(newIn(parsed(sum), countedAfter(grown, before))).toEqual([]);
  });
});

describe('the states that a period touches', () => {
  // Seen between 10 and 20, and between 30 and 40.
  const states = [
    { number: 4, from: 10, to: 20 },
    { number: 5, from: 30, to: 40 },
  ];
  const touched = (from: number, to: number, isFresh = false) =>
    statesOfTime(states, { from, to }, isFresh);

  test.each([
    ['inside of one', 12, 18, { before: 4, after: 4 }],
    ['where it changed somewhere', 22, 25, { before: 4, after: 5 }],
    ['over the change', 15, 35, { before: 4, after: 5 }],
    ['in the next one', 30, 40, { before: 5, after: 5 }],
    ['before the first look', 5, 15, null],
    ['after the last look', 35, 45, null],
  ])('%s', (_, from, to, expected) => {
    expect(touched(from, to)).toEqual(expected);
  });

  test('the clock of a machine that is ahead belongs to the state read after its record', () => {
    expect(touched(45, 50, true)).toEqual({ before: 5, after: 5 });
  });

  test('a period without a state touches no states', () => {
    expect(statesOfTime([], { from: 1, to: 2 }, true)).toBeNull();
  });
});
