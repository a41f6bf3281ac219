// The content of a notification: a text for Slack, and the same as fields for programs.
import { jsonLine } from '../model/text/jsonText.ts';
import type { JsonObject } from '../model/value.ts';
import { bodyThatFits, cut, slackCode, timeText } from './messageText.ts';
import type { Reason } from './notificationState.ts';
import type { Outcome } from './settings.ts';

/** An object that differs. */
export interface DriftedObject {
  readonly address: string;
  readonly kind: string;
  /** What happened to the object, in words that follow its name: `has changed in the account`. */
  readonly what: string;
  /** Who caused it, as text and as in the JSON document of drift. */
  readonly cause: string;
  readonly attribution: JsonObject;
}

/** The content of a notification. */
export interface Notice {
  readonly reasons: readonly Reason[];
  readonly outcome: Outcome;
  /** The host of the server. */
  readonly server: string;
  /** The path of the files, as given to the command. */
  readonly folder: string;
  /** The number of consecutive runs with this result, and the time of the first; null if runs are not counted. */
  readonly counted: { readonly runs: number; readonly since: number } | null;
  /** The summary line of the report, or why there is none. */
  readonly summary: string;
  readonly objects: readonly DriftedObject[];
  readonly now: number;
}

/** The largest number of objects in the text, and in the fields. */
const SHOWN = 10;
const LISTED = 50;

/** The body of a notification, with as many objects as fit. */
export function messageBody(notice: Notice, redact: (text: string) => string): string {
  const most = Math.min(LISTED, notice.objects.length);
  return bodyThatFits(most, count => bodyWith(notice, count, redact));
}

function bodyWith(notice: Notice, count: number, redact: (text: string) => string): string {
  const { outcome, reasons, server, folder, counted, objects, now } = notice;
  const shown = objects.slice(0, count);
  const own = {
    format_version: '1.0',
    state: outcome,
    reasons,
    server,
    folder: cut(redact(folder)),
    at: timeText(now),
    runs: counted?.runs ?? null,
    since: counted ? timeText(counted.since) : null,
    summary: cut(redact(notice.summary)),
    objects: shown.map(({ address, kind, what, attribution }) => ({
      address: cut(redact(address)),
      kind,
      what,
      attribution: redacted(attribution, redact),
    })),
    omitted: objects.length - shown.length,
  };
  return jsonLine({ text: slackText(notice, Math.min(count, SHOWN), redact), meshform: own });
}

function redacted(value: JsonObject, redact: (text: string) => string): JsonObject {
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'string' ? cut(redact(item)) : item,
  );
  return JSON.parse(text);
}

const HEADINGS: Readonly<Record<Reason, string>> = {
  drift: 'Drift',
  'drift-changed': 'More drift',
  'drift-reminder': 'Drift persists',
  'drift-ended': 'The drift has ended',
  unreadable: 'meshform drift could not read',
  'unreadable-reminder': 'meshform drift still cannot read',
  'unreadable-ended': 'meshform drift can read again',
};

function slackText(notice: Notice, count: number, redact: (text: string) => string): string {
  const { reasons, server, folder, counted, summary, objects } = notice;
  const named = (text: string): string => slackCode(cut(redact(text)));
  const headings = reasons.map(reason => HEADINGS[reason]).join('. ');
  const since =
    counted && counted.runs > 1 ? `, run ${counted.runs} since ${timeText(counted.since)}` : '';
  const left = objects.length - count;
  return [
    `*${headings}*: ${named(server)}, ${named(folder)}${since}`,
    named(summary),
    ...objects
      .slice(0, count)
      .map(({ address, what, cause }) => `• ${named(address)} ${what}: ${named(cause)}`),
    ...(left > 0 ? [`and ${left} more`] : []),
  ].join('\n');
}
