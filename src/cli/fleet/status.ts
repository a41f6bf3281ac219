// `fleet status`: shows the progress of the open rollout, and the runs that carry it out.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SeenRollout } from '../../apply/fleet/readRollout.ts';
import { nextStep, type RolloutStep } from '../../fleet/rollout/next.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { driftFactsOf } from '../../report/fleet/fleetDrift.ts';
import {
  type DriftFacts,
  NO_ROLLOUT,
  noRolloutJson,
  noRolloutJunit,
  noRolloutMetrics,
  type RolloutStatus,
  statusJson,
  statusJunit,
  statusMetrics,
  statusText,
} from '../../report/fleet/rolloutStatus.ts';
import { noRolloutPage, statusPage } from '../../report/fleet/statusPage.ts';
import { isPage } from '../../report/page/shell.ts';
import { fleetAssets } from '../access/pageOutput.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { outputAt } from '../output.ts';
import { clearScreen } from '../statusLine.ts';
import { Stop } from '../stop.ts';
import { fleetOrStop } from './fleetFiles.ts';
import { type QueueStatus, queueLines, queueStatus } from './queueing.ts';
import { DATABASE_URL } from './queues.ts';
import { withRollouts } from './rollouts.ts';

/** The flags of `fleet status`. */
export interface StatusFlags {
  readonly format: 'text' | 'json' | 'junit';
  readonly all?: boolean;
  readonly html?: string;
  readonly metrics?: string;
  readonly force?: boolean;
  /** A document from `fleet drift`. */
  readonly drift?: string;
  readonly once?: boolean;
  /** The database of the queue. */
  readonly database?: string;
}

/**
 * Prints the state of the open rollout. On a terminal, prints it repeatedly while somebody carries
 * out the rollout. Resolves to the exit code: 0 if no rollout is open, 6 if it is stopped,
 * otherwise 4.
 */
export async function rolloutStatus(path: string, flags: StatusFlags, io: Io): Promise<number> {
  const fleet = fleetOrStop(path, io);
  const page =
    flags.html === undefined
      ? undefined
      : await outputAt(flags.html, { kind: PAGE, force: flags.force === true }, io);
  const metrics =
    flags.metrics === undefined
      ? undefined
      : await outputAt(flags.metrics, { kind: METRICS, force: flags.force === true }, io);
  const drift = flags.drift === undefined ? undefined : await driftIn(flags.drift, io);
  const isQueued = flags.database !== undefined || Boolean(io.env[DATABASE_URL]);
  const isFollowed = io.stdout.isTerminal && flags.format === 'text' && flags.once !== true;
  return withRollouts(fleet, {}, io, async ({ open }) => {
    const look = async (): Promise<{ readonly code: number; readonly isHeld: boolean }> => {
      const queue = isQueued ? await queueStatus(fleet, flags, io) : undefined;
      const found = seenIn(queue) ?? (await open());
      if (isFollowed) clearScreen(io.stdout);
      if (queue && flags.format === 'text')
        for (const line of queueLines(queue)) say(io.stdout, line);
      if (found === null) {
        await page?.write(noRolloutPage(fleetAssets()));
        await metrics?.write(noRolloutMetrics());
        io.stdout.write(withoutRollout(flags, queue));
        return { code: EXIT.done, isHeld: false };
      }
      const { status, code } = statusOf(found, io.now(), { drift, queue });
      await page?.write(statusPage(status, fleetAssets()));
      await metrics?.write(statusMetrics(status, io.now()));
      io.stdout.write(rendered(status, flags, io));
      return { code, isHeld: isHeld(found) };
    };
    return isFollowed ? followed(look, io) : (await look()).code;
  });
}

// Prints the status repeatedly while a run has the rollout. Resolves to the exit code of the last status.
async function followed(
  look: () => Promise<{ readonly code: number; readonly isHeld: boolean }>,
  io: Io,
): Promise<number> {
  const stop = new AbortController();
  const release = io.onInterrupt(() => stop.abort());
  try {
    let seen = await look();
    while (seen.isHeld) {
      await io.sleep(LOOKS_EVERY, stop.signal);
      if (stop.signal.aborted) break;
      seen = await look();
    }
    return seen.code;
  } finally {
    release();
  }
}

/** How often a rollout is read again on a terminal, in milliseconds. */
const LOOKS_EVERY = 5000;

async function driftIn(file: string, { cwd }: Io): Promise<ReadonlyMap<string, DriftFacts>> {
  const text = await readFile(resolve(cwd, file), 'utf8').catch((error: unknown) => {
    const message = `the drift in ${quoted(file)} cannot be read: ${reasonOf(error)}`;
    throw new Stop(EXIT.invalid, message, DRIFT_HINT);
  });
  const facts = driftFactsOf(jsonOf(text) ?? null);
  if (facts === null)
    throw new Stop(EXIT.invalid, `${quoted(file)} is not the drift of a fleet`, DRIFT_HINT);
  return facts;
}

const DRIFT_HINT = 'create it with `meshform fleet drift --format json > FILE`';

// The rollout of a queue; null if the queue has none. The workers are printed separately.
function seenIn(queue: QueueStatus | undefined): Seen | null {
  if (queue === undefined || queue.ledger === null) return null;
  return { ledger: queue.ledger, runners: [], isQueued: queue.workers.length > 0 };
}

/** A rollout that is carried out with or without a queue. */
type Seen = Pick<SeenRollout, 'ledger' | 'runners'> & { readonly isQueued?: boolean };

const isHeld = ({ runners, isQueued = false }: Seen): boolean => runners.length > 0 || isQueued;

const PAGE = { name: 'the page', ours: 'a page', isOurs: isPage };
const METRICS = {
  name: 'the metrics',
  ours: 'a metrics file',
  isOurs: (text: string) => text.startsWith('# HELP meshform_fleet_'),
};

/** Facts that are shown in addition to a rollout. */
interface Beside {
  readonly drift: ReadonlyMap<string, DriftFacts> | undefined;
  readonly queue: QueueStatus | undefined;
}

function statusOf(
  seen: Seen,
  now: number,
  { drift, queue }: Beside,
): { readonly status: RolloutStatus; readonly code: number } {
  const { ledger, runners } = seen;
  const step = nextStep(ledger, { now });
  const status = {
    ledger,
    next: nextText(step, isHeld(seen)),
    now,
    ...(drift && { drift }),
    ...(queue && { queue }),
    runners: runners.map(({ record, shard }) => ({
      machine: record?.machine ?? 'somebody',
      ...(shard && { shard: `${shard.index}/${shard.of}` }),
    })),
  };
  return { status, code: codeOf(step) };
}

const codeOf = ({ is }: RolloutStep): number => (is === 'stopped' ? EXIT.refused : EXIT.incomplete);

/** What happens next, or what the user should do next. */
function nextText(step: RolloutStep, isApplied: boolean): string {
  switch (step.is) {
    case 'stopped': {
      const names = step.unhealthy.map(name => `--accept ${shellWord(name)}`).join(' ');
      const command = `meshform fleet apply --continue ${names}`.trimEnd();
      return `Stopped: ${step.why}. To continue all the same: ${command}`;
    }
    case 'baking':
      return `Wave ${step.wave} is watched until ${new Date(step.until).toISOString()}; then: meshform fleet apply --continue`;
    case 'done':
      return isApplied
        ? 'Nothing is left to do: the rollout is being closed.'
        : 'Nothing is left to do, but the rollout is still open: meshform fleet apply --continue';
    default:
      return isApplied
        ? `Wave ${step.wave} is being applied.`
        : `Wave ${step.wave} waits for a run: meshform fleet apply --continue`;
  }
}

function withoutRollout({ format }: StatusFlags, queue: QueueStatus | undefined): string {
  switch (format) {
    case 'json':
      return noRolloutJson(queue);
    case 'junit':
      return noRolloutJunit();
    default:
      return `${NO_ROLLOUT}\n`;
  }
}

function rendered(status: RolloutStatus, { format, all }: StatusFlags, io: Io): string {
  switch (format) {
    case 'json':
      return statusJson(status);
    case 'junit':
      return statusJunit(status);
    default:
      return statusText(status, { isWhole: all === true }, styleFor(io.stdout, io));
  }
}
