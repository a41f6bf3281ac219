// The note about an unfinished apply names `--resume` only if that would continue the apply.
import { describe, expect, test } from 'vitest';
import type { ReportedRun, StoppedBy } from '../../../src/model/reportedRun.ts';
import { unfinishedDocument, unfinishedText } from '../../../src/report/run/unfinishedText.ts';

const RUN: ReportedRun = {
  run: '0123456789abcdef',
  began: '2026-11-30T00:00:00Z',
  created: [],
  isDeclared: true,
};
const LATER = 'fedcba9876543210';

const textOf = (more: Partial<ReportedRun>) =>
  unfinishedText({ ...RUN, ...more }, { isCounted: false });

const STOPPED: readonly (readonly [StoppedBy, string])[] = [
  [{ as: 'apply', by: LATER }, 'and the later apply fedcba98 is complete'],
  [{ as: 'undo', by: LATER }, 'and the run fedcba98 undid it'],
  [{ as: 'base' }, 'and an apply has recorded a base since'],
  [{ as: 'closed' }, 'and the recorded base says that it is closed'],
];

describe('the note about an apply', () => {
  test('the note about an apply that can be continued says how', () => {
    expect(textOf({})).toContain('was not finished: it created nothing; continue it with');
    expect(unfinishedDocument(RUN)).not.toHaveProperty('resumable');
  });

  test.each(STOPPED)(
    'the note about a stopped apply, %j, says why, and how to undo or close it',
    (stopped, why) => {
      const text = textOf({ stopped });
      expect(text).toContain(`was not finished, ${why}: it created nothing; undo it with`);
      expect(text).not.toContain('--resume');
      expect(unfinishedDocument({ ...RUN, stopped })).toMatchObject({ resumable: false });
    },
  );

  test('the note about an apply whose undo has begun says how to continue the undo', () => {
    expect(textOf({ stopped: { as: 'unfinished undo', by: LATER } })).toContain(
      'and its undo fedcba98 has begun: it created nothing; continue the undo with `meshform apply --resume fedcba98`, or close the apply with `--abandon 01234567`',
    );
  });

  test('the note about an apply whose base is not recorded does not say to record it if a later apply is complete', () => {
    const stopped = { as: 'apply', by: LATER } as const;
    const text = textOf({ awaitsBase: true, stopped });
    expect(text).toContain('a complete apply of these files with --prune removed closes it');
    expect(text).not.toContain('--resume');
  });
});
