// A server with a small account and a traffic log, on loopback: what it shows is the test's to say.
import type { RequestListener } from 'node:http';
import type { Json, JsonObject } from '../../../src/model/value.ts';
import { serve } from '../../api/loopback.ts';

/** What the server shows; a test changes it. */
interface Shown {
  records: readonly JsonObject[];
  policies: readonly JsonObject[];
  connected: readonly string[];
  /** The status of the log. */
  status: number;
  /** Absent: the account has no settings. */
  isLogOn?: boolean;
  /** The groups to which the log is limited. */
  logGroups?: readonly string[];
  accountId: string;
  /** The time in its responses; absent: now. */
  clock?: number;
  /** Called before each answer. */
  onRequest: () => void;
}

export interface ObservedServer {
  readonly env: Readonly<Record<string, string>>;
  readonly shown: Shown;
}

export const policy = (id: string, port: string): JsonObject => ({
  id,
  name: id,
  enabled: true,
  rules: [
    {
      id: `${id}-r`,
      name: 'rule',
      enabled: true,
      action: 'accept',
      bidirectional: false,
      protocol: 'tcp',
      ports: [port],
      sources: [{ id: 'g1', name: 'all' }],
      destinations: [{ id: 'g1', name: 'all' }],
    },
  ],
});

const MACHINES = [
  { id: 'm1', name: 'annas-laptop', ip: '100.64.0.1' },
  { id: 'm2', name: 'files', ip: '100.64.0.2' },
];

/** Serves for as long as the test runs. */
export async function serveObserved(): Promise<ObservedServer> {
  const shown: Shown = {
    records: [],
    policies: [policy('web', '443')],
    connected: ['m1'],
    status: 200,
    accountId: 'account-1',
    onRequest: () => {},
  };
  const bodies: Readonly<Record<string, () => Json>> = {
    '/api/peers': () =>
      MACHINES.map(peer => ({ ...peer, connected: shown.connected.includes(peer.id) })),
    '/api/groups': () => [
      { id: 'g1', name: 'all', peers: MACHINES.map(({ id, name }) => ({ id, name })) },
    ],
    '/api/policies': () => shown.policies,
    '/api/accounts': () =>
      shown.isLogOn === undefined
        ? []
        : [
            {
              id: shown.accountId,
              settings: {
                extra: {
                  network_traffic_logs_enabled: shown.isLogOn,
                  network_traffic_logs_groups: shown.logGroups ?? null,
                },
              },
            },
          ],
    '/api/events/network-traffic': () => ({
      data: shown.records,
      page: 1,
      page_size: 1000,
      total_records: shown.records.length,
      total_pages: 1,
    }),
  };
  const listener: RequestListener = ({ url = '' }, response) => {
    shown.onRequest();
    const { pathname } = new URL(url, 'http://localhost');
    const status = pathname.endsWith('/network-traffic') ? shown.status : 200;
    const body =
      status === 200 ? (bodies[pathname]?.() ?? []) : { message: 'refused', code: status };
    const date = shown.clock === undefined ? {} : { date: new Date(shown.clock).toUTCString() };
    response
      .writeHead(status, { 'content-type': 'application/json', ...date })
      .end(JSON.stringify(body));
  };
  const port = await serve(listener);
  const env = { MESHFORM_URL: `http://127.0.0.1:${port}`, MESHFORM_TOKEN: 'test' };
  return { env, shown };
}
