// The user whose token is used, found among the kinds whose objects can call the API.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { isList, isObject, type JsonObject } from '../../model/value.ts';
import type { ReadTransport } from '../transport/transport.ts';

/** The user of the token. */
export interface Caller {
  readonly id: string;
  /** Whether the user is a program. Nobody signs in as such a user. */
  readonly isRobot: boolean;
}

/**
 * The user of the token; null if the account does not show the user. A user who acts in the account of a tenant belongs to the
 * account of the token, not to the tenant.
 */
export async function callerOf(transport: ReadTransport, kinds: KindTable): Promise<Caller | null> {
  // Several kinds may share a collection, so each collection is read once.
  const byPath = Map.groupBy(
    [...kinds.values()].filter(({ principal }) => principal !== undefined),
    ({ path }) => path,
  );
  for (const get of [transport.get, transport.getOwn])
    for (const [path, sharing] of get ? byPath : []) {
      const answer = await get?.(path);
      const users = isList(answer) ? answer.filter(isObject) : [];
      const found = users.find(user => sharing.some(({ principal }) => user[principal?.own ?? '']));
      if (found === undefined) continue;
      const kind = sharing.find(({ where }) => isOf(where, found));
      return { id: String(found.id), isRobot: kind?.principal?.admin === undefined };
    }
  return null;
}

const isOf = (where: Kind['where'], body: JsonObject): boolean =>
  where === undefined || (body[where.field] ?? false) === where.equals;
