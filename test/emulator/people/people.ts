// People with what lets them in, for tests of who may do what.
import { type Emulated, idOf } from '../emulated.ts';

/** Somebody who calls. */
export interface Person {
  readonly id: string;
  /** Their Authorization header. */
  readonly as: string;
}

/** Makes a person with a role who can sign in. */
export async function person(api: Emulated, role: string, more: object = {}): Promise<Person> {
  const user = { name: role, email: `${role}@example.com`, role, ...more };
  const id = idOf(await api.control('POST', '/emulator/users', user));
  return { id, as: await tokenOf(api, id) };
}

/** Makes a service user with a role. */
export async function robot(api: Emulated, role: string): Promise<Person> {
  const body = { name: 'robot', role, auto_groups: [], is_service_user: true };
  const id = await api.make('/api/users', body);
  return { id, as: await tokenOf(api, id) };
}

/** The account's first user, with the emulator's own token. */
export async function owner(api: Emulated): Promise<Person> {
  const users = [await api.get('/api/users')].flat().map(user => Object(user));
  return { id: users.find(({ role }) => role === 'owner').id, as: `Token ${api.token}` };
}

/** The Authorization header of a new token of a user. */
async function tokenOf(api: Emulated, user: string): Promise<string> {
  const { token } = Object(await api.control('POST', '/emulator/tokens', { user_id: user }));
  return `Token ${token}`;
}

/** The status of a call by somebody. */
export async function statusFor(
  api: Emulated,
  { as }: Pick<Person, 'as'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<number> {
  return (await api.call(method, path, body, as)).status;
}
