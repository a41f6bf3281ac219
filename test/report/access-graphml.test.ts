// The answer to an access question as GraphML, which graph tools read.
import { expect, test } from 'vitest';
import type { AccessAnswer, AccessFlow, AccessObject } from '../../src/model/access/planAccess.ts';
import { accessGraphml } from '../../src/report/access/accessGraphml.ts';

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const TOKEN =
  /<(\/?)([a-z]+)((?: [\w.:]+="[^"<&]*(?:&[a-z]+;[^"<&]*)*")*)(\/?)>|((?:[^<>&]|&(?:amp|lt|gt|quot);)+)|([\s\S])/g;

/** The root of a document of elements and text; throws where it is not well-formed. */
function rootOf(xml: string): Element {
  const root: Element = { tag: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const body = xml.replace('<?xml version="1.0" encoding="UTF-8"?>\n', '');
  for (const [token, end, tag = '', attributes = '', empty, text, wrong] of body.matchAll(TOKEN)) {
    const parent = open.at(-1) ?? root;
    if (wrong !== undefined) throw new Error(`not well-formed: ${JSON.stringify(token)}`);
    if (text !== undefined) parent.text += unescaped(text);
    else if (end === '/') {
      if (open.pop()?.tag !== tag) throw new Error(`</${tag}> ends another element`);
    } else {
      const pairs = [...attributes.matchAll(/ ([\w.:]+)="([^"]*)"/g)];
      const own = Object.fromEntries(pairs.map(([, name, value = '']) => [name, unescaped(value)]));
      const element: Element = { tag, attributes: own, children: [], text: '' };
      parent.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.tag}> does not end`);
  return root.children[0] as Element;
}

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const unescaped = (text: string): string =>
  text.replaceAll(/&(\w+);/g, (_, name: string) => SIGNS[name] ?? '');

const dataOf = ({ children }: Element): Readonly<Record<string, string>> =>
  Object.fromEntries(children.map(({ attributes, text }) => [attributes.key, text]));

function flowBetween(from: AccessObject, to: AccessObject, ports = 'tcp/22'): AccessFlow {
  const party = ({ name }: AccessObject) => ({ name, machines: [], members_to_come: [] });
  const ids = (object: AccessObject) => ({ objects: [object], machines: [] });
  return {
    from: party(from),
    to: party(to),
    ports: [ports],
    via: [{ policy: from.name, rule: to.name }],
    ids: { from: ids(from), to: ids(to), via: [{ kind: 'policy', name: 'policy/p', id: 'p1' }] },
  };
}

const answer = (flows: readonly AccessFlow[]): AccessAnswer => ({
  judged: 'the files',
  asked: {},
  flows,
  unread: [],
});

function graphOf(flows: readonly AccessFlow[]) {
  const root = rootOf(accessGraphml(answer(flows)));
  const keys = root.children.filter(({ tag }) => tag === 'key').map(one => one.attributes.id);
  const graph = root.children.find(({ tag }) => tag === 'graph') as Element;
  const nodes = graph.children.filter(({ tag }) => tag === 'node');
  const edges = graph.children.filter(({ tag }) => tag === 'edge');
  return { keys, nodes, edges };
}

const laptops = { kind: 'group', name: 'group/laptops', id: 'd1' };
const db: AccessObject = { kind: 'peer', name: 'peer/db' };

test('a side is one node, however many flows it has, and its id survives a rename', () => {
  const { nodes, edges } = graphOf([flowBetween(laptops, db), flowBetween(laptops, db, 'icmp')]);
  expect(nodes.map(({ attributes }) => attributes.id)).toEqual(['group.d1', 'peer:db']);
  expect(edges.map(one => [one.attributes, dataOf(one)])).toMatchObject([
    [
      { source: 'group.d1', target: 'peer:db' },
      { ports: 'tcp/22', via_ids: 'p1' },
    ],
    [{ source: 'group.d1', target: 'peer:db' }, { ports: 'icmp' }],
  ]);
  const renamed = graphOf([flowBetween({ ...laptops, name: 'group/notebooks' }, db)]);
  expect(renamed.nodes[0]?.attributes.id).toBe('group.d1');
});

test('every datum has a key that the document declares', () => {
  const { keys, nodes, edges } = graphOf([flowBetween(laptops, db)]);
  const used = [...nodes, ...edges].flatMap(({ children }) => children);
  expect(keys).toEqual(expect.arrayContaining(used.map(({ attributes }) => attributes.key)));
});

test.each([
  'group/a"/><evil a="',
  'group/</data></node>',
  'group/&lt;',
  'group/a b',
  'group/ä\u{1f600}',
  'group/\u0000\u001b[31m',
  'group/]]>',
])('the name %j stays text, and the id of its node is a name token', name => {
  const { nodes } = graphOf([flowBetween({ kind: 'group', name }, db)]);
  expect(nodes).toHaveLength(2);
  expect(nodes[0]?.attributes.id).toMatch(/^[\w.:-]+$/);
  if (!name.includes('\u0000')) expect(dataOf(nodes[0] as Element).name).toBe(name);
});

test('an id and a name with the same letters are two nodes', () => {
  const named = { kind: 'group', name: 'group/d1' };
  const { nodes } = graphOf([flowBetween(laptops, named)]);
  expect(nodes.map(({ attributes }) => attributes.id)).toEqual(['group.d1', 'group:d1']);
});
