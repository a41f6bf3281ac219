// Reads the observed traffic that a command uses.
import { resolve } from 'node:path';
import { LONGEST_KEPT } from '../../api/events/trafficLog.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { readObserved } from '../../read/observations/readObserved.ts';
import type { Observed } from '../../usage/observed.ts';
import { EXIT } from '../exitCodes.ts';
import type { StoreFlags } from '../flags/storeFlags.ts';
import { type Io, say } from '../io.ts';
import { storeStop } from '../observe/storeStop.ts';
import { Stop } from '../stop.ts';

/**
 * The age of the last observation from which a store may lack records that the server no longer
 * has.
 */
const LATE = LONGEST_KEPT;

const dateText = (time: number): string => new Date(time).toISOString().slice(0, 10);

/**
 * The traffic in a store; undefined without `--store`. A missing or damaged store, or a store
 * without reports, ends the command.
 */
export async function observedFrom(
  { store, since }: StoreFlags,
  io: Pick<Io, 'cwd' | 'now' | 'stderr'>,
): Promise<Observed | undefined> {
  if (store === undefined) {
    if (since === undefined) return undefined;
    throw new Stop(EXIT.usage, '--since has no effect without --store', 'add --store DIR');
  }
  const to = io.now();
  const asked = { from: 0, to, ...(since !== undefined && { since }) };
  const { observed, writable } = await readObserved(resolve(io.cwd, store), asked).catch(
    (error: unknown) => {
      throw storeStop(error, store) ?? error;
    },
  );
  const [open] = writable;
  if (open !== undefined)
    say(
      io.stderr,
      `every user of this machine can change ${open === '.' ? 'the folder' : `the file ${quoted(open)}`} of the store ${quoted(store)}, and so what seems unused: run \`chmod -R go= ${shellWord(store)}\``,
    );
  if (observed.machines.values().some(({ reported }) => reported.size > 0)) {
    const last = observed.window.to;
    if (to - last > LATE)
      say(
        io.stderr,
        `the last observation in the store ${quoted(store)} was on ${dateText(last)}: what was used since then is not known`,
      );
    return observed;
  }
  throw new Stop(
    EXIT.environment,
    `no machine reported any traffic in the window of the store ${quoted(store)}`,
    'switch on the traffic log of the account, and collect it with `meshform observe`',
  );
}
