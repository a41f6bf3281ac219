// Long lists in a plan: what was added and removed, ports as ranges, and nothing wide among what is cut.
import { describe, expect, test } from 'vitest';
import type { Shown } from '../../src/model/secrets/shown.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { portRanges, rangeText } from '../../src/report/text/longList.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { group, peer, planFor } from '../engine/planning.ts';
import { KINDS } from '../support/files.ts';
import { fc } from '../support/seeded.ts';

const WIDE = { ...PLAIN, width: Number.POSITIVE_INFINITY };
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const padded = (prefix: string, i: number) => `${prefix}${String(i).padStart(3, '0')}`;

test('at most twenty added and twenty removed members of a set are shown without --full', () => {
  const peers = numbers(90).map(i => peer(`id${i}`, padded('p', i)));
  const had = numbers(45).map(i => ({ id: `id${i}`, name: padded('p', i) }));
  const files = `groups: [{ name: a, peers: [${numbers(45).map(i => padded('p', i + 45))}], lifecycle: { exact: [peers] } }]`;
  const plan = planFor(files, [...peers, group('g', 'a', { peers: had })]);
  const shown = planText(plan, KINDS, WIDE, { command: 'meshform plan --full' });
  expect(shown.match(/^ +\+ "p\d+"$/gm)).toHaveLength(20);
  expect(shown.match(/^ +- "p\d+"$/gm)).toHaveLength(20);
  expect(shown).toContain('+ … 25 more added\n');
  expect(shown).toContain('- … 25 more removed\n');
  expect(shown).toContain('To see all of it: meshform plan --full\n');
  const full = planText(plan, KINDS, WIDE, { detail: 'full' });
  expect(full.match(/^ +[+-] "p\d+"$/gm)).toHaveLength(90);
});

test('--full shows the members that stay in a list, and the screen their number', () => {
  const files = 'groups: [{ name: a, peers: [p1, p2, p3], lifecycle: { exact: [peers] } }]';
  const peers = ['p1', 'p2', 'p3', 'p4'].map(name => peer(name, name));
  const had = ['p1', 'p2', 'p4'].map(name => ({ id: name, name }));
  const plan = planFor(files, [...peers, group('g', 'a', { peers: had })]);
  expect(planText(plan, KINDS, WIDE)).toContain('(2 unchanged)\n');
  expect(planText(plan, KINDS, WIDE, { detail: 'full' })).toContain('(2 unchanged: "p1", "p2")\n');
});

const rule = (fields: string) => (name: string) =>
  `policies: [{ name: ${name}, rules: [{ name: r, protocol: tcp, ${fields} }] }]`;
const shownFor = (fields: string, reads = [group('1', 'a'), group('2', 'b')]) =>
  planText(planFor(rule(fields)('p'), reads), KINDS, WIDE);

test('ports are in numerical order', () => {
  expect(shownFor('sources: [a], destinations: [b], ports: ["1000", "443", "80"]')).toContain(
    'ports         = ["80", "443", "1000"]\n',
  );
});

test('port ranges are in numerical order', () => {
  const ranges = [
    [1000, 2000],
    [80, 90],
    [9, 9999],
  ].map(([start, end]) => `{ start: ${start}, end: ${end} }`);
  expect(shownFor(`sources: [a], destinations: [b], port_ranges: [${ranges}]`)).toContain(
    'port_ranges   = [{ start: 9, end: 9999 }, { start: 80, end: 90 }, { start: 1000, end: 2000 }]\n',
  );
});

test('adjacent ports are shown as ranges', () => {
  const ports = ['443', ...numbers(80).map(i => String(8000 + i))].map(port => `"${port}"`);
  expect(shownFor(`sources: [a], destinations: [b], ports: [${ports}]`)).toContain(
    'ports         = [443, 8000-8079]\n',
  );
});

describe('members that are never cut', () => {
  const many = numbers(500).map(i => padded('g', i));
  const reads = [...many, 'All', 'b'].map(name => group(`id-${name}`, name));

  test('the group of all machines', () => {
    const shown = shownFor(`sources: [${[...many, 'All']}], destinations: [b]`, reads);
    expect(shown).toMatch(/sources += \["All", "g000", .*, … 481 more\]/);
  });

  test('a wildcard or a wide network', () => {
    const domains = [...many.slice(0, 31).map(name => `${name}.example.com`), '"*.example.org"'];
    const route = `routes: [{ network_id: r, domains: [${domains}], peer_groups: [b], groups: [b], masquerade: true }]`;
    expect(planText(planFor(route, reads), KINDS, WIDE)).toContain('"*.example.org"');
    const ranges = [
      ...numbers(500).map(i => `10.${i >> 8}.${i & 255}.0/24`),
      '200.0.0.0/3',
      '"fd00::/8"',
    ];
    const check = `posture_checks: [{ name: c, checks: { peer_network_range_check: { action: allow, ranges: [${ranges}] } } }]`;
    const shown = planText(planFor(check, reads), KINDS, WIDE);
    expect(shown).toContain('"200.0.0.0/3"');
    expect(shown).toContain('"fd00::/8"');
    expect(shown).toContain('… 482 more');
  });

  test('a wide range of ports', () => {
    const odd = numbers(500).map(i => `"${1 + i * 2}"`);
    const range = numbers(1000).map(i => `"${20000 + i}"`);
    const shown = shownFor(`sources: [a], destinations: [b], ports: [${[...odd, ...range]}]`);
    expect(shown).toContain('20000-20999');
    expect(shown).toContain('… 481 more');
  });
});

test('ranges contain the ports of the list and no others, and no two are adjacent', () => {
  const port = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(fc.uniqueArray(port, { minLength: 1 }), ports => {
      const ranges = portRanges(ports.map(String) as unknown as readonly Shown[]) ?? [];
      const back = ranges.flatMap(([first, last]) => numbers(last - first + 1).map(i => first + i));
      expect(back).toEqual(ports.toSorted((a, b) => a - b));
      expect(ranges.every(([first], i) => i === 0 || first > (ranges[i - 1]?.[1] ?? 0) + 1)).toBe(
        true,
      );
      expect(ranges.map(rangeText).join()).toMatch(/^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/);
    }),
    { numRuns: 300 },
  );
});
