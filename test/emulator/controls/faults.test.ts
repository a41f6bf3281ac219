// Faults on demand: which request goes wrong, how, and whether what it asked for is done all the same.
import { describe, expect, it } from 'vitest';
import { emulatedOverHttp, refused } from '../emulated.ts';

const isThere = async (api: Awaited<ReturnType<typeof emulatedOverHttp>>, name: string) =>
  JSON.stringify(await api.get('/api/networks')).includes(`"${name}"`);

const FAULT = { method: 'POST', path: '/api/networks' };
const GROUPS = ['GET', '/api/groups'] as const;

describe.each([
  ['status', {}, 503, false],
  ['status', { status: 429, headers: { 'Retry-After': '7' } }, 429, false],
  ['status', { status: 500, commit: true }, 500, true],
  ['html', {}, 502, false],
  ['html', { status: 504, commit: true }, 504, true],
] as const)('the effect %s, %j', (effect, more, status, commits) => {
  it('responds with its status, and is executed or not as declared', async () => {
    const api = await emulatedOverHttp();
    await api.control('POST', '/emulator/faults', { ...FAULT, effect, ...more });
    const answer = await fetch(`${api.url}/api/networks`, {
      method: 'POST',
      headers: { authorization: `Token ${api.token}` },
      body: '{"name":"n"}',
    });
    expect(answer.status).toBe(status);
    const isPage = effect === 'html';
    expect(answer.headers.get('content-type')).toMatch(
      isPage ? /^text\/html/ : /^application\/json/,
    );
    expect(await answer.text()).toContain(isPage ? '<html>' : `"code":${status}`);
    const retry = 'headers' in more ? more.headers['Retry-After'] : null;
    expect(answer.headers.get('retry-after')).toBe(retry);
    expect(await isThere(api, 'n')).toBe(commits);
  });
});

describe.each([
  ['reset', {}, false],
  ['reset', { commit: true }, true],
  ['truncate', {}, true],
] as const)('the effect %s, %j', (effect, more, commits) => {
  it('breaks the connection, and is executed or not as declared', async () => {
    const api = await emulatedOverHttp();
    await api.control('POST', '/emulator/faults', { ...FAULT, effect, ...more });
    await expect(api.call('POST', '/api/networks', { name: 'n' })).rejects.toThrow(
      /fetch failed|terminated/,
    );
    expect(await isThere(api, 'n')).toBe(commits);
  });
});

it('a truncated response has half of its body, with the length of the whole', async () => {
  const api = await emulatedOverHttp();
  await api.control('POST', '/emulator/faults', { path: '/api/groups', effect: 'truncate' });
  const response = await fetch(`${api.url}/api/groups`, {
    headers: { authorization: `Token ${api.token}` },
  });
  expect(response.status).toBe(200);
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
  await expect(response.text()).rejects.toThrow('terminated');
});

it('a delay holds back the response, not the request, on the given schedule', async () => {
  const waiting: [number, () => void][] = [];
  const api = await emulatedOverHttp({
    schedule: (milliseconds, work) => {
      if (milliseconds > 0) waiting.push([milliseconds, work]);
      else setImmediate(work);
      return () => {};
    },
  });
  await api.control('POST', '/emulator/faults', { ...FAULT, effect: 'delay', delay: 5000 });
  const answer = api.call('POST', '/api/networks', { name: 'n' });
  while (waiting.length === 0) await api.get('/api/groups');
  expect(await isThere(api, 'n')).toBe(true);
  expect(waiting.map(([milliseconds]) => milliseconds)).toEqual([5000]);
  for (const [, work] of waiting) work();
  expect(await answer).toMatchObject({ status: 200 });
});

describe('the requests that a fault affects', () => {
  it('are the nth that matches method and path, and as many after it as the fault says', async () => {
    const api = await emulatedOverHttp();
    await api.control('POST', '/emulator/faults', {
      method: 'get',
      path: '/api/gr*ps',
      nth: 2,
      times: 2,
      effect: 'status',
    });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      statuses.push((await api.call(...GROUPS)).status);
      await api.get('/api/networks');
    }
    expect(statuses).toEqual([200, 503, 503, 200, 200]);
    expect(await api.control('GET', '/emulator/faults')).toEqual([]);
  });

  it('are any, if it names neither method nor path; a control never', async () => {
    const api = await emulatedOverHttp();
    await api.control('POST', '/emulator/faults', { effect: 'status' });
    expect(await api.control('GET', '/emulator/faults')).toHaveLength(1);
    expect(await api.refusal(...GROUPS)).toEqual(refused(503));
    await api.get('/api/groups');
  });

  it('are counted by every matching fault, and the first fault that is due takes effect', async () => {
    const api = await emulatedOverHttp();
    for (const [nth, status] of [
      [2, 500],
      [1, 501],
    ])
      await api.control('POST', '/emulator/faults', { effect: 'status', nth, status });
    expect((await api.call(...GROUPS)).status).toBe(501);
    expect((await api.call(...GROUPS)).status).toBe(500);
    expect((await api.call(...GROUPS)).status).toBe(200);
  });

  it('are none once the faults are cleared', async () => {
    const api = await emulatedOverHttp();
    await api.control('POST', '/emulator/faults', { effect: 'reset', times: 5 });
    await api.control('DELETE', '/emulator/faults');
    await api.get('/api/groups');
  });
});

it.each([
  ['no effect', {}],
  ['an unknown effect', { effect: 'explode' }],
  ['a place before the first', { effect: 'reset', nth: 0 }],
  ['no times', { effect: 'reset', times: 0 }],
  ['a status that there is not', { effect: 'status', status: 99 }],
  ['a delay that runs back', { effect: 'delay', delay: -1 }],
  ['half an answer of nothing done', { effect: 'truncate', commit: false }],
])('refuses a fault with %s', async (_, body) => {
  const api = await emulatedOverHttp();
  const answer = await api.call('POST', '/emulator/faults', body, `Token ${api.controlsToken}`);
  expect(answer.status).toBe(422);
});
