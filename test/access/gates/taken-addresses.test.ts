// An overlay address that another machine takes: what a service sends to this address, it sends to the other machine afterwards.
import { expect, test } from 'vitest';
import type { Read } from '../../engine/planning.ts';
import { planOf } from './roadPlans.ts';

const peer = (id: string, ip: string): Read => [
  'peer',
  { id, name: id, ip, approval_required: false, login_expired: false, version: '0.66.0' },
];

const reads = (headers: object): readonly Read[] => [
  peer('old', '100.64.0.5'),
  peer('new', '100.64.0.6'),
  ['group', { id: 'All', name: 'All', issued: 'api', peers: [], resources: [] }],
  ['network', { id: 'office', name: 'office', description: '' }],
  [
    'network_resource',
    {
      id: 'wiki',
      name: 'wiki',
      description: '',
      address: '100.64.0.5/32',
      enabled: true,
      groups: [],
    },
    'office',
  ],
  [
    'proxy_service',
    {
      id: 's',
      name: 's',
      domain: 's.eu.example.net',
      mode: 'http',
      enabled: true,
      auth: {},
      targets: [
        {
          target_id: 'wiki',
          target_type: 'host',
          protocol: 'http',
          port: 80,
          enabled: true,
          options: { custom_headers: { ...headers } },
        },
      ],
    },
  ],
  ['proxy_cluster', { id: 'eu.example.net', address: 'eu.example.net' }],
];

async function rightsOf(headers: object, isFree = false) {
  const peers = [
    { name: 'old', ip: '100.64.0.9' },
    { name: 'new', ip: '100.64.0.5' },
  ];
  const [, ...others] = reads(headers);
  const { access } = await planOf(
    {
      reads: isFree ? [peer('old', '100.64.0.9'), ...others] : reads(headers),
      files: JSON.stringify({ peers }),
    },
    { guards: { thresholds: {}, guarded: [], noNewAccess: true } },
  );
  return (access?.rights ?? []).map(({ object, message }) => `${object}: ${message}`);
}

test('a header of a service comes to the machine that takes the address of another one, which is a right', async () => {
  expect(await rightsOf({ 'X-T': 'secret' })).toEqual([
    expect.stringContaining(
      'is sent to peer/new instead of peer/old, which has 100.64.0.5 no longer',
    ),
  ]);
});

test('a header of a service comes to the machine that takes an address which no machine has, which is a right', async () => {
  expect(await rightsOf({ 'X-T': 'secret' }, true)).toEqual([
    expect.stringContaining('is sent to peer/new, which gets 100.64.0.5: no machine has it now'),
  ]);
});

test('a service without headers gives no such right', async () => {
  expect(await rightsOf({})).toEqual([]);
});
