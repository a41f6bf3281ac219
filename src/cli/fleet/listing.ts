// `fleet list`: who takes part, with which layers, and in which wave.
import { assignWaves } from '../../fleet/rollout/waves.ts';
import { readKinds } from '../../kinds/registry.ts';
import { EXIT } from '../exitCodes.ts';
import type { AccountFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { openFleet } from './fleetFiles.ts';

/** The flags of `fleet list`. */
export interface ListFlags extends AccountFlags {
  readonly account?: readonly string[];
  readonly format: 'text' | 'json';
}

/** Prints the accounts; resolves to the exit code. */
export async function listFleet(path: string, flags: ListFlags, io: Io): Promise<number> {
  const fleet = await openFleet(path, { kinds: readKinds(), flags }, io);
  const waves = assignWaves(fleet.accounts, fleet.fleet.waves);
  io.stdout.write(JSON.stringify(waves));
  return EXIT.done;
}
