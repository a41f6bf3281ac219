// An account of which nothing has been read yet.

import type { ReadTransport } from '../api/transport/transport.ts';
import type { KindTable } from '../kinds/kind.ts';

/** An account that can be read. */
export interface UnreadAccount {
  /** The kinds of its objects. */
  readonly kinds: KindTable;
  readonly transport: ReadTransport;
}
