// Fields that the account shows and the schemas do not have: of which of them a plan says that a write may reset them.
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../../src/kinds/traits.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { group, planFor, policy, type Read } from '../planning.ts';

const GROUPS = [group('g1', 'a'), group('g2', 'b')];

/** The fields that the plan names, with what it says of each dialect. */
const resets = (files: string, reads: readonly Read[], dialect: Dialect = 'spec') =>
  planFor(files, reads, { dialect })
    .diagnostics.filter(({ code }) => code === 'FIELD_MAY_BE_RESET')
    .flatMap(({ message }) => [...message.matchAll(/`([^`]+)`/g)].map(([, name]) => name));

const policies = (rules: string) =>
  `{ groups: [{ name: a }, { name: b }], policies: [{ name: p, rules: [${rules}] }] }`;
const rule = (name: string, ports: string) =>
  `{ name: ${name}, sources: [a], destinations: [b], protocol: tcp, ports: ["${ports}"] }`;
const read = (name: string, port: string, more: JsonObject = {}): JsonObject => ({
  id: `p1-${name}`,
  name,
  description: '',
  enabled: true,
  action: 'accept',
  bidirectional: false,
  protocol: 'tcp',
  sources: ['g1'],
  destinations: ['g2'],
  ports: [port],
  ...more,
});
const live = (...rules: JsonObject[]): Read[] => [...GROUPS, policy('p1', 'p', [], [], { rules })];

describe('a plan names a field that an update may reset', () => {
  test('the plan names a field of any type at the top level, unless it is empty', () => {
    const reads = [group('g1', 'a', { colour: 'red', extra: { a: 1 }, none: null })];
    const files = 'groups: [{ name: z, lifecycle: { id: g1 } }]';
    expect(resets(files, reads)).toEqual(['colour', 'extra']);
    expect(resets(files, reads, 'netbird')).toEqual(['extra']);
  });

  test('the plan names a field in a remaining item, by its key', () => {
    const reads = live(read('one', '22', { log: true }), read('two', '22', { log: true }));
    const files = policies(`${rule('one', '23')}, ${rule('two', '22')}`);
    expect(resets(files, reads)).toEqual(['rules.one.log', 'rules.two.log']);
  });

  test('the plan names a field in a renamed item, and not in a removed item', () => {
    expect(resets(policies(rule('new', '22')), live(read('old', '22', { log: true })))).toEqual([
      'rules.old.log',
    ]);
    const two = live(read('one', '22'), read('two', '22', { log: true }));
    expect(resets(policies(rule('one', '22')), two)).toEqual([]);
  });

  test('the plan names a field in items without a key, once for all items', () => {
    const ranges = [
      { start: 1, end: 2, note: 'x' },
      { start: 5, end: 6, note: 'y' },
    ];
    const reads = live({ ...read('one', '22'), ports: [], port_ranges: ranges });
    const files = policies(
      '{ name: one, sources: [a], destinations: [b], protocol: udp, port_ranges: [{ start: 1, end: 2 }] }',
    );
    expect(resets(files, reads)).toEqual(['rules.one.port_ranges.note']);
    expect(resets(files, reads, 'netbird')).toEqual([]);
  });

  test('the plan names all resettable fields of a replaced object', () => {
    const key: Read = [
      'setup_key',
      {
        id: 'k1',
        name: 'k',
        type: 'reusable',
        state: 'valid',
        revoked: false,
        note: 'mine',
        auto_groups: [],
        usage_limit: 0,
        ephemeral: false,
        allow_extra_dns_labels: false,
      },
    ];
    const files = 'setup_keys: [{ name: k, type: one-off, expires_in: 86400 }]';
    expect(resets(files, [key])).toEqual(['note']);
    expect(resets(files, [key], 'netbird')).toEqual(['note']);
  });
});

describe('a plan names no field', () => {
  test('no field is named if the schema has it, or no update sends it', () => {
    const reads = [
      group('g1', 'a', { peers_count: 3, resources: [{ id: 'r', type: 'host', x: 1 }] }),
    ];
    expect(resets('groups: [{ name: z, lifecycle: { id: g1 } }]', reads)).toEqual([]);
  });

  test('no field is named for a partial update', () => {
    const sync: Read = [
      'directory_sync_a',
      {
        id: 's1',
        tenant_id: 't',
        client_id: 'c',
        host: 'microsoft.com',
        sync_interval: 300,
        group_prefixes: [],
        user_group_prefixes: [],
        connector_id: '',
        enabled: true,
        more: 1,
      },
    ];
    const files =
      'directory_sync: { provider_a: [{ tenant_id: t, client_id: d, client_secret: "${env:S}", host: microsoft.com }] }';
    const { changes } = planFor(files, [sync]);
    expect(changes.map(({ type }) => type)).toEqual(['update']);
    expect(resets(files, [sync])).toEqual([]);
  });
});
