// `fleet status`: how far the open rollout is, and who carries it out.
import type { SeenRollout } from '../../apply/fleet/readRollout.ts';
import { nextStep } from '../../fleet/rollout/next.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import {
  type RolloutStatus,
  statusJson,
  statusJunit,
  statusMetrics,
  statusText,
} from '../../report/fleet/status.ts';
import { statusPage } from '../../report/fleet/statusPage.ts';
import { isPage } from '../../report/page/shell.ts';
import { fleetAssets } from '../access/page.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { outputAt } from '../output.ts';
import { fleetOrStop } from './fleetFiles.ts';
import { withRollouts } from './rollouts.ts';

/** The flags of `fleet status`. */
export interface StatusFlags {
  readonly format: 'text' | 'json' | 'junit';
  readonly all?: boolean;
  readonly html?: string;
  readonly metrics?: string;
  readonly force?: boolean;
}

/** Prints the state of the open rollout; resolves to the exit code: 6 if it is stopped, 4 if something is left to do. */
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
  return withRollouts(fleet, {}, io, async ({ open }) => {
    const found = await open();
    if (found === null) {
      say(io.stdout, 'No rollout is open.');
      return EXIT.done;
    }
    const { status, code } = statusOf(found, io.now());
    await page?.write(statusPage(status, fleetAssets()));
    await metrics?.write(statusMetrics(status, io.now()));
    io.stdout.write(rendered(status, flags, io));
    return code;
  });
}

const PAGE = { name: 'the page', ours: 'a page', isOurs: isPage };
const METRICS = {
  name: 'the metrics',
  ours: 'a metrics file',
  isOurs: (text: string) => text.startsWith('# HELP meshform_fleet_'),
};

function statusOf(
  { ledger, runners }: SeenRollout,
  now: number,
): { readonly status: RolloutStatus; readonly code: number } {
  const step = nextStep(ledger, { now });
  const isHeld = runners.length > 0;
  const status = (next: string): RolloutStatus => ({
    ledger,
    next,
    runners: runners.map(({ record, shard }) => ({
      machine: record?.machine ?? 'somebody',
      ...(shard && { shard: `${shard.index}/${shard.of}` }),
    })),
  });
  switch (step.is) {
    case 'stopped': {
      const names = step.unhealthy.map(name => `--accept ${shellWord(name)}`).join(' ');
      const command = `meshform fleet apply --continue ${names}`.trimEnd();
      const next = `Stopped: ${step.why}. To go on all the same: ${command}`;
      return { status: status(next), code: EXIT.refused };
    }
    case 'baking':
      return {
        status: status(
          `Wave ${step.wave} is watched until ${new Date(step.until).toISOString()}; then: meshform fleet apply --continue`,
        ),
        code: EXIT.incomplete,
      };
    case 'done':
      return { status: status('Nothing is left to do.'), code: EXIT.done };
    default:
      return {
        status: status(
          isHeld
            ? `Wave ${step.wave} is carried out.`
            : `Wave ${step.wave} waits for somebody: meshform fleet apply --continue`,
        ),
        code: EXIT.incomplete,
      };
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
