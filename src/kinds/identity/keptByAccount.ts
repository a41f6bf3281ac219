// Kinds whose object every account has.
import type { Kind } from '../kind.ts';

/**
 * Whether every account has the object of a kind, as it has settings: nobody can delete it, so that whoever removes it from the files means
 * to manage it no longer.
 */
export const isKeptByAccount = (kind: Kind | undefined): boolean =>
  kind !== undefined && kind.cardinality !== 'collection' && !kind.verbs.has('delete');
