// Networks that differ only in names and addresses are drawn once, and the drawing still says what each of them has.
import { expect, test } from 'vitest';
import { accessOutline } from '../../../src/access/picture/picture.ts';
import { stateOfFiles } from '../../../src/access/state/stateOfFiles.ts';
import { serverForm } from '../../../src/cli/files/serverForm.ts';
import { loadSchemas } from '../../../src/pipeline/schemas.ts';
import { accessGraph } from '../../../src/report/graph/accessGraph.ts';
import { foldedFrames } from '../../../src/report/graph/foldedFrames.ts';
import { framedBy } from '../../../src/report/graph/grouping.ts';
import { mergedGraph } from '../../../src/report/graph/mergedGraph.ts';
import { signsOf } from '../../../src/report/graph/signs.ts';
import { svgDocument } from '../../../src/report/graph/svg.ts';
import { desiredOf } from '../../support/files.ts';

interface Office {
  readonly name: string;
  readonly ports?: string;
  readonly service?: string;
}

const filesOf = (offices: readonly Office[]): string =>
  `
groups:
  - { name: security }
${offices.map(({ name }) => `  - { name: ${name} staff }\n  - { name: ${name} services }`).join('\n')}
networks:
${offices
  .map(
    ({ name, service = 'files' }, at) => `  - name: ${name}
    routers: [{ peer_groups: [${name} staff], masquerade: true }]
    resources:
      - { name: ${name} ${service}, address: 10.${at}.0.10, groups: [${name} services] }
      - { name: ${name} doors, address: 10.${at}.0.40/32, groups: [] }`,
  )
  .join('\n')}
policies:
${offices
  .map(
    ({ name, ports = '"445"' }) => `  - name: ${name} staff work
    rules: [{ name: r, sources: [${name} staff], destinations: [${name} services], protocol: tcp, ports: [${ports}] }]
  - name: security opens ${name}
    rules:
      - { name: r, sources: [security], destinationResource: { network_resource: [${name}, ${name} doors] }, protocol: tcp, ports: ["8443"] }`,
  )
  .join('\n')}
`;

const graphOf = (offices: readonly Office[]) => {
  const state = stateOfFiles(desiredOf(filesOf(offices)), serverForm('netbird'));
  return mergedGraph(framedBy(accessGraph(accessOutline(state)), 'place'));
};

const FOUR = ['cork', 'genoa', 'porto', 'riga'].map(name => ({ name }));

const namesIn = ({ nodes }: ReturnType<typeof graphOf>) => nodes.flatMap(({ names }) => names);

test('networks of one form are one frame with everything that belongs to them alone, and a list of their names', () => {
  const { nodes, edges } = foldedFrames(graphOf(FOUR));
  const inside = nodes.filter(({ frame }) => frame === '4 networks of the same form');
  expect(inside.map(({ names }) => names)).toEqual([
    ['group["‹network› staff"]'],
    ['‹network› staff work: r'],
    ['group["‹network› services"]'],
    ['network_resource["‹network›/‹network› doors"] *.40/32'],
    ['network_resource["‹network›/‹network› files"] *.10'],
    ['cork 10.0.0.*', 'genoa 10.1.0.*', 'porto 10.2.0.*', 'riga 10.3.0.*'],
    ['group["‹network› staff"], no machine yet'],
  ]);
  expect(inside[0]?.standsFor).toContain('group["riga staff"]');
  const security = nodes.find(({ names }) => names[0] === 'group/security');
  expect(security?.frame).toBeUndefined();
  const doors = inside.find(({ names }) => names[0]?.includes('doors'));
  const pairs = edges.filter(({ to }) => to === doors?.id).map(({ access }) => access?.pairs);
  expect(pairs).toEqual([4]);
});

test.each<[string, readonly Office[]]>([
  ['other ports', [...FOUR, { name: 'hamburg', ports: '"9100"' }]],
  ['a resource of another name', [...FOUR, { name: 'hamburg', service: 'printer' }]],
])('a network with %s is drawn by itself', (_, offices) => {
  const names = namesIn(foldedFrames(graphOf(offices)));
  expect(names).toContain('group["hamburg staff"]');
  expect(names).toContain('group["‹network› staff"]');
  expect(names).not.toContain('group["riga staff"]');
});

test('two networks of one form are drawn one by one', () => {
  const two = graphOf(FOUR.slice(0, 2));
  expect(foldedFrames(two)).toBe(two);
});

test('the drawing of networks of one form shows each name, and its boxes have the names for which they stand', () => {
  const svg = svgDocument(foldedFrames(graphOf(FOUR)), {
    title: 'offices',
    signs: signsOf(loadSchemas().kinds),
  });
  for (const text of [
    '‹network› staff',
    'cork 10.0.0.*',
    'riga 10.3.0.*',
    '‹network›/‹network› files *.10',
  ])
    expect(svg).toContain(`>${text}</text>`);
  expect(svg).toContain('<title>group[&quot;cork staff&quot;], ');
});
