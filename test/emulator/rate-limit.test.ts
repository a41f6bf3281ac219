// How often a token may call (facts §3.2).
import { expect, it } from 'vitest';
import { emulated } from './emulated.ts';
import { robot, statusFor } from './people.ts';

const rateLimit = { requestsPerMinute: 6, burst: 3 };

it('lets a burst through, then as much as flows in, and says no more than no', async () => {
  let now = 0;
  const api = await emulated({ rateLimit, clock: () => new Date(now) });
  const statuses = async (count: number) => {
    const all: number[] = [];
    for (let n = 0; n < count; n += 1) all.push((await api.call('GET', '/api/groups')).status);
    return all;
  };
  expect(await statuses(4)).toEqual([200, 200, 200, 429]);
  const { body, headers } = await api.call('GET', '/api/groups');
  expect(body).toEqual({ message: 'too many requests', code: 429 });
  expect([...headers.keys()].filter(name => /retry|ratelimit/i.test(name))).toEqual([]);
  now += 20_000;
  expect(await statuses(3)).toEqual([200, 200, 429]);
  now += 3_600_000;
  expect(await statuses(4)).toEqual([200, 200, 200, 429]);
});

it('counts each token for itself, and what is refused as unknown too', async () => {
  const api = await emulated({ rateLimit, clock: () => new Date(0) });
  const ci = await robot(api, 'admin');
  for (let n = 0; n < 2; n += 1) await api.get('/api/groups');
  expect((await api.call('GET', '/api/groups')).status).toBe(429);
  for (const status of [200, 200, 200, 429])
    expect(await statusFor(api, ci, 'GET', '/api/groups')).toBe(status);
  for (const status of [401, 401, 401, 429])
    expect(await statusFor(api, { as: 'Token unknown' }, 'GET', '/api/groups')).toBe(status);
});

it('never limits the controls', async () => {
  const api = await emulated({ rateLimit, clock: () => new Date(0) });
  for (let n = 0; n < 10; n += 1) await api.control('GET', '/emulator/clock');
});
