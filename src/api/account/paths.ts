// The path of a collection, or of an object in it.
import type { Kind } from '../../kinds/kind.ts';
import { present } from '../../model/errors.ts';
import type { RemoteId } from '../../model/names.ts';

/** The path at which objects of a kind are listed and created. */
export function collectionPath(kind: Kind, parentId?: RemoteId): string {
  return kind.path.replaceAll(/\{[^}]+\}/g, () =>
    segment(present(parentId, `the id of the parent of a ${kind.name}`)),
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
  return kind.cardinality === 'singleton' ? collection : `${collection}/${segment(id)}`;
}

// An unpaired surrogate cannot be in a URL: for an id that contains one, the request has an id that the server does not
// have.
const segment = (id: RemoteId): string => encodeURIComponent(id.toWellFormed());
