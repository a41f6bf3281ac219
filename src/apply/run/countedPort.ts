// An account whose writes are counted. The count limits the age of lists, and the run needs it to
// report whether it wrote anything.
import type { KindTable } from '../../kinds/kind.ts';
import { ApiError } from '../../model/errors.ts';
import type { AccountPort } from '../port.ts';
import type { RecentLists } from './turns/recentLists.ts';

/** Returns the same account, and the number of writes that changed it or may have changed it. */
export function countedPort(
  port: AccountPort,
  { lists, kinds }: { readonly lists: RecentLists; readonly kinds: KindTable },
): { readonly port: AccountPort; readonly written: () => number } {
  let written = 0;
  const counted = async <T>(send: () => Promise<T>): Promise<T> => {
    lists.wrote();
    try {
      const answer = await send();
      written += 1;
      return answer;
    } catch (error) {
      if (error instanceof ApiError && error.details.mayHaveHappened) written += 1;
      throw error;
    }
  };
  return {
    written: () => written,
    port: {
      ...port,
      create: (kind, ...rest) =>
        counted(async () => {
          const created = await port.create(kind, ...rest);
          lists.created(kinds.values(), kind, created.id);
          return created;
        }),
      update: (...call) => counted(() => port.update(...call)),
      renew: (...call) => counted(() => port.renew(...call)),
      delete: (kind, at) =>
        counted(async () => {
          await port.delete(kind, at);
          lists.deleted(kind, at.id);
        }),
    },
  };
}
