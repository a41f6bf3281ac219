// Access changes that differ in their destination alone are one sentence; what it leaves out is counted.
import { describe, expect, test } from 'vitest';
import { accessName } from '../../src/model/access/accessName.ts';
import type { AccessChangeEntry } from '../../src/model/access/planAccess.ts';
import { accessSentences, destinationsText } from '../../src/report/access/accessSentences.ts';
import { KINDS } from '../support/files.ts';

const entry = (to: string, own: Partial<AccessChangeEntry> = {}): AccessChangeEntry => ({
  change: 'gained',
  from: 'group/laptops',
  to,
  protocol: 'tcp',
  ports_before: [],
  ports_after: ['443'],
  machines: ['mia', 'tom'],
  members_to_come: [],
  via: [{ policy: 'office', rule: 'web' }],
  causes: ['policy.office'],
  ...own,
});

const resource = (name: string) => `network_resource/office/${name}`;

const targets = (entries: readonly AccessChangeEntry[]) =>
  accessSentences(entries, KINDS).map(({ target, destinations }) => [target, ...destinations]);

describe('sentences of an access diff', () => {
  test('resources of one network, with their addresses, are counted and named', () => {
    const entries = [
      entry(resource('wiki'), { address: '10.0.0.1/32' }),
      entry('group/servers'),
      entry(resource('files'), { address: '10.0.0.2/32' }),
    ];
    expect(targets(entries)).toEqual([
      ['2 network resources in office', 'wiki 10.0.0.1/32', 'files 10.0.0.2/32'],
      ['group/servers'],
    ]);
  });

  test.each<[string, Partial<AccessChangeEntry>]>([
    ['the direction of the change', { change: 'lost', ports_before: ['443'], ports_after: [] }],
    ['the sources', { from: 'group/phones' }],
    ['the machines among the sources', { machines: ['mia'] }],
    ['the ports', { ports_after: ['22'] }],
    ['the rule', { via: [{ policy: 'office', rule: 'all' }] }],
    ['the causes', { causes: ['policy.other'] }],
    ['the posture', { posture: { checks: ['recent'], pass: ['mia'], fail: [], unknown: [] } }],
  ])('changes that differ in %s are separate sentences', (_, own) => {
    const entries = [entry(resource('wiki')), entry(resource('files'), own)];
    expect(targets(entries)).toEqual([[resource('wiki')], [resource('files')]]);
  });

  test('resources of two networks are two sentences', () => {
    const entries = ['office/a', 'shop/b'].map(key => entry(accessName('network_resource', key)));
    expect(targets(entries)).toHaveLength(2);
  });

  test('destinations that are not objects stay as they are', () => {
    expect(targets([entry('4 machines'), entry('internet')])).toEqual([
      ['4 machines'],
      ['internet'],
    ]);
  });

  test('no name imitates another name in the list', () => {
    const names = ['a, b', 'c → d', 'e"f', 'g\\/h', 'i\nj'];
    const [all] = targets(names.map(name => entry(accessName('group', name))));
    expect(all).toEqual(['5 groups', '"a, b"', '"c → d"', '"e\\"f"', 'g\\/h', '"i\\nj"']);
  });

  test('a long list is cut, and the rest counted', () => {
    const many = Array.from({ length: 30 }, (_, i) => entry(`group/g${i}`));
    const [sentence] = accessSentences(many, KINDS);
    expect(sentence && destinationsText(sentence, 2)).toBe('g0, g1, … 28 more');
  });
});
