// Notification channels and their event types (docs/server-behaviour.md#notification-channels).

import type { Environment } from '../environment.ts';
import { objectId } from '../ids/new-object.ts';
import { ACTIVITIES, type IntegrationCode } from '../records/activities.ts';
import type { ChannelTarget, NotificationChannelRecord } from '../records/integrations.ts';
import { done, ok } from '../request/answer.ts';
import { flag, list, map, object, optional, type Read, text } from '../request/body.ts';
import type { ApiRequest, Handlers } from '../request/handler.ts';
import { invalid, notFound } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

const TARGET = object({ emails: optional(list(text)), url: text, headers: map(text) });
const BODY = object({
  type: text,
  target: optional(TARGET),
  event_types: list(text),
  enabled: flag,
});

const MASK = '****';

/** The event codes of dialect `netbird`, which differ from the codes of audit events. */
const OWN_CODES: Readonly<Record<string, string>> = {
  'peer.pending.approval': 'Peer waits for approval',
  'peer.add': 'Peer added',
  'routing.peer.disconnect': 'Routing peer disconnected',
  'routing.peer.delete': 'Routing peer deleted',
  'user.pending.approval': 'User waits for approval',
  'user.join': 'User joined',
  'service.user.create': 'Service user created',
  'idp.sync.token.expire': 'Token of a directory synchronisation expires',
  'edr.sync.token.expire': 'Token of an endpoint-detection integration expires',
};

export const notificationChannels: Handlers = {
  listNotificationTypes: (_account, _request, environment) => ok({ ...codes(environment) }),

  listNotificationChannels: account => ok(account.channels.all().map(view)),

  createNotificationChannel: (account, request, environment) => {
    const channel = written(request, objectId(account.channels, environment), environment);
    account.channels.put(channel);
    log(account, 'integration.create', channel);
    return ok(view(channel));
  },

  getNotificationChannel: (account, request) => ok(view(find(account, request))),

  updateNotificationChannel: (account, request, environment) => {
    const { id } = find(account, request);
    const channel = written(request, id, environment);
    account.channels.put(channel);
    log(account, 'integration.update', channel);
    return ok(view(channel));
  },

  deleteNotificationChannel: (account, request) => {
    const channel = find(account, request);
    account.channels.remove(channel.id);
    log(account, 'integration.delete', channel);
    return done();
  },
};

function find(account: Account, request: ApiRequest): NotificationChannelRecord {
  const id = request.path('channelId');
  const channel = account.channels.get(id);
  if (channel === undefined) throw notFound('notification channel', id);
  return channel;
}

function log(
  account: Account,
  code: IntegrationCode,
  { id, type }: NotificationChannelRecord,
): void {
  account.log({ code, target: id, meta: { platform: type } });
}

function codes({ behaviour }: Environment): Readonly<Record<string, string>> {
  return behaviour.notificationCodes === 'own' ? OWN_CODES : ACTIVITIES;
}

function written(
  request: ApiRequest,
  id: string,
  environment: Environment,
): NotificationChannelRecord {
  const { type, target, event_types, enabled } = request.body(BODY);
  const unknown = event_types.find(code => !Object.hasOwn(codes(environment), code));
  if (unknown !== undefined) throw invalid(`unknown event type: ${unknown}`);
  return { id, type, target: targetOf(type, target), event_types, enabled };
}

/** The target in the form of its type; fields of other types are dropped. */
function targetOf(type: string, target: Read<typeof TARGET> | undefined): ChannelTarget {
  if (type === 'email') {
    if (target?.emails === undefined) throw invalid('an email channel needs target.emails');
    return { emails: target.emails };
  }
  if (type !== 'webhook') throw invalid(`unknown channel type: ${type}`);
  if (target === undefined || target.url === '')
    throw invalid('a webhook channel needs target.url');
  return { url: target.url, headers: target.headers };
}

/** The values of headers are never shown again. */
function view(channel: NotificationChannelRecord) {
  const { target } = channel;
  if (!('headers' in target)) return channel;
  const names = Object.keys(target.headers);
  return {
    ...channel,
    target: { ...target, headers: Object.fromEntries(names.map(name => [name, MASK])) },
  };
}
