// The traffic in use, with which a plan is compared.
import type { UsedTraffic } from '../../access/gates/usedFindings.ts';
import { repeatedFlows } from '../../usage/attribution/flowCount.ts';
import { unexplainedAmong } from '../../usage/attribution/unexplained.ts';
import { usedDaysAmong } from '../../usage/attribution/usedDays.ts';
import { accountOf, type Observed } from '../../usage/observed.ts';
import type { StoreFlags } from '../flags/storeFlags.ts';
import type { Io } from '../io.ts';
import { observedFrom } from './observedFrom.ts';

/** The flows in a store that were in use; undefined without `--store`. */
export async function usedTraffic(flags: StoreFlags, io: Io): Promise<UsedTraffic | undefined> {
  const observed = await observedFrom(flags, io);
  return observed && usedIn(observed);
}

/** The flows that were in use. */
export function usedIn(observed: Observed): UsedTraffic {
  const { flows, window } = observed;
  const since = new Date(window.from).toISOString().slice(0, 10);
  const account = accountOf(observed);
  return {
    flows: repeatedFlows(flows, usedDaysAmong(flows)),
    since,
    unexplainedAmong: texts => unexplainedAmong(observed, texts),
    ...(account !== undefined && { account }),
  };
}
