// What is refused first, a bad body or a caller without the right to send it: the body under netbird, the caller under spec.
import { describe, expect, it } from 'vitest';
import { policyBody, routerBody, ruleBody, setupKeyBody } from '../bodies.ts';
import { emulated } from '../emulated.ts';
import { person, robot, statusFor } from '../people/people.ts';

/** Bodies that are bad whoever sends them, with the status under netbird. */
const BAD = [
  ['POST', '/api/groups', { name: '' }, 422],
  ['POST', '/api/groups', { name: 3 }, 400],
  ['POST', '/api/networks', { name: [] }, 400],
  ['POST', '/api/networks/n/routers', { metric: 1 }, 400],
  ['POST', '/api/networks/n/routers', routerBody({ peer: 'p', peer_groups: ['g'] }), 400],
  ['POST', '/api/policies', policyBody([ruleBody()], { name: '' }), 422],
  ['POST', '/api/policies', policyBody([ruleBody({ action: 'deny' })]), 422],
  ['POST', '/api/routes', { network_id: 'r' }, 422],
  ['POST', '/api/setup-keys', setupKeyBody({ name: '' }), 422],
  ['POST', '/api/setup-keys', setupKeyBody({ expires_in: -1 }), 422],
  ['PUT', '/api/setup-keys/k', { revoked: true }, 422],
  ['POST', '/api/users', { name: 'x', role: 'king', auto_groups: [] }, 422],
  ['POST', '/api/users/{self}/tokens', { name: '', expires_in: 1 }, 422],
  ['POST', '/api/users/invites', { email: 'a@example.com', name: '', role: 'user' }, 422],
] as const;

/** Bodies that are bad for what there is, or that only a manager looks at: the caller comes first in both dialects. */
const LATE = [
  ['POST', '/api/groups', { name: 'All' }],
  [
    'POST',
    '/api/networks/none/resources',
    { name: 'r', address: '///', enabled: true, groups: [] },
  ],
  ['POST', '/api/policies', policyBody([ruleBody({ sources: ['none'] })])],
  ['POST', '/api/setup-keys', setupKeyBody({ auto_groups: ['none'] })],
  ['PUT', '/api/networks/none', { name: 'n' }],
  ['PUT', '/api/setup-keys/none', { revoked: true, auto_groups: [] }],
] as const;

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  it.each(BAD)('%s %s with %j', async (method, path, body, status) => {
    const api = await emulated({ dialect });
    const ci = await robot(api, 'user');
    const target = path.replace('{self}', ci.id);
    expect(await statusFor(api, ci, method, target, body)).toBe(dialect === 'spec' ? 403 : status);
  });

  it.each(LATE)('%s %s with %j is refused for the caller', async (method, path, body) => {
    const api = await emulated({ dialect });
    expect(await statusFor(api, await robot(api, 'user'), method, path, body)).toBe(403);
  });

  it('looks a group up before either', async () => {
    const api = await emulated({ dialect });
    const ci = await robot(api, 'user');
    const ada = await person(api, 'user');
    const put = (who: typeof ci) => statusFor(api, who, 'PUT', '/api/groups/none', { name: '' });
    expect(await put(ci)).toBe(dialect === 'spec' ? 403 : 404);
    expect(await put(ada)).toBe(403);
  });

  it('looks a user up before the body', async () => {
    const api = await emulated({ dialect });
    for (const body of [{}, { role: 'king' }, { role: 'user', auto_groups: ['none'] }])
      expect((await api.refusal('PUT', '/api/users/none', body))[0]).toBe(404);
  });

  it('writes nothing for a caller without permission, whatever the body', async () => {
    const api = await emulated({ dialect });
    const ci = await robot(api, 'user');
    expect(await statusFor(api, ci, 'POST', '/api/networks', { name: 'n' })).toBe(403);
    expect(await api.get('/api/networks')).toEqual([]);
  });
});
