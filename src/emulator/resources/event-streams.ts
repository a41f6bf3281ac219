// Integrations with platforms to which events are forwarded (docs/server-behaviour.md#event-streams).

import { sendTestEvent } from '../audit/dispatch.ts';
import { numberId } from '../ids/new-object.ts';
import type { IntegrationCode } from '../records/activities.ts';
import type { EventStreamRecord } from '../records/integrations.ts';
import { done, ok } from '../request/answer.ts';
import { flag, map, object, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { invalid, notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';
import { timestamp } from '../time/times.ts';

const BODY = object({ platform: text, config: map(text), enabled: flag });

const PLATFORMS = ['datadog', 's3', 'firehose', 'generic_http'];

/** How responses show configuration keys with secret values. */
const SECRET = /key|secret|token|password|headers/i;
const MASK = '****';

export const eventStreams: Handlers = {
  listEventStreams: account => ok(account.streams.all().map(stream => view(account, stream))),

  createEventStream: (account, request, environment) => {
    const { platform, config } = request.body(BODY);
    if (!PLATFORMS.includes(platform)) throw invalid(`unknown platform: ${platform}`);
    const now = timestamp(environment.clock);
    const stream: EventStreamRecord = {
      id: numberId(account.streams, { account, kind: 'streams' }, environment),
      // The server accepts `enabled` only in an update.
      enabled: true,
      platform,
      config,
      created_at: now,
      updated_at: now,
    };
    account.streams.put(stream);
    sendTestEvent(account, stream, environment);
    log(account, 'integration.create', stream);
    return ok(view(account, stream));
  },

  getEventStream: (account, request) => ok(view(account, find(account, request))),

  updateEventStream: (account, request, environment) => {
    const { config, enabled } = request.body(BODY);
    const before = find(account, request);
    const stream: EventStreamRecord = {
      ...before,
      enabled,
      updated_at: timestamp(environment.clock),
      config: { ...before.config, ...withoutMasks(config) },
    };
    account.streams.put(stream);
    sendTestEvent(account, stream, environment);
    log(account, 'integration.update', stream);
    return ok(view(account, stream));
  },

  deleteEventStream: (account, request) => {
    const stream = find(account, request);
    account.streams.remove(stream.id);
    log(account, 'integration.delete', stream);
    return done();
  },
};

function find(account: Account, request: ApiRequest): EventStreamRecord {
  const id = request.path('id');
  const stream = account.streams.get(id);
  if (stream === undefined) throw notFound('integration', id);
  return stream;
}

/** The configuration without masked values, because a masked value that is sent back changes nothing. */
function withoutMasks(config: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== MASK));
}

function log(account: Account, code: IntegrationCode, { id, platform }: EventStreamRecord): void {
  account.log({ code, target: id, meta: { platform } });
}

function view({ id: account_id }: Account, { id, config, ...stream }: EventStreamRecord) {
  const shown = Object.entries(config).map(([key, value]) => [
    key,
    SECRET.test(key) && value !== '' ? MASK : value,
  ]);
  return { id: Number(id), account_id, ...stream, config: Object.fromEntries(shown) };
}
