// A service of the reverse proxy on one line: where each target leads, on which port and path, without what is the default anyway.
import { expect, test } from 'vitest';
import { itemText, pathText } from '../../src/kinds/values/pathText.ts';
import { present } from '../../src/model/errors.ts';
import { kindName } from '../../src/model/names.ts';
import type { ShownFields } from '../../src/model/secrets/shown.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { completeLine, shortLine } from '../../src/report/view/shortLine.ts';
import { KINDS } from '../support/files.ts';

const KIND = present(KINDS.get(kindName('proxy_service')), 'the kind');

// Nothing of it is a secret.
const shown = (fields: JsonObject) => fields as ShownFields;

const TARGET: JsonObject = {
  target: { network_resource: 'production/wiki' },
  path: '/adm',
  port: 8443,
  host: '10.20.0.9',
  protocol: 'https',
  enabled: true,
  options: { skip_tls_verify: false, direct_upstream: false, custom_headers: {} },
};

const FIELDS: JsonObject = {
  domain: 'wiki.eu.proxy.test',
  name: 'wiki',
  enabled: true,
  targets: [TARGET],
  auth: {},
  access_restrictions: { allowed_cidrs: [] },
};

test('the line of a new service has the port, the path and the host of its target', () => {
  expect(shortLine(KIND, shown(FIELDS)).clauses).toEqual([
    'production/wiki',
    'port 8443',
    '(path = "/adm", host = "10.20.0.9")',
    '(name = "wiki")',
  ]);
});

test('the line of a new service of a layer below HTTP has the port on which it listens', () => {
  const layer4 = { ...FIELDS, mode: 'tcp', listen_port: 2222 };
  expect(shortLine(KIND, shown(layer4)).clauses.at(-1)).toBe(
    '(name = "wiki", mode = "tcp", listen_port = 2222)',
  );
});

test('the line of a deleted service has every field, but no default value inside a field', () => {
  expect(completeLine(KIND, shown(FIELDS)).clauses).toEqual([
    'production/wiki',
    'port 8443',
    '(path = "/adm", host = "10.20.0.9", protocol = "https")',
    '(name = "wiki")',
  ]);
  const insecure = { ...TARGET, options: { skip_tls_verify: true, direct_upstream: false } };
  expect(completeLine(KIND, shown({ ...FIELDS, targets: [insecure] })).clauses[2]).toContain(
    'options = { skip_tls_verify: true }',
  );
});

test('a target is named by its path and its destination', () => {
  const key = '\\//{"network_resource":"production\\/wiki"}';
  const list = KIND.shape.fields.get('targets')?.shape;
  expect(itemText(list, key)).toBe('"/ network_resource/production/wiki"');
  expect(pathText(KIND.shape, ['targets', '/{"peer":"gate-1"}', 'port'])).toBe(
    'targets["peer/gate-1"].port',
  );
});
