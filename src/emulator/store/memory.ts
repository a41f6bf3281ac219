// A store that exists only in memory.
import { newSpace } from './space.ts';
import type { Store } from './store.ts';

/** An empty store in memory. */
export function memoryStore(): Store {
  const space = newSpace([]);
  return {
    transaction: work => space.transaction(work, () => {}),
    close: () => {},
  };
}
