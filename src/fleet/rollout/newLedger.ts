// The ledger of a rollout that begins.
import type { FleetStop, FleetWave } from '../../model/fleet.ts';
import type { Ledger, RolloutAccount } from '../../model/rollout.ts';
import { inRolloutOrder } from './order.ts';

/** The inputs of a new rollout. */
export interface NewRollout extends Pick<Ledger, 'rollout' | 'fleet' | 'plans' | 'flags'> {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly waves: readonly FleetWave[];
  readonly stop: FleetStop;
  /** The accounts that take part. */
  readonly accounts: readonly Pick<
    RolloutAccount,
    'name' | 'account' | 'server' | 'plan' | 'content_digest' | 'access'
  >[];
  /** The accounts that could not be planned. */
  readonly unplanned?: readonly string[];
  /** The wave of each account, by name. */
  readonly waveOf: ReadonlyMap<string, number>;
}

/** The ledger of a rollout in which nothing has begun. Accounts without a wave are in the first one. */
export function newLedger(rollout: NewRollout): Ledger {
  const { now, stop, accounts, unplanned = [], waveOf, waves } = rollout;
  const entries = inRolloutOrder(accounts).map(
    ({ name, account, server, plan, content_digest, access }): RolloutAccount => ({
      name,
      ...(account !== undefined && { account }),
      ...(server !== undefined && { server }),
      plan,
      content_digest,
      ...(access && { access }),
      wave: waveOf.get(name) ?? 1,
      state: 'waiting',
      turn: 0,
    }),
  );
  return {
    rollout: rollout.rollout,
    fleet: rollout.fleet,
    plans: rollout.plans,
    flags: rollout.flags,
    started_at: new Date(now).toISOString(),
    waves,
    stop: {
      failures: stop.failures,
      hazards: stop.hazards,
      access_tests: stop.accessTests,
      stale: stop.stale,
    },
    accounts: entries.toSorted((a, b) => a.wave - b.wave),
    ...(unplanned.length > 0 && { unplanned }),
    halt: { turn: 0 },
  };
}
