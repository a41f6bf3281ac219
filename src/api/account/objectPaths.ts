// Builds the path of a collection, and of an object in it.
import type { Kind } from '../../kinds/kind.ts';
import { ApiError, present } from '../../model/errors.ts';
import type { RemoteId } from '../../model/names.ts';
import { pathValueFault } from '../transport/requestPath.ts';

/** The path at which objects of a kind are listed and created. */
export function collectionPath(kind: Kind, parentId?: RemoteId): string {
  return kind.path.replaceAll(/\{[^}]+\}/g, () =>
    segment(kind, present(parentId, `the id of the parent of a ${kind.name}`)),
  );
}

/** The path and query that list the objects of a kind. */
export function listPath(kind: Kind, parentId?: RemoteId): string {
  const path = collectionPath(kind, parentId);
  return kind.where?.query ? `${path}?${kind.where.query}=${kind.where.equals}` : path;
}

/** The path of one object; a singleton has the path of its collection. */
export function itemPath(kind: Kind, id: RemoteId, parentId?: RemoteId): string {
  const collection = collectionPath(kind, parentId);
  return kind.cardinality === 'singleton' ? collection : `${collection}/${segment(kind, id)}`;
}

// An id as a segment of a path. Ids also come from saved plans, so an id may contain an unpaired
// surrogate. A URL cannot contain one, so such an id is replaced by an id that the server does not
// have.
function segment(kind: Kind, id: RemoteId): string {
  const fault = pathValueFault(id);
  if (fault !== null) throw neverSent(kind, `the id of a ${kind.noun} ${fault}`);
  return encodeURIComponent(id.toWellFormed());
}

function neverSent({ path }: Kind, message: string): ApiError {
  return new ApiError({
    code: 'API_INVALID',
    request: { method: '', path },
    message,
    retryable: false,
    mayHaveHappened: false,
  });
}
