// What of an account's answers is kept for months: access does not change by it, and neither secrets nor people are in it.
import { expect, test } from 'vitest';
import { keptAnswers } from '../../src/access/state/keptAnswers.ts';
import { stateOfAnswers } from '../../src/access/state/stateOfAnswers.ts';
import type { JsonObject } from '../../src/model/value.ts';

const ref = (id: string) => ({ id, name: `name of ${id}`, peers_count: 2 });

const account: JsonObject = {
  peers: [
    {
      id: 'm1',
      name: 'annas-laptop',
      ip: '100.64.0.1',
      ipv6: 'fd00::1',
      connection_ip: '203.0.113.7',
      connected: true,
      last_seen: '2026-11-01T00:00:00Z',
      os: 'linux',
      version: '0.60.0',
      kernel_version: '6.1',
      country_code: 'DE',
      city_name: 'Berlin',
      dns_label: 'annas-laptop.netbird.cloud',
      extra_dns_labels: ['anna.netbird.cloud'],
      user_id: 'u1',
      login_expired: false,
      approval_required: true,
      ephemeral: true,
      groups: [ref('g1')],
      serial_number: 'C02',
    },
  ],
  groups: [{ ...ref('g1'), issued: 'api', peers: [ref('m1')], resources: [] }],
  users: [
    {
      id: 'u1',
      name: 'Anna',
      email: 'anna@example.com',
      is_blocked: true,
      auto_groups: ['g1'],
      last_login: '2026-11-01T00:00:00Z',
    },
    { id: 'u2', email: 'robot', is_service_user: true, auto_groups: [] },
  ],
  setup_keys: [
    { id: 7, name: 'servers', key: 'SECRET-KEY', valid: true, revoked: false, auto_groups: ['g1'] },
  ],
  policies: [
    {
      id: 'p1',
      name: 'web',
      description: 'for Anna',
      enabled: true,
      source_posture_checks: ['c1'],
      rules: [
        {
          id: 'r1',
          name: 'web',
          enabled: true,
          action: 'accept',
          bidirectional: true,
          protocol: 'tcp',
          ports: ['443'],
          port_ranges: [{ start: 1, end: 9 }],
          sources: [ref('g1')],
          destinationResource: { id: 'res', type: 'host' },
        },
      ],
    },
  ],
  posture_checks: [
    { id: 'c1', name: 'version', checks: { nb_version_check: { min_version: '1' } } },
  ],
  networks: [
    {
      id: 'n1',
      name: 'office',
      policies: ['p1'],
      resources: [
        { id: 'res', name: 'db', address: '10.0.0.1/32', enabled: true, groups: [ref('g1')] },
      ],
      routers: [
        { id: 'ro', enabled: true, peer: '', peer_groups: ['g1'], metric: 9, masquerade: true },
      ],
    },
  ],
  routes: [
    {
      id: 'ro1',
      network_id: 'route',
      network: '192.168.0.0/16',
      enabled: true,
      peer: 'm1',
      groups: ['g1'],
      access_control_groups: ['g1'],
      metric: 100,
    },
  ],
  zones: [
    {
      id: 'z1',
      domain: 'corp',
      enabled: true,
      records: [{ id: 'd1', name: 'a.corp', type: 'A', content: '10.0.0.1', ttl: 60 }],
    },
  ],
  services: [
    {
      id: 's1',
      domain: 'app.example.com',
      enabled: true,
      mode: 'http',
      targets: [
        {
          target_id: 'm1',
          target_type: 'peer',
          port: 80,
          protocol: 'http',
          enabled: true,
          options: { direct_upstream: true, custom_headers: { token: 'SECRET-HEADER' } },
        },
      ],
      auth: {
        password_auth: { enabled: true, password: 'SECRET-PASSWORD' },
        pin_auth: { enabled: true, pin: 'SECRET-PIN' },
        bearer_auth: { enabled: true, distribution_groups: ['g1'] },
      },
      access_restrictions: { allowed_countries: ['DE'] },
    },
  ],
};

const stateIn = (answers: JsonObject) => {
  const answered = stateOfAnswers(answers);
  if ('faults' in answered) throw new Error(answered.faults[0]);
  return answered.state;
};

test('the access is the same with people', () => {
  const { machines, ...state } = stateIn(keptAnswers(account, { hasPeople: true }));
  const { machines: all, ...whole } = stateIn(account);
  expect(state).toEqual(whole);
  // Of the facts, only those that a posture check asks for are kept.
  expect(machines).toEqual(all.map(machine => ({ ...machine, facts: { version: '0.60.0' } })));
});

test('the ids of people replace their names if people are left out', () => {
  const kept = keptAnswers(account, { hasPeople: false });
  expect(JSON.stringify(kept)).not.toMatch(/anna|203\.0\.113|Berlin|C02/i);
  const state = stateIn(kept);
  expect(state.machines[0]).toMatchObject({ key: 'id:m1', id: 'm1', user: 'u1' });
  expect(state.groups).toMatchObject([{ key: 'name of g1', machines: ['id:m1'] }]);
  expect(state.blockedUsers).toEqual(['u1']);
});

test('secrets are never kept', () => {
  const kept = JSON.stringify(keptAnswers(account, { hasPeople: true }));
  expect(kept).not.toContain('SECRET');
});

test('values that change by the hour, and the order of lists, do not change the stored state', () => {
  const [peer] = account.peers as readonly [JsonObject];
  const [group] = account.groups as readonly [JsonObject];
  const with2 = (order: readonly JsonObject[], more: JsonObject) => ({
    ...account,
    peers: [
      { ...peer, id: 'm2', ...more },
      { ...peer, ...more },
    ],
    groups: [{ ...group, peers: order }],
  });
  const refs = [ref('m1'), ref('m2')];
  const later = {
    connected: false,
    last_seen: 'later',
    connection_ip: '198.51.100.1',
    login_expired: true,
  };
  expect(keptAnswers(with2(refs.toReversed(), later), { hasPeople: false })).toEqual(
    keptAnswers(with2(refs, {}), { hasPeople: false }),
  );
});

test.each([
  ['nb_version_check', ['version']],
  ['os_version_check', ['kernel', 'os']],
  ['geo_location_check', ['city', 'country']],
  ['peer_network_range_check', ['address']],
  ['process_check', []],
])('for %s, the kept answers have the facts that the check tests', (check, facts) => {
  const checks = [{ id: 'c1', name: 'check', checks: { [check]: {} } }];
  const state = stateIn(keptAnswers({ ...account, posture_checks: checks }, { hasPeople: false }));
  expect(Object.keys(state.machines[0]?.facts ?? {}).sort()).toEqual(facts);
});

test('the host that a service calls is kept, because access depends on it', () => {
  const target = { target_id: 'eu.proxy.test', target_type: 'cluster', host: 'db.corp.test' };
  const services = [{ id: 's1', domain: 'a.example.com', targets: [target] }];
  const kept = keptAnswers({ services }, { hasPeople: false });
  expect(kept).toMatchObject({ services: [{ targets: [target] }] });
});
