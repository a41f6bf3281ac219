// The fields of a difference in Markdown have the names that plans show: an item of a list has its name, not its key.
import { expect, test } from 'vitest';
import { itemKey } from '../../src/kinds/values/items.ts';
import type { ShownChange } from '../../src/model/change.ts';
import { kindName } from '../../src/model/names.ts';
import { fieldNames } from '../../src/report/drift/driftMarkdown.ts';
import { KINDS } from '../support/files.ts';

const ITEM = { path: '/', target: { network_resource: 'production/wiki' } };

test.each([
  [
    'proxy_service',
    ['targets', itemKey(ITEM, ['path', 'target']), 'options', 'custom_headers', 'X-A'],
    'targets["/ network_resource/production/wiki"].options.custom_headers["X-A"]',
  ],
  ['policy', ['rules', 'web', 'ports'], 'rules["web"].ports'],
  ['group', ['peers'], 'peers'],
])('%s', (kind, path, name) => {
  const change = { kind: kindName(kind), fields: [{ path }, { path }] } as unknown as ShownChange;
  expect(fieldNames(change, { kinds: KINDS })).toEqual([name]);
});
