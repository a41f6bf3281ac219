// A page whatever its names are: well-formed, nothing but our own script and style, and data that is what was put in.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { allows, csvOf, type Data, matrixOf, NO_FILTER } from '../../assets/page/matrix.js';
import { pageAssets } from '../../src/cli/access/pageOutput.ts';
import type {
  AccessPicture,
  MatrixSide,
  MatrixVerdict,
} from '../../src/model/access/accessPicture.ts';
import { visible } from '../../src/model/text/visible.ts';
import { mermaidText } from '../../src/report/graph/mermaid.ts';
import { matrixData } from '../../src/report/page/data.ts';
import { pageText } from '../../src/report/page/document.ts';
import { jsonInHtml } from '../../src/report/page/shell.ts';
import { FORBIDDEN, hostileText, WORKFLOW_COMMAND } from '../support/hostile.ts';
import { elementsIn, type Found } from '../support/page/html.ts';
import { fc } from '../support/seeded.ts';

const verdict: fc.Arbitrary<MatrixVerdict> = fc.oneof(
  fc.record({
    status: fc.constantFrom('reaches' as const, 'pass' as const, 'fail' as const),
    ports: fc.constantFrom(['*'], ['tcp/22', 'udp/8000-8100'], ['icmp']),
    via: fc.array(fc.record({ policy: hostileText, rule: hostileText }), { maxLength: 2 }),
    via_ids: fc.array(hostileText, { maxLength: 2 }),
    checks: fc.array(hostileText, { maxLength: 2 }),
  }),
  fc.record({
    status: fc.constant('blocked' as const),
    code: fc.constantFrom('DISABLED' as const, 'POSTURE' as const),
    message: hostileText,
    also: fc.constant([]),
  }),
);

const side = (address: boolean): fc.Arbitrary<MatrixSide> =>
  fc.record(
    {
      name: hostileText,
      members: fc.array(fc.nat({ max: 2 }), { maxLength: 3 }),
      groups: fc.array(hostileText, { maxLength: 2 }),
      address: hostileText,
      ids: fc.array(hostileText, { maxLength: 2 }),
    },
    {
      requiredKeys: address
        ? ['name', 'members', 'groups', 'address']
        : ['name', 'members', 'groups'],
    },
  );

const ruleSide = fc.record({
  type: fc.constant('members' as const),
  name: hostileText.map(name => `group/${name}`),
  machines: fc.nat({ max: 3 }),
});

/** A picture with two rows and three columns. */
const picture: fc.Arbitrary<AccessPicture> = fc.record({
  matrix: fc.record({
    members: fc.array(
      hostileText.map(name => `peer/${name}`),
      { minLength: 3, maxLength: 3 },
    ),
    member_ids: fc.array(hostileText, { minLength: 3, maxLength: 3 }),
    rows: fc.tuple(side(false), side(false)),
    columns: fc.tuple(side(true), side(false), side(false)),
    verdicts: fc.array(verdict, { minLength: 2, maxLength: 2 }),
    cells: fc.constant([
      [0, 0, 2],
      [1, 1, 1, 2, 0, 1],
    ]),
    left_out: fc.record({ rows: fc.nat({ max: 1 }), columns: fc.nat({ max: 1 }) }),
    unexplained: fc.nat({ max: 1 }),
  }),
  policies: fc.array(
    fc.record({
      name: hostileText,
      object: hostileText,
      isEnabled: fc.boolean(),
      isTemporary: fc.boolean(),
      checks: fc.array(hostileText, { maxLength: 2 }),
      rules: fc.array(
        fc.record({
          name: hostileText,
          isEnabled: fc.boolean(),
          isDrop: fc.boolean(),
          isBidirectional: fc.boolean(),
          ports: fc.constantFrom(['tcp/22'], []),
          from: fc.array(ruleSide, { maxLength: 2 }),
          to: fc.array(ruleSide, { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
    }),
    { maxLength: 2 },
  ),
  networks: fc.array(
    fc.record({
      name: hostileText,
      routers: fc.array(
        fc.record({
          type: fc.constantFrom('members' as const, 'machine' as const),
          name: hostileText,
          isEnabled: fc.boolean(),
          machines: fc.nat({ max: 2 }),
        }),
        { maxLength: 2 },
      ),
      resources: fc.array(
        fc.record({
          name: hostileText,
          address: hostileText,
          isEnabled: fc.boolean(),
          groups: fc.array(hostileText, { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
    }),
    { maxLength: 2 },
  ),
  openings: fc.array(
    fc.record({
      isService: fc.boolean(),
      name: hostileText,
      from: hostileText,
      to: ruleSide,
      ports: fc.constantFrom(['tcp/22'], ['*']),
    }),
    { maxLength: 1 },
  ),
  unread: fc.array(hostileText, { maxLength: 1 }),
});

const assets = pageAssets();
const pageOf = (shown: AccessPicture, about = 'Evaluated: the files.') =>
  pageText({ title: 'Access', about, picture: shown }, assets);
const one = (elements: readonly Found[], isIt: (element: Found) => boolean): Found => {
  const [found, ...others] = elements.filter(isIt);
  if (found === undefined || others.length > 0) throw new Error('not exactly one');
  return found;
};
const dataIn = (elements: readonly Found[]): Data =>
  JSON.parse(one(elements, ({ attributes }) => attributes.id === 'data').text).matrix;

test('no name breaks out of a page, and none of it is invisible', () => {
  fc.assert(
    fc.property(picture, hostileText, (shown, about) => {
      const page = pageOf(shown, about);
      const elements = elementsIn(page);
      const scripts = elements.filter(({ tag }) => tag === 'script');
      expect(scripts.map(({ attributes }) => attributes.type)).toEqual([
        'application/json',
        'module',
      ]);
      expect(elements.filter(({ tag }) => tag === 'style')).toHaveLength(1);
      const names = new Set(elements.flatMap(({ attributes }) => Object.keys(attributes)));
      expect([...names].filter(name => /^on|^style$|^src$|^srcdoc$|^action$/.test(name))).toEqual(
        [],
      );
      for (const { attributes } of elements) expect(attributes.href ?? '#').toMatch(/^#[a-z]*$/);
      expect(
        page.split('\n').filter(line => FORBIDDEN.test(line) || WORKFLOW_COMMAND.test(line)),
      ).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('the content security policy of the page allows its own script and style by their hashes, and nothing else', () => {
  const [sample] = fc.sample(picture, { numRuns: 1, seed: 1 });
  if (sample === undefined) throw new Error('no sample');
  const elements = elementsIn(pageOf(sample));
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
  const script = one(elements, ({ attributes }) => attributes.type === 'module').text;
  const style = one(elements, ({ tag }) => tag === 'style').text;
  const policy = one(elements, ({ attributes }) => 'http-equiv' in attributes).attributes;
  expect(policy).toEqual({
    'http-equiv': 'Content-Security-Policy',
    content: `default-src 'none'; script-src 'sha256-${hashOf(script)}'; style-src 'sha256-${hashOf(style)}'; base-uri 'none'; form-action 'none'`,
  });
  expect(script).not.toMatch(
    /^(?:import|export) |innerHTML|insertAdjacentHTML|document\.write|eval\(/m,
  );
  // The name of a namespace is no address.
  const loaded = (script + style).replaceAll("'http://www.w3.org/2000/svg'", '');
  expect(loaded).not.toMatch(/https?:|url\(|@import|<\//);
});

test('the data of a page is the input, made visible', () => {
  fc.assert(
    fc.property(picture, shown => {
      const data = dataIn(elementsIn(pageOf(shown)));
      const { members, rows, columns, cells } = shown.matrix;
      expect(data.members).toEqual(members.map(visible));
      expect(data.rows.map(({ name }) => name)).toEqual(rows.map(({ name }) => visible(name)));
      expect(data.columns.map(({ address }) => address)).toEqual(
        columns.map(({ address }) => address && visible(address)),
      );
      expect(data.cells).toEqual(cells);
    }),
    { numRuns: 100 },
  );
});

test('headers have names as people gave them, without the quotes and escapes of a selector', () => {
  const side = (name: string, address?: string) => ({
    name,
    members: [],
    groups: [],
    ...(address !== undefined && { address }),
  });
  const { rows, columns } = matrixData({
    members: [],
    member_ids: [],
    rows: [side('group["aarhus staff"]'), side('group/on-call'), side('group/a, group/b')],
    columns: [
      side('network_resource/warehouse\\/botlek/wms', '10.0.0.1'),
      side('network_resource["aarhus/front doors"]', '10.0.0.2'),
      side('network_resource["a, b/c"]', '10.0.0.3'),
    ],
    verdicts: [],
    cells: [[], [], []],
    left_out: { rows: 0, columns: 0 },
    unexplained: 0,
  });
  expect(rows.map(({ label }) => label)).toEqual(['aarhus staff', 'on-call', 'a, b']);
  expect(columns.map(({ within, label }) => [within, label])).toEqual([
    ['warehouse/botlek', 'wms'],
    ['aarhus', 'front doors'],
    // It would look like two names.
    ['a, b', 'c'],
  ]);
});

test('JSON in HTML is the same value, without HTML markup', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), hostileText), value => {
      const text = jsonInHtml(value);
      expect(text).not.toMatch(/[<>&]/);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('the CSV of a page has a line for each pair, and no formula', () => {
  fc.assert(
    fc.property(picture, shown => {
      const matrix = matrixOf(dataIn(elementsIn(pageOf(shown))));
      const csv = csvOf(matrix, matrix.view(NO_FILTER));
      const cells = [...csv.matchAll(/(?:^|[,\n])(?:"((?:[^"]|"")*)"|([^",\n]*))/g)].map(
        ([, quoted, bare]) => quoted ?? bare ?? '',
      );
      expect(csv.trimEnd().split('\n')).toHaveLength(5);
      expect(cells.filter(cell => /(^|;)\s*[=+\-@]/.test(cell))).toEqual([]);
      expect(csv.replaceAll(/"(?:[^"]|"")*"/g, '')).not.toContain(';');
    }),
    { numRuns: 200 },
  );
});

const DATA: Data = {
  members: ['peer/mia', 'peer/tom', 'group/staff'],
  rows: [
    { name: 'group/staff', label: 'staff', members: [0, 1, 2], groups: ['group/staff'] },
    { name: 'peer/eve', label: 'eve', members: [], groups: [] },
  ],
  columns: [
    {
      name: 'network_resource/office/wiki',
      label: 'wiki',
      within: 'office',
      address: '10.0.0.1',
      members: [],
      groups: [],
    },
    { name: 'group/servers', label: 'servers', members: [], groups: [] },
  ],
  verdicts: [
    { status: 'reaches', label: 'tcp/22', ports: ['tcp/22'], because: ['policy "ssh"'] },
    { status: 'unknown', label: 'tcp/443', ports: ['tcp/443'], because: ['policy "web"'] },
    { status: 'blocked', label: 'DISABLED', ports: [], because: ['policy "old" is disabled'] },
  ],
  cells: [
    [0, 1, 1, 1, 0, 1],
    [1, 2, 1],
  ],
};

test.each([
  [{}, [0, 1], [0, 1], 3],
  [{ from: 'MIA' }, [0], [0, 1], 2],
  [{ to: 'wiki 10.0' }, [0], [0], 1],
  [{ ports: '22' }, [0], [1], 1],
  [{ ports: 'tcp' }, [0], [0, 1], 2],
  [{ because: 'old' }, [1], [1], 1],
  [{ status: 'posture' }, [0], [0], 1],
  [{ status: 'blocked' }, [1], [1], 1],
  [{ from: 'nobody' }, [], [], 0],
  [{ ports: '22', empty: true }, [0, 1], [0, 1], 1],
])('the filter %j leaves rows %j and columns %j', (filter, rows, columns, pairs) => {
  const view = matrixOf(DATA).view({ ...NO_FILTER, ...filter });
  expect(view).toMatchObject({ rows, columns, pairs });
});

test.each([
  ['*', 'tcp/22', true],
  ['tcp/22', '22', true],
  ['tcp/22', 'udp/22', false],
  ['tcp/8000-8100', '8080', true],
  ['tcp/8000-8100', '8080-8200', false],
  ['*', '*', true],
  ['udp/*', '*', false],
  ['tcp/1-100', 'tcp/*', false],
  ['udp/*', '53', true],
  ['udp/*', 'udp', true],
  ['icmp', 'icmp', true],
  ['icmp', '22', false],
  ['tcp/22', 'icmp', false],
  ['icmp', 'ping', true],
  ['tcp/22', 'ping', false],
])('%s allows %s: %j', (allowed, asked, is) => {
  expect(allows(allowed, asked)).toBe(is);
});

test('Mermaid gets no text that it would interpret', () => {
  fc.assert(
    fc.property(
      fc.oneof(hostileText, fc.constantFrom('$$x$$', 'fa:fa-user', '%%{init: {}}%%')),
      name => {
        const node = {
          id: 'n1',
          key: 'n1',
          layer: 'source' as const,
          names: [name],
          selectors: [],
          object: name,
          isOff: false,
        };
        const [, , line = ''] = mermaidText({ nodes: [node], edges: [] }).split('\n');
        expect(line).toMatch(/^ {2}n1\["(?:[\p{L}\p{N}\p{M} /.,_-]|#\d+;)*"\]$/u);
        expect(line).not.toMatch(/#(?:36|92);/);
      },
    ),
  );
});
