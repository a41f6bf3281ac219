// Caches lists for the checks before creates. A cached list is used for at most 10 seconds and 100
// own writes. A new list for each create would double the requests of an apply, and an older list
// would miss changes by others.
import type { ListedObject } from '../../../api/account/objectClient.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { RemoteId } from '../../../model/names.ts';
import type { AccountPort } from '../../port.ts';

const OLDEST_MS = 10_000;
const MOST_WRITES = 100;

/** When a list was read: the time, and the number of own writes before it. */
interface Moment {
  readonly at: number;
  readonly writes: number;
}

interface SeenList extends Moment {
  readonly objects: Promise<readonly ListedObject[]>;
}

/** The lists of one run. */
export class RecentLists {
  readonly #port: Pick<AccountPort, 'list'>;
  readonly #now: () => number;
  readonly #lists = new Map<string, SeenList>();
  readonly #deleted = new Set<string>();
  readonly #plan: Moment | undefined;
  #writes = 0;

  /**
   * `planReadAt`: the time at which this process read the account for the plan, in milliseconds;
   * undefined for a saved plan.
   */
  constructor(port: Pick<AccountPort, 'list'>, now: () => number, planReadAt?: number) {
    this.#port = port;
    this.#now = now;
    this.#plan = planReadAt === undefined ? undefined : { at: planReadAt, writes: 0 };
  }

  /**
   * Whether the account that the plan was made for is recent enough, so that no other read is
   * needed.
   */
  get isPlanRecent(): boolean {
    return this.#plan !== undefined && this.#isRecent(this.#plan);
  }

  /** Whether the list is available without a request. */
  isAtHand(kind: Kind, parentId?: RemoteId): boolean {
    const seen = this.#lists.get(keyOf(kind, parentId));
    return seen !== undefined && this.#isRecent(seen);
  }

  /** The objects of a kind in one parent, read again if the last read is too old. */
  async list(kind: Kind, parentId?: RemoteId): Promise<readonly ListedObject[]> {
    const listed = await this.#listed(kind, parentId);
    return listed.filter(({ id }) => !this.#deleted.has(`${kind.name} ${id}`));
  }

  #listed(kind: Kind, parentId: RemoteId | undefined): Promise<readonly ListedObject[]> {
    const key = keyOf(kind, parentId);
    const seen = this.#lists.get(key);
    if (seen && this.#isRecent(seen)) return seen.objects;
    const objects = this.#port.list(kind, parentId);
    this.#lists.set(key, { ...this.#moment(), objects });
    // A failed read is not cached, so the next caller reads again.
    objects.catch(() => this.#lists.delete(key));
    return objects;
  }

  /** Records that this run has just created an object, which has no children yet. */
  created(kinds: Iterable<Kind>, parent: Kind, id: RemoteId): void {
    for (const kind of kinds) {
      if (kind.parent === parent.name)
        this.#lists.set(keyOf(kind, id), { ...this.#moment(), objects: Promise.resolve([]) });
    }
  }

  /** Records that this run has just deleted an object that an earlier list still contains. */
  deleted({ name }: Kind, id: RemoteId): void {
    this.#deleted.add(`${name} ${id}`);
  }

  /** Counts a write of this run. */
  wrote(): void {
    this.#writes += 1;
  }

  #moment(): Moment {
    return { at: this.#now(), writes: this.#writes };
  }

  #isRecent({ at, writes }: Moment): boolean {
    return this.#now() - at <= OLDEST_MS && this.#writes - writes <= MOST_WRITES;
  }
}

const keyOf = ({ name }: Kind, parentId: RemoteId | undefined): string => `${name} ${parentId}`;
