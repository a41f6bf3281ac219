// A plan fails when it would change an immutable field of an object that cannot be replaced.
import { describe, expect, test } from 'vitest';
import { planFor, type Read } from '../planning.ts';
import { found } from './verdict.ts';

describe('an object that is never replaced', () => {
  const read: Read = [
    'service_user',
    {
      id: 'u1',
      name: 'ci',
      role: 'user',
      auto_groups: [],
      is_blocked: false,
      is_current: false,
      is_service_user: true,
      issued: 'api',
    },
  ];

  test('cannot be declared with a different name', () => {
    const files = 'service_users: [{ name: robot, role: user, lifecycle: { id: u1 } }]';
    const { diagnostics, actions } = planFor(files, [read]);
    expect(diagnostics).toMatchObject([
      {
        code: 'REPLACE_REFUSED',
        message: '`name` of service_user.robot is immutable, and a service user cannot be replaced',
      },
    ]);
    expect(actions).toEqual([]);
  });

  test('is refused too if the API cannot delete objects of its kind', () => {
    const tenant: Read = [
      'msp_tenant',
      { id: 't1', name: 'shop', domain: 'old.example.com', groups: [], status: 'pending' },
    ];
    const files = 'msp_tenants: [{ name: shop, domain: new.example.com, lifecycle: { id: t1 } }]';
    expect(found(files, [tenant])).toEqual({ codes: ['REPLACE_REFUSED'], actions: 0 });
  });

  test('can change in its other fields', () => {
    const files = 'service_users: [{ name: ci, role: auditor, lifecycle: { id: u1 } }]';
    expect(found(files, [read])).toEqual({ codes: [], actions: 1 });
  });
});
