// Webhooks receive what their channel asks for, each event once and in order, whatever fails on the way
// (docs/server-behaviour.md#notification-channels).
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../src/emulator/index.ts';
import { emulated } from '../emulated.ts';
import { CHANNELS, hasty, hook, log, network, reported } from './channels.ts';
import { receiver } from './receiver.ts';

describe('a webhook', () => {
  it('receives the events of its channel, with its headers, and no others', async () => {
    const api = await hasty();
    const { url, received, until, taken } = await receiver();
    await api.make(CHANNELS, hook(url, ['network.create'], { 'X-Key': 'secret' }));
    await api.make('/api/groups', { name: 'g' });
    const id = await network(api, 'n');
    await until(1);
    expect(taken()).toEqual([
      {
        id: expect.any(String),
        timestamp: expect.any(String),
        target_id: id,
        activity_code: 'network.create',
        activity: 'Network created',
        initiator_id: expect.any(String),
        meta: { name: 'n' },
      },
    ]);
    expect(received[0]?.headers).toMatchObject({
      'x-key': 'secret',
      'content-type': 'application/json',
      'x-delivery-id': expect.any(String),
    });
  });

  it.each([
    ['refuses at first', [500, 503, 429]],
    ['breaks off after it has read', ['reset', 'reset']],
    ['does both', [500, 'reset', 502]],
  ] as const)(
    'is retried until it succeeds, each event once and in order: %s',
    async (_, moods) => {
      const api = await hasty();
      const { url, taken, until, received } = await receiver(moods);
      await api.make(CHANNELS, hook(url, ['network.create', 'network.delete']));
      for (const name of ['a', 'b', 'c'])
        await api.remove(`/api/networks/${await network(api, name)}`);
      await until(6);
      expect(reported(taken())).toEqual(await log(api, ['network.create', 'network.delete']));
      // A repetition can be told by its number.
      const ids = received.map(({ headers }) => headers['x-delivery-id']);
      expect(new Set(ids).size).toBe(6);
      expect(ids).toHaveLength(6 + moods.length);
    },
  );

  it('receives an event once even if the client never got the response', async () => {
    const api = await hasty();
    const { url, taken, until } = await receiver();
    await api.make(CHANNELS, hook(url, ['network.create']));
    await api.control('POST', '/emulator/faults', {
      method: 'POST',
      path: '/api/networks',
      effect: 'reset',
      commit: true,
    });
    await expect(network(api, 'a')).rejects.toThrow('other side closed');
    await network(api, 'b');
    await until(2);
    expect(reported(taken())).toEqual(await log(api, ['network.create']));
  });

  it('receives after a restart the events that it had not received before', async () => {
    const store = memoryStore();
    const deaf = await emulated({ store, send: () => Promise.reject(new Error('no line')) });
    const { url, taken, until } = await receiver();
    await deaf.make(CHANNELS, hook(url, ['network.create']));
    for (const name of ['a', 'b']) await network(deaf, name);
    const api = await hasty({ store });
    await network(api, 'c');
    await until(3);
    expect(reported(taken())).toEqual(await log(api, ['network.create']));
  });

  it('does not delay other webhooks', async () => {
    const api = await hasty();
    const slow = await receiver(Array.from({ length: 5 }, () => 500));
    const quick = await receiver();
    for (const { url } of [slow, quick]) await api.make(CHANNELS, hook(url, ['network.create']));
    await network(api, 'n');
    await quick.until(1);
    await slow.until(1);
    expect(slow.received).toHaveLength(6);
  });

  it('is given up after eight tries, and its events are kept', async () => {
    const api = await hasty();
    const { url, received } = await receiver(Array.from({ length: 20 }, () => 500));
    await api.make(CHANNELS, hook(url, ['network.create']));
    await network(api, 'n');
    const outbox = () => api.control('GET', '/emulator/outbox');
    while ([await outbox()].flat().length === 0) await api.get('/api/groups');
    expect(received).toHaveLength(8);
    expect(await outbox()).toMatchObject([{ kind: 'given up', to: [url] }]);
  });

  it('waits longer after every try', async () => {
    const pauses: number[] = [];
    const api = await hasty({
      clock: () => new Date(pauses.reduce((sum, one) => sum + one * 1000, 0)),
      schedule: (milliseconds: number, work: () => void) => {
        if (milliseconds > 0) pauses.push(milliseconds / 1000);
        const immediate = setImmediate(work);
        return () => clearImmediate(immediate);
      },
    });
    const { url, until } = await receiver([500, 500, 500, 500]);
    await api.make(CHANNELS, hook(url, ['network.create']));
    await network(api, 'n');
    await until(1);
    expect(pauses.slice(0, 4)).toEqual([1, 2, 4, 8]);
  });

  it('receives nothing while its channel is disabled', async () => {
    const api = await hasty();
    const { url, taken, until } = await receiver();
    const body = hook(url, ['network.create']);
    const id = await api.make(CHANNELS, { ...body, enabled: false });
    await network(api, 'a');
    await api.put(`${CHANNELS}/${id}`, body);
    await network(api, 'b');
    await until(1);
    expect(taken()).toMatchObject([{ meta: { name: 'b' } }]);
  });

  it('outside the loopback interface receives nothing by default: its events are kept', async () => {
    const api = await hasty();
    await api.make(CHANNELS, hook('https://hooks.example.com/x', ['network.create']));
    await network(api, 'n');
    expect(await api.control('GET', '/emulator/outbox')).toMatchObject([
      { kind: 'withheld', to: ['https://hooks.example.com/x'], text: expect.stringMatching(/"n"/) },
    ]);
    const seen: string[] = [];
    const send = async ({ url }: { readonly url: string }) => {
      seen.push(url);
      return 200;
    };
    const free = await hasty({ deliverAnywhere: true, send });
    await free.make(CHANNELS, hook('https://hooks.example.com/x', ['network.create']));
    await network(free, 'n');
    await free.get('/api/groups');
    expect(seen).toEqual(['https://hooks.example.com/x']);
  });

  it('a webhook of one account receives nothing of another', async () => {
    const api = await hasty();
    const { url, taken, until } = await receiver();
    await api.make(CHANNELS, hook(url, ['network.create']));
    const { token } = Object(await api.control('POST', '/emulator/accounts', {}));
    await api.call('POST', '/api/networks', { name: 'theirs' }, `Token ${token}`);
    await network(api, 'ours');
    await until(1);
    expect(taken()).toMatchObject([{ meta: { name: 'ours' } }]);
  });

  it('names events as its dialect does', async () => {
    const api = await hasty({ dialect: 'netbird' });
    const { url, taken, until } = await receiver();
    await api.make(CHANNELS, hook(url, ['peer.add']));
    const id = await api.enrol('laptop');
    await until(1);
    expect(taken()).toMatchObject([{ activity_code: 'peer.user.add', target_id: id }]);
  });
});
