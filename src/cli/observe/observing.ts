// Runs `observe`: collects the traffic log into a store, reads exported logs, or deletes a machine.

import { MACHINE_KIND, machineNamed } from '../../access/state/keptAnswers.ts';
import { readAnswers } from '../../api/account/answers.ts';
import { readTransport } from '../../api/transport/transport.ts';
import { readKinds } from '../../kinds/registry.ts';
import { unprovenStore } from '../../read/observations/storeFolder.ts';
import { counted } from '../../report/text/summary.ts';
import { EXIT } from '../exitCodes.ts';
import type { AccountFlags } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import { projectOrStop } from '../project.ts';
import { withConnection } from '../server/connect.ts';
import { followTraffic } from './following.ts';
import { forgetMachines, type IdOf } from './forgetMachine.ts';
import { importLogs } from './importing.ts';
import { type ObservationResult, type ObservationSource, observeOnce } from './observeOnce.ts';
import { type OpenStore, type WrittenStoreFlags, withStore } from './openStore.ts';

/** The flags of `observe`. */
export interface ObserveFlags extends AccountFlags, WrittenStoreFlags {
  readonly follow?: boolean;
  /** In seconds. */
  readonly interval: number;
  /** How long flows are kept, in milliseconds. */
  readonly keep: number;
  readonly from?: readonly string[];
}

/** Runs the command; resolves to the exit code. */
export async function observe(flags: ObserveFlags, io: Io): Promise<number> {
  return withStore(flags, io, async store => {
    // Only an observation reads the account, and it compares the journal with the account.
    const isCompared = flags.forget === undefined && flags.from === undefined;
    if (store.writer.unproven !== null && !isCompared) throw unprovenStore();
    if (flags.forget !== undefined) {
      await forgetMachines(flags.forget, store, idIn(flags, io), io);
      return EXIT.done;
    }
    if (flags.from !== undefined) {
      await importLogs(flags.from, store, io.now() - flags.keep, io);
      return EXIT.done;
    }
    return collect(flags, store, io);
  });
}

function collect(flags: ObserveFlags, store: OpenStore, io: Io): Promise<number> {
  const { concurrency, keep, interval } = flags;
  return withConnection(flags, projectOrStop(io), io, async connection => {
    const transport = readTransport(connection);
    const observing: ObservationSource = {
      store,
      transport,
      server: connection.url,
      concurrency,
      keep,
    };
    const print = ({ records, connected }: ObservationResult) =>
      say(
        io.stderr,
        `${counted(records, 'record')} in the log, ${counted(connected, 'machine')} connected`,
      );
    if (flags.follow) return followTraffic(observing, interval, print, io);
    print(await observeOnce(observing, null, io));
    return EXIT.done;
  });
}

// Returns the id of a machine by its name. The names come from the account, because a store without
// people contains none.
const idIn =
  (flags: ObserveFlags, io: Io): IdOf =>
  name =>
    withConnection(flags, projectOrStop(io), io, async connection => {
      const kinds = new Set([MACHINE_KIND]);
      const { lists } = await readAnswers(
        readTransport(connection),
        readKinds(),
        kinds,
        flags.concurrency,
      );
      return machineNamed(lists, name);
    });
