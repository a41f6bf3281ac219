// Which of many runs notify, by what the runs before them found.
import { describe, expect, test } from 'vitest';
import { afterRun, NEW, type NotificationState } from '../../src/watch/notificationState.ts';
import type { NotifyRules, Outcome } from '../../src/watch/settings.ts';
import { stateFrom, stateText } from '../../src/watch/stateFile.ts';
import { fc } from '../support/seeded.ts';

const HOUR = 3_600_000;

interface Run {
  readonly outcome: Outcome;
  readonly drifted?: readonly string[];
  readonly isLost?: boolean;
}

/** What each of these runs, an hour apart, notifies of. */
function reasonsAfter(runs: readonly Run[], rules: NotifyRules = { after: 1 }): string[] {
  let state: NotificationState = NEW;
  return runs.map(({ outcome, drifted = outcome === 'drift' ? ['a'] : [], isLost }, i) => {
    const step = afterRun(state, { outcome, drifted, now: (i + 1) * HOUR }, rules);
    // What is written down is what the next run reads.
    const kept = stateText(isLost ? step.failed : step.delivered, 's');
    state = stateFrom(kept, 's').state;
    return step.reasons.join('+');
  });
}

const clean: Run = { outcome: 'clean' };
const drift: Run = { outcome: 'drift' };
const unreadable: Run = { outcome: 'unreadable' };

describe('drift', () => {
  test('is reported once, and so is its end', () =>
    expect(reasonsAfter([clean, drift, drift, clean, clean, drift])).toEqual([
      '',
      'drift',
      '',
      'drift-ended',
      '',
      'drift',
    ]));

  test('is reported after a number of runs in a row, and its end only if it was reported', () =>
    expect(reasonsAfter([drift, clean, drift, drift, drift, clean], { after: 2 })).toEqual([
      '',
      '',
      '',
      'drift',
      '',
      'drift-ended',
    ]));

  test('is reported again after a time while it lasts', () =>
    expect(
      reasonsAfter(
        Array.from({ length: 6 }, () => drift),
        { after: 1, remind: 2 * HOUR },
      ),
    ).toEqual(['drift', '', 'drift-reminder', '', 'drift-reminder', '']));

  test('is reported when it grows, and not when it shrinks', () => {
    const of = (...drifted: string[]): Run => ({ outcome: 'drift', drifted });
    expect(reasonsAfter([of('a'), of('a', 'b'), of('b'), of('b', 'c')])).toEqual([
      'drift',
      'drift-changed',
      '',
      'drift-changed',
    ]);
  });
});

describe('a run that could not read the account', () => {
  test('is reported as such, and so is the first run that can read again', () =>
    expect(reasonsAfter([clean, unreadable, unreadable, clean])).toEqual([
      '',
      'unreadable',
      '',
      'unreadable-ended',
    ]));

  test('neither ends drift nor counts as drift', () =>
    expect(reasonsAfter([drift, unreadable, drift, clean], { after: 2 })).toEqual([
      '',
      '',
      'drift',
      'drift-ended',
    ]));

  test('is never reported as the end of drift', () =>
    expect(reasonsAfter([drift, unreadable, clean])).toEqual([
      'drift',
      'unreadable',
      'unreadable-ended+drift-ended',
    ]));
});

describe('a notification that was not delivered', () => {
  test('is sent by the next run', () =>
    expect(reasonsAfter([{ ...drift, isLost: true }, drift, drift])).toEqual([
      'drift',
      'drift',
      '',
    ]));

  test('about an end is sent by the next run, too', () =>
    expect(reasonsAfter([drift, { ...clean, isLost: true }, clean, clean])).toEqual([
      'drift',
      'drift-ended',
      'drift-ended',
      '',
    ]));
});

test('no run without drift reports drift in any sequence, and every reported end has a reported beginning', () => {
  const outcome = fc.constantFrom<Outcome>('clean', 'drift', 'unreadable');
  const run = fc.record({ outcome, isLost: fc.boolean() });
  const rules = fc.record({ after: fc.integer({ min: 1, max: 3 }) });
  fc.assert(
    fc.property(fc.array(run, { maxLength: 30 }), rules, (runs, given) => {
      let isOpen = false;
      for (const [i, reasons] of reasonsAfter(runs, given).entries()) {
        const { outcome: ended = 'clean', isLost } = runs[i] ?? {};
        const parts = reasons.split('+');
        if (ended !== 'drift') expect(parts).not.toContain('drift');
        if (ended !== 'clean') expect(parts).not.toContain('drift-ended');
        if (parts.includes('drift-ended')) expect(isOpen).toBe(true);
        if (!isLost && parts.includes('drift')) isOpen = true;
        if (!isLost && parts.includes('drift-ended')) isOpen = false;
      }
    }),
  );
});

describe('the state file', () => {
  const kept = stateText(
    { ...NEW, reported: ['a'], drift: { runs: 2, since: 1, notified: 3 } },
    's',
  );

  test('is read as it was written', () =>
    expect(stateFrom(kept, 's').state).toEqual({
      unreadable: null,
      reported: ['a'],
      drift: { runs: 2, since: 1, notified: 3 },
    }));

  test.each([
    ['cut off', kept.slice(0, -20)],
    ['of another version', kept.replace('"meshform_drift_state":1', '"meshform_drift_state":2')],
    ['with a text for a number', kept.replace('"runs":2', '"runs":"2"')],
    ['with a number that is none', kept.replace('"runs":2', '"runs":-1e300')],
    ['with another form', '{"meshform_drift_state":1,"subject":"s"}'],
  ])('%s counts as new, with a reason', (_, text) => {
    const read = stateFrom(text, 's');
    expect(read.state).toEqual(NEW);
    expect(read.why).toBeDefined();
  });

  test('the state file of another account counts as new', () =>
    expect(stateFrom(kept, 'other')).toMatchObject({
      state: NEW,
      why: 'counts runs of another account or folder',
    }));

  test('the state file is read without an error, whatever its text', () =>
    fc.assert(fc.property(fc.string(), text => void stateFrom(text, 's'))));
});
