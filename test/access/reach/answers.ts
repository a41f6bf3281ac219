// An account as an emulator's GET calls answer it, in the form that `access --state` reads.
import type { Json } from '../../../src/model/value.ts';
import type { Emulated } from '../../emulator/emulated.ts';

/** What an emulator of dialect `spec` holds, as one object. */
export async function answersOf(api: Pick<Emulated, 'get'>): Promise<Json> {
  const list = async (path: string) => [await api.get(`/api/${path}`)].flat();
  const networks = (await list('networks')).map(async network => ({
    ...Object(network),
    resources: await list(`networks/${Object(network).id}/resources`),
    routers: await list(`networks/${Object(network).id}/routers`),
  }));
  return Object({
    peers: await list('peers'),
    groups: await list('groups'),
    policies: await list('policies'),
    posture_checks: await list('posture-checks'),
    networks: await Promise.all(networks),
    routes: await list('routes'),
  });
}
