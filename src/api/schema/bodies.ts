// The schemas of the request and the response of an operation.
import { type NodeObject, type Place, placeAt } from '../../contract/document.ts';
import type { Operation, Reply } from '../../contract/index.ts';

/** The schema of the request body; undefined if the operation takes none. */
export function requestSchema(
  document: NodeObject,
  { request }: Pick<Operation, 'request'>,
): Place | undefined {
  return request === undefined ? undefined : placeAt(document, request);
}

/** The successful response. Every success is a 200. */
export function success({ replies }: Pick<Operation, 'replies'>): Reply | undefined {
  return replies.find(({ status }) => status === '200');
}

/** The schema of the response body; undefined if it has none. */
export function answerSchema(
  document: NodeObject,
  operation: Pick<Operation, 'replies'>,
): Place | undefined {
  const schema = success(operation)?.schema;
  return schema === undefined ? undefined : placeAt(document, schema);
}
