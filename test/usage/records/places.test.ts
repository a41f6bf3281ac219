// Ends of records: machines, resources, and addresses, of which only declared ones are kept.
import { expect, test } from 'vitest';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import { endpointsIn } from '../../../src/usage/records/places.ts';
import { recordEnd } from '../../../src/usage/records/recordEnd.ts';

const answered = stateOfAnswers({
  peers: [{ id: 'm1', name: 'laptop', ip: '100.64.0.1', ipv6: 'fd00::1' }],
  groups: [],
  policies: [],
  networks: [
    {
      id: 'n1',
      name: 'office',
      resources: [
        { id: 'net', name: 'net', address: '10.1.0.0/16' },
        { id: 'db', name: 'db', address: '10.1.2.3/32' },
        { id: 'web', name: 'web', address: '*.corp.example.com' },
      ],
      routers: [],
    },
  ],
  routes: [
    { id: 'r1', network_id: 'a', network: '192.168.0.0/16' },
    { id: 'r2', network_id: 'b', network: '0.0.0.0/0' },
    { id: 'r3', network_id: 'c', domains: ['files.example.com'] },
  ],
});
const state = (answered as { readonly state: AccessState }).state;

const machine = { type: 'machine', id: 'm1' };
const resource = (id: string, address?: string) => ({
  type: 'resource',
  id,
  ...(address && { address }),
});
const address = (text: string) => ({ type: 'address', address: text });

test.each([
  ['a machine by its id', { id: 'm1', type: 'PEER' }, machine],
  ['a machine that is gone', { id: 'm9', type: 'PEER' }, { type: 'machine', id: 'm9' }],
  ['a machine by its address', { id: '', type: 'UNKNOWN', address: '100.64.0.1:1' }, machine],
  ['a machine by its IPv6 address', { address: '[FD00:0::1]:1' }, machine],
  ['a machine by an id of unknown type', { id: 'm1', type: '' }, machine],
  [
    'a resource by its id',
    { id: 'db', type: 'HOST_RESOURCE', address: '10.1.2.3:5' },
    resource('db'),
  ],
  [
    'an undeclared address of a resource',
    { id: 'net', type: 'SUBNET_RESOURCE', address: '10.1.7.7:5' },
    resource('net'),
  ],
  [
    'a declared address of a wide resource',
    { id: 'net', type: 'SUBNET_RESOURCE', address: '10.1.2.3:5' },
    resource('net', '10.1.2.3'),
  ],
  ['the narrowest resource of an address', { address: '10.1.2.3:5' }, resource('db')],
  ['a resource of an address', { address: '10.1.2.4:5' }, resource('net')],
  ['a resource of a name', { address: 'mail.corp.example.com:25' }, resource('web')],
  [
    'a resource by the name of an address',
    { address: '203.0.113.5:25', dns_label: 'mail.corp.example.com' },
    resource('web'),
  ],
  [
    'the range of a route',
    { id: '', type: 'UNKNOWN', address: '192.168.7.7:5' },
    address('192.168.0.0/16'),
  ],
  ['the domain of a route', { address: 'files.example.com:445' }, address('files.example.com')],
  ['everything, for the internet', { address: '203.0.113.9:443' }, address('0.0.0.0/0')],
  [
    'everything, for an address that nothing declares',
    { address: '[2001:db8::9]:443' },
    address('::/0'),
  ],
])('%s', (_, end, expected) => {
  const of = endpointsIn(state);
  expect(of(recordEnd(end))).toEqual(expected);
  expect(of(recordEnd(end))).toEqual(expected);
});

test('no address is kept without a state', () => {
  expect(endpointsIn(null)(recordEnd({ address: '10.1.2.3:5' }))).toEqual(address('0.0.0.0/0'));
});
