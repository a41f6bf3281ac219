// Which runs of a rollout are alive, as seen by one run. A run is dead if its lease was not renewed
// for the full duration of the lease.
import { isInShard } from '../../fleet/rollout/order.ts';
import type { RolloutAccount } from '../../model/rollout.ts';
import { elapsedSince, type LeaseClocks, type Moment, momentNow } from '../lock/lease.ts';
import { patienceWith } from '../lockRecord.ts';
import type { Runner } from './readRollout.ts';

/** The runs whose leases were seen. */
export class RunnersAlive {
  readonly #clocks: LeaseClocks;
  #seen: ReadonlyMap<string, { readonly runner: Runner; readonly since: Moment }> = new Map();

  constructor(clocks: LeaseClocks) {
    this.#clocks = clocks;
  }

  /** The leases at the remote now. */
  see(runners: readonly Runner[]): void {
    const now = momentNow(this.#clocks);
    this.#seen = new Map(
      runners.map(runner => {
        const before = this.#seen.get(runner.ref);
        const isSame = before?.runner.commit === runner.commit;
        return [runner.ref, { runner, since: isSame ? before.since : now }];
      }),
    );
  }

  /**
   * Whether a live run carries out an account, or will carry it out if the account is not running
   * yet.
   */
  hasRunner({ name, state, runner }: RolloutAccount): boolean {
    const alive = [...this.#seen.values()].filter(
      seen => elapsedSince(seen.since, this.#clocks) < patienceWith(seen.runner.record),
    );
    return alive.some(({ runner: { record, shard } }) =>
      state === 'running' ? record?.id === runner : !shard || isInShard(name, shard),
    );
  }
}
