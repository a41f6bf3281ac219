// Values that an account returns in clear and that may be secrets: a plan shows those that the files or a base have at the same place.
import { expect, test } from 'vitest';
import { isList, isObject, type Json } from '../../../src/model/value.ts';
import { peer, planFor, type Read } from '../planning.ts';

const target = (name: string, value: string) =>
  `{ target: { peer: ${name} }, path: /${name}, port: 80, protocol: http, options: { custom_headers: { X-Team: ${value} } } }`;
const files = (...targets: readonly string[]) => `groups: [{ name: a }]
reverse_proxy:
  services: [{ domain: wiki.test, name: Wiki, private: false, targets: [${targets.join(', ')}] }]
`;

const sent = (id: string, value: string) => ({
  target_type: 'peer',
  target_id: id,
  path: `/${id}`,
  port: 80,
  protocol: 'http',
  enabled: true,
  options: { custom_headers: { 'X-Team': value } },
});
const service: Read = [
  'proxy_service',
  {
    id: 's1',
    domain: 'wiki.test',
    name: 'Wiki',
    enabled: true,
    mode: 'http',
    private: false,
    targets: [sent('ada', 'net'), sent('bob', 'ops'), sent('cyd', 'by-hand')],
  },
];
const READS: readonly Read[] = [
  peer('ada', 'ada'),
  peer('bob', 'bob'),
  peer('cyd', 'cyd'),
  ['group', { id: 'g1', name: 'a', issued: 'api', peers: [], resources: [] }],
  service,
];

function headersIn(before: Json | undefined): readonly Json[] {
  const targets = isObject(before) ? before.targets : [];
  return (isList(targets) ? targets : []).map(one => {
    const options = isObject(one) && isObject(one.options) ? one.options : {};
    return isObject(options.custom_headers) ? (options.custom_headers['X-Team'] ?? null) : null;
  });
}

test.each([
  ['as the account', [target('ada', 'net'), target('bob', 'ops')]],
  ['in another order than the account', [target('bob', 'ops'), target('ada', 'net')]],
])('a deletion shows the headers that the base has, with its targets %s', (_, targets) => {
  const { changes } = planFor('groups: [{ name: a }]', READS, {
    base: files(...targets),
    prune: 'removed',
    dialect: 'netbird',
  });
  const [change] = changes.filter(({ kind }) => kind === 'proxy_service');
  expect(headersIn(change?.before as Json | undefined)).toEqual(['net', 'ops', { $secret: '' }]);
});
