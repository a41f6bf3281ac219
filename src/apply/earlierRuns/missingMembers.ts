// Finds the members that an unfinished run removed from a set and that nobody has added again. Changes nothing in the account.
import { accountPort } from '../../api/account/port.ts';
import { type TransportOptions, writeTransport } from '../../api/transport/transport.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { kindsIn } from '../../kinds/schema/table.ts';
import type { EarlierOutcome } from '../../model/outcome.ts';
import type { AccountPort } from '../port.ts';
import { newOwnWrites } from '../run/concurrent/ownWrites.ts';
import { restoreUnfinished, type UnfinishedRun } from '../run/concurrent/unfinishedRuns.ts';
import { Refused } from '../run/refused.ts';
import { runNames } from '../run/turns/runNames.ts';

/**
 * The sets that lack members which the run removed, with the names of these members, and the sets
 * for which this cannot be determined.
 */
export async function missingMembers(
  run: UnfinishedRun,
  { kinds, connection }: { readonly kinds: KindTable; readonly connection: TransportOptions },
): Promise<readonly EarlierOutcome[]> {
  const served = kindsIn(kinds, run.plan.dialect);
  const port: AccountPort = {
    ...accountPort(writeTransport(connection), served),
    update: () => Promise.reject(notSent()),
  };
  const found = await restoreUnfinished([run], {
    kinds: served,
    port,
    ownWrites: newOwnWrites(undefined, { kinds: served, now: () => 0 }),
    plan: run.plan,
    names: runNames(run.plan),
    position: undefined,
  });
  return found.filter(({ outcome }) => outcome.status !== 'done');
}

const notSent = (): Refused =>
  new Refused({ code: 'MEMBERS_NOT_KEPT', message: 'nothing is sent to the account' });
