// Who else receives events: people by mail and platforms by streams, and all of them together under faults
// (docs/server-behaviour.md#event-streams).
import { describe, expect, it } from 'vitest';
import { channelBody, streamBody } from '../bodies.ts';
import { idOf } from '../emulated.ts';
import { events } from '../events.ts';
import { CHANNELS, generic, hasty, hook, log, network, reported, STREAMS } from './channels.ts';
import { receiver } from './receiver.ts';

describe('mail', () => {
  it('is in the outbox, once for each event, to all addresses of its channel', async () => {
    const api = await hasty();
    const emails = ['a@example.com', 'b@example.com'];
    await api.make(CHANNELS, channelBody({ target: { emails }, event_types: ['network.create'] }));
    const id = await network(api, 'n');
    expect(await api.control('GET', '/emulator/outbox')).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        kind: 'email',
        to: emails,
        subject: 'Network created',
        text: expect.stringContaining(`target ${id}\nname: n\n`),
      },
    ]);
    await api.control('DELETE', '/emulator/outbox');
    expect(await api.control('GET', '/emulator/outbox')).toEqual([]);
  });
});

describe('an event stream', () => {
  it('forwards everything, after an event that says whether it works', async () => {
    const api = await hasty();
    const { url, received, taken, until } = await receiver([503, 'reset']);
    const headers = JSON.stringify({ 'X-Key': 'secret' });
    const id = await api.make(STREAMS, generic(url, { headers }));
    const group = await api.make('/api/groups', { name: 'g' });
    await until(3);
    const [test, ...rest] = taken();
    expect(test).toMatchObject({ ID: 'test', TargetID: id });
    expect(rest).toEqual(
      (await events(api)).map(event => ({
        ID: String(event.id),
        Timestamp: expect.any(String),
        Meta: event.meta,
        Message: expect.any(String),
        Reference: expect.any(String),
        InitiatorID: event.initiator_id,
        TargetID: event.target_id,
      })),
    );
    expect(rest.map(({ TargetID }) => TargetID)).toEqual([id, group]);
    for (const { headers: sent } of received) expect(sent['x-key']).toBe('secret');
  });

  it('uses its template', async () => {
    const api = await hasty();
    const { url, taken, until } = await receiver();
    const body_template =
      '{"text":"{{ .Message }} by {{.InitiatorID}}","meta":{{.Meta}},"x":"{{.Y}}"}';
    await api.make(STREAMS, generic(url, { body_template }));
    await network(api, 'n');
    await until(3);
    expect(taken()[2]).toMatchObject({
      text: expect.stringMatching(/^Network created by \S+$/),
      meta: { name: 'n' },
      x: '',
    });
  });

  it('sends its test again with every change, and nothing else while it is disabled', async () => {
    const api = await hasty();
    const { url, taken, until } = await receiver();
    const id = await api.make(STREAMS, generic(url));
    await api.put(`${STREAMS}/${id}`, { ...generic(url), enabled: false });
    await network(api, 'unheard');
    await api.put(`${STREAMS}/${id}`, generic(url));
    await network(api, 'heard');
    await until(6);
    const ids = taken().map(({ ID, Meta }) => (ID === 'test' ? ID : (Object(Meta).name ?? 'own')));
    expect(ids.filter(one => one === 'test')).toHaveLength(3);
    expect(ids).toContain('heard');
    expect(ids).not.toContain('unheard');
  });

  it('ignores headers that are not JSON', async () => {
    const api = await hasty();
    const { url, until } = await receiver();
    await api.make(STREAMS, generic(url, { headers: 'X-Key: secret' }));
    await until(1);
  });

  it('an event stream to a log intake posts each event with its key', async () => {
    const api = await hasty();
    const { url, received, taken, until } = await receiver();
    const config = { api_url: url, api_key: 'secret' };
    await api.make(STREAMS, streamBody({ platform: 'datadog', config }));
    await network(api, 'n');
    await until(3);
    expect(taken()[2]).toMatchObject({ Message: 'Network created', Meta: { name: 'n' } });
    for (const { headers } of received) expect(headers['dd-api-key']).toBe('secret');
  });

  it.each([
    ['s3', { bucket_name: 'logs', access_key: 'secret' }, 's3://logs'],
    ['firehose', { stream_name: 'logs', secret_key: 'secret' }, 'firehose://logs'],
  ])(
    'an event stream to the storage %s stays in the outbox, without its secrets',
    async (platform, config, to) => {
      const sent: unknown[] = [];
      const api = await hasty({
        deliverAnywhere: true,
        send: async (post: unknown) => sent.push(post),
      });
      await api.make(STREAMS, streamBody({ platform, config }));
      await network(api, 'n');
      await api.get('/api/groups');
      const outbox = [await api.control('GET', '/emulator/outbox')].flat().map(Object);
      expect(outbox.map(letter => [letter.kind, letter.to])).toEqual(
        outbox.map(() => ['withheld', [to]]),
      );
      const messages = outbox.map(letter => JSON.parse(letter.text).Message);
      expect(messages).toEqual(expect.arrayContaining(['Integration created', 'Network created']));
      expect(JSON.stringify(outbox)).not.toContain('secret');
      expect(sent).toEqual([]);
    },
  );

  it('an event stream without an address sends nothing to the server', async () => {
    const sent: unknown[] = [];
    const api = await hasty({ send: async (post: unknown) => sent.push(post) });
    await api.make(STREAMS, streamBody({ platform: 'datadog', config: { api_key: 'secret' } }));
    await network(api, 'n');
    await api.get('/api/groups');
    expect(sent).toEqual([]);
    expect(await api.control('GET', '/emulator/outbox')).toEqual([]);
  });
});

it('a receiver, a stream and the outbox each get every event of the log once, under faults in the middle', async () => {
  const api = await hasty();
  const codes = ['group.add', 'group.delete', 'network.create'];
  const hooked = await receiver([500, 200, 'reset', 200, 502]);
  const streamed = await receiver([200, 'reset', 500]);
  await api.make(STREAMS, generic(streamed.url));
  await api.make(CHANNELS, hook(hooked.url, codes));
  await api.make(CHANNELS, channelBody({ event_types: codes }));
  for (let n = 0; n < 10; n += 1) {
    const fault = { method: 'POST', path: '/api/*', effect: n % 2 === 0 ? 'status' : 'reset' };
    await api.control('POST', '/emulator/faults', { ...fault, commit: n % 3 === 0 });
    await api.call('POST', '/api/groups', { name: `lost ${n}` }).catch(() => {});
    const id = idOf(await api.post('/api/groups', { name: `g${n}` }));
    await network(api, `n${n}`);
    await api.remove(`/api/groups/${id}`);
  }
  const expected = await log(api, codes);
  expect(expected.length).toBe(30 + 4);
  await hooked.until(expected.length);
  expect(reported(hooked.taken())).toEqual(expected);
  const all = await events(api);
  await streamed.until(all.length + 1);
  expect(
    streamed
      .taken()
      .slice(1)
      .map(({ ID }) => ID),
  ).toEqual(all.map(({ id }) => String(id)));
  const outbox = [await api.control('GET', '/emulator/outbox')].flat();
  const targets = outbox.map(letter => /target (\S+)/.exec(Object(letter).text)?.[1]);
  expect(targets).toEqual(expected.map(({ target_id }) => target_id));
});
