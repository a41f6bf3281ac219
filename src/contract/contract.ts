// The contract as a value: the table of operations, with the checks and lookups on it.
import { type Dialect, inNetbird } from './dialects.ts';
import { type NodeObject, readDocument } from './document.ts';
import { type Operation, readOperations } from './operations.ts';
import { checkParameter, type ParameterValues } from './parameters.ts';
import { type PathTable, pathTable } from './paths.ts';
import { unknownFields } from './unknown.ts';
import { type Check, newCheck } from './validators.ts';
import type { Violation } from './violations.ts';

export interface Contract {
  /** The whole document, for callers that need a schema itself. */
  readonly document: NodeObject;
  /** The operations of the specification, in its order. */
  readonly operations: readonly Operation[];
  /** Additional operations of servers of dialect `netbird`. `match` does not find them. */
  readonly netbirdOperations: readonly Operation[];
  /** The operation with that id, from either list. Throws if there is none, because ids are written in code, not by users. */
  operation(id: string): Operation;
  /** The operation for a method and a path without query. */
  readonly match: PathTable<Operation>;
  /**
   * The violations of a JSON body, in the dialect of the specification unless another is named; empty if the operation takes no
   * body.
   */
  checkRequest(operation: Operation, body: unknown, dialect?: Dialect): readonly Violation[];
  /** The fields of a JSON body that the operation ignores, as JSON pointers. */
  unknownFields(operation: Operation, body: unknown): readonly string[];
  /** The violations of parameters. A text counts as the number or boolean that it spells. */
  checkParameters(operation: Operation, values: ParameterValues): readonly Violation[];
  /**
   * The violations of a response, in the dialect of the specification unless another is named. A status without an entry is
   * checked against the default entry.
   */
  checkResponse(
    operation: Operation,
    status: number,
    body: unknown,
    dialect?: Dialect,
  ): readonly Violation[];
}

let loaded: Contract | undefined;

/** The contract. Its document is read on the first call. A schema is compiled when it is first needed. */
export function loadContract(): Contract {
  loaded ??= newContract(readDocument());
  return loaded;
}

function newContract(document: NodeObject): Contract {
  const operations = readOperations(document, 'paths');
  const netbirdOperations = readOperations(document, 'x-netbird-paths');
  const byId = new Map(
    [...operations, ...netbirdOperations].map(operation => [operation.id, operation]),
  );
  const check = lateCheck(() => document);
  const checks = { spec: check, netbird: lateCheck(() => inNetbird(document)) };
  return Object.freeze({
    document,
    operations,
    netbirdOperations,
    operation: (id: string) => {
      const operation = byId.get(id);
      if (operation === undefined) throw new Error(`the contract has no operation ${id}`);
      return operation;
    },
    match: pathTable(operations.map(value => ({ method: value.method, path: value.path, value }))),
    checkRequest: ({ request }: Operation, body: unknown, dialect: Dialect = 'spec') =>
      request === undefined ? [] : checks[dialect](request, body),
    unknownFields: ({ request }: Operation, body: unknown) =>
      request === undefined ? [] : unknownFields(document, request, body),
    checkParameters: ({ parameters }: Operation, values: ParameterValues) =>
      parameters.flatMap(parameter => checkParameter(check, parameter, values)),
    checkResponse: (
      { replies }: Operation,
      status: number,
      body: unknown,
      dialect: Dialect = 'spec',
    ) => {
      const reply =
        replies.find(one => one.status === String(status)) ??
        replies.find(one => one.status === 'default');
      return reply?.schema === undefined ? [] : checks[dialect](reply.schema, body);
    },
  });
}

function lateCheck(documentOf: () => NodeObject): Check {
  let made: Check | undefined;
  return (schema, value) => {
    made ??= newCheck(documentOf());
    return made(schema, value);
  };
}
