// The payloads of an event: mail or a webhook for a channel, and the form of its platform for a stream. Of these forms, only that
// of a stream's event is documented (docs/server-behaviour.md#event-streams).

import type { EventRecord } from '../records/account.ts';
import { activityOf } from '../records/activities.ts';

/**
 * The codes that channels use in dialect `netbird`, by the codes of audit events
 * (docs/server-behaviour.md#notification-channels).
 */
const OWN_CODES: Readonly<Record<string, string>> = {
  'peer.user.add': 'peer.add',
  'peer.setupkey.add': 'peer.add',
  'user.join': 'user.join',
  'service.user.create': 'service.user.create',
};

/** The codes by which channels subscribe to an event. */
export function channelCodes(event: EventRecord, codes: 'audit' | 'own'): readonly string[] {
  const { activity_code, meta } = event;
  if (codes === 'audit') return [activity_code];
  const own = OWN_CODES[activity_code];
  const who = activity_code === 'user.join' ? 'user' : 'peer';
  const waits = meta.pending_approval === 'true' ? [`${who}.pending.approval`] : [];
  return own === undefined ? waits : [own, ...waits];
}

/** An event as the payload of a webhook. */
export function hookBody(event: EventRecord): string {
  const { activity_code, ...rest } = event;
  return JSON.stringify({ ...rest, activity_code, activity: activityOf(activity_code) });
}

/** An event as mail. */
export function mail(event: EventRecord): { readonly subject: string; readonly text: string } {
  const subject = activityOf(event.activity_code);
  const details = Object.entries(event.meta).map(([name, value]) => `${name}: ${value}\n`);
  const lines = [`${subject} (${event.activity_code})\n`, `at ${event.timestamp}\n`];
  const who = [`by ${event.initiator_id}\n`, `target ${event.target_id}\n`];
  return { subject, text: [...lines, ...who, ...details].join('') };
}

/** The body of an event in a stream: JSON, or a template with placeholders such as `{{.ID}}`. */
export function streamBody(event: EventRecord, account: string, template: string): string {
  const fields = {
    ID: event.id,
    Timestamp: event.timestamp,
    Message: activityOf(event.activity_code),
    InitiatorID: event.initiator_id,
    TargetID: event.target_id,
    Meta: event.meta,
    Reference: account,
  };
  if (template === '') return JSON.stringify(fields);
  const known = new Map<string, unknown>(Object.entries(fields));
  return template.replaceAll(/\{\{\s*\.(\w+)\s*\}\}/g, (_, name: string) => {
    const value = known.get(name) ?? '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}
