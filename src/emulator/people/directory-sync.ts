// Imports users and their groups from a directory (docs/server-behaviour.md#scim-and-directory-sync). The controls set the
// content of the directory.

import { deleteUser } from '../deletion/cascades.ts';
import type { Environment } from '../environment.ts';
import { nextNumber } from '../ids/numbers.ts';
import type { DirectoryContentRecord, DirectoryRecord } from '../records/integrations.ts';
import type { UserRecord } from '../records/people.ts';
import type { Account } from '../store/account.ts';
import { NEVER, SECOND, timestamp } from '../time/times.ts';
import { setAutoGroups } from './auto-groups.ts';
import { isEmailTaken } from './userRecords.ts';

/** The directories that are polled; SCIM pushes its changes. */
const ASKED = ['idp-sync-a', 'idp-sync-b'];

/** Imports the content of the directory, and records it in the log. */
export function synchronise(
  account: Account,
  segment: string,
  integration: DirectoryRecord,
  environment: Environment,
): void {
  const { id } = integration;
  const origin = `${segment}-${id}/`;
  const content = account.directoryContent(segment).get(id) ?? { id, users: [], groups: [] };
  const groups = content.groups.filter(({ name }) => begins(name, integration.group_prefixes));
  const people = content.users.filter(
    ({ email }) =>
      isWanted(email, content, integration) && isFree(account, email, `${origin}${email}`),
  );
  const groupIds = groups.map(({ name }) => groupNamed(account, name, environment));
  for (const user of usersOf(account, origin))
    if (!people.some(({ email }) => user.idp_id === `${origin}${email}`))
      deleteUser(account, user, environment);
  for (const { email, name } of people) {
    const user = syncedUser(account, { email, name, idp_id: `${origin}${email}` }, environment);
    const joined = groupIds.filter((_, index) => groups[index]?.members.includes(email));
    const kept = user.auto_groups.filter(one => account.groups.get(one)?.issued !== 'integration');
    setAutoGroups(account, user, [...kept, ...joined]);
  }
  const last_synced_at = timestamp(environment.clock);
  account.directory(segment).put({ ...integration, last_synced_at });
  const message = `synchronised ${groups.length} groups and ${people.length} users`;
  account.directoryLogs(segment).put({
    id: String(nextNumber(account, 'sync_logs')),
    integration: id,
    level: 'info',
    timestamp: last_synced_at,
    message,
  });
}

/** Synchronises every directory that is due, and returns the time of the next synchronisation. */
export function synchroniseDue(account: Account, environment: Environment): Date | undefined {
  const now = environment.clock().getTime();
  let next: number | undefined;
  for (const segment of ASKED)
    for (const integration of account.directory(segment).all()) {
      if (!integration.enabled) continue;
      if (dueAt(integration) <= now) synchronise(account, segment, integration, environment);
      const then = dueAt(account.directory(segment).get(integration.id) ?? integration);
      next = Math.min(then, next ?? then);
    }
  return next === undefined ? undefined : new Date(next);
}

function dueAt({ last_synced_at, created_at, own }: DirectoryRecord): number {
  const last = last_synced_at === NEVER ? created_at : last_synced_at;
  return Date.parse(last) + Number(own.sync_interval) * SECOND;
}

/** Whether no other user has the email. Otherwise the person is not imported, because other users are not changed. */
function isFree(account: Account, email: string, idp_id: string): boolean {
  const own = account.users.all().find(user => user.idp_id === idp_id);
  return !isEmailTaken(account, email, own?.id);
}

/**
 * Whether a user is imported. If no group is configured, all users are imported; otherwise only the members of the configured
 * groups.
 */
function isWanted(
  email: string,
  { groups }: DirectoryContentRecord,
  { user_group_prefixes: prefixes }: DirectoryRecord,
): boolean {
  const own = groups.filter(({ members }) => members.includes(email));
  return prefixes.length === 0 || own.some(({ name }) => begins(name, prefixes));
}

function begins(name: string, prefixes: readonly string[]): boolean {
  return prefixes.length === 0 || prefixes.some(prefix => name.startsWith(prefix));
}

/** The id of the group with this name that a directory created; if there is none, of a new group. */
function groupNamed(account: Account, name: string, { newId }: Environment): string {
  const all = account.groups.all();
  const known = all.find(group => group.name === name && group.issued === 'integration');
  if (known !== undefined) return known.id;
  const id = newId();
  account.groups.put({ id, name, issued: 'integration', peers: [], resources: [] });
  return id;
}

function usersOf(account: Account, origin: string): readonly UserRecord[] {
  return account.users.all().filter(({ idp_id }) => idp_id.startsWith(origin));
}

/** The user for a person in a directory. */
function syncedUser(
  account: Account,
  person: Pick<UserRecord, 'email' | 'name' | 'idp_id'>,
  { newId, clock }: Environment,
): UserRecord {
  const known = account.users.all().find(({ idp_id }) => idp_id === person.idp_id);
  const user = known ?? {
    id: newId(),
    role: 'user',
    is_service_user: false,
    auto_groups: [],
    is_blocked: false,
    pending_approval: false,
    invited: false,
    issued: 'integration',
    created_at: timestamp(clock),
    last_login: NEVER,
  };
  const after = { ...user, ...person };
  account.users.put(after);
  return after;
}
