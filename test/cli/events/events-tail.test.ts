// Following a log, as a function of values: whatever is written late, read twice or not read at all for a while, each
// row goes out once and in order; what the log lost is reported.
import { describe, expect, test } from 'vitest';
import type { LogRow } from '../../../src/api/events/logs.ts';
import {
  compareRows,
  type LogReading,
  readOn,
  remaining,
  type Tail,
  tailAfter,
} from '../../../src/api/events/tail.ts';
import { momentOf, momentOfClock, momentText } from '../../../src/api/events/time.ts';
import { fc } from '../../support/seeded.ts';

interface Written {
  readonly row: LogRow;
  /** When the log begins to show it. */
  readonly shownAt: number;
}

interface Question {
  readonly askedAt: number;
  readonly shownAt: number;
  readonly answeredAt: number;
  readonly fails: boolean;
}

const row = (id: string, at: number): LogRow => ({ id, moment: momentOfClock(at), body: {} });

/** Events whose ids follow the order in which they are written, which is not that of their times. */
const eventsWithin = (longestDelay: number) =>
  fc
    .array(fc.record({ at: fc.nat({ max: 60 }), delay: fc.nat({ max: longestDelay }) }), {
      minLength: 1,
      maxLength: 40,
    })
    .map(events =>
      events
        .map(({ at, delay }) => ({ at, shownAt: at + delay }))
        .sort((a, b) => a.shownAt - b.shownAt)
        .map(({ at, shownAt }, i): Written => ({ row: row(String(i + 1), at), shownAt })),
    );

/** Questions one after the other, until long after the last event; the last ones are answered. */
const questions = fc
  .array(
    fc.record({
      pause: fc.nat({ max: 4 }),
      way: fc.nat({ max: 2 }),
      back: fc.nat({ max: 2 }),
      fails: fc.nat({ max: 3 }).map(generated => generated === 0),
    }),
    { minLength: 10, maxLength: 30 },
  )
  .map(generated => {
    const asked: Question[] = [];
    const last = [100, 200, 300].map(pause => ({ pause, way: 1, back: 1, fails: false }));
    let time = 0;
    for (const { pause, way, back, fails } of [...generated, ...last]) {
      const askedAt = time + pause;
      const shownAt = askedAt + way;
      time = shownAt + back;
      asked.push({ askedAt, shownAt, answeredAt: time, fails });
    }
    return asked;
  });

const FIRST = row('0', -1);

/** What goes out, of a log that shows its `most` newest rows, to one who begins with `FIRST`. */
function follow(
  events: readonly Written[],
  asked: readonly Question[],
  { grace, most }: { readonly grace: number; readonly most: number },
) {
  let tail: Tail = tailAfter([FIRST]);
  const out: LogRow[] = [];
  const torn: boolean[] = [];
  for (const { askedAt, shownAt, answeredAt, fails } of asked) {
    if (fails) continue;
    const shown = [FIRST, ...events.filter(event => event.shownAt <= shownAt).map(e => e.row)];
    const rows = shown.toSorted(compareRows).reverse().slice(0, most);
    const reading: LogReading = { rows: [...rows, ...rows.slice(0, 2)], askedAt, answeredAt };
    const step = readOn(tail, reading, grace);
    tail = step.tail;
    out.push(...step.ready);
    torn.push(step.isTorn);
  }
  return { out: [...out, ...remaining(tail)], isTorn: torn.includes(true) };
}

const ids = (rows: readonly LogRow[]) => rows.map(({ id }) => id);
const inTime = (events: readonly Written[]) => ids(events.map(e => e.row).toSorted(compareRows));

describe('in random histories of a log', () => {
  test('an event that is late by no more than the waiting time is printed once, in order', () => {
    fc.assert(
      fc.property(eventsWithin(10), questions, (events, asked) => {
        const { out, isTorn } = follow(events, asked, { grace: 10, most: 100 });
        expect(ids(out)).toEqual(inTime(events));
        expect(isTorn).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('an event that is later than the waiting time is printed once, too', () => {
    fc.assert(
      fc.property(eventsWithin(50), questions, (events, asked) => {
        const { out } = follow(events, asked, { grace: 5, most: 100 });
        expect(ids(out).sort()).toEqual(inTime(events).sort());
      }),
      { numRuns: 500 },
    );
  });

  test('no event is lost that the log shows for long enough, and losses are reported', () => {
    let lost = 0;
    fc.assert(
      fc.property(
        eventsWithin(10),
        questions,
        fc.integer({ min: 1, max: 12 }),
        (events, asked, most) => {
          const { out, isTorn } = follow(events, asked, { grace: 10, most });
          const missing = events.length - out.length;
          expect(new Set(ids(out)).size).toBe(out.length);
          if (missing > 0) {
            lost += 1;
            expect(isTorn).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
    expect(lost).toBeGreaterThan(20);
  });

  test('forgetting events that the log no longer shows changes nothing', () => {
    fc.assert(
      fc.property(eventsWithin(10), questions, (events, asked) => {
        let tail = tailAfter([]);
        const out: LogRow[] = [];
        for (const { askedAt, shownAt, answeredAt } of asked) {
          const reaches = momentOfClock(askedAt - 30);
          const rows = events
            .filter(event => event.shownAt <= shownAt && event.row.moment >= reaches)
            .map(event => event.row);
          const step = readOn(tail, { rows, askedAt, answeredAt, reaches }, 10);
          tail = step.tail;
          out.push(...step.ready);
        }
        const printed = ids([...out, ...remaining(tail)]);
        expect(new Set(printed).size).toBe(printed.length);
        expect([...tail.seen.values()].every(moment => moment >= momentOfClock(60))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('timestamps of events', () => {
  test.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000000001Z'],
    ['2026-01-02T03:04:05.1Z', '2026-01-02T03:04:05.100000001Z'],
    ['2026-01-02T04:04:05.9+01:00', '2026-01-02T03:04:05.91Z'],
    ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999999999Z'],
  ])('are compared exactly: %s is before %s', (one, other) => {
    expect((momentOf(one) ?? 0n) < (momentOf(other) ?? 0n)).toBe(true);
  });

  test.each(['', 'yesterday', '2026-01-02', '2026-13-02T03:04:05Z'])(
    'are not parsed from %j',
    text => {
      expect(momentOf(text)).toBeNull();
    },
  );

  test('are requested in whole milliseconds, rounded down', () => {
    expect(momentText(momentOf('2026-01-02T03:04:05.123999999Z') ?? 0n)).toBe(
      '2026-01-02T03:04:05.123Z',
    );
    expect(momentText(-1n)).toBe('1969-12-31T23:59:59.999Z');
  });

  test('events with equal timestamps are ordered by id, and numeric ids by their value', () => {
    expect(ids([row('10', 1), row('9', 1), row('b', 1), row('a', 1)].sort(compareRows))).toEqual([
      '9',
      '10',
      'a',
      'b',
    ]);
  });
});
