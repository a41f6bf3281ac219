// A user who waits for approval is shown as waiting, not as merely blocked.
import { expect, test } from 'vitest';
import { planFor, type Read } from '../planning.ts';

const user = (pending: boolean, blocked: boolean): Read => [
  'user',
  {
    id: 'u1',
    email: 'ada@example.com',
    name: 'Ada',
    role: 'user',
    auto_groups: [],
    is_service_user: false,
    issued: 'api',
    status: blocked ? 'blocked' : 'active',
    is_blocked: blocked,
    pending_approval: pending,
  },
];

const FILE = 'users: [{ email: ada@example.com, name: Ada, role: user }]\n';

const warned = (read: Read) => planFor(FILE, [read]).diagnostics;

test('a declared user who awaits approval is a warning', () => {
  expect(warned(user(true, true))).toMatchObject([
    {
      code: 'OBJECT_AWAITS_APPROVAL',
      severity: 'warning',
      message: expect.stringContaining('user.ada@example.com awaits approval'),
      hint: expect.stringContaining('api list approve'),
    },
  ]);
});

test('a blocked or active user is not a warning', () => {
  expect(warned(user(false, true))).toEqual([]);
  expect(warned(user(false, false))).toEqual([]);
});
