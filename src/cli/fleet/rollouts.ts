// The rollouts of a fleet at the Git remote of its checkout.
import { randomUUID } from 'node:crypto';
import { type HeldRollout, holdRollout } from '../../apply/fleet/holdRollout.ts';
import {
  allLedgers,
  isLost,
  openRollout,
  othersOpen,
  readRollout,
  removeOpenRef,
  rolloutWith,
  type SeenRollout,
} from '../../apply/fleet/readRollout.ts';
import type { NotHeld } from '../../apply/fleet/rolloutLease.ts';
import { gitRolloutRemote } from '../../apply/fleet/rolloutRemote.ts';
import { type RolloutStore, rolloutSigner } from '../../apply/fleet/signedLedger.ts';
import { type StartedRollout, startRollout } from '../../apply/fleet/startRollout.ts';
import { holderOf } from '../../apply/lock/holder.ts';
import { isRefusal } from '../../apply/refusal.ts';
import { SIGNING_KEY } from '../../apply/signing/signer.ts';
import { newLedger } from '../../fleet/rollout/newLedger.ts';
import type { AccountIdentity } from '../../fleet/rollout/sameAccounts.ts';
import { assignWaves } from '../../fleet/rollout/waves.ts';
import { identityOf, type SavedFleet } from '../../fleet/savedFleet.ts';
import type { Ledger, Shard } from '../../model/rollout.ts';
import type { Signer } from '../../model/signer.ts';
import { quoted } from '../../model/text/visible.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import type { GitPlace } from '../../read/git/runGit.ts';
import { pathInRepository } from '../../read/git/workRevision.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { tellAsNote } from '../otherRemotes.ts';
import { projectBefore } from '../project.ts';
import { stopOf } from '../refusals/refusals.ts';
import { sentenceOfRollout } from '../refusals/rolloutRefusals.ts';
import { type OwnRemote, withRemote } from '../remoteOfClone.ts';
import { Stop } from '../stop.ts';
import type { FleetFile } from './fleetFiles.ts';
import { tellMissingFile, withoutFile } from './missingFleetFiles.ts';
import { openElsewhere } from './openElsewhere.ts';

/** The rollouts of a fleet file. */
export interface Rollouts {
  /** The open rollout; null if there is none. */
  readonly open: () => Promise<SeenRollout | null>;
  /** The ledgers of all rollouts of all fleet files, open and finished. */
  readonly ledgers: () => Promise<readonly Ledger[]>;
  /** Throws a `Stop` if an open rollout of another fleet file has some of these accounts. */
  readonly refuseTaken: (accounts: readonly AccountIdentity[]) => Promise<void>;
  /**
   * Removes the ref of an open rollout whose ledger cannot be read. Resolves to a sentence with the
   * reason, or to null.
   */
  readonly clear: () => Promise<string | null>;
  /** Starts a rollout of saved plans. With a shard, it joins an open rollout with the same plans. */
  readonly start: (
    saved: SavedFleet & { readonly digest: string },
    shard: Shard | undefined,
  ) => Promise<StartedRollout>;
  /** Takes the lease of a rollout, or of a shard. Throws a `Stop` if another run holds it. */
  readonly hold: (rollout: string, shard: Shard | undefined) => Promise<HeldRollout>;
}

/** How long to wait for another run, in milliseconds. */
export interface RolloutFlags {
  readonly wait?: number;
}

/** Seconds without a renewal after which another run takes over, unless the project file sets a different number. */
const TTL = 180;

/** Calls `use` with the rollouts of a fleet. Throws a `Stop` without a signing key, or without a remote. */
export async function withRollouts<T>(
  fleet: FleetFile,
  { wait = 0 }: RolloutFlags,
  io: Io,
  use: (rollouts: Rollouts) => Promise<T>,
): Promise<T> {
  const signer = signerOrStop(io);
  const folder = folderOf(fleet.file);
  if (repositoryOf(folder) === null)
    throw new Stop(
      EXIT.usage,
      `the fleet file ${quoted(fleet.shown)} is in no git repository`,
      'a rollout needs a clone with a remote: its ledger and the locks of its accounts are there',
    );
  const place = { folder, host: io };
  const { lock_remote: chosen, lock_ttl: ttl = TTL } = projectBefore(io, folder);
  const path = pathInRepository(fleet.file);
  return withRemote(place, chosen, io, async openRemote => {
    const remote = await openRemote();
    if (remote === null)
      throw new Stop(
        EXIT.usage,
        'this clone has no remote',
        'add one with `git remote add origin ADDRESS`: the ledger of a rollout is there',
      );
    const store: RolloutStore = { remote: gitRolloutRemote(remote, io.now), signer };
    return use(rolloutsAt({ remote, store, path, file: fleet.file, place, ttl, wait }, io));
  });
}

function signerOrStop(io: Io): Signer {
  const signer = rolloutSigner({
    signingKey: io.env[SIGNING_KEY],
    onSecret: key => io.secrets.add(key),
  });
  if (!isRefusal(signer)) return signer;
  if (signer.shortest !== undefined || signer.isBlank) throw stopOf(signer, io);
  const hint = `set ${SIGNING_KEY}, the same for all runs of the fleet`;
  throw new Stop(EXIT.usage, 'a fleet needs a key to sign its ledger with', hint);
}

/** Where the rollouts of a fleet file are, and the settings of their leases. */
interface RolloutPlace {
  readonly remote: OwnRemote;
  readonly store: RolloutStore;
  /** The path of the fleet file in its repository. */
  readonly path: string;
  readonly file: string;
  readonly place: GitPlace;
  readonly ttl: number;
  readonly wait: number;
}

function rolloutsAt(
  { remote, store, path, file, place, ttl, wait }: RolloutPlace,
  io: Io,
): Rollouts {
  return {
    open: () => openOrTold({ remote, store, path, file }, io),
    ledgers: async () => orStop(await allLedgers(store)),
    refuseTaken: async accounts => {
      const others = orStop(await othersOpen(store, path));
      const taken = await rolloutWith(store, accounts, others);
      if (taken !== null) throw rolloutStop(taken);
    },
    clear: async () => {
      const refusal = await removeOpenRef(store, path);
      if (refusal === null) return null;
      if (!isLost(refusal)) throw rolloutStop(refusal);
      return sentenceOfRollout(refusal)[0];
    },
    start: async (saved, shard) => {
      const elsewhere = await openElsewhere(remote, path, io);
      if (elsewhere !== null) throw elsewhere;
      const ledger = ledgerOf(saved, path, io);
      const started = await startRollout(store, ledger, { joins: shard !== undefined });
      return orStop(started);
    },
    hold: async (rollout, shard) => {
      const lock = {
        holder: await holderOf(place, io),
        ttl,
        wait,
        clocks: { monotonic: io.monotonic, wall: io.now },
        sleep: io.sleep,
      };
      return orStop(await holdRollout(store, { rollout, lock, ...(shard && { shard }) }));
    },
  };
}

// The open rollout of the fleet file. If there is none, prints notes about open rollouts whose fleet file may have been renamed.
async function openOrTold(
  { remote, store, path, file }: Pick<RolloutPlace, 'remote' | 'store' | 'path' | 'file'>,
  io: Io,
): Promise<SeenRollout | null> {
  const found = await openRollout(store, path);
  if (found !== null) return orStop(found);
  const elsewhere = await openElsewhere(remote, path, io);
  if (elsewhere !== null) tellAsNote(elsewhere, io);
  const others = orStop(await othersOpen(store, path));
  for (const { rollout } of withoutFile(others, { file })) {
    const seen = await readRollout(store, rollout);
    if (!('refused' in seen || seen.ledger.finished)) tellMissingFile(seen.ledger, io);
  }
  return null;
}

function orStop<A extends object>(answer: A | NotHeld): A {
  if ('refused' in answer) throw rolloutStop(answer);
  return answer;
}

/** Converts the refusal of a rollout to a `Stop`. */
export function rolloutStop(refusal: NotHeld): Stop {
  const [message, hint, lines] = sentenceOfRollout(refusal);
  const code = refusal.refused === 'rollout-not-waited' ? EXIT.interrupted : EXIT.refused;
  return new Stop(code, message, hint, lines);
}

/** The ledger of a new rollout of saved plans. Throws a `Stop` for accounts without a wave. */
export function ledgerOf(
  saved: SavedFleet & { readonly digest: string },
  fleet: string,
  { now }: Io,
): Ledger {
  const { waveOf, leftOver, matchless } = assignWaves(
    saved.plans.map(({ account }) => account),
    saved.waves,
  );
  const [empty] = matchless;
  if (empty !== undefined && saved.unplanned.length > 0)
    throw new Stop(
      EXIT.refused,
      `no account of wave ${empty} has a plan, so nothing would be tried there first`,
      `repair what could not be planned (${saved.unplanned.slice(0, 5).map(quoted).join(', ')}), and plan again`,
    );
  const [first] = leftOver;
  if (first !== undefined)
    throw new Stop(
      EXIT.invalid,
      `no wave takes ${leftOver.length} accounts, such as ${quoted(first)}`,
      'end `waves` with { share: 100% }, and plan again',
    );
  return newLedger({
    rollout: randomUUID(),
    fleet,
    plans: saved.digest,
    flags: saved.flags,
    now: now(),
    waves: saved.waves,
    stop: saved.stop,
    accounts: saved.plans.map(one => ({
      ...identityOf(one),
      plan: one.digest,
      content_digest: one.contentDigest,
      ...(one.access && { access: one.access }),
    })),
    unplanned: saved.unplanned,
    waveOf,
  });
}
