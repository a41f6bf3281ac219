// Machines that were connected between two looks only.
import { expect, test } from 'vitest';
import { dayOf } from '../../../src/usage/observed.ts';
import { SIGN } from '../../../src/usage/store/dayFlows.ts';
import { nextObservation, pastOf } from '../../../src/usage/store/nextObservation.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-10-20T12:00:00Z');

/** Which machines a look notes as connected, and on which days, counted from today. */
function noted(lastSeen: Readonly<Record<string, number>>, lastRead: number) {
  const states = [{ number: 0, from: lastRead, to: lastRead, change: {} }];
  const past = pastOf(states, { counted: () => undefined, signs: () => 0 });
  const account = {
    span: { from: NOW, to: NOW },
    answers: {},
    connected: ['on'],
    lastSeen: new Map(Object.entries(lastSeen)),
    log: null,
  };
  const seen = { span: { from: NOW, to: NOW }, records: [], account, gaps: [] };
  const { observation } = nextObservation(seen, past, () => ({ type: 'address', address: '' }));
  return observation.days.flatMap(({ day, signs }) =>
    [...signs].flatMap(([id, sign]) => (sign === SIGN.connected ? [[id, day - dayOf(NOW)]] : [])),
  );
}

test('a machine counts as connected on the day of its last connection if that was after the previous look', () => {
  const times = { shy: NOW - 30 * HOUR, before: NOW - 60 * HOUR, ahead: NOW + HOUR };
  expect(noted(times, NOW - 48 * HOUR)).toEqual([
    ['on', 0],
    ['shy', -1],
  ]);
});
