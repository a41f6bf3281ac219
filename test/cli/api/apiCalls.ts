// Servers that answer `api call` with whatever a test wants, and bodies that hold everything an operation may answer.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { isSecretNode } from '../../../src/api/schema/secrets.ts';
import { memberOf, partsOf, propertiesOf, wordsAt } from '../../../src/api/schema/walk.ts';
import type { DocumentNode, NodeObject } from '../../../src/contract/index.ts';
import type { Json } from '../../../src/model/value.ts';

/** One answer as it goes over the wire. */
export interface Canned {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request as it came. */
interface Received {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A server that gives these answers in turn, the last of them for ever. */
export interface CannedServer {
  readonly env: Readonly<Record<string, string>>;
  readonly received: readonly Received[];
  /** What it answers from now on. */
  readonly answer: (...answers: readonly Canned[]) => void;
}

/** Serves for as long as the test runs. */
export async function cannedServer(...first: readonly Canned[]): Promise<CannedServer> {
  let answers = [...first];
  const received: Received[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = request;
    const { authorization } = headers;
    received.push({ line: `${method} ${url}`, authorization, body: await text(request) });
    const [answer = {}, ...rest] = answers;
    if (rest.length > 0) answers = rest;
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '{}');
  };
  const server = createServer((request, response) => void respond(request, response));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: { MESHFORM_URL: `http://127.0.0.1:${port}`, MESHFORM_TOKEN: 'nbp_test' },
    received,
    answer: (...next) => {
      answers = [...next];
    },
  };
}

/** What every secret of a full body begins with. */
export const HUSH = 'hush-';

/**
 * A value with everything in it that its schema names, and a text of its own wherever there is a secret. Of several
 * forms it has the fields of all.
 */
export function fullBody(document: NodeObject, schema: DocumentNode, at = ''): Json {
  if (isSecretNode(schema)) return `${HUSH}${at}`;
  const forms = partsOf(document, schema, 'anyOf');
  const properties = [schema, ...forms].flatMap(one => propertiesOf(document, one));
  if (properties.length > 0) {
    const entries = properties.map(
      ({ name, node }) => [name, fullBody(document, node, `${at}.${name}`)] as const,
    );
    return Object.fromEntries(entries);
  }
  const member = memberOf(document, schema);
  const [type] = wordsAt(schema, 'type');
  if (member !== undefined) {
    const one = fullBody(document, member, `${at}.*`);
    return type === 'array' ? [one] : { entry: one };
  }
  if (type === 'integer' || type === 'number') return 7;
  return type === 'boolean' ? true : 'text';
}
