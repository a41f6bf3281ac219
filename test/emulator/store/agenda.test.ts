// Background tasks run when they are due, in whatever account, though a request looks at no account that it did not write to.
import { expect, it, onTestFinished } from 'vitest';
import { startMsp } from '../../support/servers/msp.ts';

/** Steps of a clock, with the tasks of the emulator run in between. */
async function start(tenants: number) {
  let now = Date.parse('2026-01-02T03:04:05Z');
  const api = await startMsp({ tenants, dialect: 'netbird', clock: () => new Date(now) });
  onTestFinished(api.close);
  const wait = (milliseconds: number) => {
    now += milliseconds;
  };
  return { api, wait };
}

const settled = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)));

it('a due task of an account without writes ends after a request for another account', async () => {
  const { api, wait } = await start(3);
  const [first, second] = api.tenants.map(({ id }) => id);
  const peer = { name: 'guest', ephemeral: true };
  const { id } = Object(await api.control(first, 'POST', '/emulator/peers', peer));
  await api.control(first, 'POST', `/emulator/peers/${id}/disconnect`);
  const names = async () => {
    await api.call(second, 'GET', '/api/groups');
    await settled();
    const { body } = await api.call(first, 'GET', '/api/peers');
    return [body].flat().map(one => Object(one).name);
  };
  expect(await names()).toEqual(['guest']);
  wait(9 * 60_000);
  expect(await names()).toEqual(['guest']);
  wait(60_000);
  expect(await names()).toEqual([]);
});

it('due tasks of the accounts of a restored snapshot end too', async () => {
  const { api, wait } = await start(1);
  const [tenant] = api.tenants.map(({ id }) => id);
  const peer = { name: 'guest', ephemeral: true };
  const { id } = Object(await api.control(tenant, 'POST', '/emulator/peers', peer));
  await api.control(tenant, 'POST', `/emulator/peers/${id}/disconnect`);
  const snapshot = await api.control(undefined, 'GET', '/emulator/snapshot');
  await api.call(tenant, 'DELETE', `/api/peers/${id}`);
  await api.control(undefined, 'PUT', '/emulator/snapshot', snapshot);
  wait(10 * 60_000);
  await api.call(undefined, 'GET', '/api/groups');
  await settled();
  expect((await api.call(tenant, 'GET', '/api/peers')).body).toEqual([]);
});
