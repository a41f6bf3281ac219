// The users who caused a difference, in each format. Names are chosen by their owners, so they are escaped as usual.
import type { Attribution, CausingEvent } from '../../model/audit/attribution.ts';
import type { Initiator } from '../../model/audit/entry.ts';
import { nameText } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';
import { wrap } from '../text/lines.ts';
import { prose } from '../text/markdown.ts';
import type { Style } from '../text/style.ts';

/** The name that the audit log uses for the server itself. */
const SERVER = 'sys';

/** A person in one line: the email address, which is unique, before the name. */
function personText({ id, name, email }: Initiator): string {
  const called = [email, name].find(text => text !== '');
  if (called !== undefined) return nameText(called);
  return id === SERVER ? 'the server' : `user ${nameText(id)}`;
}

const eventText = ({ by, when, activity }: CausingEvent): string =>
  `${personText(by)} at ${when} (${activity})`;

/** An attribution as a phrase. */
export function attributionText(attribution: Attribution): string {
  switch (attribution.confidence) {
    case 'exact':
      return `exact, ${eventText(attribution.event)}`;
    case 'window': {
      const { events, reason } = attribution;
      const people = events.map(eventText).join(', ');
      return `window, among ${people}${reason === undefined ? '' : `; ${reason}`}`;
    }
    case 'none':
      return `none, ${attribution.reason}`;
  }
}

/** The lines below a difference. */
export function attributionLines(attribution: Attribution, style: Style): readonly string[] {
  return wrap(`      cause: ${attributionText(attribution)}`, style.width).map(style.faint);
}

/** An attribution in Markdown. */
export function attributionCell(attribution: Attribution): string {
  if (attribution.confidence === 'none') return `none: ${prose(attribution.reason)}`;
  const events = attribution.confidence === 'exact' ? [attribution.event] : attribution.events;
  const people = events.map(({ by, when }) => `${prose(personText(by))} at ${prose(when)}`);
  return `${attribution.confidence}: ${people.join(', ')}`;
}

/** The attribution in the JSON document. `by`, `when` and `activity` are present if a single person is responsible. */
export function attributionDocument(attribution: Attribution): JsonObject {
  const { confidence } = attribution;
  const event = confidence === 'exact' ? attribution.event : undefined;
  return {
    confidence,
    by: event ? { ...event.by } : null,
    when: event?.when ?? null,
    activity: event?.activity ?? null,
    ...(confidence === 'window' && {
      candidates: attribution.events.map(({ by, ...rest }) => ({ by: { ...by }, ...rest })),
    }),
    ...(confidence !== 'exact' &&
      attribution.reason !== undefined && { reason: attribution.reason }),
  };
}
