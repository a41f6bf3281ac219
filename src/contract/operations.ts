// The operations of the document as a frozen table. It contains the position of each schema; validators are in other files.
import {
  child,
  children,
  type DocumentNode,
  flagAt,
  isNodeObject,
  type NodeObject,
  textAt,
} from './document.ts';
import { markedLists } from './ordered.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

type Method = (typeof METHODS)[number];

/** A value in the path or query of a request. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  /** The type of the value that the parameter's text represents: `string`, `integer`, `boolean`. */
  readonly type: string;
  /** JSON pointer of its schema in the document. */
  readonly schema: string;
}

/** A documented response. `status` is a code, or `default` for any other. */
export interface Reply {
  readonly status: string;
  readonly description: string;
  /** JSON pointer of the schema of its JSON body; absent if it has no body. */
  readonly schema?: string;
  /** JSON pointers of the lists whose order is significant, with `*` for any member of a list. */
  readonly ordered: readonly string[];
  /** JSON pointers of the lists that the server returns in the order in which they were written. */
  readonly keptOrder: readonly string[];
}

/** The editions of the server, the hosted service first. */
const EDITIONS = ['cloud', 'self-hosted'] as const;

export type Edition = (typeof EDITIONS)[number];

/** A method on a path. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** The path with its placeholders, such as `/api/groups/{groupId}`. */
  readonly path: string;
  /** The path on servers of dialect `netbird`, if it differs. */
  readonly netbirdPath?: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** JSON pointer of the schema of the JSON body; absent if the operation takes none. */
  readonly request?: string;
  /** Whether the body is required. */
  readonly requestRequired: boolean;
  readonly replies: readonly Reply[];
  /** Whether it needs no credentials. */
  readonly public: boolean;
  /** Whether the specification limits it to the hosted service. */
  readonly cloudOnly: boolean;
  /** The editions of the server that offer it. */
  readonly editions: readonly Edition[];
  /** Whether it needs the embedded identity provider. */
  readonly embeddedIdp: boolean;
  /** Whether the operation is not in the specification, and only servers of dialect `netbird` have it. */
  readonly isOutside: boolean;
  /** Whether the specification lists the operation without describing it. */
  readonly notShown: boolean;
}

/** The section of the document with the paths of the specification, or the section with the paths of dialect `netbird` only. */
export type Section = 'paths' | 'x-netbird-paths';

/** The operations of a section, in the order of the document. Throws if an id is missing or repeated. */
export function readOperations(
  document: NodeObject,
  section: Section = 'paths',
): readonly Operation[] {
  const paths = child(document, { pointer: '', node: document }, section);
  if (paths === undefined) throw new Error(`openapi.json has no ${section}`);
  const readReply = replyReader(document);
  const operations = children(document, paths).flatMap(([path, item]) =>
    METHODS.flatMap(method => {
      const node = child(document, item, method.toLowerCase());
      if (node === undefined) return [];
      const isOutside = section !== 'paths';
      return [readOperation(document, { path, item, method, node, isOutside }, readReply)];
    }),
  );
  const ids = new Set<string>();
  for (const { id, method, path } of operations) {
    if (id === '' || ids.has(id)) throw new Error(`openapi.json: ${method} ${path} needs an id`);
    ids.add(id);
  }
  return Object.freeze(operations);
}

interface Found {
  readonly path: string;
  readonly item: DocumentNode;
  readonly method: Method;
  readonly node: DocumentNode;
  readonly isOutside: boolean;
}

type ReadReply = (reply: DocumentNode) => Omit<Reply, 'status'>;

function readOperation(
  document: NodeObject,
  { path, item, method, node, isOutside }: Found,
  readReply: ReadReply,
): Operation {
  const body = child(document, node, 'requestBody');
  const request = body && jsonSchema(document, body)?.pointer;
  const security = isNodeObject(node.node) ? node.node.security : undefined;
  const netbirdPath = textAt(item, 'x-netbird-path');
  return Object.freeze({
    id: textAt(node, 'operationId'),
    method,
    path,
    ...(netbirdPath === '' ? {} : { netbirdPath }),
    tag: textAt(child(document, node, 'tags') ?? node, '0'),
    summary: textAt(node, 'summary'),
    description: textAt(node, 'description'),
    parameters: Object.freeze([
      ...readParameters(document, item),
      ...readParameters(document, node),
    ]),
    ...(request === undefined ? {} : { request }),
    requestRequired: body !== undefined && flagAt(body, 'required'),
    replies: Object.freeze(readReplies(document, node, readReply)),
    public: Array.isArray(security) && security.length === 0,
    cloudOnly: flagAt(node, 'x-cloud-only'),
    editions: readEditions(document, item),
    embeddedIdp: flagAt(node, 'x-embedded-idp'),
    isOutside,
    notShown: flagAt(node, 'x-not-shown'),
  });
}

function readEditions(document: NodeObject, item: DocumentNode): readonly Edition[] {
  const named = child(document, item, 'x-editions');
  if (named === undefined) return EDITIONS;
  const names = children(document, named).map(([, { node }]) => node);
  return Object.freeze(EDITIONS.filter(edition => names.includes(edition)));
}

function readParameters(document: NodeObject, node: DocumentNode): readonly Parameter[] {
  const list = child(document, node, 'parameters');
  if (list === undefined) return [];
  return children(document, list).map(([, parameter]) => {
    const schema = child(document, parameter, 'schema');
    if (schema === undefined) throw new Error(`openapi.json: no schema at ${parameter.pointer}`);
    return Object.freeze({
      name: textAt(parameter, 'name'),
      in: textAt(parameter, 'in') === 'path' ? 'path' : 'query',
      required: flagAt(parameter, 'required'),
      description: textAt(parameter, 'description'),
      type: textAt(schema, 'type'),
      schema: schema.pointer,
    });
  });
}

function readReplies(
  document: NodeObject,
  node: DocumentNode,
  readReply: ReadReply,
): readonly Reply[] {
  const replies = child(document, node, 'responses');
  if (replies === undefined) throw new Error(`openapi.json: no responses at ${node.pointer}`);
  return children(document, replies).map(([status, reply]) =>
    Object.freeze({ status, ...readReply(reply) }),
  );
}

/** Returns a function that reads each response only once, because most operations share most of their responses. */
function replyReader(document: NodeObject): ReadReply {
  const known = new Map<string, Omit<Reply, 'status'>>();
  return reply => {
    const before = known.get(reply.pointer);
    if (before !== undefined) return before;
    const schema = jsonSchema(document, reply);
    const read = {
      description: textAt(reply, 'description'),
      ...(schema === undefined ? {} : { schema: schema.pointer }),
      ordered: Object.freeze(
        schema === undefined ? [] : markedLists(document, schema, 'x-ordered'),
      ),
      keptOrder: Object.freeze(
        schema === undefined ? [] : markedLists(document, schema, 'x-kept-order'),
      ),
    };
    known.set(reply.pointer, read);
    return read;
  };
}

function jsonSchema(document: NodeObject, node: DocumentNode): DocumentNode | undefined {
  let found: DocumentNode | undefined = node;
  for (const name of ['content', 'application/json', 'schema'])
    found = found && child(document, found, name);
  return found;
}
