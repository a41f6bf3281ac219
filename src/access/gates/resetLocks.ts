// Access that a plan opens by sending a new secret for a lock. The account does not show secrets,
// so the lock looks the same in both states. People who know only the new secret are in neither
// state.
import type { KindTable } from '../../kinds/kind.ts';
import type { ShownChange } from '../../model/change.ts';
import { reachesOf } from '../flows/reaches.ts';
import { type SentSecrets, sentLocks } from '../plan/sentSecrets.ts';
import { rowPool } from '../sets/rowPool.ts';
import type { AccessState } from '../state/accessState.ts';
import { SERVICE } from '../state/services.ts';
import { worldsOf } from '../world/world.ts';
import type { States } from './movedAccess.ts';
import { isOfService } from './servedTargets.ts';

/** Access that people gain who know only the new secrets of a service. */
export interface ResetLocks {
  /** The change that sends the secrets. */
  readonly cause: string;
  readonly detail: string;
  /** The account after the plan: without the access that these locks open, and with it. */
  readonly states: States;
}

/** The services whose locks may open with a different secret after a plan. */
export function resetLocks(
  kinds: KindTable,
  changes: readonly ShownChange[],
  sent: SentSecrets,
  after: AccessState,
): readonly ResetLocks[] {
  return changes
    .filter(({ kind }) => kind === SERVICE)
    .flatMap((change): ResetLocks[] => {
      const kind = kinds.get(change.kind);
      const found = kind ? sentLocks(kind, change, sent.get(change.address) ?? []) : [];
      if (found.length === 0) return [];
      const locks = new Set(found.map(({ lock }) => lock));
      const isOwn = isOfService(change);
      const internetPorts = after.internetPorts.filter(
        port => !(isOwn(port) && port.lock !== undefined && locks.has(port.lock.at)),
      );
      const pool = rowPool();
      const [without, whole] = worldsOf([{ ...after, internetPorts }, after]).map(world =>
        reachesOf(world, pool),
      );
      if (without === undefined || whole === undefined) return [];
      const paths = found.map(({ path }) => path.join('.')).join(', ');
      const detail = `the secret in ${paths} is sent, and may differ from the current one`;
      return [{ cause: change.address, detail, states: { before: without, after: whole } }];
    });
}
