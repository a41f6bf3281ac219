// Groups (docs/server-behaviour.md#groups).

import { hideIpv6OfGroup } from '../addresses/identity.ts';
import { logMembers } from '../audit/object-meta.ts';
import { groupReferrer } from '../deletion/references.ts';
import type { Environment } from '../environment.ts';
import { groupView } from '../groups/group-view.ts';
import { ALL_GROUP, allGroup, groupsNamed, namedGroup, peersOf } from '../groups/membership.ts';
import { objectId } from '../ids/new-object.ts';
import type { UserRecord } from '../records/people.ts';
import type { GroupRecord } from '../records/topology.ts';
import { type Answer, DROPPED, done, ok } from '../request/answer.ts';
import { list, object, type Read, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { conflict, impossible, invalid, notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { isUnseen, reference } from './shapes.ts';

const BODY = object({ name: text, peers: list(text), resources: list(reference) });

export const groups: Handlers = {
  listGroups: (account, request, environment) => {
    const found = selected(account, request, environment);
    const views = found.map(group => groupView(account, group, environment));
    return found.some(group => isBroken(group, environment)) ? DROPPED : ok(views);
  },

  createGroup: (account, request, environment) => {
    const body = request.body(BODY, refuseNameless);
    if (namedGroup(account, body.name) !== undefined)
      throw conflict(`group with name ${body.name} already exists`);
    const group: GroupRecord = {
      id: objectId(account.groups, environment),
      issued: 'api',
      ...body,
    };
    account.groups.put(group);
    account.log({ code: 'group.add', target: group.id, meta: { name: group.name } });
    logMembers(account, undefined, group);
    return shown(account, group, environment);
  },

  getGroup: (account, request, environment) => shown(account, find(account, request), environment),

  updateGroup: (account, request, environment) => {
    request.requireRead();
    const before = find(account, request);
    const all = allGroup(account);
    if (all === undefined) throw notFound('group', ALL_GROUP);
    if (before.id === all.id) throw invalid('updating the group All is not allowed');
    const body = request.body(BODY, refuseNameless);
    const group: GroupRecord = { ...before, ...body };
    account.groups.put(group);
    if (group.name !== before.name) logRenaming(account, before, group);
    logMembers(account, before, group);
    hideIpv6OfGroup(account, group.id, peersOf(account, before), environment);
    return shown(account, group, environment);
  },

  deleteGroup: (account, request, environment) => {
    const group = account.groups.get(request.path('groupId'));
    if (group === undefined) throw impossible(`group: ${request.path('groupId')} not found`);
    const reason = whyNotDeletable(account, group, request.caller);
    if (reason !== undefined) throw impossible(reason);
    account.groups.remove(group.id);
    hideIpv6OfGroup(account, group.id, peersOf(account, group), environment);
    account.log({ code: 'group.delete', target: group.id, meta: { name: group.name } });
    return done();
  },
};

/** A group in a response. */
function shown(account: Account, group: GroupRecord, environment: Environment): Answer {
  return isBroken(group, environment) ? DROPPED : ok(groupView(account, group, environment));
}

/** Whether the server of the dialect fails to show a group that it stores. */
function isBroken({ resources }: GroupRecord, environment: Environment): boolean {
  return resources.some(pointer => isUnseen(pointer, environment));
}

function refuseNameless({ name }: Read<typeof BODY>): void {
  if (name === '') throw invalid("group name shouldn't be empty");
}

function find(account: Account, request: ApiRequest): GroupRecord {
  const id = request.path('groupId');
  const group = account.groups.get(id);
  if (group === undefined) throw notFound('group', id);
  return group;
}

/** Logs the new name of a group. Changes of its peers are logged separately, and changes of its resources are not logged. */
function logRenaming(account: Account, before: GroupRecord, after: GroupRecord): void {
  const meta = { old_name: before.name, new_name: after.name };
  account.log({ code: 'group.update', target: after.id, meta });
}

/** The groups in a list: all groups, or those with the requested name. */
function selected(
  account: Account,
  request: ApiRequest,
  { behaviour }: Environment,
): readonly GroupRecord[] {
  const name = request.query('name');
  if (name === '') return account.groups.all();
  if (behaviour.groupsByName === 'all of them') return groupsNamed(account, name);
  const group = namedGroup(account, name);
  if (group === undefined) throw notFound('group', name);
  return [group];
}

/** The first object that prevents the deletion of a group, in the server's order. */
function whyNotDeletable(
  account: Account,
  group: GroupRecord,
  caller: UserRecord,
): string | undefined {
  const isAdminServiceUser = caller.is_service_user && caller.role === 'admin';
  if (group.issued === 'integration' && !isAdminServiceUser)
    return 'only service users with admin power can delete a group of an integration';
  if (group.name === ALL_GROUP) return 'deleting group ALL is not allowed';
  const referrer = groupReferrer(account, group);
  return referrer && `group has been linked to ${referrer}`;
}
