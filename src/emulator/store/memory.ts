// A store that exists only in memory.
import type { Store } from './store.ts';
import { newTransactionalRows } from './transactionalRows.ts';

/** An empty store in memory. */
export function memoryStore(): Store {
  const rows = newTransactionalRows([]);
  return {
    transaction: work => rows.transaction(work, () => {}),
    close: () => {},
  };
}
