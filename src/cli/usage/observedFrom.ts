// Reads the observed traffic that a command uses.
import { resolve } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { readObserved } from '../../read/observations/readObserved.ts';
import type { Observed } from '../../usage/observed.ts';
import { EXIT } from '../exitCodes.ts';
import type { StoreFlags } from '../flags/storeFlags.ts';
import type { Io } from '../io.ts';
import { storeStop } from '../observe/storeStop.ts';
import { Stop } from '../stop.ts';

/**
 * The traffic in a store; undefined without `--store`. A missing or damaged store, or a store without any report, ends the
 * command.
 */
export async function observedFrom(
  { store, since }: StoreFlags,
  { cwd, now }: Pick<Io, 'cwd' | 'now'>,
): Promise<Observed | undefined> {
  if (store === undefined) {
    if (since === undefined) return undefined;
    throw new Stop(EXIT.usage, '--since has no effect without --store', 'add --store DIR');
  }
  const to = now();
  const from = since === undefined ? 0 : to - since;
  const { observed } = await readObserved(resolve(cwd, store), { from, to }).catch(
    (error: unknown) => {
      throw storeStop(error, store) ?? error;
    },
  );
  if (observed.machines.values().some(({ reported }) => reported.size > 0)) return observed;
  throw new Stop(
    EXIT.environment,
    `no machine reported any traffic in the window of the store ${quoted(store)}`,
    'switch on the traffic log of the account, and collect it with `meshform observe`',
  );
}
