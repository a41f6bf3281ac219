// Controls for groups that the API cannot create.
import { syncGroups } from '../access/sign-in.ts';
import { groupView } from '../groups/group-view.ts';
import { choosing, objectId } from '../ids/new-object.ts';
import { userView } from '../people/user-view.ts';
import { ok } from '../request/answer.ts';
import { list, object, optional, text } from '../request/body.ts';
import { invalid, notFound } from '../request/refusal.ts';
import type { Control } from './control.ts';

const ISSUERS = ['api', 'integration', 'jwt'];

const GROUP = object({ id: optional(text), name: text, issued: text, peers: list(text) });

/** Creates a group as an integration or an identity provider does; its name may already be in use. Responds with the group. */
export const addGroup: Control = ({ account, environment, body }) => {
  const { id: chosen, name, issued, peers } = body(GROUP);
  if (name === '') throw invalid('a group needs a name');
  if (issued !== '' && !ISSUERS.includes(issued)) throw invalid(`unknown issuer: ${issued}`);
  const id = objectId(account.groups, choosing(environment, { id: chosen }));
  const group = { id, name, issued: issued || 'integration', peers, resources: [] };
  account.groups.put(group);
  return ok(groupView(account, group, environment));
};

/** Gives a user these groups from their identity provider. Responds with the user. */
export const syncUserGroups: Control = ({ account, owner, environment, path, body }) => {
  const { groups } = body(object({ groups: list(text) }));
  const id = path('userId');
  if (account.users.get(id) === undefined) throw notFound('user', id);
  syncGroups(account, id, groups, environment);
  const user = account.users.get(id);
  if (user === undefined) throw notFound('user', id);
  return ok(userView(account, user, owner, environment));
};
