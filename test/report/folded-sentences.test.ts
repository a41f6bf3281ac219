// Changes of access that differ in one name only are one sentence with a list, so that a change of twenty offices can be read.
import { describe, expect, test } from 'vitest';
import { accessName } from '../../src/model/access/accessName.ts';
import type { AccessChangeEntry } from '../../src/model/access/planAccess.ts';
import { keyOf } from '../../src/model/key.ts';
import { accessSentences } from '../../src/report/access/accessSentences.ts';
import { sourceText } from '../../src/report/access/planAccessText.ts';
import { shownSentences } from '../../src/report/access/rankedAccess.ts';
import { KINDS } from '../support/files.ts';

const OFFICES = ['aarhus', 'le-havre', 'porto', 'riga'];

const entry = (own: Partial<AccessChangeEntry>): AccessChangeEntry => ({
  change: 'gained',
  from: 'group/security',
  to: 'group/doors',
  protocol: 'tcp',
  ports_before: [],
  ports_after: ['8443'],
  machines: [],
  members_to_come: ['group/security'],
  via: [{ policy: 'doors', rule: 'doors' }],
  causes: ['policy.doors'],
  ...own,
});

const resource = (office: string, name: string) =>
  accessName('network_resource', keyOf([office, `${office} ${name}`]));

/** Access of everybody to a resource of an office. */
const door = (office: string, own: Partial<AccessChangeEntry> = {}) =>
  entry({
    to: resource(office, 'doors'),
    address: `10.${OFFICES.indexOf(office)}.0.40/32`,
    via: [{ policy: 'doors', rule: 'doors', through: [`group["${office} gateway"]`] }],
    ...own,
  });

/** Access of the staff of an office to its services. */
const staff = (office: string, own: Partial<AccessChangeEntry> = {}) =>
  entry({
    from: accessName('group', `${office} staff`),
    to: accessName('group', `${office} services`),
    machines: [`peer/${office}-1`],
    members_to_come: [accessName('group', `${office} staff`)],
    via: [{ policy: `${office} staff use the office`, rule: 'services' }],
    causes: [`policy["${office} staff use the office"]`],
    ...own,
  });

const shown = (entries: readonly AccessChangeEntry[]) =>
  accessSentences(entries, KINDS).map(one => [
    `${sourceText(one.change)} → ${one.target}`,
    ...one.destinations,
  ]);

describe('sentences about several offices', () => {
  test('a destination in each of four networks is one sentence, with the addresses', () => {
    expect(shown(OFFICES.map(office => door(office)))).toEqual([
      [
        'group/security (future members) → network_resource["‹network›/‹network› doors"] (4 networks)',
        'aarhus 10.0.0.40/32',
        'le-havre 10.1.0.40/32',
        'porto 10.2.0.40/32',
        'riga 10.3.0.40/32',
      ],
    ]);
  });

  test('sources, rules and causes are named after the office too, and machines are counted together', () => {
    const entries = OFFICES.flatMap(office => [staff(office), door(office)]);
    const [first] = accessSentences(entries, KINDS);
    expect(shown(entries).map(([text]) => text)).toEqual([
      'group["‹network› staff"] (4 and future members) → group["‹network› services"] (4 networks)',
      'group/security (future members) → network_resource["‹network›/‹network› doors"] (4 networks)',
    ]);
    expect(first?.change.via).toEqual([
      { policy: '‹network› staff use the office', rule: 'services' },
    ]);
    expect(first?.change.causes).toEqual(['policy["‹network› staff use the office"]']);
    expect(first?.alike.map(({ change }) => change.from)).toEqual(
      OFFICES.map(office => accessName('group', `${office} staff`)),
    );
    expect(first?.entries).toHaveLength(4);
  });

  test('sentences are folded without networks of these names, but not called offices', () => {
    expect(shown(OFFICES.map(office => staff(office)))).toEqual([
      [
        'group["‹name› staff"] (4 and future members) → group["‹name› services"] (4 names)',
        ...OFFICES,
      ],
    ]);
  });

  test('several resources in each network are one sentence', () => {
    const entries = OFFICES.flatMap(office => [
      door(office),
      door(office, { to: resource(office, 'gates'), address: '10.9.0.1/32' }),
    ]);
    expect(shown(entries)).toEqual([
      [
        'group/security (future members) → 2 network resources in ‹network› (4 networks)',
        ...OFFICES,
      ],
    ]);
  });

  test.each<[string, Partial<AccessChangeEntry>]>([
    ['the width of the address', { address: '10.0.0.0/8' }],
    ['everything', { address: '0.0.0.0/0' }],
    ['another domain', { address: 'files.example.com' }],
    ['the ports', { ports_after: ['22'] }],
    ['the direction', { change: 'lost' }],
    ['the rule', { via: [{ policy: 'doors', rule: 'night' }] }],
    ['a routing machine that is missing', { no_router: true }],
    ['current machines', { machines: ['peer/mia'] }],
  ])('a sentence that also differs in %s is separate', (_, own) => {
    const entries = OFFICES.map((office, at) => door(office, at === 3 ? own : {}));
    expect(shown(entries).map(([text]) => text)).toEqual([
      'group/security (future members) → network_resource["‹network›/‹network› doors"] (3 networks)',
      expect.stringContaining('riga/riga doors'),
    ]);
  });

  test('two sentences are not folded, and sources of one rule are not', () => {
    expect(shown(OFFICES.slice(0, 2).map(office => door(office)))).toHaveLength(2);
    const teams = ['ops', 'sales', 'law'].map(team => entry({ from: `group/${team}` }));
    expect(shown(teams)).toHaveLength(3);
  });

  test('the sentences that open most are shown if there are many names', () => {
    const wide = staff('riga', { machines: ['peer/a', 'peer/b', 'peer/c'] });
    const entries = [...OFFICES.slice(0, 3).map(office => staff(office)), wide];
    const plan = { access: { changes: entries } as never, changes: [] };
    const { sentences } = shownSentences(plan, KINDS, { most: 2 });
    expect(sentences.map(({ destinations }) => destinations[0])).toEqual(['riga']);
    expect(sentences[0]?.alike[0]?.change.from).toBe('group["riga staff"]');
  });
});
