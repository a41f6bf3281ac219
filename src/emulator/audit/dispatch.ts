// Determines the receivers of an event: channels that subscribe to it, and all streams. This happens in the transaction that logs
// the event, so that no delivery is lost or repeated.

import type { Environment } from '../environment.ts';
import type { EventRecord } from '../records/account.ts';
import type { EventStreamRecord } from '../records/integrations.ts';
import type { Account } from '../store/account.ts';
import { timestamp } from '../time/times.ts';
import { channelCodes, hookBody, mail, streamBody } from './letters.ts';

/** The description of a stream's test event (docs/server-behaviour.md#event-streams). */
const TEST = 'test';

/** Queues the deliveries of an event. */
export function dispatch(account: Account, event: EventRecord, environment: Environment): void {
  const codes = channelCodes(event, environment.behaviour.notificationCodes);
  for (const { id, enabled, event_types, target } of account.channels.all()) {
    if (!enabled || !codes.some(code => event_types.includes(code))) continue;
    if ('emails' in target)
      account.outbox.put({
        id: environment.newId(),
        kind: 'email',
        at: timestamp(environment.clock),
        to: target.emails,
        ...mail(event),
      });
    else
      send(account, environment, {
        to: `channel ${id}`,
        url: target.url,
        headers: target.headers,
        body: hookBody(event),
        event: event.id,
      });
  }
  for (const stream of account.streams.all())
    if (stream.enabled) forward(account, stream, event, environment);
}

/** Forwards a test event to a stream, so that its owner sees whether events arrive. */
export function sendTestEvent(
  account: Account,
  stream: EventStreamRecord,
  environment: Environment,
): void {
  const event: EventRecord = {
    id: TEST,
    timestamp: timestamp(environment.clock),
    activity_code: TEST,
    initiator_id: 'sys',
    target_id: stream.id,
    meta: {},
  };
  forward(account, stream, event, environment);
}

/** Sends an event to the platform of a stream. Nothing is sent if the configuration has no address. */
function forward(
  account: Account,
  { id, platform, config }: EventStreamRecord,
  event: EventRecord,
  environment: Environment,
): void {
  const { url = '', headers = '', body_template = '' } = config;
  const { api_url = '', api_key = '', bucket_name = '', stream_name = '' } = config;
  const body = streamBody(event, account.id, body_template);
  const post = (to: string, sent: Readonly<Record<string, string>>) => {
    if (to === '') return;
    const letter = { to: `stream ${id}`, url: to, headers: sent, event: event.id, body };
    send(account, environment, letter);
  };
  if (platform === 'generic_http') post(url, headersIn(headers));
  if (platform === 'datadog') post(api_url, { 'DD-API-KEY': api_key });
  if (platform === 's3') withhold(account, environment, `s3://${bucket_name}`, body);
  if (platform === 'firehose') withhold(account, environment, `firehose://${stream_name}`, body);
}

/** Cloud storage accepts only signed requests, so the delivery is put into the outbox instead. */
function withhold(
  { outbox }: Account,
  { newId, clock }: Environment,
  to: string,
  text: string,
): void {
  const at = timestamp(clock);
  outbox.put({ id: newId(), kind: 'withheld', at, to: [to], subject: '', text });
}

interface Letter {
  readonly to: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: string;
}

function send(account: Account, { newId, clock }: Environment, letter: Letter): void {
  const due = timestamp(clock);
  account.installation.deliveries.put({
    id: newId(),
    account: account.id,
    attempts: 0,
    due,
    ...letter,
  });
}

/** The headers in the configuration of a stream: a JSON object as text. Any other text has no headers. */
function headersIn(text: string): Readonly<Record<string, string>> {
  if (text === '') return {};
  try {
    const entries = Object.entries(Object(JSON.parse(text)));
    return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
  } catch {
    return {};
  }
}
