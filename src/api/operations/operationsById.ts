// The operations of the contract by id. The validators are not included, because they take longer
// to load than everything else here.
import { type NodeObject, readDocument } from '../../contract/document.ts';
import { type Operation, readOperations } from '../../contract/operations.ts';

/** All operations, and the document that contains their schemas. */
export interface OperationTable {
  readonly document: NodeObject;
  /** The operations by id, in the order of the document: first the operations of the specification, then the others. */
  readonly operations: ReadonlyMap<string, Operation>;
}

let table: OperationTable | undefined;

/** The operations of the shipped contract; it is read on the first call. */
export function operationTable(): OperationTable {
  if (table === undefined) {
    const document = readDocument();
    const operations = [
      ...readOperations(document),
      ...readOperations(document, 'x-netbird-paths'),
    ].map(operation => [operation.id, operation] as const);
    table = { document, operations: new Map(operations) };
  }
  return table;
}
