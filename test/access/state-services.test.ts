// Services in saved accounts: what the API returns of them opens the same as files do, and a list that is not there is unknown.
import { expect, test } from 'vitest';
import { answerQuestion } from '../../src/access/ask/answer.ts';
import { checkedSelector } from '../../src/access/ask/selector.ts';
import { unreadFor } from '../../src/access/gates/dependence.ts';
import type { AccessState } from '../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../src/access/state/stateOfAnswers.ts';
import type { Json, JsonObject } from '../../src/model/value.ts';

const ACCOUNT: JsonObject = {
  peers: [
    { id: 'p1', name: 'web' },
    { id: 'p2', name: 'laptop' },
  ],
  groups: [
    { id: 'g0', name: 'All', peers: [{ id: 'p1' }, { id: 'p2' }] },
    { id: 'g1', name: 'staff', peers: [{ id: 'p2' }] },
  ],
  policies: [],
  posture_checks: [],
  users: [],
  setup_keys: [],
  routes: [],
  networks: [
    {
      id: 'n1',
      name: 'office',
      resources: [{ id: 'r1', name: 'wiki', address: '10.0.0.5/32', enabled: true, groups: [] }],
      routers: [{ id: 't1', enabled: true, peer: 'p1', metric: 100 }],
    },
  ],
};
const TO_PEER = {
  target_id: 'p1',
  target_type: 'peer',
  port: 8080,
  protocol: 'http',
  enabled: true,
};

const service = (more: JsonObject): JsonObject => ({
  id: 's1',
  domain: 'a.example.com',
  enabled: true,
  mode: 'http',
  private: false,
  targets: [TO_PEER],
  auth: {},
  ...more,
});

function saved(services?: Json): AccessState {
  const answered = stateOfAnswers({ ...ACCOUNT, ...(services !== undefined && { services }) });
  if ('faults' in answered) throw new Error(answered.faults.join());
  return answered.state;
}

function answer(state: AccessState, to: string) {
  const found = answerQuestion(state, { to: checkedSelector(to), why: false });
  if (!('flows' in found)) throw new Error('nothing is known of it');
  const flows = found.flows.map(({ from, ports }) => `${from.name} ${ports.join()}`);
  return { flows, unread: found.unread };
}

test('a saved account without the list of services has unknown services, not none', () => {
  const old = saved();
  expect(answer(old, 'peer/web')).toEqual({
    flows: [],
    unread: ['proxy services (not part of the answers)'],
  });
  expect(unreadFor(old, [checkedSelector('peer/web')], true)).toEqual(['proxy services']);
  expect(unreadFor(old, [checkedSelector('peer/web')], false)).toEqual([]);
  expect(answer(saved([]), 'peer/web')).toEqual({ flows: [], unread: [] });
});

test.each<[string, JsonObject, string, readonly string[]]>([
  ['without a lock', {}, 'peer/web', ['internet tcp/8080']],
  [
    'with a sign-in',
    { auth: { bearer_auth: { enabled: true, distribution_groups: ['g1'] } } },
    'peer/web',
    ['service callers of group/staff, users of group/staff tcp/8080'],
  ],
  [
    'private',
    { private: true, access_groups: ['g1'] },
    'peer/web',
    ['service callers of group/staff unless blocked tcp/8080'],
  ],
  [
    'a network resource',
    { targets: [{ ...TO_PEER, target_id: 'r1', target_type: 'host', port: 443 }] },
    'network_resource/office/wiki',
    ['internet tcp/443'],
  ],
  [
    'beside the proxy',
    { targets: [{ ...TO_PEER, target_id: 'eu.proxy.test', target_type: 'cluster' }] },
    'peer/web',
    [],
  ],
])('%s', (_, more, to, flows) => {
  expect(answer(saved([service(more)]), to).flows).toEqual(flows);
});

// A program that calls a target reads its host as web addresses are read.
test.each([
  '10.0.0.5',
  '10.0.0.5.',
  '::ffff:10.0.0.5',
  '[::ffff:10.0.0.5]',
  '10.0.0.5:5432',
  '10.0.0.5/',
  'u@10.0.0.5',
  'http://10.0.0.5/x',
  '10.5',
  '167772165',
  '0x0a.0x0.0.5',
  '012.0.0.5',
  '10%2E0.0.5',
])('the host %s in another resource means its address', host => {
  const [office = {}] = ACCOUNT.networks as JsonObject[];
  const lan = { id: 'r2', name: 'lan', address: '192.168.7.0/24', enabled: true, groups: [] };
  const networks = [{ ...office, resources: [...(office.resources as Json[]), lan] }];
  const target = { ...TO_PEER, target_id: 'r2', target_type: 'subnet', host, port: 5432 };
  const services = [service({ targets: [target] })];
  const answered = stateOfAnswers({ ...ACCOUNT, networks, services });
  if ('faults' in answered) throw new Error(answered.faults.join());
  expect(answer(answered.state, 'network_resource/office/wiki').flows).toEqual([
    'internet tcp/5432',
  ]);
});

test.each(['web.overlay.test', 'WEB.overlay.test.'])('the host %s means a machine', host => {
  const [web, ...others] = ACCOUNT.peers as JsonObject[];
  const peers = [{ ...web, dns_label: 'web.overlay.test' }, ...others];
  const target = { ...TO_PEER, target_id: 'r1', target_type: 'subnet', host };
  const answered = stateOfAnswers({
    ...ACCOUNT,
    peers,
    services: [service({ targets: [target] })],
  });
  if ('faults' in answered) throw new Error(answered.faults.join());
  expect(answer(answered.state, 'peer/web').flows).toEqual(['internet tcp/8080']);
});

test.each<[string, JsonObject]>([
  ['services[0].domain', { domain: 1 }],
  ['services[0].targets[0].target_id', { targets: [{ target_type: 'peer' }] }],
  ['services[0].auth.pin_auth.enabled', { auth: { pin_auth: { enabled: 'no' } } }],
])('%s in a different form is an error', (path, more) => {
  const answered = stateOfAnswers({ ...ACCOUNT, services: [service(more)] });
  expect('faults' in answered && answered.faults[0]).toContain(`\`${path}\``);
});
