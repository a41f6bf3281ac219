// What files and an account have to do with each other before the first apply.
import { describe, expect, test } from 'vitest';
import { buildPlan } from '../../src/engine/plan/plan.ts';
import { withAdopted } from '../../src/export/adoption/adopted.ts';
import { adoptionOf } from '../../src/export/adoption/adoption.ts';
import { adoptionDocument, adoptionText } from '../../src/report/adoptionText.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { group, live, network, type Read, router } from '../engine/planning.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { NOW } from './exported.ts';

const met = (files: string, reads: readonly Read[]) =>
  adoptionOf({
    kinds: KINDS,
    desired: desiredOf(files),
    folder: '',
    dialect: 'spec',
    now: NOW,
    snapshot: { objects: live(reads), unavailable: new Map(), requests: 0 },
  });

const matches = (...given: Parameters<typeof met>) =>
  met(...given).matches.map(({ address, by, differs }) => [address, by, ...differs]);
const doubts = (...given: Parameters<typeof met>) =>
  met(...given).doubts.map(({ address, reason, candidates }) => [
    address,
    reason,
    ...candidates.map(({ id, tells }) => ({ id, ...tells })),
  ]);

describe('a match', () => {
  test('is based on an id, a name, a former name, or on the content of the object', () => {
    const files = `
      groups: [{ name: a, lifecycle: { id: g1 } }, { name: b }, { name: new, lifecycle: { was: old } }]
      networks: [{ name: n, description: x, routers: [{ peer_groups: [b], masquerade: true }] }]`;
    const reads = [
      group('g1', 'a'),
      group('g2', 'b'),
      group('g3', 'old'),
      network('n1', 'n'),
      router('t1', 'n1', ['g2']),
    ];
    expect(matches(files, reads)).toEqual([
      ['group.a', 'id'],
      ['group.b', 'name'],
      ['group.new', 'former name', 'name'],
      ['network.n', 'name', 'description'],
      ['network_router.n/b', 'natural key'],
    ]);
  });
});

describe('a doubt', () => {
  test('lists several objects of one name, with their differences', () => {
    const one: Read = ['network', { id: 'n1', name: 'n', description: 'first' }];
    const other: Read = ['network', { id: 'n2', name: 'n', description: 'second' }];
    expect(doubts('networks: [{ name: n }]', [one, other])).toEqual([
      [
        'network.n',
        'ambiguous',
        { id: 'n1', description: 'first' },
        { id: 'n2', description: 'second' },
      ],
    ]);
  });

  test('is reported for an object with a similar name', () => {
    expect(
      doubts('groups: [{ name: On Call }]', [group('g1', 'on-call'), group('g2', 'x')]),
    ).toEqual([
      [
        'group.On Call'.replace('.On Call', '["On Call"]'),
        'similar',
        { id: 'g1', name: 'on-call' },
      ],
    ]);
  });

  test('does not arise if the account has nothing similar', () => {
    const found = met('groups: [{ name: engineers }]', [group('g1', 'printers')]);
    expect(found.doubts).toEqual([]);
    expect(found.fresh.map(({ address }) => address)).toEqual(['group.engineers']);
  });

  test('is reported with the YAML that resolves it', () => {
    const found = met('networks: [{ name: n }]', [network('n1', 'n'), network('n2', 'n')]);
    expect(
      adoptionText(found, KINDS, PLAIN),
    ).toBe(`Ambiguous: several objects have that name, so none is adopted

  network.n  network.yaml:1:12
    "n"  only its id identifies it
      lifecycle: { id: "n1" }
    "n"  only its id identifies it
      lifecycle: { id: "n2" }

0 matched, 0 of them differ; 1 ambiguous, 0 similar, 0 new.
`);
    expect(adoptionDocument(found, KINDS)).toMatchObject({
      doubts: [{ candidates: [{ write: { lifecycle: { id: 'n1' } } }, { id: 'n2' }] }],
    });
  });
});

describe('a plan with a base', () => {
  const planned = (files: string, base: string, reads: readonly Read[]) => {
    const input = {
      kinds: KINDS,
      desired: desiredOf(files),
      base: base === '' ? [] : desiredOf(base),
      snapshot: { objects: live(reads), unavailable: new Map(), requests: 0 },
      settings: { dialect: 'spec', prune: 'none', allow: [], thresholds: {} },
      folder: '',
    } as const;
    return withAdopted(buildPlan(input), input);
  };
  const reads: Read[] = [
    group('g1', 'a'),
    group('g2', 'b'),
    ['network', { id: 'n1', name: 'n', description: 'theirs' }],
  ];
  const files = 'groups: [{ name: a }, { name: b }]\nnetworks: [{ name: n, description: ours }]';

  test('says what it adopts: with its change, and by name for the rest', () => {
    const { changes, diagnostics } = planned(files, 'groups: [{ name: a }]', reads);
    expect(changes.map(({ address, notes }) => [address, ...notes])).toEqual([
      ['network.n', 'adopted: the account had it before the files did'],
    ]);
    expect(diagnostics).toMatchObject([
      { code: 'OBJECT_ADOPTED', severity: 'note', message: expect.stringMatching(/: group\.b$/) },
    ]);
  });

  test('adopts nothing that the base declared, under any name', () => {
    const { changes, diagnostics } = planned(
      'groups: [{ name: a }, { name: c, lifecycle: { was: b } }]',
      'groups: [{ name: a }, { name: b }]',
      reads,
    );
    expect({ notes: changes.flatMap(({ notes }) => notes), diagnostics }).toEqual({
      notes: [],
      diagnostics: [],
    });
  });

  test('is needed: without one, a plan does not say what it adopts', () => {
    expect(planned(files, '', reads).diagnostics).toEqual([]);
  });
});
