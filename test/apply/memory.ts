// An account in memory behind the port that carrying out a plan wants: its calls can be watched, delayed and spoilt.
import type { ObjectId } from '../../src/api/account/objectClient.ts';
import type { AccountPort } from '../../src/apply/port.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { ApiError, type ApiErrorCode } from '../../src/model/errors.ts';
import { type RemoteId, remoteId } from '../../src/model/names.ts';
import type { JsonObject } from '../../src/model/value.ts';

/** One call of the port. */
export interface Call {
  readonly verb: 'read' | 'list' | 'create' | 'update' | 'renew' | 'delete';
  readonly kind: string;
  readonly id?: RemoteId;
  readonly parentId?: RemoteId;
  readonly body?: JsonObject;
}

export interface Memory {
  readonly port: AccountPort;
  /** The calls so far, such as `update group g1`. */
  readonly calls: string[];
  /** The bodies that were sent, in order. */
  readonly sent: JsonObject[];
  /** What the account's log says: who created what. Add to it what others did. */
  readonly events: JsonObject[];
  /** The objects by id. Change it to change the account behind the plan's back. */
  readonly objects: Map<string, JsonObject>;
}

/** What a test does to the calls. Both may throw; what `after` returns takes the place of the answer. */
export interface Mischief {
  /** Whether the account has a log, which shows what `OWN_USER` created. */
  readonly hasLog?: boolean;
  readonly before?: (call: Call, memory: Memory) => unknown;
  readonly after?: (call: Call, answer: JsonObject, memory: Memory) => JsonObject | undefined;
}

/** The user whose token the run uses. */
export const OWN_USER = 'u1';

/** An entry of the log: `by` has created an object. */
export function createdEvent(
  { createdEvent: about }: Kind,
  entry: { readonly number: number; readonly id: string; readonly by: string },
): JsonObject {
  return {
    id: String(entry.number),
    activity_code: about?.codes[0] ?? '',
    target_id: entry.id,
    initiator_id: entry.by,
    meta: {},
  };
}

/**
 * An account that holds `bodies`, each by its own id: of whatever kind and in whatever parent it is asked for. Every call
 * lets others run before it answers.
 */
export function memory(bodies: readonly JsonObject[] = [], mischief: Mischief = {}): Memory {
  const objects = new Map(bodies.map(body => [String(body.id), body]));
  const homes = new Map<string, string>();
  const homeOf = ({ kind, parentId }: Call) => [kind, parentId].join(' ');
  const calls: string[] = [];
  const sent: JsonObject[] = [];
  const events: JsonObject[] = [];
  let requests = 0;
  let made = 0;
  let renewals = 0;
  const around = async (call: Call, work: () => JsonObject): Promise<JsonObject> => {
    requests += 1;
    calls.push([call.verb, call.kind, call.id ?? []].flat().join(' '));
    if (call.body) sent.push(call.body);
    await mischief.before?.(call, account);
    await turnOfTheLoop();
    const answer = work();
    return mischief.after?.(call, answer, account) ?? answer;
  };
  const found = (call: Call): JsonObject => {
    const body = objects.get(String(call.id));
    if (body === undefined) throw apiError('API_NOT_FOUND', call, { status: 404 });
    return body;
  };
  const stored = (id: RemoteId, body: JsonObject): JsonObject => {
    objects.set(id, { ...body, id });
    return { ...body, id };
  };
  const at = (verb: Call['verb'], kind: Kind, place: ObjectId, body?: JsonObject): Call => ({
    verb,
    kind: kind.name,
    ...place,
    ...(body && { body }),
  });
  const account: Memory = {
    calls,
    sent,
    objects,
    events,
    port: {
      ...(mischief.hasLog && {
        log: {
          events: () => Promise.resolve(events),
          self: () => Promise.resolve(OWN_USER),
          settled: () => Promise.resolve(),
        },
      }),
      read: (kind, place) => {
        const call = at('read', kind, place);
        return around(call, () => found(call));
      },
      list: async (kind, parentId) => {
        const call: Call = { verb: 'list', kind: kind.name, ...(parentId && { parentId }) };
        await around(call, () => ({}));
        const isHere = (id: string) => (homes.get(id) ?? homeOf(call)) === homeOf(call);
        return [...objects].flatMap(([id, body]) =>
          isHere(id) ? [{ id: remoteId(id), body }] : [],
        );
      },
      create: async (kind, body, parentId) => {
        const call: Call = { verb: 'create', kind: kind.name, body, ...(parentId && { parentId }) };
        made += 1;
        const id = remoteId(`new${made}`);
        homes.set(id, homeOf(call));
        const work = () => {
          events.push(createdEvent(kind, { number: events.length + 1, id, by: OWN_USER }));
          return stored(id, body);
        };
        return { id, answer: await around(call, work) };
      },
      update: (kind, place, body) => {
        const call = at('update', kind, place, body);
        return around(call, () => {
          found(call);
          return stored(place.id, body);
        });
      },
      renew: async (kind, place, sends) => {
        const call = at('renew', kind, place, sends);
        renewals += 1;
        const secret = `renewed-${renewals}`;
        const answer = await around(call, () => {
          found(call);
          return { secret };
        });
        return answer.secret === undefined ? undefined : String(answer.secret);
      },
      delete: async (kind, place) => {
        const call = at('delete', kind, place);
        await around(call, () => {
          const gone = found(call);
          objects.delete(place.id);
          return gone;
        });
      },
      requests: () => requests,
    },
  };
  return account;
}

/** The error of a call, as the client would throw it. */
export function apiError(
  code: ApiErrorCode,
  { verb, kind }: Call,
  more: Partial<ApiError['details']> = {},
): ApiError {
  return new ApiError({
    code,
    request: { method: verb, path: `/api/${kind}` },
    message: `${verb} ${kind} failed: ${code}`,
    retryable: false,
    mayHaveHappened: false,
    ...more,
  });
}

/** What a call ends with when its answer got lost: it may have happened. */
export const lost = (call: Call): ApiError =>
  apiError('API_NETWORK', call, { mayHaveHappened: true });

const turnOfTheLoop = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
