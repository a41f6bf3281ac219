// Kinds of which every account has an object.
import type { Kind } from '../kind.ts';

/**
 * Whether every account has an object of this kind, such as settings. Nobody can delete such an object. If files no longer
 * declare it, they only stop managing it.
 */
export const isKeptByAccount = (kind: Kind | undefined): boolean =>
  kind !== undefined && kind.cardinality !== 'collection' && !kind.verbs.has('delete');
