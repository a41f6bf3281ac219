// What leads to the address of a destination in another way: a wider route in the matrix, on the map and in a drawing of a part.
import { expect, test } from 'vitest';
import { accessPicture } from '../../../src/access/picture/picture.ts';
import { stateOfFiles } from '../../../src/access/state/stateOfFiles.ts';
import { serverForm } from '../../../src/cli/files/serverForm.ts';
import { accessGraph } from '../../../src/report/graph/accessGraph.ts';
import { mergedGraph } from '../../../src/report/graph/mergedGraph.ts';
import { partAround } from '../../../src/report/graph/partAround.ts';
import { svgElement } from '../../../src/report/graph/svg.ts';
import { matrixData } from '../../../src/report/page/data.ts';
import { mapDrawings } from '../../../src/report/page/mapDrawings.ts';
import { stateOf } from '../../report/graph/states.ts';
import { desiredOf } from '../../support/files.ts';

const FILE = `groups: [{ name: contractors }, { name: dba }, { name: auditors }, { name: gw }, { name: dbs }, { name: wide }, { name: guests }, { name: printers }]
networks:
  - name: prod
    resources: [{ name: db, address: 10.20.0.5, groups: [dbs] }]
    routers: [{ peer_groups: [gw], metric: 100, masquerade: true }]
routes:
  - { network_id: wide, network: 10.20.0.0/16, peer_groups: [gw], masquerade: true, groups: [contractors], access_control_groups: [wide] }
policies:
  - { name: pg, rules: [{ name: pg, sources: [dba], destinations: [dbs], protocol: tcp, ports: ["5432"] }] }
  - { name: audit, enabled: false, rules: [{ name: audit, sources: [auditors, contractors], destinations: [dbs], protocol: tcp, ports: ["22"] }] }
  - { name: print, rules: [{ name: print, sources: [guests], destinations: [printers], protocol: tcp, ports: ["631"] }] }
  - { name: all, rules: [{ name: all, sources: [contractors], destinations: [gw, wide], protocol: all }] }
`;

const picture = accessPicture(stateOfFiles(desiredOf(FILE), serverForm('netbird')));

/** The cell of a source at the database. */
function cell(from: string) {
  const data = matrixData(picture.matrix);
  const row = data.rows.findIndex(({ name }) => name === from);
  const column = data.columns.findIndex(({ name }) => name === 'network_resource/prod/db');
  const runs = data.cells[row] ?? [];
  for (let at = 0; at < runs.length; at += 3) {
    const [first = 0, number = 0, length = 0] = runs.slice(at, at + 3);
    if (first <= column && column < first + length) return data.verdicts[number];
  }
  return undefined;
}

test('a cell names the wider route that leads to the address, beside what blocks the rule of the pair', () => {
  expect(cell('group/contractors')).toMatchObject({ status: 'blocked', around: ['*'] });
  expect(cell('group/contractors')?.because.at(-1)).toMatch(
    /^by route\/wide 10\.20\.0\.0\/16: \*, policy "all", rule "all"/,
  );
  expect(cell('group/auditors')).not.toHaveProperty('around');
  expect(cell('group/dba')).toMatchObject({ status: 'reaches', label: 'tcp/5432' });
  expect(cell('group/dba')).not.toHaveProperty('around');
});

test('the box of a resource on the map names the box of the route', () => {
  const graph = mergedGraph(accessGraph(picture));
  const { markup } = svgElement(graph, { title: 'map', hasNames: true });
  const idOf = (name: string) => graph.nodes.find(({ names }) => names.includes(name))?.id;
  const route = idOf('route/wide 10.20.0.0/16');
  expect(markup).toContain(
    `data-id="${idOf('network_resource/prod/db 10.20.0.5')}" data-around="${route}"`,
  );
});

test('the sources of an object include the sources of its address', () => {
  const part = partAround(accessGraph(picture), 'network_resource/prod/db');
  const names = part?.nodes.flatMap(({ names: own }) => own);
  expect(names).toContain('route/wide 10.20.0.0/16');
  expect(names).toContain('group/contractors');
});

test('the map of a question shows the surroundings of its object, or everything if the map does not have the object', () => {
  const namesWith = (only: readonly string[]) =>
    mapDrawings({ picture, only })
      .filter(({ by }) => by === 'none')
      .flatMap(({ graph }) => graph.nodes.flatMap(({ names }) => names));
  const part = namesWith(['network_resource/prod/db']);
  expect(part).toContain('group/contractors');
  expect(part).not.toContain('group/guests');
  expect(namesWith(['peer/nobody'])).toContain('group/guests');
});

/** A route to the overlay address of a machine, and rules that name its group and the machine itself. */
const OVERLAY = {
  peers: [
    { id: 'p1', name: 'db1', ip: '100.64.0.10' },
    { id: 'p2', name: 'laptop', ip: '100.64.0.11' },
    { id: 'p3', name: 'gw', ip: '100.64.0.12' },
    { id: 'p4', name: 'visitor', ip: '100.64.0.13' },
  ].map(peer => ({ connected: true, approval_required: false, ...peer })),
  groups: [
    { id: 'g1', name: 'databases', peers: [{ id: 'p1' }] },
    { id: 'g2', name: 'dba', peers: [{ id: 'p2' }] },
    { id: 'g3', name: 'guests', peers: [{ id: 'p4' }] },
  ],
  policies: [
    {
      id: 'q1',
      name: 'pg',
      enabled: true,
      source_posture_checks: [],
      rules: [
        {
          id: 'r1',
          name: 'pg',
          enabled: true,
          action: 'accept',
          protocol: 'tcp',
          ports: ['5432'],
          sources: [{ id: 'g2' }],
          destinations: [{ id: 'g1' }],
        },
      ],
    },
  ],
  routes: [
    {
      id: 'w1',
      network_id: 'back',
      network: '100.64.0.10/32',
      enabled: true,
      peer: 'p3',
      groups: ['g3'],
      access_control_groups: [],
      metric: 100,
      masquerade: true,
      keep_route: true,
      description: '',
    },
  ],
  posture_checks: [],
  networks: [],
  setup_keys: [],
  users: [],
};

test('the box of a group on the map names the box of a route to the overlay address of its machine', () => {
  const graph = accessGraph(accessPicture(stateOf(OVERLAY)));
  const { markup } = svgElement(graph, { title: 'map', hasNames: true });
  const idOf = (layer: string, name: string) =>
    graph.nodes.find(node => node.layer === layer && node.names.includes(name))?.id;
  expect(markup).toContain(
    `data-id="${idOf('destination', 'group/databases')}" data-around="${idOf('resource', 'route/back 100.64.0.10/32')}"`,
  );
  const part = partAround(graph, 'group/databases');
  expect(part?.nodes.flatMap(({ names }) => names)).toContain('group/guests');
  expect(partAround(graph, 'group/dba')?.nodes.flatMap(({ names }) => names)).not.toContain(
    'group/guests',
  );
});
