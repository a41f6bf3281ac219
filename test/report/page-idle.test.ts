// The sentences about changes without effect on a page.
import { expect, test } from 'vitest';
import { AS_BEFORE, type PlanAccess } from '../../src/model/access/planAccess.ts';
import { element } from '../../src/report/graph/markup.ts';
import { idlePart } from '../../src/report/page/idle.ts';

const ACCESS: PlanAccess = {
  status: 'changed',
  machines: 0,
  pairs: { gained: 1, lost: 0 },
  without_effect: 5,
  no_effect: [
    { changes: ['policy.a', 'policy.b'], reason: AS_BEFORE },
    { changes: ['policy.c', 'policy.d', 'policy.e'], reason: 'it is disabled' },
  ],
  unread: [],
  changes: [],
  gains: [],
  steps: [],
};

test('a folded list of sentences says how many changes it is about, also if some share a sentence', () => {
  const { markup } = element('div', {}, idlePart(ACCESS));
  expect(markup).toContain('Why 5 changes have no effect on access');
  expect(markup.match(/<li>/g)).toHaveLength(4);
});
