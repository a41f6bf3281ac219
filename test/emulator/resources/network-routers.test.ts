// The routers of a network (docs/server-behaviour.md#network-routers).
import { describe, expect, it } from 'vitest';
import { routerBody } from '../bodies.ts';
import { type Emulated, emulated, idOf } from '../emulated.ts';

const routersPath = async (api: Emulated) =>
  `/api/networks/${await api.make('/api/networks', { name: 'n' })}/routers`;

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  const empty = dialect === 'spec' ? [] : null;

  it('shows both kinds of routing peers, the unset one empty', async () => {
    const api = await emulated({ dialect });
    const path = await routersPath(api);
    expect(await api.post(path, routerBody({ peer: 'p' }))).toMatchObject({
      peer: 'p',
      peer_groups: empty,
    });
    const router = await api.post(path, routerBody({ peer_groups: ['g'] }));
    expect(router).toEqual({
      id: idOf(router),
      peer: '',
      peer_groups: ['g'],
      metric: 100,
      masquerade: true,
      enabled: true,
    });
    expect(await api.get(`${path}/${idOf(router)}`)).toEqual(router);
    expect(await api.get(path)).toHaveLength(2);
  });

  it('refuses both kinds, and neither, with a 400', async () => {
    const api = await emulated({ dialect });
    const path = await routersPath(api);
    const both = routerBody({ peer: 'p', peer_groups: ['g'] });
    const neither = routerBody({ peer: '', peer_groups: [] });
    for (const body of [both, neither, routerBody()])
      expect(await api.refusal('POST', path, body)).toMatchObject([
        400,
        expect.stringMatching(/peer_groups/),
      ]);
    const id = await api.make(path, routerBody({ peer: 'p' }));
    expect(await api.refusal('PUT', `${path}/${id}`, both)).toMatchObject([
      400,
      expect.stringMatching(/peer_groups/),
    ]);
  });

  it('counts an empty peer and an empty list as absent', async () => {
    const api = await emulated({ dialect });
    const path = await routersPath(api);
    await api.make(path, routerBody({ peer: 'p', peer_groups: [] }));
    await api.make(path, routerBody({ peer: '', peer_groups: ['g'] }));
  });

  it('accepts unknown peers and groups, and a second router with the same peer', async () => {
    const api = await emulated({ dialect });
    const path = await routersPath(api);
    for (const _ of [1, 2]) await api.make(path, routerBody({ peer: 'none' }));
    expect(await api.get(path)).toHaveLength(2);
  });

  it('is replaced whole, and can be disabled that way', async () => {
    const api = await emulated({ dialect });
    const path = await routersPath(api);
    const id = await api.make(path, routerBody({ peer: 'p' }));
    const body = routerBody({
      peer_groups: ['g'],
      metric: 9999,
      masquerade: false,
      enabled: false,
    });
    expect(await api.put(`${path}/${id}`, body)).toEqual({ id, peer: '', ...body });
  });

  it('is found only in its own network: 400 to writes, and 500 under netbird to reads', async () => {
    const api = await emulated({ dialect });
    const path = await routersPath(api);
    const elsewhere = `${await routersPath(api)}/${await api.make(path, routerBody({ peer: 'p' }))}`;
    const [status] = await api.refusal('GET', elsewhere);
    expect(status).toBe(dialect === 'spec' ? 404 : 500);
    for (const method of ['PUT', 'DELETE'])
      expect(await api.refusal(method, elsewhere, routerBody({ peer: 'p' }))).toMatchObject([
        400,
        expect.stringMatching(/is not part of the network/),
      ]);
  });

  it('answers 404 to an unknown id, and to a creation in an unknown network', async () => {
    const api = await emulated({ dialect });
    const path = await routersPath(api);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(
        await api.refusal(
          method,
          `${path}/none`,
          method === 'PUT' ? routerBody({ peer: 'p' }) : undefined,
        ),
      ).toEqual([404, 'network router: none not found']);
    expect(
      await api.refusal('POST', '/api/networks/none/routers', routerBody({ peer: 'p' })),
    ).toMatchObject([404, expect.any(String)]);
    expect(await api.get('/api/networks/none/routers')).toEqual([]);
  });

  it('can always be deleted', async () => {
    const api = await emulated({ dialect });
    const path = await routersPath(api);
    await api.remove(`${path}/${await api.make(path, routerBody({ peer: 'p' }))}`);
    expect(await api.get(path)).toEqual([]);
  });
});

describe('a router created disabled', () => {
  it('is disabled under spec', async () => {
    const api = await emulated({ dialect: 'spec' });
    const body = routerBody({ peer: 'p', enabled: false });
    expect(await api.post(await routersPath(api), body)).toMatchObject({ enabled: false });
  });

  it('is enabled under netbird, until an update', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const path = await routersPath(api);
    const body = routerBody({ peer: 'p', enabled: false });
    const router = await api.post(path, body);
    expect(router).toMatchObject({ enabled: true });
    expect(await api.put(`${path}/${idOf(router)}`, body)).toMatchObject({ enabled: false });
  });
});

describe('the metric of a router', () => {
  it('is limited to 1 to 9999 under spec', async () => {
    const api = await emulated({ dialect: 'spec' });
    const path = await routersPath(api);
    for (const metric of [0, 10_000])
      expect(await api.refusal('POST', path, routerBody({ peer: 'p', metric }))).toMatchObject([
        422,
        expect.stringMatching(/metric/),
      ]);
    for (const metric of [1, 9999]) await api.make(path, routerBody({ peer: 'p', metric }));
  });

  it('is not checked under netbird', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const path = await routersPath(api);
    for (const metric of [0, -5, 10_000])
      expect(await api.post(path, routerBody({ peer: 'p', metric }))).toMatchObject({ metric });
  });
});

it('lists the routers of all networks under netbird', async () => {
  const api = await emulated({ dialect: 'netbird' });
  for (const _ of [1, 2]) await api.make(await routersPath(api), routerBody({ peer: 'p' }));
  expect(await api.get('/api/networks/routers')).toHaveLength(2);
});
