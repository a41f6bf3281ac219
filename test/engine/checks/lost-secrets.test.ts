// Which adopted objects a plan notes because their one-time secrets may be lost.
import { expect, test } from 'vitest';
import { planFor, type Read } from '../planning.ts';

const user = (
  id: string,
  name: string,
  lastLogin: string,
  isPending = false,
  status = 'active',
): Read => [
  'user',
  {
    id,
    email: `${name}@example.com`,
    name,
    role: 'user',
    status,
    last_login: lastLogin,
    pending_approval: isPending,
  },
];

test('a password is reported as lost only for a user who has not signed in, does not await approval and was not invited', () => {
  const files = `users: [${['ada', 'new', 'eve', 'ivy'].map(name => `{ email: ${name}@example.com, name: ${name}, role: user }`).join(', ')}]\n`;
  const reads = [
    user('u1', 'ada', '2026-01-02T03:04:05Z'),
    user('u2', 'new', '0001-01-01T00:00:00Z'),
    user('u3', 'eve', '0001-01-01T00:00:00Z', true),
    user('u4', 'ivy', '0001-01-01T00:00:00Z', false, 'invited'),
  ];
  const { diagnostics } = planFor(files, reads, { base: 'groups: [{ name: a }]\n' });
  const noted = diagnostics.filter(({ code }) => code === 'SECRET_MAY_BE_LOST');
  expect(noted.map(({ message }) => message.split(' ')[0])).toEqual(['user.new@example.com']);
});
