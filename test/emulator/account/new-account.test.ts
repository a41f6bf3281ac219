// What an account holds before anybody has written to it (docs/server-behaviour.md#a-new-account).
import { describe, expect, it } from 'vitest';
import { emulated } from '../emulated.ts';

const COLLECTIONS = [
  '/api/networks',
  '/api/routes',
  '/api/posture-checks',
  '/api/integrations/notifications/channels',
  '/api/peers',
];

describe.each(['spec', 'netbird'] as const)('a new account, dialect %s', dialect => {
  it('has one group, All, created by the API, without members', async () => {
    const api = await emulated({ dialect });
    expect(await api.get('/api/groups')).toEqual([
      expect.objectContaining({ name: 'All', issued: 'api', peers_count: 0, resources_count: 0 }),
    ]);
  });

  it('has one policy, Default, whose one rule of the same name and id connects all with all', async () => {
    const api = await emulated({ dialect });
    const [all] = [await api.get('/api/groups')].flat();
    const [policy] = [await api.get('/api/policies')].flat();
    const side = [expect.objectContaining({ id: Object(all).id, name: 'All' })];
    expect(policy).toMatchObject({
      name: 'Default',
      enabled: true,
      rules: [
        {
          id: Object(policy).id,
          name: 'Default',
          enabled: true,
          action: 'accept',
          bidirectional: true,
          protocol: 'all',
          sources: side,
          destinations: side,
        },
      ],
    });
    expect(await api.get('/api/policies')).toHaveLength(1);
  });

  it.each(COLLECTIONS)('has nothing in %s', async path => {
    const api = await emulated({ dialect });
    expect(await api.get(path)).toEqual([]);
  });

  it('allows deletion of the policy Default', async () => {
    const api = await emulated({ dialect });
    const [policy] = [await api.get('/api/policies')].flat();
    await api.remove(`/api/policies/${Object(policy).id}`);
    expect(await api.get('/api/policies')).toEqual([]);
  });
});
