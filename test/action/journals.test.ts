// Where a job of the action keeps its journals.
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withJournals } from '../../action/journals.ts';

/** A job with a home. */
function newJob() {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return {
    HOME: mkdtempSync(join(folder, 'home-')),
    RUNNER_TEMP: mkdtempSync(join(folder, 'temp-')),
  };
}

test('a job whose home belongs to its user keeps journals in the state folder', () => {
  const env = newJob();
  expect(withJournals(env)).toBe(env);
});

// Only the administrator can give a folder to somebody else.
test.runIf(process.getuid?.() === 0)(
  'a container job, whose home belongs to the user of the runner, keeps journals in a new private folder',
  () => {
    const env = newJob();
    chownSync(env.HOME, 1001, 1001);
    const { MESHFORM_JOURNALS: folder = '', ...others } = withJournals(env);
    expect(others).toEqual(env);
    expect(dirname(folder)).toBe(env.RUNNER_TEMP);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const chosen of [{ MESHFORM_JOURNALS: '/journals' }, { XDG_STATE_HOME: '/state' }])
      expect(withJournals({ ...env, ...chosen })).toEqual({ ...env, ...chosen });
  },
);
