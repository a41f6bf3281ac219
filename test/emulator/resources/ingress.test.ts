// Peers that let in traffic from the internet, and the ports they give out (docs/server-behaviour.md#ingress).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapPorts, portsLeft } from '../../../src/emulator/addresses/port-mappings.ts';
import { allocationBody } from '../bodies.ts';
import { type Emulated, emulated, refused } from '../emulated.ts';

const PEERS = '/api/ingress/peers';

async function gate(api: Emulated, more: object = {}, machine: object = {}) {
  const peer_id = await api.enrol('gate', machine);
  const id = await api.make(PEERS, { peer_id, enabled: true, fallback: true, ...more });
  return { id, peer_id, path: `${PEERS}/${id}` };
}

async function ports(api: Emulated, machine: object = {}) {
  const peer = await api.enrol('laptop', machine);
  return { peer, path: `/api/peers/${peer}/ingress/ports` };
}

describe('an ingress peer', () => {
  it('has an address, a region, available ports, and is connected if its peer is', async () => {
    const api = await emulated();
    const { path, peer_id } = await gate(api, {}, { country_code: 'DE' });
    expect(await api.get(path)).toMatchObject({
      peer_id,
      region: 'de',
      connected: true,
      enabled: true,
      fallback: true,
      ingress_ip: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
      available_ports: { tcp: 55_536, udp: 55_536 },
    });
    await api.control('POST', `/emulator/peers/${peer_id}/disconnect`);
    expect(await api.get(path)).toMatchObject({ connected: false });
  });

  it('is an enrolled peer, at most once', async () => {
    const api = await emulated();
    const { peer_id } = await gate(api);
    const body = { enabled: true, fallback: false };
    expect(await api.refusal('POST', PEERS, { ...body, peer_id })).toEqual(refused(409));
    expect(await api.refusal('POST', PEERS, { ...body, peer_id: 'none' })).toEqual(refused(404));
  });

  it('stays while it is in use, and keeps its peer', async () => {
    const api = await emulated();
    const { path, peer_id } = await gate(api);
    const laptop = await ports(api);
    const allocation = await api.make(laptop.path, allocationBody());
    expect(await api.refusal('DELETE', path)).toEqual(refused(412));
    expect(await api.refusal('DELETE', `/api/peers/${peer_id}`)).toEqual(refused(412));
    expect(await api.refusal('DELETE', `/api/peers/${laptop.peer}`)).toEqual(refused(412));
    await api.remove(`${laptop.path}/${allocation}`);
    await api.remove(path);
    await api.remove(`/api/peers/${peer_id}`);
  });
});

describe('an allocation', () => {
  it('maps port ranges of the peer to ports of the ingress peer, one to one', async () => {
    const api = await emulated({ shuffle: false });
    const { id, path } = await gate(api);
    const laptop = await ports(api);
    const port_ranges = [
      { start: 80, end: 81, protocol: 'tcp' },
      { start: 53, end: 53, protocol: 'udp' },
    ];
    const made = await api.post(laptop.path, allocationBody({ port_ranges }));
    expect(made).toMatchObject({ ingress_peer_id: id, region: 'anywhere', enabled: true });
    const [web, dns] = Object(made).port_range_mappings;
    expect(web).toMatchObject({ translated_start: 80, translated_end: 81, protocol: 'tcp' });
    expect(web.ingress_end - web.ingress_start).toBe(1);
    expect(dns).toMatchObject({ translated_start: 53, translated_end: 53, protocol: 'udp' });
    expect(await api.get(path)).toMatchObject({ available_ports: { tcp: 55_534, udp: 55_535 } });
  });

  it('may request the same ports on both sides', async () => {
    const api = await emulated();
    await gate(api);
    const laptop = await ports(api);
    const body = { name: 'p', enabled: true, direct_port: { count: 3, protocol: 'tcp/udp' } };
    const [mapping] = Object(await api.post(laptop.path, body)).port_range_mappings;
    expect(mapping.translated_start).toBe(mapping.ingress_start);
    expect(mapping.ingress_end - mapping.ingress_start).toBe(2);
  });

  it('keeps the mappings that an update contains too', async () => {
    const api = await emulated();
    await gate(api);
    const laptop = await ports(api);
    const made = Object(await api.post(laptop.path, allocationBody()));
    const [kept] = made.port_range_mappings;
    const more = { start: 443, end: 443, protocol: 'tcp' };
    const port_ranges = [more, ...allocationBody().port_ranges];
    const after = await api.put(`${laptop.path}/${made.id}`, allocationBody({ port_ranges }));
    expect(Object(after).port_range_mappings).toContainEqual(kept);
    expect(Object(after).port_range_mappings).toHaveLength(2);
  });

  it('is served in its region, else by a fallback, else refused', async () => {
    const api = await emulated();
    const german = await ports(api, { country_code: 'DE' });
    expect(await api.refusal('POST', german.path, allocationBody())).toEqual(refused(412));
    const far = await gate(api, { fallback: true }, { country_code: 'US' });
    const near = await gate(api, { fallback: false }, { country_code: 'DE' });
    const served = async () =>
      Object(await api.post(german.path, allocationBody())).ingress_peer_id;
    expect(await served()).toBe(near.id);
    await api.put(near.path, { enabled: false, fallback: false });
    expect(await served()).toBe(far.id);
    const french = await ports(api, { country_code: 'FR' });
    await api.put(far.path, { enabled: true, fallback: false });
    expect(await api.refusal('POST', french.path, allocationBody())).toEqual(refused(412));
  });

  it('is listed under its peer, and filtered by name', async () => {
    const api = await emulated();
    await gate(api);
    const laptop = await ports(api);
    const other = await ports(api);
    const id = await api.make(laptop.path, allocationBody({ name: 'web' }));
    await api.make(laptop.path, allocationBody({ name: 'mail' }));
    expect(await api.get(`${laptop.path}?name=web`)).toMatchObject([{ id }]);
    expect(await api.get(`${laptop.path}?name=we`)).toEqual([]);
    expect(await api.get(other.path)).toEqual([]);
    expect(await api.refusal('GET', `${other.path}/${id}`)).toEqual(refused(404));
  });

  it.each([
    ['neither kind of port', { port_ranges: undefined }],
    ['no range', { port_ranges: [] }],
    ['both kinds of port', { direct_port: { count: 1, protocol: 'tcp' } }],
    ['a range that runs backwards', { port_ranges: [{ start: 9, end: 8, protocol: 'tcp' }] }],
    ['a port that there is not', { port_ranges: [{ start: 1, end: 65_536, protocol: 'tcp' }] }],
    ['an unknown protocol', { port_ranges: [{ start: 1, end: 1, protocol: 'sctp' }] }],
    ['no port at all', { port_ranges: undefined, direct_port: { count: 0, protocol: 'tcp' } }],
  ])('is refused with %s', async (_, more) => {
    const api = await emulated();
    await gate(api);
    const laptop = await ports(api);
    expect(await api.refusal('POST', laptop.path, allocationBody(more))).toEqual(refused(422));
  });

  it('is refused if too few ports are left', async () => {
    const api = await emulated();
    await gate(api);
    const laptop = await ports(api);
    const port_ranges = [{ start: 1, end: 50_000, protocol: 'tcp' }];
    await api.post(laptop.path, allocationBody({ port_ranges }));
    expect(await api.refusal('POST', laptop.path, allocationBody({ port_ranges }))).toEqual(
      refused(412),
    );
  });
});

describe('allocated ports', () => {
  const protocol = fc.constantFrom('tcp', 'udp', 'tcp/udp');
  const range = fc
    .tuple(fc.integer({ min: 1, max: 60_000 }), fc.nat({ max: 3000 }), protocol)
    .map(([start, length, of]) => ({ start, end: start + length, protocol: of }));
  const direct = fc.record({ count: fc.integer({ min: 1, max: 3000 }), protocol });
  const wanted = fc.array(fc.oneof(range, direct), { minLength: 1, maxLength: 5 });

  it('never collide, whoever requests whatever', () => {
    fc.assert(
      fc.property(fc.array(wanted, { maxLength: 8 }), asked => {
        const given: NonNullable<ReturnType<typeof mapPorts>>[number][] = [];
        for (const one of asked) given.push(...(mapPorts(one, [], given) ?? []));
        for (const of of ['tcp', 'udp']) {
          const used = given
            .filter(mapping => mapping.protocol.includes(of))
            .flatMap(({ ingress_start, ingress_end }) =>
              Array.from({ length: ingress_end - ingress_start + 1 }, (_, n) => ingress_start + n),
            );
          expect(new Set(used).size).toBe(used.length);
          expect(portsLeft(given, of)).toBe(55_536 - used.length);
        }
      }),
      { seed: 1, numRuns: 50 },
    );
  });
});
