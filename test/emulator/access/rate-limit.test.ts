// How often a token may call (docs/server-behaviour.md#rate-limits).
import { expect, it } from 'vitest';
import { emulated } from '../emulated.ts';
import { robot, statusFor } from '../people/people.ts';

const rateLimit = { requestsPerMinute: 6, burst: 3 };

it('lets a burst through, then the configured rate, and adds no header to a refusal', async () => {
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

it('counts each token separately, and refused unknown tokens too', async () => {
  const api = await emulated({ rateLimit, clock: () => new Date(0) });
  const ci = await robot(api, 'admin');
  for (let n = 0; n < 2; n += 1) await api.get('/api/groups');
  expect((await api.call('GET', '/api/groups')).status).toBe(429);
  for (const status of [200, 200, 200, 429])
    expect(await statusFor(api, ci, 'GET', '/api/groups')).toBe(status);
  for (const status of [401, 401, 401, 429])
    expect(await statusFor(api, { as: 'Token unknown' }, 'GET', '/api/groups')).toBe(status);
});

it('accepts the next request at most 60 divided by the rate seconds after a refusal', async () => {
  let now = 0;
  const fast = { requestsPerMinute: 120, burst: 50 };
  const api = await emulated({ rateLimit: fast, clock: () => new Date(now) });
  const ask = async () => (await api.call('GET', '/api/groups')).status;
  for (let n = 0; n < 50; n += 1) expect(await ask()).toBe(200);
  for (let round = 0; round < 5; round += 1) {
    expect(await ask()).toBe(429);
    now += 499;
    expect(await ask()).toBe(429);
    now += 1;
    expect(await ask()).toBe(200);
  }
});

it('limits personal access tokens under either scheme, and no other bearer token', async () => {
  const api = await emulated({ rateLimit, bearerTokens: true, clock: () => new Date(0) });
  const { access_token } = Object(await api.control('POST', '/emulator/access-tokens', {}));
  for (let n = 0; n < 10; n += 1)
    expect(await statusFor(api, { as: `Bearer ${access_token}` }, 'GET', '/api/groups')).toBe(200);
  for (const scheme of ['Token', 'Bearer', 'Token'])
    expect(await statusFor(api, { as: `${scheme} ${api.token}` }, 'GET', '/api/groups')).toBe(200);
  for (const scheme of ['Token', 'Bearer'])
    expect(await statusFor(api, { as: `${scheme} ${api.token}` }, 'GET', '/api/groups')).toBe(429);
});

it('never limits a client that calls itself Terraform, in any case', async () => {
  const api = await emulated({ rateLimit, clock: () => new Date(0) });
  const headers = { authorization: `Token ${api.token}`, 'user-agent': 'x-TerraForm-provider/1' };
  for (let n = 0; n < 10; n += 1)
    expect((await fetch(`${api.url}/api/groups`, { headers })).status).toBe(200);
});

it('never limits the controls', async () => {
  const api = await emulated({ rateLimit, clock: () => new Date(0) });
  for (let n = 0; n < 10; n += 1) await api.control('GET', '/emulator/clock');
});
