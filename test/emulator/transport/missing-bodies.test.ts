// A write without a body, and an invite token that cannot be one.
import { expect, onTestFinished, test } from 'vitest';
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

test('a text that is no invite token is a 422', async () => {
  const emulator = await startEmulator({ dialect: 'netbird' });
  onTestFinished(() => emulator.close());
  const headers = { authorization: `Token ${emulator.token}` };
  const answer = await fetch(`${emulator.url}/api/users/invites/nope`, { headers });
  expect(answer.status).toBe(422);
});
