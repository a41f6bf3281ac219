// The schemas of the request and the response of an operation.
import { type DocumentNode, type NodeObject, nodeAt } from '../../contract/document.ts';
import type { Operation, Reply } from '../../contract/index.ts';

/** The schema of the request body; undefined if the operation has no request body. */
export function requestSchema(
  document: NodeObject,
  { request }: Pick<Operation, 'request'>,
): DocumentNode | undefined {
  return request === undefined ? undefined : nodeAt(document, request);
}

/** The successful response. Every success is a 200. */
export function success({ replies }: Pick<Operation, 'replies'>): Reply | undefined {
  return replies.find(({ status }) => status === '200');
}

/** The schema of the response body; undefined if the response has no body. */
export function answerSchema(
  document: NodeObject,
  operation: Pick<Operation, 'replies'>,
): DocumentNode | undefined {
  const schema = success(operation)?.schema;
  return schema === undefined ? undefined : nodeAt(document, schema);
}
