// Who is told of what happens: hooks, streams and people by mail, each event once and in order, whatever goes wrong on the
// way (spec Part 6, facts §5.19, §5.20).
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../src/emulator/index.ts';
import { channelBody, streamBody } from './bodies.ts';
import { type Emulated, emulated, idOf } from './emulated.ts';
import { events } from './events.ts';
import { receiver } from './receiver.ts';

const CHANNELS = '/api/integrations/notifications/channels';
const STREAMS = '/api/event-streaming';

const hook = (url: string, event_types: readonly string[], headers = {}) =>
  channelBody({ type: 'webhook', target: { url, headers }, event_types });
const generic = (url: string, more: object = {}) =>
  streamBody({ platform: 'generic_http', config: { url, ...more } });

/** An emulator that waits for nothing: a pause is over at once, and its clock says so. */
const hasty = (more: object = {}) => {
  let ahead = 0;
  return emulated({
    clock: () => new Date(Date.now() + ahead),
    schedule: (milliseconds, work) => {
      ahead += milliseconds;
      const immediate = setImmediate(work);
      return () => clearImmediate(immediate);
    },
    ...more,
  });
};

const network = (api: Emulated, name: string) => api.make('/api/networks', { name });

/** What the log says, as a hook is told it: names and emails are added by whoever reads the log. */
async function log(api: Emulated, codes: readonly string[]) {
  return (await events(api))
    .filter(({ activity_code }) => codes.includes(activity_code))
    .map(event => ({ id: String(event.id), target_id: event.target_id }));
}
const told = (bodies: readonly object[]) =>
  bodies.map(body => ({ id: Object(body).id, target_id: Object(body).target_id }));

describe('a webhook', () => {
  it('is told of what its channel asks for, with its headers, and of nothing else', async () => {
    const api = await hasty();
    const { url, received, until, taken } = await receiver();
    await api.make(CHANNELS, hook(url, ['network.create'], { 'X-Key': 'secret' }));
    await api.make('/api/groups', { name: 'g' });
    const id = await network(api, 'n');
    await until(1);
    expect(taken()).toEqual([
      {
        ...{ id: expect.any(String), timestamp: expect.any(String), target_id: id },
        ...{ activity_code: 'network.create', activity: 'Network created' },
        ...{ initiator_id: expect.any(String), meta: { name: 'n' } },
      },
    ]);
    expect(received[0]?.headers).toMatchObject({
      ...{ 'x-key': 'secret', 'content-type': 'application/json' },
      'x-delivery-id': expect.any(String),
    });
  });

  it.each([
    ['refuses at first', [500, 503, 429]],
    ['breaks off after it has read', ['reset', 'reset']],
    ['does both', [500, 'reset', 502]],
  ] as const)('is told again until it has heard, once each and in order: %s', async (_, moods) => {
    const api = await hasty();
    const { url, taken, until, received } = await receiver(moods);
    await api.make(CHANNELS, hook(url, ['network.create', 'network.delete']));
    for (const name of ['a', 'b', 'c'])
      await api.remove(`/api/networks/${await network(api, name)}`);
    await until(6);
    expect(told(taken())).toEqual(await log(api, ['network.create', 'network.delete']));
    // A repetition can be told by its number.
    const ids = received.map(({ headers }) => headers['x-delivery-id']);
    expect(new Set(ids).size).toBe(6);
    expect(ids).toHaveLength(6 + moods.length);
  });

  it('is told once of what was done although its client never heard so', async () => {
    const api = await hasty();
    const { url, taken, until } = await receiver();
    await api.make(CHANNELS, hook(url, ['network.create']));
    await api.control('POST', '/emulator/faults', {
      ...{ method: 'POST', path: '/api/networks', effect: 'reset', commit: true },
    });
    await expect(network(api, 'a')).rejects.toThrow('fetch failed');
    await network(api, 'b');
    await until(2);
    expect(told(taken())).toEqual(await log(api, ['network.create']));
  });

  it('hears after a restart what it had not heard before', async () => {
    const store = memoryStore();
    const deaf = await emulated({ store, send: () => Promise.reject(new Error('no line')) });
    const { url, taken, until } = await receiver();
    await deaf.make(CHANNELS, hook(url, ['network.create']));
    for (const name of ['a', 'b']) await network(deaf, name);
    const api = await hasty({ store });
    await network(api, 'c');
    await until(3);
    expect(told(taken())).toEqual(await log(api, ['network.create']));
  });

  it('keeps nobody else waiting', async () => {
    const api = await hasty();
    const slow = await receiver(Array.from({ length: 5 }, () => 500));
    const quick = await receiver();
    for (const { url } of [slow, quick]) await api.make(CHANNELS, hook(url, ['network.create']));
    await network(api, 'n');
    await quick.until(1);
    await slow.until(1);
    expect(slow.received).toHaveLength(6);
  });

  it('is given up after eight tries, and what it was to hear is kept', async () => {
    const api = await hasty();
    const { url, received } = await receiver(Array.from({ length: 20 }, () => 500));
    await api.make(CHANNELS, hook(url, ['network.create']));
    await network(api, 'n');
    const outbox = () => api.control('GET', '/emulator/outbox');
    while ([await outbox()].flat().length === 0) await api.get('/api/groups');
    expect(received).toHaveLength(8);
    expect(await outbox()).toMatchObject([{ kind: 'given up', to: [url] }]);
  });

  it('waits longer and longer between tries', async () => {
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

  it('is not told while its channel is off', async () => {
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

  it('elsewhere is not told unless somebody wants that: what it would hear is kept', async () => {
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

  it('of one account hears nothing of another', async () => {
    const api = await hasty();
    const { url, taken, until } = await receiver();
    await api.make(CHANNELS, hook(url, ['network.create']));
    const { token } = Object(await api.control('POST', '/emulator/accounts', {}));
    await api.call('POST', '/api/networks', { name: 'theirs' }, `Token ${token}`);
    await network(api, 'ours');
    await until(1);
    expect(taken()).toMatchObject([{ meta: { name: 'ours' } }]);
  });

  it('names events as its dialect does (facts §5.19)', async () => {
    const api = await hasty({ dialect: 'netbird' });
    const { url, taken, until } = await receiver();
    await api.make(CHANNELS, hook(url, ['peer.add']));
    const id = await api.enrol('laptop');
    await until(1);
    expect(taken()).toMatchObject([{ activity_code: 'peer.user.add', target_id: id }]);
  });
});

describe('mail', () => {
  it('is in the outbox, once for each event, to all addresses of its channel', async () => {
    const api = await hasty();
    const emails = ['a@example.com', 'b@example.com'];
    await api.make(CHANNELS, channelBody({ target: { emails }, event_types: ['network.create'] }));
    const id = await network(api, 'n');
    expect(await api.control('GET', '/emulator/outbox')).toEqual([
      {
        ...{ id: expect.any(String), at: expect.any(String), kind: 'email', to: emails },
        ...{ subject: 'Network created', text: expect.stringContaining(`target ${id}\nname: n\n`) },
      },
    ]);
    await api.control('DELETE', '/emulator/outbox');
    expect(await api.control('GET', '/emulator/outbox')).toEqual([]);
  });
});

describe('an event stream', () => {
  it('forwards everything, after an event that says whether it arrives', async () => {
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
        ...{ ID: String(event.id), Timestamp: expect.any(String), Meta: event.meta },
        ...{ Message: expect.any(String), Reference: expect.any(String) },
        ...{ InitiatorID: event.initiator_id, TargetID: event.target_id },
      })),
    );
    expect(rest.map(({ TargetID }) => TargetID)).toEqual([id, group]);
    for (const { headers: sent } of received) expect(sent['x-key']).toBe('secret');
  });

  it('writes as its template says', async () => {
    const api = await hasty();
    const { url, taken, until } = await receiver();
    const body_template =
      '{"text":"{{ .Message }} by {{.InitiatorID}}","meta":{{.Meta}},"x":"{{.Y}}"}';
    await api.make(STREAMS, generic(url, { body_template }));
    await network(api, 'n');
    await until(3);
    expect(taken()[2]).toMatchObject({
      ...{ text: expect.stringMatching(/^Network created by \S+$/), meta: { name: 'n' }, x: '' },
    });
  });

  it('sends its test again with every change, and nothing else while it is off', async () => {
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

  it('takes headers that are no JSON for none', async () => {
    const api = await hasty();
    const { url, until } = await receiver();
    await api.make(STREAMS, generic(url, { headers: 'X-Key: secret' }));
    await until(1);
  });

  it('of another platform goes nowhere from here', async () => {
    const sent: unknown[] = [];
    const api = await hasty({ send: async (post: unknown) => sent.push(post) });
    await api.make(STREAMS, streamBody());
    await network(api, 'n');
    await api.get('/api/groups');
    expect(sent).toEqual([]);
    expect(await api.control('GET', '/emulator/outbox')).toEqual([]);
  });
});

it('a receiver, a stream and the outbox all see what the log says, once each, under faults in the middle', async () => {
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
  expect(told(hooked.taken())).toEqual(expected);
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
