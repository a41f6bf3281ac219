// The view of how a plan changes access can be read at a glance, however many offices a plan changes.
import { expect, test } from 'vitest';
import type { AccessChangeEntry } from '../../src/model/access/planAccess.ts';
import { element } from '../../src/report/graph/markup.ts';
import { changeSection } from '../../src/report/page/change.ts';
import { cutSentenceList } from '../../src/report/page/changeSentence.ts';
import { planFor } from '../engine/planning.ts';
import { KINDS } from '../support/files.ts';

const entry = (office: string): AccessChangeEntry => ({
  change: 'gained',
  from: 'group/security',
  to: `network_resource/${office}/doors`,
  protocol: 'tcp',
  ports_before: [],
  ports_after: ['8443'],
  machines: [],
  members_to_come: ['group/security'],
  via: [{ policy: 'doors', rule: office }],
  causes: ['group.staff'],
});

const plan = planFor('groups: [{ name: staff }]', []);
const access = {
  status: 'changed' as const,
  machines: 0,
  pairs: { gained: 0, lost: 0 },
  without_effect: 0,
  unread: [],
  changes: ['oslo', 'porto', 'riga'].map(entry),
  gains: [],
  steps: [],
};

test('a sentence about several offices opens the sentence of each, which opens its rule', () => {
  const { content } = changeSection({ ...plan, access }, { kinds: KINDS });
  const { markup } = element('div', {}, content);
  expect(markup.match(/<summary>/g)).toHaveLength(4);
  const [summary = '', , , riga = ''] = markup.split('<summary>').slice(1);
  expect(markup).toContain('Open a line to see its cause');
  expect(summary.replaceAll('<wbr>', '')).toContain('‹network›/doors (3 networks)');
  expect(riga).toContain('riga/<wbr>doors');
  expect(riga).toContain('rule &quot;riga&quot;');
});

test('ten sentences of a long list are in sight, and the others are one click away', () => {
  const items = Array.from({ length: 14 }, (_, at) => element('li', {}, `line ${at}`));
  const cut = element('div', {}, cutSentenceList(items)).markup;
  expect(cut.split('<details')[0]?.match(/<li>/g)).toHaveLength(10);
  expect(cut).toContain('<summary>Show all (4 more)</summary>');
  const whole = element('div', {}, cutSentenceList(items.slice(0, 11))).markup;
  expect(whole).not.toContain('<details');
});
