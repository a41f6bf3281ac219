// Notification channels (docs/server-behaviour.md#notification-channels).
import { describe, expect, it } from 'vitest';
import { channelBody } from '../bodies.ts';
import { emulated, idOf } from '../emulated.ts';

const PATH = '/api/integrations/notifications/channels';
const TYPES = '/api/integrations/notifications/types';
const webhook = (more: object = {}) =>
  channelBody({
    type: 'webhook',
    target: { url: 'https://hook.example', headers: { 'X-Key': 'secret' } },
    ...more,
  });

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  it('reads back an email channel', async () => {
    const api = await emulated({ dialect });
    const channel = await api.post(PATH, channelBody());
    expect(channel).toEqual({ id: idOf(channel), ...channelBody() });
    expect(await api.get(`${PATH}/${idOf(channel)}`)).toEqual(channel);
    expect(await api.get(PATH)).toEqual([channel]);
  });

  it('masks the headers of a webhook and nothing else', async () => {
    const api = await emulated({ dialect });
    const channel = await api.post(PATH, webhook());
    expect(channel).toMatchObject({
      target: { url: 'https://hook.example', headers: { 'X-Key': '****' } },
    });
    for (const path of [PATH, `${PATH}/${idOf(channel)}`])
      expect(JSON.stringify(await api.get(path))).not.toContain('secret');
  });

  it('is replaced whole, including its type', async () => {
    const api = await emulated({ dialect });
    const id = await api.make(PATH, webhook());
    const body = channelBody({ enabled: false, event_types: [] });
    expect(await api.put(`${PATH}/${id}`, body)).toEqual({ id, ...body });
  });

  it.each([
    ['an unknown type', channelBody({ type: 'pigeon' })],
    ['email without a target', channelBody({ target: undefined })],
    [
      'email with the target of a webhook',
      channelBody({ target: { url: 'https://hook.example' } }),
    ],
    ['a webhook without a url', channelBody({ type: 'webhook', target: { emails: [] } })],
    ['an event type that is not listed', channelBody({ event_types: ['user.join', 'toString'] })],
  ])('refuses %s with a 422', async (_, body) => {
    const api = await emulated({ dialect });
    const [status] = await api.refusal('POST', PATH, body);
    expect(status).toBe(422);
  });

  it('accepts every listed event type', async () => {
    const api = await emulated({ dialect });
    const event_types = Object.keys(Object(await api.get(TYPES)));
    expect(event_types).toContain('user.join');
    await api.make(PATH, channelBody({ event_types }));
  });

  it('can be deleted, and is unknown then', async () => {
    const api = await emulated({ dialect });
    const id = await api.make(PATH, channelBody());
    await api.remove(`${PATH}/${id}`);
    for (const [method, body] of [['GET'], ['PUT', channelBody()], ['DELETE']] as const)
      expect(await api.refusal(method, `${PATH}/${id}`, body)).toEqual([
        404,
        `notification channel: ${id} not found`,
      ]);
  });
});

describe('the event types', () => {
  it('are the codes of audit events under spec', async () => {
    const api = await emulated({ dialect: 'spec' });
    expect(await api.get(TYPES)).toMatchObject({
      'user.join': 'User joined',
      'peer.user.add': expect.any(String),
      'peer.login.expire': expect.any(String),
      'route.add': 'Route created',
    });
  });

  it('are separate codes under netbird', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const types = await api.get(TYPES);
    expect(types).toHaveProperty(['routing.peer.disconnect']);
    expect(types).not.toHaveProperty(['route.add']);
  });
});
