// The comment and the issue on a stand-in for the forge: which of them is updated, and what is said where the forge refuses.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { post } from '../../action/posting.ts';
import { markerOf } from '../../action/report.ts';
import { settingsFrom } from '../../action/settings.ts';
import {
  BOT,
  type ForgeState,
  PULL,
  postOf,
  REPOSITORY,
  startForge,
  TOKENS,
} from '../packaging/action/forge.ts';

const MARKER = markerOf('comment', '');
const DRIFT = markerOf('drift', '');

async function openForge(event: object = { pull_request: { number: PULL } }) {
  const { state, url, close } = await startForge();
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await close();
  });
  const file = join(folder, 'event.json');
  writeFileSync(file, JSON.stringify(event));
  const env = {
    GITHUB_API_URL: url,
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_EVENT_PATH: file,
    GITHUB_TOKEN: TOKENS.job,
  };
  return { state, env };
}

function report(command: 'plan' | 'drift', changes: number) {
  const facts = { report: command, changes, hazards: [], access_gained: 0, access_lost: 0 };
  const printed = `<!-- meshform ${JSON.stringify(facts)} -->\n### meshform ${command}\n`;
  return {
    settings: settingsFrom({ INPUT_COMMAND: command }),
    outcome: { code: changes === 0 ? 0 : 2, report: printed },
    body: `${changes} changes`,
  };
}

const others = (count: number) =>
  Array.from({ length: count }, (_, index) => postOf(index + 1, 'somebody', 'a remark'));
const bodies = ({ comments }: ForgeState) =>
  comments.filter(({ user }) => user.login === BOT).map(({ body }) => body);

test('the action finds its own comment behind 350 comments of others', async () => {
  const { state, env } = await openForge();
  state.comments.push(...others(350), postOf(351, BOT, `${MARKER}\nold`));
  expect(await post(report('plan', 2), { env })).toBeNull();
  expect(bodies(state)).toEqual([`${MARKER}\n2 changes`]);
  expect(state.comments).toHaveLength(351);
});

test('the first of two comments of the action is updated, and the second is deleted', async () => {
  const { state, env } = await openForge();
  const forged = postOf(2, 'mallory', `${MARKER}\nforged`);
  state.comments.push(postOf(1, BOT, `${MARKER}\nold`), forged, postOf(3, BOT, `${MARKER}\nolder`));
  await post(report('plan', 0), { env });
  expect(bodies(state)).toEqual([`${MARKER}\n0 changes`]);
  expect(state.comments[1]).toEqual(forged);
});

test('one of two issues of the action stays open, and both are closed once the drift no longer exists', async () => {
  const { state, env } = await openForge();
  state.issues.push(...[1, 2].map(id => postOf(id, BOT, `${DRIFT}\nold`)));
  await post(report('drift', 1), { env });
  expect(state.issues.map(issue => issue.state)).toEqual(['open', 'closed']);
  expect(state.issues[0]?.body).toBe(`${DRIFT}\n1 changes`);
  await post(report('drift', 0), { env });
  expect(state.issues.map(issue => issue.state)).toEqual(['closed', 'closed']);
});

const FAULTS = [
  [
    '403',
    { status: 403, body: '{"message":"Resource not accessible"}' },
    'Resource not accessible',
  ],
  ['500', { status: 500, body: '<html>' }, 'status 500'],
  [
    'a rate limit',
    { status: 429, headers: { 'retry-after': '60' }, body: '{"message":"slow\\n::error::down"}' },
    'a rate limit for 60 s: slow ::error::down',
  ],
  ['something else than JSON', { status: 200, body: '<html>' }, 'JSON'],
  ['something else than a list', { status: 200, body: '{}' }, 'list'],
] as const;

test.each(FAULTS)(
  'a comment that the forge answers with %s is reported, and does not fail the job',
  async (_, fault, said) => {
    const { state, env } = await openForge();
    state.fault = { call: /comments$/, ...fault };
    const sentence = await post(report('plan', 1), { env });
    expect(sentence).toMatch(/^The comment was not written: GET .*\. The summary of the job/);
    expect(sentence).toContain(said);
    expect(state.comments).toEqual([]);
  },
);

test.each(FAULTS)(
  'an issue that the forge answers with %s fails the job',
  async (_, fault, said) => {
    const { state, env } = await openForge();
    state.fault = { call: /issues$/, ...fault };
    const posting = post(report('drift', 1), { env });
    await expect(posting).rejects.toThrow('the issue about drift was not written: GET');
    await expect(posting).rejects.toThrow(said);
  },
);

test('a rate limit is not mistaken for a token of another user, and no second comment is written', async () => {
  const { state, env } = await openForge();
  state.comments.push(postOf(1, BOT, `${MARKER}\nold`));
  state.fault = {
    call: /\/user$/,
    status: 403,
    headers: { 'x-ratelimit-remaining': '0' },
    body: '',
  };
  expect(await post(report('plan', 1), { env })).toContain('GET /user');
  expect(bodies(state)).toEqual([`${MARKER}\nold`]);
});

test('drift in a different format fails the job, and leaves the issue unchanged', async () => {
  const { state, env } = await openForge();
  state.issues.push(postOf(1, BOT, `${DRIFT}\nold`));
  const other = report('drift', 0);
  const printed = (code: number) => ({ ...other, outcome: { code, report: '{}' } });
  await expect(post(printed(2), { env })).rejects.toThrow('the output is not a report');
  expect(await post(printed(3), { env })).toBeNull();
  expect(state.issues.map(issue => [issue.state, issue.body])).toEqual([['open', `${DRIFT}\nold`]]);
});

test('a forge that does not respond is named in the error', async () => {
  const { env } = await openForge();
  const away = { ...env, GITHUB_API_URL: 'http://127.0.0.1:1' };
  expect(await post(report('plan', 1), { env: away })).toContain(
    'The comment was not written: GET /',
  );
});

test('a job without a token says so if it has a text to post', async () => {
  const { env } = await openForge();
  const without = { ...env, GITHUB_TOKEN: '' };
  expect(await post(report('plan', 1), { env: without })).toContain('the job has no token');
  await expect(post(report('drift', 1), { env: without })).rejects.toThrow('the job has no token');
  const { env: elsewhere } = await openForge({ schedule: '17 * * * *' });
  expect(await post(report('plan', 1), { env: { ...elsewhere, GITHUB_TOKEN: '' } })).toBeNull();
});
