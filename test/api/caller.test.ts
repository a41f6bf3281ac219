// Whose a token is: what the audit log of an account proves depends on it.
import { expect, onTestFinished, test } from 'vitest';
import { auditLog } from '../../src/api/account/auditLog.ts';
import { readTransport } from '../../src/api/transport/transport.ts';
import { readKinds } from '../../src/kinds/registry.ts';
import { startMsp } from '../support/servers/msp.ts';

test('the token’s user in a tenant’s account is the person of the provider, as the tenant’s audit log names them', async () => {
  const msp = await startMsp({ tenants: 1 });
  onTestFinished(msp.close);
  const [tenant = { id: '' }] = msp.tenants;
  await msp.call(tenant.id, 'POST', '/api/groups', { name: 'admins' });
  const transport = readTransport({
    url: msp.url,
    token: msp.token,
    tenant: tenant.id,
    dispatcher: msp.dispatcher,
    now: () => 0,
    random: () => 0,
    sleep: () => Promise.resolve(),
  });
  const log = auditLog(transport, readKinds());
  const [event] = await log.events();
  expect(event?.initiator_id).toEqual(expect.any(String));
  expect(await log.self()).toBe(event?.initiator_id);
});
