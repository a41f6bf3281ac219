// What tests of policies begin with.
import type { Emulated } from '../emulated.ts';

/** Two groups without members, by their names. */
export async function twoGroups(api: Emulated) {
  return {
    a: await api.make('/api/groups', { name: 'a' }),
    b: await api.make('/api/groups', { name: 'b' }),
  };
}

/** The rules of a policy that was answered. */
export function rulesOf(policy: unknown): readonly unknown[] {
  return [Object(policy).rules].flat();
}
