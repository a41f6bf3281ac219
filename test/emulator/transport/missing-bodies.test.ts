// A write without a body, a body that is null, and an invite token that cannot be one.
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../../src/emulator/index.ts';

test.each(['spec', 'netbird'] as const)(
  '%s: a write without a body is a 400 and changes nothing',
  async dialect => {
    const emulator = await startEmulator({ dialect });
    onTestFinished(() => emulator.close());
    const call = async (method: string, path: string, body?: string) => {
      const headers = { authorization: `Token ${emulator.token}` };
      const answer = await fetch(`${emulator.url}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body }),
      });
      return { status: answer.status, body: (await answer.json()) as { readonly id: string } };
    };
    const { body: network } = await call('POST', '/api/networks', '{"name": "office"}');
    expect((await call('PUT', `/api/networks/${network.id}`)).status).toBe(400);
    expect((await call('GET', `/api/networks/${network.id}`)).body).toMatchObject({
      name: 'office',
    });
    for (const path of ['groups', 'policies', 'posture-checks', 'setup-keys', 'routes', 'users'])
      expect(await call('POST', `/api/${path}`)).toMatchObject({ status: 400 });
  },
);

test('a string that is not an invite token is a 422', async () => {
  const emulator = await startEmulator({ dialect: 'netbird' });
  onTestFinished(() => emulator.close());
  const headers = { authorization: `Token ${emulator.token}` };
  const answer = await fetch(`${emulator.url}/api/users/invites/nope`, { headers });
  expect(answer.status).toBe(422);
});

describe('the body null', () => {
  const WRITES = [
    ['POST', '/api/setup-keys'],
    ['PUT', '/api/setup-keys/none'],
    ['POST', '/api/users'],
    ['PUT', '/api/users/{owner}'],
    ['PUT', '/api/peers/none'],
  ] as const;

  const send = async (dialect: 'spec' | 'netbird', method: string, template: string) => {
    const emulator = await startEmulator({ dialect });
    onTestFinished(() => emulator.close());
    const headers = { authorization: `Token ${emulator.token}` };
    const listed = await fetch(`${emulator.url}/api/users`, { headers });
    const [owner] = (await listed.json()) as { readonly id: string }[];
    const path = template.replace('{owner}', owner?.id ?? '');
    return fetch(`${emulator.url}${path}`, { method, headers, body: 'null' });
  };

  it.each(WRITES)('netbird: closes the connection on %s %s', async (method, path) => {
    await expect(send('netbird', method, path)).rejects.toThrow('fetch failed');
  });

  it.each(WRITES)('spec: has no fields on %s %s', async (method, path) => {
    expect((await send('spec', method, path)).status).toBeGreaterThanOrEqual(400);
  });

  it.each([
    ['POST', '/api/groups', 422],
    ['POST', '/api/networks', 200],
    ['PUT', '/api/users/none', 404],
  ] as const)('netbird: %s %s answers %d', async (method, path, status) => {
    expect((await send('netbird', method, path)).status).toBe(status);
  });
});
