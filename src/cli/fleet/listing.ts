// `fleet list`: shows the accounts with their layers and waves.

import { SIGNING_KEY } from '../../apply/signing/signer.ts';
import { assignWaves } from '../../fleet/rollout/waves.ts';
import { readKinds } from '../../kinds/registry.ts';
import type { Ledger } from '../../model/rollout.ts';
import { quoted } from '../../model/text/visible.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { fleetListJson, fleetListText } from '../../report/fleet/fleetList.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import type { FleetAccountsFlags, FleetServerFlags } from '../flags/fleetFlags.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { type OpenFleet, openFleet } from './fleetFiles.ts';
import { withRollouts } from './rollouts.ts';

/** The flags of `fleet list`. */
export interface ListFlags extends FleetAccountsFlags, FleetServerFlags {
  readonly format: 'text' | 'json';
}

/** Prints the accounts; resolves to the exit code. */
export async function listFleet(path: string, flags: ListFlags, io: Io): Promise<number> {
  const opened = await openFleet(path, { kinds: readKinds(), flags }, io);
  const { accounts, fleet } = opened;
  const open = await openLedger(opened, io);
  const { waveOf, leftOver, matchless, empty } = assignWaves(
    accounts.filter(({ fault }) => fault === undefined),
    fleet.waves,
  );
  const listed = accounts.map(account => ({ account, wave: waveOf.get(account.name) }));
  io.stdout.write(
    flags.format === 'json'
      ? fleetListJson(listed, open)
      : fleetListText(listed, styleFor(io.stdout, io), open),
  );
  for (const wave of matchless) say(io.stderr, `warning: no account matches wave ${wave}`);
  if (!flags.account)
    for (const wave of empty)
      say(
        io.stderr,
        `warning: no account is in wave ${wave}: earlier waves already take that many accounts`,
      );
  const [first] = leftOver;
  if (first === undefined || flags.account) return EXIT.done;
  say(io.stderr, `no wave takes ${leftOver.length} accounts, such as ${quoted(first)}`);
  say(io.stderr, '  hint: end `waves` with { share: 100% }');
  return EXIT.invalid;
}

// The ledger of the open rollout; null if it cannot be read, because a list needs neither a key nor
// a remote. Without the ledger, new and removed accounts of an open rollout are not shown.
async function openLedger(fleet: OpenFleet, io: Io): Promise<Ledger | undefined> {
  if (!io.env[SIGNING_KEY] || repositoryOf(folderOf(fleet.file)) === null) return undefined;
  try {
    return (await withRollouts(fleet, {}, io, ({ open }) => open()))?.ledger;
  } catch (error) {
    if (error instanceof Stop && error.code === EXIT.usage) return undefined;
    throw error;
  }
}
