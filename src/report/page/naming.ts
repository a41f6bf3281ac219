// How the drawings of a page show names.
import type { Readable } from '../access/readableNames.ts';
import type { Signs } from '../graph/signs.ts';

/**
 * How drawings show names. Tables use selectors, because a selector can be copied into a command.
 */
export interface Naming {
  /** Writes names as people write them. */
  readonly readable: Readable;
  readonly signs: Signs;
}
