// What a self-hosted server does not offer: it answers like an unknown path, whatever the method and whoever asks.
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../../src/contract/index.ts';
import { peerBody } from '../bodies.ts';
import { emulated } from '../emulated.ts';

const { operations } = loadContract();
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  const pathOf = ({ path, netbirdPath }: (typeof operations)[number]) =>
    ((dialect === 'netbird' && netbirdPath) || path).replaceAll(/\{\w+\}/g, 'x');
  const left = operations.filter(({ editions }) => !editions.includes('self-hosted'));
  const paths = [...new Set(left.map(pathOf))];

  it('answers 404 in plain text where the open-source server does, to every method', async () => {
    const api = await emulated({ dialect, edition: 'self-hosted' });
    const aliases = dialect === 'netbird' ? ['/api/event-streaming', '/api/event-streaming/x'] : [];
    expect(paths).toHaveLength(32);
    for (const path of [...paths, ...aliases])
      for (const method of METHODS) {
        const { status, text, headers } = await api.call(method, path, undefined, '');
        const type = headers.get('content-type');
        expect([method, path, status, text, type]).toEqual([
          method,
          path,
          404,
          '404 page not found\n',
          'text/plain; charset=utf-8',
        ]);
      }
  });

  it('offers all other operations, as the hosted service does', async () => {
    const hosted = await emulated({ dialect });
    const own = await emulated({ dialect, edition: 'self-hosted' });
    for (const operation of operations) {
      const path = pathOf(operation);
      const ask = async (api: typeof own) =>
        (await api.call(operation.method, path, undefined, 'Token none')).text;
      expect(await ask(hosted), path).not.toContain('page not found');
      const isOffered = operation.editions.includes('self-hosted');
      expect((await ask(own)).includes('page not found'), path).toBe(!isOffered);
    }
  });

  it('makes no peer wait for approval on a self-hosted server', async () => {
    for (const edition of ['cloud', 'self-hosted'] as const) {
      const api = await emulated({ dialect, edition });
      const id = await api.enrol('laptop');
      const body = peerBody({ approval_required: true });
      expect(await api.put(`/api/peers/${id}`, body)).toMatchObject({
        approval_required: edition === 'cloud',
      });
    }
  });
});
