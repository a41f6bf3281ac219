// What the action does with a report: its own comment is found by marker and author, and kept up to date; outputs cannot be forged.
import { describe, expect, test } from 'vitest';
import { pullIn } from '../../action/event.ts';
import { outputLines } from '../../action/outputs.ts';
import {
  bodyOf,
  commentStep,
  factsOf,
  issueStep,
  markerOf,
  ownPosts,
  type Post,
} from '../../action/report.ts';
import { COMMENT_BYTES } from '../../src/report/comment/budget.ts';
import { hostileText } from '../support/hostile.ts';
import { fc } from '../support/seeded.ts';

const MARKER = markerOf('comment', 'production');
const post = (id: number, author: string, body: string): Post => ({ id, author, body });
const JOB = { run: 'https://example.com/runs/1', revision: 'commit aaaaaaaaaaaa' };

describe('the comment of a label', () => {
  const own = post(3, 'bot', `${MARKER}\nold`);

  test('is recognised if marker and author match', () => {
    const posts = [
      post(1, 'mallory', `${MARKER}\nforged`),
      post(2, 'bot', `I quote:\n${MARKER}`),
      own,
    ];
    expect(ownPosts(posts, { marker: MARKER, author: 'bot' })).toEqual([own]);
    expect(ownPosts(posts.slice(0, 2), { marker: MARKER, author: 'bot' })).toEqual([]);
    const other = markerOf('comment', '');
    expect(ownPosts(posts, { marker: other, author: 'bot' })).toEqual([]);
  });

  test.each([
    ['never', own, true, 'none'],
    ['never', undefined, true, 'none'],
    ['changes-only', undefined, false, 'none'],
    ['changes-only', undefined, true, 'create'],
    // It would go on showing changes that are no more.
    ['changes-only', own, false, 'update'],
    ['always', undefined, false, 'create'],
    ['always', own, false, 'update'],
  ] as const)(
    'is handled with `comment: %s`, existing comment %j and worth posting %s by the step %s',
    (mode, there, worth, step) => {
      expect(commentStep(mode, there, worth)).toBe(step);
    },
  );
});

test.each([
  ['changes-only', undefined, 0, 'none'],
  ['changes-only', undefined, 2, 'create'],
  ['changes-only', 'there', 2, 'update'],
  ['always', 'there', 0, 'close'],
  ['never', 'there', 2, 'none'],
] as const)(
  'the drift issue with `comment: %s`, existing issue %s and %d objects is handled by the step %s',
  (mode, there, drifted, step) => {
    const own = there === undefined ? undefined : post(1, 'bot', there);
    expect(issueStep(mode, own, drifted)).toBe(step);
  },
);

describe('the text of a report', () => {
  const facts = { report: 'plan', changes: 2, hazards: ['DELETES_OBJECT'], access_gained: 1 };
  const report = `<!-- meshform ${JSON.stringify(facts)} -->\n### meshform plan\n\n**Plan**\n`;

  test('has the label, the job and the revision', () => {
    const body = bodyOf({ command: 'plan', label: 'production' }, { code: 0, report }, JOB);
    expect(body).toContain('### meshform plan: production\n');
    expect(body).toContain('[Job](https://example.com/runs/1), commit aaaaaaaaaaaa');
  });

  test('the report of a failure states the exit code and where the reason is printed', () => {
    const body = bodyOf({ command: 'plan', label: '' }, { code: 3, report: '' }, JOB);
    expect(body).toContain('> ❌ `plan` ended with exit code 3. The log of the job says why.\n');
    const unpushed = { code: 1, report: '', isUnpushed: true } as const;
    expect(bodyOf({ command: 'apply', label: '' }, unpushed, JOB)).toContain(
      '> ❌ `apply` applied everything, but the recorded base was not pushed. The log of the job says why.\n',
    );
  });

  test('the report of a failure with its reason does not refer to the log', () => {
    const facts = { report: 'failure', command: 'plan', errors: 2 };
    const why = `<!-- meshform ${JSON.stringify(facts)} -->\n### meshform plan\n\n**Why**\n`;
    const body = bodyOf({ command: 'plan', label: 'a' }, { code: 3, report: why }, JOB);
    expect(body).toContain('> ❌ `plan` ended with exit code 3.\n');
    expect(body).toContain('### meshform plan: a\n\n**Why**\n');
    expect(body).not.toContain('The log');
    expect(factsOf(why)).toBeNull();
  });

  test('contains nothing that was not rendered for a comment', () => {
    fc.assert(
      fc.property(hostileText, printed => {
        const report = `x${printed}`;
        const body = bodyOf({ command: 'plan', label: '' }, { code: 0, report }, JOB);
        expect(body).toBe(bodyOf({ command: 'plan', label: '' }, { code: 0, report: 'y' }, JOB));
        expect(body).toContain('The log of the job has the output.');
      }),
      { numRuns: 100 },
    );
  });

  test('the largest report stays below the limit of the forge', () => {
    const large = `${report}${'x'.repeat(COMMENT_BYTES - report.length)}`;
    const outcome = { code: 4, report: large };
    const body = bodyOf({ command: 'apply', label: 'l'.repeat(60) }, outcome, JOB);
    expect(body.length + markerOf('comment', 'l'.repeat(60)).length).toBeLessThan(65_000);
  });

  test('states the number of changes, hazards and new access', () => {
    const numbers = { changes: 2, hazards: ['DELETES_OBJECT'], accessGained: 1, accessLost: 0 };
    expect(factsOf(report)).toEqual({ ...numbers, digest: '' });
    expect(factsOf('### meshform plan\n')).toBeNull();
    expect(factsOf(`x\n${report}`)).toBeNull();
  });
});

test('an output can hold any text without becoming another output', () => {
  const delimiters = ['d1', 'd2'];
  const lines = outputLines({ a: 'x\nEOF\nb=1', b: '' }, () => delimiters.shift() ?? '');
  expect(lines).toBe('a<<d1\nx\nEOF\nb=1\nd1\nb<<d2\n\nd2\n');
  expect(outputLines({ a: '1' })).not.toBe(outputLines({ a: '1' }));
});

test.each([
  [{ pull_request: { number: 7 } }, 7],
  [{ merge_group: { head_ref: 'refs/heads/gh-readonly-queue/main/pr-12-0a1b' } }, 12],
  [{ merge_group: { head_ref: 'refs/heads/gh-readonly-queue/fix/pr-9-x/pr-12-0a1b' } }, 12],
  [{ merge_group: { head_ref: 'refs/heads/gh-readonly-queue/main/pr-12-$(id)' } }, null],
  [{ ref: 'refs/heads/main' }, null],
  [{ pull_request: { number: '7; rm' } }, null],
  [null, null],
])('the pull request number of the event %j is %s', (event, number) => {
  expect(pullIn(event)).toBe(number);
});
