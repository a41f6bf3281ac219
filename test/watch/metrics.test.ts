// The file for Prometheus: it has the form that promtool accepts, and a failed run keeps what is known.
import { expect, test } from 'vitest';
import { carriedFrom, metricsText } from '../../src/watch/metrics.ts';
import { anyText, fc } from '../support/seeded.ts';
import { samplesIn } from './exposition.ts';

const NOTHING = { lastSuccess: null, drifted: new Map<string, number>(), overdue: null };
const LABELS = { server: 'api.example.com', folder: 'network' };
const good = {
  now: 90_500,
  duration: 1_500,
  requests: 7,
  drifted: new Map([
    ['policy', 2],
    ['group', 0],
  ]),
  overdue: 1,
};
const bad = { ...good, now: 150_500, drifted: null };

/** The samples by name, those with a kind as `name kind`. */
const values = (text: string) =>
  Object.fromEntries(
    samplesIn(text).map(({ name, labels, value }) => [
      [name.replace('meshform_drift_', ''), labels.kind].filter(Boolean).join(' '),
      value,
    ]),
  );

test('a run that compared reports what it found', () =>
  expect(values(metricsText(good, NOTHING, LABELS))).toEqual({
    last_run_timestamp_seconds: 90.5,
    last_run_readable: 1,
    last_run_duration_seconds: 1.5,
    last_run_requests: 7,
    last_success_timestamp_seconds: 90.5,
    last_success_age_seconds: 0,
    'objects policy': 2,
    'objects group': 0,
    overdue: 1,
  }));

test('a run that could not read keeps the last success and its findings', () => {
  const before = metricsText(good, NOTHING, LABELS);
  expect(values(metricsText(bad, carriedFrom(before, LABELS), LABELS))).toMatchObject({
    last_run_timestamp_seconds: 150.5,
    last_run_readable: 0,
    last_success_timestamp_seconds: 90.5,
    last_success_age_seconds: 60,
    'objects policy': 2,
    'objects group': 0,
    overdue: 1,
  });
});

test('nothing is reported before the first success', () => {
  const reported = values(metricsText(bad, NOTHING, LABELS));
  expect(reported).toMatchObject({ last_run_readable: 0 });
  expect(Object.keys(reported)).not.toContain('last_success_timestamp_seconds');
});

test('values of another account in the file are ignored', () =>
  expect(carriedFrom(metricsText(good, NOTHING, LABELS), { ...LABELS, folder: 'other' })).toEqual(
    NOTHING,
  ));

test('labels are read as they were written, whatever they contain', () =>
  fc.assert(
    fc.property(fc.string(), anyText(), (server, folder) => {
      const labels = { server, folder };
      const text = metricsText(good, NOTHING, labels);
      for (const { labels: own } of samplesIn(text))
        expect(own).toMatchObject({ server, folder: folder.toWellFormed() });
      expect(carriedFrom(text, labels)).toEqual({
        lastSuccess: 90.5,
        drifted: good.drifted,
        overdue: 1,
      });
    }),
    { numRuns: 30 },
  ));

test('nothing wrong is carried over from a file with any text', () =>
  fc.assert(
    fc.property(fc.string(), text => {
      expect(carriedFrom(text, LABELS)).toEqual(NOTHING);
    }),
  ));
