// An account and a change of it that creates, updates, replaces and deletes, over more than ten kinds: what the matrices
// of faults and kills are run over. The account is put back as it was before each run.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnsweredRequest, seededRandom, startEmulator } from '../../src/emulator/index.ts';
import type { Dialect } from '../../src/kinds/traits.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { type Ended, inFolder, meshform } from '../support/cli.ts';

const BEFORE = `
groups:
  - { name: developers, peers: [ada] }
  - { name: operators, peers: [bob] }
  - { name: gateways }
  - { name: former team }
posture_checks:
  - { name: recent agent, checks: { nb_version_check: { min_version: 0.50.0 } } }
  - { name: somewhere, checks: { geo_location_check: { action: allow, locations: [{ country_code: FR }] } } }
networks:
  - name: office
    resources:
      - { name: wiki, address: 10.0.0.5, groups: [operators] }
      - { name: printer, address: 10.0.0.9, groups: [operators] }
    routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }]
  - name: lab
    resources: [{ name: scope, address: 10.9.0.5, groups: [developers] }]
routes:
  - { network_id: old office, network: 10.40.0.0/16, peer: ada, masquerade: true, groups: [operators] }
  - { network_id: suppliers, network: 10.41.0.0/16, peer_groups: [gateways], masquerade: true, groups: [operators] }
setup_keys:
  - { name: runners, type: reusable, expires_in: 7776000, auto_groups: [developers] }
  - { name: gateways, type: reusable, expires_in: 7776000, auto_groups: [gateways] }
service_users:
  - { name: pipeline, role: network_admin, tokens: [{ name: main, expires_in: 90 }] }
  - { name: robot, role: auditor }
peers: [{ name: ada, ssh_enabled: true }]
notification_channels:
  - { type: email, target: { emails: [a@example.com] }, event_types: [user.join] }
policies:
  - name: developers reach the wiki
    source_posture_checks: [recent agent]
    rules: [{ name: web, sources: [developers], destinationResource: { network_resource: office/wiki }, protocol: tcp, ports: ["443"] }]
  - name: operators print
    rules: [{ name: print, sources: [operators], destinations: [gateways], protocol: tcp, ports: ["631"] }]
`;

const AFTER = `
groups:
  - { name: builders, peers: [ada, bob], lifecycle: { was: developers } }
  - { name: operators, peers: [bob] }
  - { name: gateways, peers: [cyd] }
  - { name: guests }
posture_checks:
  - { name: recent agent, checks: { nb_version_check: { min_version: 0.60.0 } } }
  - { name: known ranges, checks: { peer_network_range_check: { action: deny, ranges: [192.0.2.0/24] } } }
networks:
  - name: office
    description: First floor
    resources:
      - { name: wiki, address: 10.0.0.6, groups: [operators, guests] }
      - { name: files, address: 10.0.0.7, groups: [guests] }
    routers: [{ peer_groups: [gateways], metric: 200, masquerade: true }]
  - name: warehouse
    routers: [{ peer: cyd, masquerade: true, enabled: false }]
routes:
  - { network_id: suppliers, network: 10.41.0.0/16, peer_groups: [gateways], metric: 50, masquerade: true, groups: [operators] }
  - { network_id: partners, network: 10.42.0.0/16, peer: bob, masquerade: true, groups: [guests] }
setup_keys:
  - { name: runners, type: one-off, expires_in: 7776000, auto_groups: [builders] }
  - { name: guests, type: reusable, expires_in: 86400, auto_groups: [guests] }
service_users:
  - { name: pipeline, role: admin, tokens: [{ name: nightly, expires_in: 30 }] }
peers: [{ name: ada, ssh_enabled: false }]
notification_channels:
  - { type: email, target: { emails: [a@example.com, b@example.com] }, event_types: [user.join] }
policies:
  - name: builders reach the wiki
    source_posture_checks: [recent agent, known ranges]
    lifecycle: { was: developers reach the wiki }
    rules: [{ name: web, sources: [builders], destinationResource: { network_resource: office/wiki }, protocol: tcp, ports: ["8443"] }]
  - name: guests reach files
    rules: [{ name: all, sources: [guests], destinations: [operators], protocol: all, bidirectional: true }]
`;

const BEYOND_BEFORE = `
groups:
  - { name: developers, peers: [ada] }
  - { name: operators, peers: [bob] }
  - { name: former team }
  - { name: sales, from: identity_provider }
account_settings:
  peer_login_expiration: 86400
  groups_propagation_enabled: false
  dns_domain: corp.internal
  ipv6_enabled_groups: [developers, former team]
  onboarding_flow_pending: true
dns:
  settings: { disabled_management_groups: [former team] }
  zones:
    - domain: lab.example.com
      name: Lab
      distribution_groups: [developers]
      records:
        - { name: wiki.lab.example.com, type: A, content: 10.0.0.5, ttl: 300 }
        - { name: old.lab.example.com, type: A, content: 10.0.0.6, ttl: 300 }
        - { name: alias.lab.example.com, type: CNAME, content: wiki.lab.example.com, ttl: 60 }
    - { domain: old.example.com, name: Old, distribution_groups: [former team] }
  nameserver_groups:
    - { name: office, nameservers: [{ ip: 10.0.0.53 }], groups: [developers], domains: [office.example.com] }
    - { name: old, nameservers: [{ ip: 10.0.0.54 }], groups: [former team], domains: [old.example.org] }
networks:
  - name: office
    resources: [{ name: wiki, address: 10.0.0.5, groups: [operators] }]
    routers: [{ peer: cyd, masquerade: true }]
policies:
  - name: developers reach operators
    rules: [{ name: web, sources: [developers], destinations: [operators], protocol: tcp, ports: ["443"] }]
setup_keys:
  - { name: runners, type: reusable, expires_in: 7776000, auto_groups: [developers] }
reverse_proxy:
  domains: [{ domain: apps.example.com, target_cluster: eu.proxy.test }]
  services:
    - domain: wiki.apps.example.com
      name: Wiki
      targets: [{ target: { network_resource: office/wiki }, port: 443, protocol: https }]
      auth: { pin_auth: { enabled: true, pin: "\${env:PIN}" } }
    - domain: old.eu.proxy.test
      name: Old
      targets: [{ target: { peer: ada }, port: 8080, protocol: http }]
      private: true
      access_groups: [former team]
  tokens: [{ name: porto, expires_in: 86400 }]
`;

const BEYOND_AFTER = `
groups:
  - { name: builders, peers: [ada, bob], lifecycle: { was: developers } }
  - { name: operators, peers: [bob] }
  - { name: guests, peers: [cyd] }
  - { name: sales, from: identity_provider }
  - { name: engineers, from: identity_provider }
account_settings:
  peer_login_expiration: 7200
  groups_propagation_enabled: true
  dns_domain: home.internal
  ipv6_enabled_groups: [builders, guests]
  onboarding_flow_pending: false
dns:
  settings: { disabled_management_groups: [guests] }
  zones:
    - domain: lab.example.com
      name: Laboratory
      distribution_groups: [builders, sales]
      records:
        - { name: wiki.lab.example.com, type: A, content: 10.0.0.7, ttl: 300 }
        - { name: alias.lab.example.com, type: A, content: 10.0.0.8, ttl: 60 }
        - { name: new.lab.example.com, type: AAAA, content: "2001:db8::5", ttl: 60 }
    - { domain: new.example.com, name: New, distribution_groups: [guests] }
  nameserver_groups:
    - { name: office, nameservers: [{ ip: 10.0.0.54 }, { ip: 10.0.0.53 }], groups: [builders], domains: [office.example.com, lab.example.org] }
    - { name: resolvers, nameservers: [{ ip: 9.9.9.9 }], groups: [guests, sales], primary: true }
networks:
  - name: office
    resources: [{ name: wiki, address: 10.0.0.7, groups: [operators] }]
    routers: [{ peer: cyd, masquerade: true }]
policies:
  - name: builders reach operators
    lifecycle: { was: developers reach operators }
    rules: [{ name: web, sources: [builders, sales], destinations: [operators], protocol: tcp, ports: ["443"] }]
  - name: engineers reach operators
    rules: [{ name: ssh, sources: [engineers], destinations: [operators], protocol: tcp, ports: ["22"] }]
setup_keys:
  - { name: runners, type: one-off, expires_in: 7776000, auto_groups: [builders] }
reverse_proxy:
  domains: [{ domain: tools.example.com, target_cluster: eu.proxy.test }]
  services:
    - domain: wiki.eu.proxy.test
      name: Wiki
      lifecycle: { was: wiki.apps.example.com }
      targets: [{ target: { network_resource: office/wiki }, port: 8443, protocol: https }]
      auth: { password_auth: { enabled: true, password: "\${env:PIN}" } }
    - domain: new.tools.example.com
      name: New
      targets: [{ target: { peer: cyd }, port: 8080, protocol: http }]
      private: true
      access_groups: [guests]
  tokens: [{ name: lisbon, expires_in: 3600 }]
`;

/** An account to change, and its change. */
interface Setting {
  readonly dialect: Dialect;
  readonly before: string;
  readonly after: string;
}

/** The kinds of the specification, and those that only the public server has: settings, DNS, reverse proxy, groups of an identity provider. */
export const SETTINGS = {
  specified: { dialect: 'spec', before: BEFORE, after: AFTER },
  beyond: { dialect: 'netbird', before: BEYOND_BEFORE, after: BEYOND_AFTER },
} as const satisfies Readonly<Record<string, Setting>>;

/** The changes, by the kinds of which each changes objects. */
export const MIXED = [
  ['12 kinds', SETTINGS.specified],
  ['12 kinds, 8 of them beyond the specification', SETTINGS.beyond],
] as const;

/** The hazards of the plans: a resumed run is asked for them again. */
export const ALLOWED = [
  'DELETES_OBJECT',
  'REPLACES_OBJECT',
  'GAP',
  'OVER_THRESHOLD',
  'LOSES_IPV6',
  'EXPIRES_MACHINES',
  'SERVICE_PUBLIC',
  'RENAMES_MACHINES',
].flatMap(code => ['--allow', code]);

/** The flags of an apply of the change. Every hazard of it is known. */
const FLAGS = [
  '--prune',
  'removed',
  '--base',
  'before',
  '--yes',
  '--timeout',
  '1',
  ...ALLOWED,
  '--secrets-to',
  'file:secrets.jsonl',
  '--journal',
  'run.jsonl',
];

export interface Mixed {
  readonly dialect: Dialect;
  /** A folder with `before` and `after` in it. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** What an apply of the change is called with. */
  readonly apply: readonly string[];
  /** Puts the account back as it was before the change, and the folder too. */
  readonly reset: () => Promise<void>;
  readonly run: (...argv: readonly string[]) => Promise<Ended>;
  readonly fault: (what: JsonObject) => Promise<unknown>;
  /** No faults any more. */
  readonly clear: () => Promise<unknown>;
  /** A plain call. */
  readonly call: (method: string, path: string, body?: Json) => Promise<Json>;
  /** What the account holds, in the words of files: whatever the ids are. */
  readonly held: () => Promise<string>;
  /** The same after the change went well. */
  readonly wanted: string;
  /** How many requests an apply of the change makes. */
  readonly requests: number;
  /** Called with each request before its answer leaves. */
  readonly watch: (handler: ((request: AnsweredRequest) => void) | null) => void;
}

/** Starts it for `use`, and ends it afterwards. */
export async function startMixed(
  use: (mixed: Mixed) => Promise<void>,
  { dialect, before: first, after: second }: Setting = SETTINGS.specified,
): Promise<void> {
  let watcher: ((request: AnsweredRequest) => void) | null = null;
  let count = 0;
  const emulator = await startEmulator({
    dialect,
    signIn: 'embedded',
    ...(dialect === 'netbird' && { edition: 'self-hosted' }),
    controls: true,
    shuffle: true,
    random: seededRandom(1),
    clock: () => new Date('2026-01-02T03:04:05Z'),
    onRequest: request => {
      if (!request.path.startsWith('/api/')) return;
      count += 1;
      watcher?.(request);
    },
    onFault: error => {
      throw error;
    },
  });
  const send = async (token: string, method: string, path: string, body?: Json): Promise<Json> => {
    const response = await fetch(`${emulator.url}${path}`, {
      method,
      headers: { authorization: `Token ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const control = (method: string, path: string, body?: Json) =>
    send(emulator.controlsToken, method, `/emulator/${path}`, body);
  try {
    for (const name of ['ada', 'bob', 'cyd']) await control('POST', 'peers', { name, groups: [] });
    if (dialect === 'netbird') {
      await control('POST', 'proxy-clusters', { address: 'eu.proxy.test', shared: true });
      await control('POST', 'groups', { name: 'sales', issued: 'jwt', peers: [] });
    }
    await inFolder(async folder => {
      const env = { MESHFORM_URL: emulator.url, MESHFORM_TOKEN: emulator.token, PIN: '4711' };
      const run = (...argv: readonly string[]) =>
        meshform(argv, { env, cwd: folder, now: Date.parse('2026-01-02T03:04:05Z') });
      for (const [name, text] of Object.entries({ before: first, after: second })) {
        await mkdir(join(folder, name));
        await writeFile(join(folder, name, 'all.yaml'), text);
      }
      const reported = (ended: Ended): void => {
        if (ended.code !== 0) throw new Error(`${ended.stdout}\n${ended.stderr}`);
      };
      reported(
        await run('apply', 'before', '--yes', ...ALLOWED, '--secrets-to', 'file:first.jsonl'),
      );
      const snapshot = await control('GET', 'snapshot');
      const held = async () => (await run('export')).stdout;
      const reset = async () => {
        await control('DELETE', 'faults');
        await control('PUT', 'snapshot', snapshot);
        for (const file of ['run.jsonl', 'second.jsonl', 'secrets.jsonl'])
          await rm(join(folder, file), { force: true });
      };
      const apply = ['apply', 'after', ...FLAGS];
      await reset();
      const before = count;
      reported(await run(...apply));
      const requests = count - before;
      const wanted = await held();
      await use({
        dialect,
        folder,
        env,
        apply,
        reset,
        run,
        held,
        wanted,
        requests,
        fault: what => control('POST', 'faults', { path: '/api/*', ...what }),
        clear: () => control('DELETE', 'faults'),
        call: (method, path, body) => send(emulator.token, method, path, body),
        watch: handler => {
          watcher = handler;
        },
      });
    });
  } finally {
    await emulator.close();
  }
}

/** The entries of a journal, the torn one at its end left out; null where there is no journal. */
export async function journalIn(folder: string): Promise<JsonObject[] | null> {
  const text = await readFile(join(folder, 'run.jsonl'), 'utf8').catch(() => null);
  if (text === null) return null;
  return text.split('\n').flatMap(line => {
    try {
      const entry: Json = JSON.parse(line);
      return isObject(entry) ? [entry] : [];
    } catch {
      return [];
    }
  });
}

/**
 * The flags of an apply that ends a run whose report leaves the create of one object open, because no audit event shows who created
 * objects of its kind; undefined if the report leaves anything else open.
 */
export function rotationAfter({ code, stdout }: Ended): readonly string[] | undefined {
  const text = stdout.replaceAll(/\s+/g, ' ');
  const [, address, name] =
    text.match(
      /Unknown: create (proxy_token\.\w+): the earlier run sent the create of .* and the audit log does not prove that this run created it; .* with --rotate '(proxy_token\/\w+)'/,
    ) ?? [];
  const isOnly = / done, 0 failed, 0 skipped, 1 unknown\./.test(text);
  return code === 4 && isOnly && address !== undefined && name !== undefined
    ? ['--rotate', name]
    : undefined;
}

/** The members of a list. */
export const itemsOf = (list: Json): JsonObject[] => (isList(list) ? list.filter(isObject) : []);
