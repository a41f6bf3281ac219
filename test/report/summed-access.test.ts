// A line that stands for many changes of access: it has the ports that any of them gains or loses.
import { expect, test } from 'vitest';
import type { AccessChangeEntry } from '../../src/model/access/planAccess.ts';
import { portsText } from '../../src/report/access/planAccessText.ts';

const line = (own: Partial<AccessChangeEntry>): AccessChangeEntry => ({
  change: 'gained',
  from: '400 machines',
  to: '800 machines',
  protocol: 'tcp',
  ports_before: [],
  ports_after: [],
  machines: [],
  members_to_come: [],
  via: [],
  causes: [],
  ...own,
});

const ports = (...list: readonly number[]) => list.map(port => ({ start: port, end: port }));
const MANY = ports(...Array.from({ length: 25 }, (_, at) => 100 + 2 * at));

test.each<[string, Partial<AccessChangeEntry>]>([
  ['tcp/22', { summed: { gained: ports(22), lost: [] } }],
  ['tcp/*', { summed: { gained: [{ start: 0, end: 65_535 }], lost: [] } }],
  [
    'udp/53, 8000-8100 (each pair: some of these ports)',
    {
      protocol: 'udp',
      change: 'lost',
      summed: { gained: [], lost: [...ports(53), { start: 8_000, end: 8_100 }] },
    },
  ],
  [
    'tcp: gained 443, lost 22, 80 (each pair: some of these ports)',
    { change: 'changed', summed: { gained: ports(443), lost: ports(22, 80) } },
  ],
  ['tcp: lost 22', { change: 'changed', summed: { gained: [], lost: ports(22) } }],
  ['tcp (other conditions)', { change: 'changed', summed: { gained: [], lost: [] } }],
  ['icmp', { protocol: 'icmp', summed: { gained: [], lost: [] } }],
  ['tcp (different ports)', {}],
])('%s', (text, own) => {
  expect(portsText(line(own))).toBe(text);
});

test('the first ports are shown if there are more than 20', () => {
  const text = portsText(line({ summed: { gained: MANY, lost: [] } }));
  expect(text).toContain('136, 138, … 5 more (each pair: some of these ports)');
});
