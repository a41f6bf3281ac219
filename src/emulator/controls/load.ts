// The control that fills an account by executing the bodies of POST requests, all of them or none.
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import type { Chosen } from '../environment.ts';
import { choosing } from '../ids/new-object.ts';
import { type Answer, ok } from '../request/answer.ts';
import { anything, map } from '../request/body.ts';
import { invalid, notFound, Refusal } from '../request/refusal.ts';
import { type Control, type ControlContext, refuseStrays } from './control.ts';
import { addGroup } from './groups.ts';
import { enrolPeer } from './peers.ts';
import { addUser, mintToken } from './users.ts';

/** Objects that only controls can create, and to which other objects refer. */
const MAKERS: Readonly<Record<string, Control>> = {
  '/emulator/users': addUser,
  '/emulator/tokens': mintToken,
  '/emulator/groups': addGroup,
  '/emulator/peers': enrolPeer,
};

/** For each operation, the field of a body that chooses the secret of its object. */
const SECRETS: Readonly<Record<string, string>> = { createToken: 'token', createSetupKey: 'key' };

/**
 * Fills an account. The body contains, for each path, the bodies to POST there, in order. The `id` in a body becomes the id of
 * its object. If ids of this kind are numbers and `id` is not a number, `id` is only a name by which later bodies and paths can
 * refer to the object. Responds with the id of each object; a refusal reverts everything.
 */
export const loadAccount: Control = context => {
  const ids = new Map<string, string>();
  for (const [path, bodies] of Object.entries(context.body(map(anything)))) {
    if (!isList(bodies)) throw invalid(`${path}: expected a list of bodies`);
    for (const [index, body] of bodies.entries()) {
      if (!isObject(body)) throw invalid(`${path}: body ${index + 1} is not an object`);
      const { id, ...fields } = body;
      if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
        throw invalid(`${path}: the id of body ${index + 1} is neither a text nor a number`);
      const made = post(context, { path, place: index + 1, fields, id, ids });
      if (id !== undefined) ids.set(String(id), made);
    }
  }
  return ok({ ids: Object.fromEntries(ids) });
};

interface Posting {
  readonly path: string;
  /** The index of the body within its path. */
  readonly place: number;
  readonly id: string | number | undefined;
  readonly fields: JsonObject;
  readonly ids: ReadonlyMap<string, string>;
}

/** Creates an object, and returns its id. */
function post(context: ControlContext, { path, place, id, fields, ids }: Posting): string {
  const body = pointed(fields, ids);
  const steps = path.split('/').map(step => encodeURIComponent(ids.get(step) ?? step));
  const chosen = id === undefined ? {} : { id: String(id) };
  try {
    const maker = MAKERS[path];
    const answer =
      maker === undefined
        ? performed(context, { path: steps.join('/'), body, chosen })
        : made(context, maker, { ...body, ...chosen });
    return idIn(answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const sentence = `${path}: body ${place} is refused with ${error.status}: ${error.message}`;
    throw new Refusal(422, sentence, true);
  }
}

function made(context: ControlContext, maker: Control, json: JsonObject): Answer {
  const answer = maker({
    ...context,
    body: shape => {
      const read = shape.read(json);
      refuseStrays(shape, json);
      return read;
    },
  });
  return typeof answer === 'function' ? ok({}) : answer;
}

interface Wanted {
  readonly path: string;
  readonly body: JsonObject;
  readonly chosen: Chosen;
}

function performed(context: ControlContext, { path, body, chosen }: Wanted): Answer {
  const { operations, rows, account, owner, environment } = context;
  const request = {
    method: 'POST',
    path,
    query: new URLSearchParams(),
    address: '',
    authorization: '',
    userAgent: '',
    origin: '',
    asksFor: { method: '', headers: '' },
  };
  const found = operations.find({ ...request, body: '' });
  if ('status' in found) throw notFound('path', path);
  const { operation } = found.route;
  const field = SECRETS[operation.id] ?? '';
  const { [field]: secret, ...rest } = body;
  if (secret !== undefined && typeof secret !== 'string')
    throw invalid(`${field} must be a string`);
  const strays = operations.unknownFields(found, rest);
  if (strays.length > 0) throw invalid(`unknown field: ${strays.join(', ')}`);
  const raw = { ...request, body: JSON.stringify(rest) };
  const caller = { account: account.id, user: owner.id };
  const choice = choosing(environment, { ...chosen, secret }).chosen ?? {};
  return operations.perform(rows, caller, { ...found, raw }, choice);
}

/** The id in a response; the response to a new token wraps the object. */
function idIn(answer: Answer): string {
  const body = 'body' in answer ? answer.body : null;
  if (!isObject(body)) return '';
  const { personal_access_token: token = null } = body;
  return String((isObject(token) ? token.id : body.id) ?? '');
}

/** A value with names replaced by the ids of their objects. */
function pointed<T extends Json>(value: T, ids: ReadonlyMap<string, string>): T;
function pointed(value: Json, ids: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (isList(value)) return value.map(member => pointed(member, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [ids.get(name) ?? name, pointed(member, ids)]),
  );
}
