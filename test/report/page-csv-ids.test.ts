// The ids in the CSV of a page are those of `meshform access --format csv`, so that both can be joined with other systems.
import { expect, test } from 'vitest';
import { csvOf, matrixOf, NO_FILTER } from '../../assets/page/matrix.js';
import { answerQuestion } from '../../src/access/ask/answer.ts';
import { accessPicture } from '../../src/access/picture/picture.ts';
import type { AccessState } from '../../src/access/state/accessState.ts';
import { accessCsv } from '../../src/report/access/accessCsv.ts';
import { matrixData } from '../../src/report/page/data.ts';
import { exampleState, stateOf } from './graph/states.ts';

const RULE = { enabled: true, action: 'accept', protocol: 'tcp', bidirectional: false };

/** Two policies have one name, and a setup key adds machines to a group. */
const ACCOUNT = {
  peers: [
    { id: 'p1', name: 'mia', ip: '100.64.0.1' },
    { id: 'p2', name: 'tom', ip: '100.64.0.2' },
    { id: 'p3', name: 'db', ip: '100.64.0.3' },
    { id: 'p4', name: 'gw', ip: '100.64.0.4' },
    { id: 'p5', name: 'eve', ip: '100.64.0.5' },
  ].map(peer => ({ connected: true, approval_required: false, ...peer })),
  groups: [
    { id: 'g1', name: 'staff', peers: [{ id: 'p1' }, { id: 'p2' }] },
    { id: 'g2', name: 'databases', peers: [{ id: 'p3' }] },
    { id: 'g3', name: 'guests', peers: [{ id: 'p5' }] },
    { id: 'g4', name: 'wikis', peers: [] },
  ],
  policies: [
    {
      id: 'q1',
      name: 'ssh',
      enabled: true,
      source_posture_checks: [],
      rules: [
        {
          ...RULE,
          id: 'r1',
          name: 'ssh',
          ports: ['22'],
          sources: [{ id: 'g1' }],
          destinations: [{ id: 'g2' }, { id: 'g4' }],
        },
      ],
    },
    {
      id: 'q2',
      name: 'ssh',
      enabled: true,
      source_posture_checks: [],
      rules: [
        {
          ...RULE,
          id: 'r2',
          name: 'ssh',
          ports: ['22'],
          sources: [{ id: 'g3' }],
          destinations: [{ id: 'g2' }],
        },
      ],
    },
  ],
  networks: [
    {
      id: 'n1',
      name: 'office',
      resources: [
        {
          id: 'w1',
          name: 'wiki',
          address: '10.0.0.1/32',
          type: 'host',
          enabled: true,
          groups: [{ id: 'g4' }],
        },
      ],
      routers: [{ id: 'o1', peer: 'p4', enabled: true, metric: 100, masquerade: true }],
    },
  ],
  posture_checks: [],
  routes: [],
  setup_keys: [
    {
      id: 'k1',
      name: 'servers',
      valid: true,
      revoked: false,
      auto_groups: ['g2'],
      type: 'reusable',
    },
  ],
  users: [],
};

type Line = Readonly<Record<string, string>>;

function linesIn(csv: string): { readonly head: string; readonly lines: readonly Line[] } {
  const [head = '', ...rest] = csv.trimEnd().split('\n');
  const names = head.split(',');
  const cellsOf = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
    );
  const lines = rest.map(line => {
    const cells = cellsOf(line);
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
  return { head, lines };
}

function csvsOf(state: AccessState) {
  const answer = answerQuestion(state, { why: false });
  if ('unknown' in answer) throw new Error('the question names nothing');
  const written = JSON.stringify(matrixData(accessPicture(state).matrix));
  const matrix = matrixOf(JSON.parse(written));
  return {
    command: linesIn(accessCsv({ judged: 'files', ...answer })),
    page: linesIn(csvOf(matrix, matrix.view(NO_FILTER))),
  };
}

const IDS = ['from_ids', 'from_machine_ids', 'to_ids', 'to_machine_ids', 'via_ids'] as const;

/** The ids of a line, each cell sorted. */
const idsOf = (line: Line | undefined) =>
  IDS.map(name => (line?.[name] ?? '').split(' ').sort().join(' '));

test('the columns of a page are those of the command', () => {
  const { command, page } = csvsOf(stateOf(ACCOUNT));
  expect(page.head).toBe(command.head);
});

test('a line of a page has the ids of its group, its machines and the one policy that grants it', () => {
  const { page } = csvsOf(stateOf(ACCOUNT));
  const between = (from: string, to: string) =>
    idsOf(page.lines.find(line => line.from === from && line.to === to));
  expect(between('group/staff', 'network_resource/office/wiki')).toEqual([
    'g1',
    'p1 p2',
    'w1',
    '',
    'q1',
  ]);
  expect(between('group/guests', 'group/databases')).toEqual(['g3', 'p5', 'g2', 'p3', 'q2']);
});

test('a group and the machines that join it later are one side with the name of the group', () => {
  const { rows, columns } = accessPicture(stateOf(ACCOUNT)).matrix;
  const names = [...rows, ...columns].map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['group/staff', 'group/guests', 'group/databases']));
  expect(
    names.filter(name => /group\/(\w+), machines that enrol with group\/\1/.test(name)),
  ).toEqual([]);
});

test.each([
  ['an account', async () => stateOf(ACCOUNT)],
  ['files', () => exampleState('company')],
])(
  'lines with the same sides have the same ids on the page of %s and from the command',
  async (_, stateFor) => {
    const { command, page } = csvsOf(await stateFor());
    const sides = ({ from, to, address, ports }: Line) => [from, to, address, ports].join('\n');
    const byCommand = new Map(command.lines.map(line => [sides(line), idsOf(line)]));
    const both = page.lines.filter(
      line => byCommand.has(sides(line)) && line.verdict === 'reaches',
    );
    expect(both.length).toBeGreaterThan(1);
    for (const line of both)
      expect([sides(line), idsOf(line)]).toEqual([sides(line), byCommand.get(sides(line))]);
  },
);

test('the CSV of the difference has what grants each pair and which of its ports are gained and lost', () => {
  const side = (name: string) => ({ name, label: name, members: [], groups: [], ids: [name] });
  const reaches = (port: string, via: string) => ({
    status: 'reaches',
    label: port,
    ports: [port],
    because: [],
    via: [via],
  });
  const data = {
    members: [],
    rows: [side('a')],
    columns: [side('b')],
    verdicts: [reaches('tcp/22', 'q1'), reaches('tcp/443', 'q2')],
    before: [[0, 0, 1]],
    cells: [[0, 1, 1]],
  };
  const rowsIn = (state: string) => {
    const matrix = matrixOf(data, state);
    const lines = csvOf(matrix, matrix.view(NO_FILTER)).trim().split('\n');
    return lines.map(line => line.split(',').slice(12).join(','));
  };
  expect(rowsIn('difference')).toEqual(['via_ids,gained_ports,lost_ports', 'q2 q1,tcp/443,tcp/22']);
  expect(rowsIn('after')).toEqual(['via_ids', 'q2']);
});

test('the verdicts of a page are those of the command, and ports before and after a plan and of other ways are not mixed', () => {
  const side = (name: string) => ({ name, label: name, members: [], groups: [] });
  const cell = (status: string, ports: string[], around?: string[]) => ({
    status,
    label: status === 'blocked' ? 'DISABLED' : ports.join(' '),
    ports,
    because: [],
    ...(around && { around }),
  });
  const data = {
    members: [],
    rows: [side('a')],
    columns: ['b', 'c', 'd', 'e', 'f', 'g'].map(side),
    verdicts: [
      cell('reaches', ['tcp/22'], ['*']),
      cell('unknown', ['tcp/22']),
      cell('fail', ['tcp/22']),
      cell('blocked', []),
      cell('around', [], ['*']),
      cell('reaches', ['tcp/445', 'tcp/8080']),
      cell('reaches', ['tcp/445', 'tcp/8081']),
    ],
    before: [[0, 0, 1, 1, 1, 1, 2, 2, 1, 3, 3, 1, 4, 4, 1, 5, 5, 1]],
    cells: [[0, 0, 1, 1, 1, 1, 2, 2, 1, 3, 3, 1, 4, 4, 1, 5, 6, 1]],
  };
  const linesOf = (state: string) => {
    const matrix = matrixOf(data, state);
    const { lines } = linesIn(csvOf(matrix, matrix.view(NO_FILTER)));
    return lines.map(({ verdict, ports }) => `${verdict} ${ports}`);
  };
  const same = [
    'reaches tcp/22',
    'conditional tcp/22',
    'conditional tcp/22',
    'DISABLED ',
    'around *',
  ];
  expect(linesOf('after')).toEqual(same.concat('reaches tcp/445 tcp/8081'));
  expect(linesOf('difference')).toEqual(same.concat('changed tcp/445 tcp/8081'));
});
