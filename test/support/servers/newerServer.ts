// A server that knows more than the schemas do: an emulator behind a proxy that adds fields to what it shows. It ignores in
// requests what is not one of them and, like any server with a PUT that replaces, resets each that a PUT does not send.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isList, isObject, type Json, type JsonObject } from '../../../src/model/value.ts';
import type { TestAccount } from '../account.ts';

/** More fields of an object: those of its own, and inside it, objects by field and items of lists by name. */
type MoreFields = JsonObject;

export interface NewerServer {
  readonly account: TestAccount;
  /** What the objects have now that the emulator does not know of, by id. */
  readonly more: Map<string, MoreFields>;
  /** The bodies of the PUTs, by id. */
  readonly puts: Map<string, JsonObject>;
  readonly close: () => Promise<void>;
}

/** Puts a newer server in front of an account. Objects in `keeps` stay as they are if a PUT does not send them at all. */
export async function newerServer(
  account: TestAccount,
  keeps: readonly string[] = [],
): Promise<NewerServer> {
  const more = new Map<string, MoreFields>();
  const puts = new Map<string, JsonObject>();
  const forward = async (request: IncomingMessage, given: string) => {
    const { method = 'GET', url = '' } = request;
    const id = url.split('?')[0]?.split('/').at(-1) ?? '';
    const sent: Json = given === '' ? null : JSON.parse(given);
    const known = more.get(id);
    if (method === 'PUT' && isObject(sent)) {
      puts.set(id, sent);
      if (known) more.set(id, kept(known, sent, keeps));
    }
    const body = method === 'PUT' && known && isObject(sent) ? without(sent, known) : sent;
    const answer = await fetch(`${account.url}${url}`, {
      method,
      headers: { authorization: request.headers.authorization ?? '' },
      ...(body !== null && { body: JSON.stringify(body) }),
    });
    const answered = await answer.text();
    return { status: answer.status, text: answer.ok ? shown(answered) : answered };
  };
  const withMore = (item: Json): Json => {
    const extra = isObject(item) ? more.get(String(item.id)) : undefined;
    return extra && isObject(item) ? merged(item, extra) : item;
  };
  const shown = (answered: string): string => {
    const value: Json = JSON.parse(answered);
    return JSON.stringify(isList(value) ? value.map(withMore) : withMore(value));
  };
  const server = createServer(async (request, response) => {
    const { status, text: body } = await forward(request, await text(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    account: { ...account, url, transport: { ...account.transport, url } },
    more,
    puts,
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

const partOf = (value: Json | undefined, name: string): Json | undefined =>
  isList(value)
    ? value.find(item => isObject(item) && item.name === name)
    : isObject(value)
      ? value[name]
      : undefined;

// What a body shows with more fields in it, in its objects and in the items of its lists.
function merged(value: JsonObject, extra: MoreFields): JsonObject {
  const entries = Object.entries(extra).map(([name, item]): [string, Json] => {
    const own = value[name];
    if (isList(own) && isObject(item))
      return [
        name,
        own.map(one =>
          isObject(one) && isObject(item[String(one.name)])
            ? merged(one, item[String(one.name)] as JsonObject)
            : one,
        ),
      ];
    return [name, isObject(own) && isObject(item) ? merged(own, item) : item];
  });
  return { ...value, ...Object.fromEntries(entries) };
}

// Each field as it was sent; one that was not sent is reset to nothing.
function kept(extra: MoreFields, sent: Json | undefined, keeps: readonly string[]): MoreFields {
  return Object.fromEntries(
    Object.entries(extra).flatMap(([name, item]): [string, Json][] => {
      const given = partOf(sent, name);
      if (given === undefined && keeps.includes(name)) return [[name, item]];
      const isInside = isObject(item) && (isList(sent) || isObject(given) || isList(given));
      if (isInside) return [[name, kept(item, given, keeps)]];
      return given === undefined ? [] : [[name, given]];
    }),
  );
}

// The emulator is not asked to know them.
function without(sent: JsonObject, extra: MoreFields): JsonObject {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, item]): [string, Json][] => {
      const known = extra[name];
      if (known === undefined) return [[name, item]];
      if (isList(item) && isObject(known))
        return [
          [
            name,
            item.map(one =>
              isObject(one) && isObject(known[String(one.name)])
                ? without(one, known[String(one.name)] as JsonObject)
                : one,
            ),
          ],
        ];
      return isObject(item) && isObject(known) ? [[name, without(item, known)]] : [];
    }),
  );
}
