// The matrix of a page: the orders of its rows and columns, and what fits into a cell.
import { describe, expect, test } from 'vitest';
import {
  cellText,
  chipsOf,
  emptyHint,
  hasAccess,
  matrixOf,
  NO_FILTER,
} from '../../assets/page/matrix.js';
import { ranksOf } from '../../assets/page/order.js';
import { groupedByCells } from '../../src/access/picture/equalCells.ts';
import { portKind } from '../../src/report/graph/portKinds.ts';
import { fc } from '../support/seeded.ts';

interface Side {
  readonly label: string;
  readonly within?: string;
  readonly address?: string;
}

const WEB = { status: 'open', label: '443', ports: ['tcp/443'], because: [] };

/** A matrix in which `#` is access. */
function matrixFrom(rows: readonly Side[], columns: readonly Side[], cells: readonly string[]) {
  const side = (one: Side) => ({ name: one.label, members: [], groups: [], ...one });
  return matrixOf({
    members: [],
    rows: rows.map(side),
    columns: columns.map(side),
    verdicts: [WEB],
    cells: cells.map(line => [...line].flatMap((sign, at) => (sign === '#' ? [at, 0, 1] : []))),
  });
}

const named = (names: string): readonly Side[] => [...names].map(label => ({ label }));

/** The labels in an order. */
function ordered(sides: readonly Side[], ranks: Int32Array): string {
  const byRank = [...sides.keys()].sort((one, other) => (ranks[one] ?? 0) - (ranks[other] ?? 0));
  return byRank.map(at => sides[at]?.label).join(' ');
}

test('a question that no pair matches says why, and what to do', () => {
  const matrix = matrixFrom(named('ab'), named('xy'), ['#.', '..']);
  const hint = (given: Partial<typeof NO_FILTER>) => {
    const filter = { ...NO_FILTER, ...given };
    return emptyHint(matrix, filter, matrix.view(filter));
  };
  expect(hint({ from: 'a' })).toBe('');
  const next =
    'To see the pairs and why they are closed, tick "Show empty rows and columns" and choose a cell.';
  expect(hint({ from: 'b', to: 'y' })).toBe(`No rule allows this. ${next}`);
  expect(hint({ from: 'a', ports: 'icmp' })).toBe(
    `No access matches all of these filters. ${next}`,
  );
  expect(hint({ from: 'b', empty: true })).toBe('No rule allows this.');
  expect(hint({ from: 'ops', to: 'z' })).toBe(
    'No source is called "ops". No destination is called "z".',
  );
});

describe('another path to the address of a destination', () => {
  const AROUND = { status: 'around', label: '', ports: [], because: [], around: ['*'] };
  const BLOCKED = { ...AROUND, status: 'blocked', label: 'DISABLED' };

  test('is access, even beside a rule that grants none', () => {
    expect([AROUND, BLOCKED].map(hasAccess)).toEqual([true, true]);
    expect(cellText(AROUND)).toBe('↪ * in another way');
    expect(cellText(BLOCKED)).toBe('✕ DISABLED; ↪ * in another way');
    expect(chipsOf(AROUND)).toEqual([{ text: '↪ all', look: 'around' }]);
    expect(chipsOf(BLOCKED).at(0)).toEqual({ text: '↪ all', look: 'around' });
  });

  test('is found by its ports, and is not a change in a plan that changes only that path', () => {
    const [own = { label: '' }] = named('a');
    const side = { name: 'a', members: [], groups: [], ...own };
    const data = {
      members: [],
      rows: [side],
      columns: [side],
      verdicts: [{ ...AROUND, around: ['tcp/22'] }],
      cells: [[0, 0, 1]],
      before: [[]],
    };
    const { view } = matrixOf(data);
    expect(view({ ...NO_FILTER, ports: '22' }).pairs).toBe(1);
    expect(view({ ...NO_FILTER, ports: '80' }).pairs).toBe(0);
    expect(matrixOf(data, 'difference').view({ ...NO_FILTER, status: 'changed' }).pairs).toBe(0);
    const gone = { ...data, before: data.cells, cells: [[]] };
    expect(matrixOf(gone, 'difference').view(NO_FILTER).pairs).toBe(0);
  });
});

test('a new rule is a gain, also of sources that fail its posture checks', () => {
  const [own = { label: '' }] = named('a');
  const side = { name: 'a', members: [], groups: [], ...own };
  const failed = { status: 'fail', label: 'tcp/443', ports: ['tcp/443'], because: ['p'] };
  const blocked = { status: 'blocked', label: 'DISABLED', ports: [], because: [] };
  const data = {
    members: [],
    rows: [side],
    columns: [side],
    verdicts: [failed, blocked],
    cells: [[0, 0, 1]],
  };
  for (const before of [[[]], [[0, 1, 1]]]) {
    const { data: compared, view } = matrixOf({ ...data, before }, 'difference');
    expect(view({ ...NO_FILTER, status: 'changed' }).pairs).toBe(1);
    const [verdict] = compared.verdicts.filter(({ difference }) => difference);
    if (verdict === undefined) throw new Error('nothing is changed');
    expect(chipsOf(verdict)).toEqual([{ text: '+✕443', look: 'gained' }]);
    expect(cellText(verdict)).toBe('+ gained: tcp/443; the sources fail a posture check');
    expect(hasAccess(verdict)).toBe(false);
  }
});

describe('orders of a matrix', () => {
  test('the order by name puts resources by their networks before other addresses and machines, and compares numbers by value', () => {
    const rows = ['m10', 'm9'].map(label => ({ label }));
    const columns = [
      { label: 'zoe' },
      { label: 'exit', address: '0.0.0.0/0' },
      { label: 'wiki', within: 'shop', address: '10.1.0.1' },
      { label: 'wiki', within: 'office', address: '10.0.0.1' },
      { label: 'db', within: 'shop', address: '10.1.0.2' },
    ];
    const ranks = ranksOf(matrixFrom(rows, columns, ['', '']), 'name');
    expect(ordered(rows, ranks.rows)).toBe('m9 m10');
    expect(ordered(columns, ranks.columns)).toBe('wiki db wiki exit zoe');
  });

  test('the order by reach puts the source that reaches most and the most reached destination first', () => {
    const rows = named('abc');
    const columns = named('xyz');
    const ranks = ranksOf(matrixFrom(rows, columns, ['..#', '###', '.##']), 'reach');
    expect(ordered(rows, ranks.rows)).toBe('b c a');
    expect(ordered(columns, ranks.columns)).toBe('z y x');
  });

  test('the order by similarity puts similar lines beside each other', () => {
    const rows = named('abcde');
    const cells = ['##..', '..##', '##..', '..##', '##..'];
    const ranks = ranksOf(matrixFrom(rows, named('wxyz'), cells), 'likeness');
    expect(ordered(rows, ranks.rows)).toMatch(/^(?:a c e b d|b d a c e)$/);
  });

  test('the order by similarity puts equal lines beside each other among many lines with the same reach', () => {
    const count = 600;
    // Lines 2n and 2n + 1 have a cell in common, and each line has a cell of its own.
    const cells = Array.from({ length: count }, (_, at) => {
      const line = Array.from('.'.repeat(2 * count));
      for (const place of [at - (at % 2), count + ((at * 7) % count)]) line[place] = '#';
      return line.join('');
    });
    const rows = cells.map((_, at) => ({ label: String(at) }));
    const columns = Array.from({ length: 2 * count }, (_, at) => ({ label: String(at) }));
    const ranks = ranksOf(matrixFrom(rows, columns, cells), 'similarity').rows;
    const apart = [...ranks.keys()].filter(
      at => Math.abs((ranks[at] ?? 0) - (ranks[at ^ 1] ?? 0)) > 1,
    );
    expect(apart).toEqual([]);
  });

  test('each order has every row and column once', () => {
    const line = fc.string({ unit: fc.constantFrom('#', '.'), minLength: 40, maxLength: 40 });
    const order = fc.constantFrom('name', 'reach', 'likeness');
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), order, (cells, by) => {
        const rows = cells.map((_, at) => ({ label: String(at) }));
        const columns = Array.from({ length: 40 }, (_, at) => ({ label: String(at) }));
        const ranks = ranksOf(matrixFrom(rows, columns, cells), by);
        for (const [side, count] of [
          [ranks.rows, rows.length],
          [ranks.columns, columns.length],
        ] as const)
          expect([...side].sort((a, b) => a - b)).toEqual([...Array(count).keys()]);
      }),
    );
  });
});

describe('the text of a cell', () => {
  const chips = (ports: readonly string[], own = {}) =>
    chipsOf({
      ...WEB,
      ports: [...ports],
      kinds: ports.map(portKind),
      label: ports.join(' '),
      ...own,
    })
      .map(({ text, look }) => `${text}:${look}`)
      .join(' ');

  test.each([
    [['tcp/443'], '443:web'],
    [['tcp/22', 'tcp/443'], '22:shell 443:web'],
    [['tcp/5432', 'tcp/22', 'tcp/443', 'udp/53'], '5432:data +3:more'],
    [['udp/*'], 'udp/*:all'],
    [['*'], 'all:all'],
    [['icmp'], 'icmp:other'],
    [['tcp/20000-30000', 'udp/20000-30000', 'tcp/40000-50000'], '3 ports:data'],
  ])('%j', (ports, expected) => {
    expect(chips(ports)).toBe(expected);
  });

  test('is visibly cut if it is too long', () => {
    expect(chips(['udp/10000-20000'])).toBe('udp/10000-2…:data');
  });

  test('says why access is missing, and has a sign if it depends on posture', () => {
    expect(chips([], { status: 'blocked', label: 'NO_ROUTER' })).toBe('✕ no router:blocked');
    expect(chips(['tcp/22'], { status: 'unknown' })).toBe('? 22:shell');
    expect(chips(['tcp/22'], { status: 'fail' })).toBe('✕ 22:blocked');
  });

  test('shows the number of both if a plan gives and takes many ports', () => {
    const difference = { change: 'changed', gained: ['tcp/1000', 'tcp/2000'], lost: ['tcp/30000'] };
    expect(chips(['tcp/1000'], { difference })).toBe('+2:gained −1:lost');
  });
});

test('lines are alike if all of their cells are alike', () => {
  const cells = [[1, 2], [2, 1], [1, 2], [1], [undefined, 1]];
  expect(groupedByCells(cells.length, at => cells[at] ?? [])).toEqual([[0, 2], [1], [3], [4]]);
});
