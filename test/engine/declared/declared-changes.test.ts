// What an edit of files changes, object by object.
import { expect, test } from 'vitest';
import { declaredChanges } from '../../../src/engine/declared/declaredChanges.ts';
import { desiredOf, KINDS, load } from '../../support/files.ts';

function edits(before: string, after: string) {
  const found = declaredChanges(desiredOf(before), desiredOf(after), KINDS);
  return found.map(({ change }) => {
    const { type, address, was, notes } = change;
    const fields = change.fields.map(({ path }) => path.join('.'));
    return { type, address, fields, ...(was !== undefined && { was }), notes };
  });
}

const NETWORK =
  'networks: [{ name: office, resources: [{ name: db, address: 10.0.0.5, groups: [] }] }]';

test('files that declare the same state do not differ, in any order', () => {
  expect(
    edits('groups: [{ name: a }, { name: b }]', 'groups: [{ name: b, peers: [] }, { name: a }]'),
  ).toEqual([]);
});

test('objects are added and removed', () => {
  expect(edits('groups: [{ name: a }]', 'groups: [{ name: b }]')).toMatchObject([
    { type: 'delete', address: 'group.a' },
    { type: 'create', address: 'group.b' },
  ]);
});

test('a rename by `was` is one change, also of a child object', () => {
  expect(edits('groups: [{ name: a }]', 'groups: [{ name: b, lifecycle: { was: a } }]')).toEqual([
    { type: 'update', address: 'group.b', fields: ['name'], was: 'a', notes: [] },
  ]);
  expect(
    edits(NETWORK, NETWORK.replace('name: db', 'name: ledger, lifecycle: { was: db }')),
  ).toEqual([
    {
      type: 'update',
      address: 'network_resource.office/ledger',
      fields: ['name'],
      was: 'office/db',
      notes: [],
    },
  ]);
});

test('a field that is no longer written is an edit, although an apply would keep it', () => {
  const before = 'peers: [{ name: a, ssh_enabled: true }]';
  expect(edits(before, 'peers: [{ name: a }]')).toEqual([
    { type: 'update', address: 'peer.a', fields: ['ssh_enabled'], notes: [] },
  ]);
});

test('members of a shared set are compared as written', () => {
  const files = (peers: string) =>
    `peers: [{ name: x }, { name: y }]\ngroups: [{ name: a, peers: ${peers} }]`;
  const [found] = declaredChanges(desiredOf(files('[x]')), desiredOf(files('[y]')), KINDS);
  expect(found?.change.fields).toMatchObject([{ type: 'members', added: ['y'], removed: ['x'] }]);
});

test('the protection of an object is named', () => {
  expect(
    edits('groups: [{ name: a }]', 'groups: [{ name: a, lifecycle: { protect: true } }]'),
  ).toMatchObject([{ type: 'update', fields: [], notes: ['lifecycle.protect differs'] }]);
});

test('a different source of a secret is an edit, and no value of a secret is shown', () => {
  const files = (value: string) =>
    `identity_providers: [{ name: sso, type: oidc, issuer: "https://sso.example.com", client_id: x, client_secret: "${value}" }]`;
  const inputs = { env: () => 'hunter2', file: () => undefined, vars: new Map() };
  const [before, after] = ['${env:ONE}', '${env:TWO}'].map(value => load(files(value), inputs));
  const found = declaredChanges(before?.desired ?? [], after?.desired ?? [], KINDS);
  expect(found[0]?.change.fields.map(({ path }) => path)).toEqual([['client_secret']]);
  expect(JSON.stringify(found.map(({ change }) => change))).not.toContain('hunter2');
});

test('an address that a base keeps as its host and a digest is the address of that host in the files', () => {
  const after = desiredOf(
    'notification_channels: [{ type: webhook, target: { url: "https://hooks.example.com/x" }, event_types: [user.join] }]',
  );
  const kept = (host: string) =>
    after.map(object => {
      const url = { $secret: 'url', $host: host, $digest: 'hmac-sha256:k:d:s' } as const;
      return { ...object, fields: { ...object.fields, target: { url } } };
    });
  const found = (host: string) => declaredChanges(kept(host), after, KINDS);
  expect(found('hooks.example.com')).toEqual([]);
  expect(found('other.example.com')).toHaveLength(1);
});
