// `fleet list`: who takes part, with which layers, and in which wave.
import { assignWaves } from '../../fleet/rollout/waves.ts';
import { readKinds } from '../../kinds/registry.ts';
import { quoted } from '../../model/text/visible.ts';
import { fleetListJson, fleetListText } from '../../report/fleet/list.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import type { FleetAccountsFlags, FleetServerFlags } from '../flags/fleetFlags.ts';
import { type Io, say } from '../io.ts';
import { openFleet } from './fleetFiles.ts';

/** The flags of `fleet list`. */
export interface ListFlags extends FleetAccountsFlags, FleetServerFlags {
  readonly format: 'text' | 'json';
}

/** Prints the accounts; resolves to the exit code. */
export async function listFleet(path: string, flags: ListFlags, io: Io): Promise<number> {
  const { accounts, fleet } = await openFleet(path, { kinds: readKinds(), flags }, io);
  const { waveOf, leftOver, matchless } = assignWaves(accounts, fleet.waves);
  const listed = accounts.map(account => ({ account, wave: waveOf.get(account.name) }));
  io.stdout.write(
    flags.format === 'json'
      ? fleetListJson(listed)
      : fleetListText(listed, styleFor(io.stdout, io)),
  );
  for (const wave of matchless) say(io.stderr, `warning: no account matches wave ${wave}`);
  const [first] = leftOver;
  if (first === undefined || flags.account) return EXIT.done;
  say(io.stderr, `no wave takes ${leftOver.length} accounts, such as ${quoted(first)}`);
  say(io.stderr, '  hint: end `waves` with { share: 100% }');
  return EXIT.invalid;
}
