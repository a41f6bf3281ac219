// Kinds whose object every account has.
import type { Kind } from '../kind.ts';

/**
 * Whether every account has the object of a kind, as it has settings. Nobody can delete such an object, so removing it from the
 * files means only that the files no longer manage it.
 */
export const isKeptByAccount = (kind: Kind | undefined): boolean =>
  kind !== undefined && kind.cardinality !== 'collection' && !kind.verbs.has('delete');
