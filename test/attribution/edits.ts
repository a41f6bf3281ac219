// Edits that people make by hand, of every kind and operation that the audit log records; and edits that it does not.
import { isList, type JsonObject } from '../../src/model/value.ts';
import { asWritten, type Call, found, listed } from './team.ts';

/** An edit of the object of this name. Resolves once the account has it. */
export type Edit = (call: Call, name: string, number: number) => Promise<void>;

/** The edits of one kind: those after which the object is still there, and those after which it is not. */
export interface EditsOfKind {
  /** The address of an object in the report, by its name. */
  readonly address: (name: string) => string;
  readonly stays: readonly Edit[];
  readonly goes: readonly Edit[];
}

const change =
  (path: string, more: (number: number, object: JsonObject) => JsonObject): Edit =>
  async (call, name, number) => {
    const object = await found(call, path, name);
    await call('PUT', `${path}/${object.id}`, asWritten({ ...object, ...more(number, object) }));
  };
const remove =
  (path: string): Edit =>
  async (call, name) => {
    await call('DELETE', `${path}/${(await found(call, path, name)).id}`);
  };
const renamed = (path: string) => change(path, (_, { name }) => ({ name: `${name} renamed` }));

/** The same in every network: a child has the name of its network, and a network one child. */
const inNetwork =
  (children: string, edit: (path: string) => Edit): Edit =>
  async (call, name, number) => {
    const { id } = await found(call, '/api/networks', name);
    await edit(`/api/networks/${id}/${children}`)(call, name, number);
  };
const onlyChild =
  (more: ((number: number, object: JsonObject) => JsonObject) | null) =>
  (path: string): Edit =>
  async (call, _, number) => {
    const [child = {}] = await listed(call, path);
    if (more === null) await call('DELETE', `${path}/${child.id}`);
    else await call('PUT', `${path}/${child.id}`, asWritten({ ...child, ...more(number, child) }));
  };

const plain = (kind: string) => (name: string) => `${kind}.${name}`;
const groupsOf = (list: unknown): readonly unknown[] =>
  isList(list as never) ? (list as never) : [];

/** Adds or removes nothing: takes every group away. */
const withoutGroups = (field: string) => () => ({ [field]: [] });

export const LOGGED: Readonly<Record<string, EditsOfKind>> = {
  group: {
    address: plain('group'),
    stays: [change('/api/groups', () => ({ peers: [] }))],
    goes: [renamed('/api/groups'), remove('/api/groups')],
  },
  policy: {
    address: plain('policy'),
    stays: [
      change('/api/policies', number => ({ description: `by hand ${number}` })),
      change('/api/policies', number => ({ enabled: false, description: `off ${number}` })),
    ],
    goes: [renamed('/api/policies'), remove('/api/policies')],
  },
  posture: {
    address: plain('posture_check'),
    stays: [change('/api/posture-checks', number => ({ description: `by hand ${number}` }))],
    goes: [renamed('/api/posture-checks'), remove('/api/posture-checks')],
  },
  network: {
    address: plain('network'),
    stays: [change('/api/networks', number => ({ description: `by hand ${number}` }))],
    goes: [],
  },
  resource: {
    address: name => `network_resource.${name}/${name}`,
    stays: [
      inNetwork(
        'resources',
        onlyChild(number => ({ description: `by hand ${number}` })),
      ),
      inNetwork('resources', onlyChild(withoutGroups('groups'))),
    ],
    goes: [
      inNetwork('resources', onlyChild(null)),
      inNetwork(
        'resources',
        onlyChild((_, { name }) => ({ name: `${name} renamed` })),
      ),
    ],
  },
  router: {
    address: name => `network_router.${name}/crew`,
    stays: [
      inNetwork(
        'routers',
        onlyChild(number => ({ metric: 200 + (number % 5000) })),
      ),
    ],
    goes: [inNetwork('routers', onlyChild(null))],
  },
  route: {
    address: name => `route["${name} 10.3.${name.replace('route', '')}.0/24 crew"]`,
    stays: [
      change('/api/routes', number => ({ ...ROUTE, description: `by hand ${number}` })),
      change('/api/routes', number => ({ ...ROUTE, metric: 100 + (number % 5000) })),
    ],
    goes: [remove('/api/routes')],
  },
  key: {
    address: plain('setup_key'),
    stays: [
      change('/api/setup-keys', () => ({ revoked: true })),
      change('/api/setup-keys', withoutGroups('auto_groups')),
    ],
    goes: [remove('/api/setup-keys')],
  },
  robot: {
    address: plain('service_user'),
    stays: [
      change('/api/users', () => ({ role: 'auditor' })),
      change('/api/users', () => ({ is_blocked: true })),
      change('/api/users', withoutGroups('auto_groups')),
    ],
    goes: [remove('/api/users')],
  },
  person: {
    address: name => `user["${name}"]`,
    stays: [
      change('/api/users', () => ({ role: 'auditor' })),
      change('/api/users', () => ({ is_blocked: true })),
    ],
    goes: [remove('/api/users')],
  },
  provider: {
    address: plain('identity_provider'),
    stays: [
      change('/api/identity-providers', number => ({ client_id: `client ${number}`, ...HUSH })),
    ],
    goes: [
      change('/api/identity-providers', (_, { name }) => ({ name: `${name} renamed`, ...HUSH })),
      remove('/api/identity-providers'),
    ],
  },
  machine: {
    address: plain('peer'),
    stays: [change('/api/peers', () => ({ ssh_enabled: true }))],
    goes: [],
  },
  channel: {
    address: name => `notification_channel.${name}@example.com`,
    stays: [
      async (call, name, number) => {
        const path = '/api/integrations/notifications/channels';
        const all = await listed(call, path);
        const own = all.find(({ target }) => JSON.stringify(target).includes(`${name}@`)) ?? {};
        await call('PUT', `${path}/${own.id}`, { ...own, enabled: number < 0 });
      },
    ],
    goes: [],
  },
};

// The secret of a provider is never shown, and each update takes it again.
const HUSH = { client_secret: 'hush' };

// A route shows an empty peer, which an update does not take.
const ROUTE = { peer: undefined as never, domains: undefined as never };

/** A change that the log does not record, with one beside it, of somebody else, that it does. */
export const UNLOGGED: Readonly<Record<string, Edit>> = {
  resource: inNetwork('resources', path => async (call, name) => {
    const groups = await listed(call, '/api/groups');
    const [child = {}] = await listed(call, path);
    const holders = groups.filter(({ resources }) =>
      groupsOf(resources).some(one => Object(one).id === child.id),
    );
    for (const holder of holders)
      await call('PUT', `/api/groups/${holder.id}`, {
        name: holder.name ?? name,
        peers: Object(asWritten(holder)).peers,
        resources: groupsOf(holder.resources).filter(one => Object(one).id !== child.id) as never,
      });
  }),
};

/** A change of the same object that the log records, and that leaves everything as it is declared. */
export const IDLE: Edit = inNetwork(
  'resources',
  onlyChild(() => ({})),
);
