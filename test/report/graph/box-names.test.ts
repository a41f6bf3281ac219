// Boxes show what people call an object, with a sign for its kind, and fit into a window.
import { expect, test } from 'vitest';
import { accessOutline } from '../../../src/access/picture/picture.ts';
import { stateOfFiles } from '../../../src/access/state/stateOfFiles.ts';
import { serverForm } from '../../../src/cli/files/serverForm.ts';
import { loadSchemas } from '../../../src/pipeline/schemas.ts';
import { accessGraph, ruleTitle } from '../../../src/report/graph/accessGraph.ts';
import { boxNames } from '../../../src/report/graph/boxNames.ts';
import { layoutOf } from '../../../src/report/graph/layout.ts';
import { signsOf } from '../../../src/report/graph/signs.ts';
import { svgDocument } from '../../../src/report/graph/svg.ts';
import { WIDEST } from '../../../src/report/page/map.ts';
import { broken, partsOfWord } from '../../../src/report/text/width.ts';
import { desiredOf } from '../../support/files.ts';
import { faultsOf } from './geometry.ts';

const signs = signsOf(loadSchemas().kinds);

const named = (text: string, selector = text) => {
  const [found] = boxNames({ names: [text], selectors: [selector] }, signs);
  return [found?.text, found?.sign?.meaning];
};

test.each([
  ['group/on-call', 'group/on-call', 'on-call', 'group'],
  ['group["hamburg staff"]', 'group["hamburg staff"]', 'hamburg staff', 'group'],
  ['network_resource/p/db 10.0.0.5', 'network_resource/p/db', 'p/db 10.0.0.5', 'network resource'],
  ['peer/gw, 2 machines', 'peer/gw', 'gw, 2 machines', 'machine'],
  // Names that would look like several names, like the rest of a list, or like a name with its address.
  ['group["a, b"]', 'group["a, b"]', '"a, b"', 'group'],
  ['group["and 5 more"]', 'group["and 5 more"]', '"and 5 more"', 'group'],
  [
    'network_resource["p/d b 10.0.0.9"] 10.0.0.5/32',
    'network_resource["p/d b 10.0.0.9"]',
    '"p/d b 10.0.0.9" 10.0.0.5/32',
    'network resource',
  ],
  [
    'network_resource["p/d b"] db.example.com',
    'network_resource["p/d b"]',
    '"p/d b" db.example.com',
    'network resource',
  ],
  // A name that cannot be taken for one with its address needs no quotes before an address.
  [
    'network_resource["p/d b"] 10.0.0.5/32',
    'network_resource["p/d b"]',
    'p/d b 10.0.0.5/32',
    'network resource',
  ],
  // A comma ends a name, because names with a comma are in quotes.
  ['group["a b"], no machine yet', 'group["a b"]', 'a b, no machine yet', 'group'],
  // A word for several names.
  [
    'network_resource["‹network›/d b"] *.5/32',
    'network_resource["‹network›/d b"]',
    '‹network›/d b *.5/32',
    'network resource',
  ],
  // Texts that only look like a selector, or begin with that of another object.
  ['group/on-call', '', 'group/on-call', undefined],
  ['group/on-call-nights', 'group/on-call', 'group/on-call-nights', undefined],
  ['internet', 'internet', 'internet', undefined],
])('%s of %s is %s', (text, selector, shown, kind) => {
  expect(named(text, selector)).toEqual([shown, kind]);
});

test.each([
  ['web', 'web', 'web'],
  ['runners test / web', 'web', 'runners test / web'],
  ['runners test / web', 'ssh', 'runners test / web: ssh'],
])('the rule %s, %s has the title %s', (policy, rule, title) => {
  expect(ruleTitle(policy, rule)).toBe(title);
});

test('a word that is too long is wrapped after its marks', () => {
  expect(broken('x portal.staging.example.internal', 20, partsOfWord)).toEqual([
    'x',
    'portal.staging.',
    'example.internal',
  ]);
  expect(broken('abcdefgh', 5, partsOfWord)).toEqual(['abcde', 'fgh']);
});

const FILES = `groups: [{ name: monitoring-probes }, { name: staging-services }, { name: gw }]
networks:
  - name: staging
    resources:
      - { name: staging-portal, address: portal.staging.harbourline.internal, groups: [staging-services] }
    routers: [{ peer_groups: [gw], metric: 100, masquerade: true }]
policies:
  - name: runners test against staging
    rules:
      - { name: web and postgres, sources: [monitoring-probes], destinations: [staging-services], protocol: tcp, ports: ["443"] }
`;

test('a drawing that is a little too wide for its place has narrower boxes, and no name has its kind', () => {
  const graph = accessGraph(accessOutline(stateOfFiles(desiredOf(FILES), serverForm('netbird'))));
  const roomy = layoutOf(graph, { signs });
  const narrow = layoutOf(graph, { signs, widest: roomy.width - 1 });
  expect(narrow.width).toBeLessThan(roomy.width);
  expect(faultsOf({ places: narrow.boxes, lines: narrow.lines })).toEqual([]);
  expect(layoutOf(graph, { signs, widest: roomy.width / 2 })).toEqual(roomy);
  const texts = [...roomy.boxes.values()].flatMap(({ lines }) => lines.map(({ text }) => text));
  expect(texts).toContain('monitoring-probes');
  expect(texts.filter(text => /^(?:group|network|network_resource)\//.test(text))).toEqual([]);
  // The name with its kind stays in the title, where it is searched for and copied from.
  expect(svgDocument(graph, { title: 'x', signs })).toContain(
    '<title>group/monitoring-probes</title>',
  );
});

test('a map that a window of 1024 pixels shows whole has text of 11 pixels', () => {
  expect((12 * 955) / WIDEST).toBeGreaterThan(11);
});
