// The contract as one value: the table of operations with everything that can be asked of it.
import { type ContractDialect, inNetbird } from './dialects.ts';
import { type NodeObject, readDocument } from './document.ts';
import { type Operation, readOperations } from './operations.ts';
import { checkParameter, type ParameterValues } from './parameters.ts';
import { type PathTable, pathTable } from './paths.ts';
import { unknownFields } from './unknown.ts';
import { type Check, newCheck } from './validators.ts';
import type { Violation } from './violations.ts';

export interface Contract {
  /** The whole document, for those who want a schema itself. */
  readonly document: NodeObject;
  /** The operations of the specification, in its order. */
  readonly operations: readonly Operation[];
  /** Operations that servers of dialect `netbird` have besides. `match` does not know them. */
  readonly netbirdOperations: readonly Operation[];
  /** The operation of that id, whichever of the two lists it is in. Throws where there is none: ids are written by us, not by users. */
  operation(id: string): Operation;
  /** The operation that a method and a path without query lead to. */
  readonly match: PathTable<Operation>;
  /**
   * What a JSON body has against the operation, in the dialect of the specification unless another is named; nothing where the
   * operation takes no body.
   */
  checkRequest(
    operation: Operation,
    body: unknown,
    dialect?: ContractDialect,
  ): readonly Violation[];
  /** The fields of a JSON body that the operation does not read, as JSON pointers. */
  unknownFields(operation: Operation, body: unknown): readonly string[];
  /** What parameters have against the operation. A text counts as the number or flag it spells. */
  checkParameters(operation: Operation, values: ParameterValues): readonly Violation[];
  /** What an answer has against the operation. A status without an entry of its own is held against the default. */
  checkResponse(operation: Operation, status: number, body: unknown): readonly Violation[];
}

let loaded: Contract | undefined;

/** The contract. Its document is read on the first call, its schemas are compiled when they are first needed. */
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
    checkRequest: ({ request }: Operation, body: unknown, dialect: ContractDialect = 'spec') =>
      request === undefined ? [] : checks[dialect](request, body),
    unknownFields: ({ request }: Operation, body: unknown) =>
      request === undefined ? [] : unknownFields(document, request, body),
    checkParameters: ({ parameters }: Operation, values: ParameterValues) =>
      parameters.flatMap(parameter => checkParameter(check, parameter, values)),
    checkResponse: ({ replies }: Operation, status: number, body: unknown) => {
      const reply =
        replies.find(one => one.status === String(status)) ??
        replies.find(one => one.status === 'default');
      return reply?.schema === undefined ? [] : check(reply.schema, body);
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
