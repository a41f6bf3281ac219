// The notification about a rollout of a fleet: one for the rollout, not one for each account.
import type { Ledger, RolloutAccount } from '../model/rollout.ts';
import { jsonLine } from '../model/text/jsonText.ts';
import { bodyThatFits, cut, slackCode, timeText } from './messageText.ts';

/** The event of a rollout. */
export type RolloutEvent = 'started' | 'stopped' | 'finished';

/** The content of a notification about a rollout. */
export interface RolloutNotice {
  readonly event: RolloutEvent;
  readonly ledger: Ledger;
  /** What happens next, in a sentence with what to do. */
  readonly next: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The largest number of accounts in the text, and in the fields. */
const SHOWN = 10;
const LISTED = 50;

const HEADINGS: Readonly<Record<RolloutEvent, string>> = {
  started: 'A rollout has started',
  stopped: 'A rollout is stopped',
  finished: 'A rollout has ended',
};

/** The body of the notification: a text for Slack, and the same as fields for programs, with as many accounts as fit. */
export function rolloutBody(notice: RolloutNotice, redact: (text: string) => string): string {
  const faulty = notice.ledger.accounts.filter(isFaulty);
  const most = Math.min(LISTED, faulty.length);
  return bodyThatFits(most, count => bodyWith(notice, { faulty, count }, redact));
}

const isFaulty = ({ state, accepted }: RolloutAccount): boolean =>
  (state === 'failed' || state === 'unhealthy' || state === 'stale') && accepted === undefined;

interface Listed {
  readonly faulty: readonly RolloutAccount[];
  /** How many of them are listed. */
  readonly count: number;
}

function bodyWith(notice: RolloutNotice, listed: Listed, redact: (text: string) => string): string {
  const { event, ledger, next, now } = notice;
  const { faulty, count } = listed;
  const text = (written: string): string => cut(redact(written));
  const own = {
    format_version: '1.0',
    rollout: ledger.rollout,
    event,
    fleet: text(ledger.fleet),
    at: timeText(now),
    started_at: ledger.started_at,
    accounts: countsOf(ledger),
    unhealthy: faulty.slice(0, count).map(({ name, wave, state, outcome }) => ({
      account: text(name),
      wave,
      state,
      why: outcome?.why === undefined ? null : text(outcome.why),
    })),
    omitted: faulty.length - count,
    ...(ledger.halt.why !== undefined && { why: text(ledger.halt.why) }),
    next: text(next),
  };
  return jsonLine({ text: slackText(notice, listed, redact), meshform: own });
}

/** The number of accounts by state. */
function countsOf({ accounts }: Ledger): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { state } of accounts) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function slackText(
  { event, ledger, next }: RolloutNotice,
  { faulty, count }: Listed,
  redact: (text: string) => string,
): string {
  const named = (text: string): string => slackCode(cut(redact(text)));
  const shown = faulty.slice(0, Math.min(count, SHOWN));
  const left = faulty.length - shown.length;
  const counts = Object.entries(countsOf(ledger)).map(([state, many]) => `${many} ${state}`);
  return [
    `*${HEADINGS[event]}*: ${named(ledger.fleet)}, ${named(ledger.rollout)}`,
    `${ledger.accounts.length} accounts: ${counts.join(', ')}`,
    ...shown.map(
      ({ name, state, outcome }) =>
        `• ${named(name)} ${state}${outcome?.why === undefined ? '' : `: ${named(outcome.why)}`}`,
    ),
    ...(left > 0 ? [`and ${left} more`] : []),
    named(next),
  ].join('\n');
}
