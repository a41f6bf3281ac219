// Drawings show names as people write them; texts and tables show selectors, which can be copied into a command.
import { expect, test } from 'vitest';
import { csvOf, matrixOf, NO_FILTER, titleOf } from '../../assets/page/matrix.js';
import { accessPicture } from '../../src/access/picture/picture.ts';
import { stateOfFiles } from '../../src/access/state/stateOfFiles.ts';
import { serverForm } from '../../src/cli/files/serverForm.ts';
import { accessName } from '../../src/model/access/accessName.ts';
import { keyOf } from '../../src/model/key.ts';
import { readableNames } from '../../src/report/access/readableNames.ts';
import { inCode } from '../../src/report/page/code.ts';
import { matrixData } from '../../src/report/page/data.ts';
import { pageText } from '../../src/report/page/document.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { anyText, fc } from '../support/seeded.ts';

const readable = readableNames(KINDS);
const resource = (...segments: readonly string[]) =>
  accessName('network_resource', keyOf(segments));

test.each([
  [resource('warehouse/botlek', 'wms'), 'network_resource/warehouse/botlek/wms'],
  [resource('production', 'orders-db'), 'network_resource/production/orders-db'],
  [resource('aarhus/east side', 'doors'), 'network_resource["aarhus/east side/doors"]'],
  [resource('a', 'b/c'), 'network_resource/a/"b/c"'],
  [
    `${resource('w/b', 'wms')} 10.0.0.1, ${resource('w/b', 'x')} and 2 more`,
    'network_resource/w/b/wms 10.0.0.1, network_resource/w/b/x and 2 more',
  ],
  // A group whose name has a backslash, and a policy that has the name of a resource.
  [String.raw`group/w\/b/x`, String.raw`group/w\/b/x`],
  [String.raw`policy "network_resource/w\\/b/x"`, String.raw`policy "network_resource/w\\/b/x"`],
  [`${resource('w/b', 'x')}: tcp/22`, 'network_resource/w/b/x: tcp/22'],
])('%s', (written, shown) => {
  expect(readable(written)).toBe(shown);
  expect(readable({ list: [shown] })).toEqual({ list: [shown] });
});

test('the names of two resources are never the same', () => {
  const part = fc.oneof(
    anyText({ minLength: 1 }),
    fc.string({ unit: fc.constantFrom(...'ab/\\" '), minLength: 1, maxLength: 5 }),
  );
  fc.assert(
    fc.property(part, part, part, part, (network, name, other, last) => {
      const one = resource(network, name);
      const two = resource(other, last);
      expect(readable(one) === readable(two)).toBe(one === two);
    }),
    { numRuns: 300 },
  );
});

const FILES = `groups: [{ name: staff }, { name: gw }]
networks:
  - name: warehouse/botlek
    resources: [{ name: wms, address: 10.20.1.10, groups: [] }]
    routers: [{ peer_groups: [gw], metric: 100, masquerade: true }]
policies:
  - name: web
    rules:
      - { name: web, sources: [staff], protocol: tcp, ports: ["443"], destinationResource: { network_resource: [warehouse/botlek, wms] } }
`;
const SELECTOR = String.raw`network_resource/warehouse\/botlek/wms`;
const SHOWN = 'network_resource/warehouse/botlek/wms';

test('a page has selectors in its tables, as text and JSON have them, and names without escapes in its drawings', () => {
  const picture = accessPicture(stateOfFiles(desiredOf(FILES), serverForm('netbird')));
  const content = { title: 'Access', about: 'Evaluated: the files.', picture, readable };
  const text = pageText(content, { script: '', style: '' });
  const [markup = ''] = text.split('<script type="application/json"');
  const drawn = markup.match(/<svg[\s\S]*?<\/svg>/g)?.join('') ?? '';
  expect(drawn).toContain('warehouse/botlek');
  expect(drawn).not.toContain(String.raw`warehouse\/`);
  const tables = (markup.match(/<table[\s\S]*?<\/table>/g)?.join('') ?? '').replaceAll('<wbr>', '');
  expect(tables).toContain(SELECTOR);
  expect(tables).not.toContain(SHOWN);
  const data = matrixData(picture.matrix, undefined, readable);
  const matrix = matrixOf(JSON.parse(JSON.stringify(data)));
  expect(matrix.data.columns.map(titleOf)).toContain(`${SELECTOR} 10.20.1.10`);
  expect(csvOf(matrix, matrix.view(NO_FILTER))).toContain(SELECTOR);
  for (const to of [SHOWN, SELECTOR])
    expect(matrix.view({ ...NO_FILTER, to }).columns).toHaveLength(1);
});

test.each([
  ['network_resource/production/orders-db', 'network_resource/|production/|orders-|db'],
  [
    '--allow WIDENS_GUARDED_ACCESS=group/ops',
    '<span class="whole">--allow</span> WIDENS_GUARDED_ACCESS=|group/|ops',
  ],
  ['*.apps.prod.harbourline.internal', '*.apps.|prod.|harbourline.|internal'],
  ['group/on-call (future members)', 'group/on-call (future members)'],
])('%s in a narrow table is wrapped after its marks', (text, wrapped) => {
  expect(inCode(text).markup).toBe(`<code>${wrapped.replaceAll('|', '<wbr>')}</code>`);
});
