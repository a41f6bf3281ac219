// A hazard that was shown also covers fewer of the objects that it concerned, and never others.
import { expect, test } from 'vitest';
import { concernsNoOthers } from '../../../src/engine/checks/fewerAffected.ts';

const says = (who: string, concerned?: readonly string[]) => ({
  message: `\`network_range\` changes: every peer gets another address (${who})`,
  says: '`network_range` changes: every peer gets another address',
  ...(concerned && { concerned }),
});

test.each([
  ['the same', says('1 peer', ['peer/a']), says('1 peer', ['peer/a']), true],
  ['another one', says('1 peer', ['peer/b']), says('1 peer', ['peer/a']), false],
  ['fewer', says('1 peer', ['peer/a']), says('2 peers', ['peer/a', 'peer/b']), true],
  ['none', says('none of the peers', []), says('1 peer', ['peer/a']), true],
  [
    'another one of fewer',
    says('1 peer', ['peer/c']),
    says('2 peers', ['peer/a', 'peer/b']),
    false,
  ],
  ['a renamed one', says('1 peer: new', ['peer/a']), says('1 peer: old', ['peer/a']), true],
  ['as many, by an older plan', says('1 peer', ['peer/b']), says('1 peer'), true],
  ['fewer, by an older plan', says('1 peer', ['peer/b']), says('2 peers'), false],
  ['more, by an older plan', says('2 peers', ['peer/a', 'peer/b']), says('1 peer'), false],
  ['an unknown number now', says('an unknown number of peers'), says('1 peer', ['peer/a']), false],
])('an accepted hazard is compared with a later hazard of %s', (_, now, shown, isCovered) => {
  expect(concernsNoOthers(now, shown)).toBe(isCovered);
});

test('a different hazard of the same objects is not covered', () => {
  const shown = says('1 peer', ['peer/a']);
  const other = (text: string) => text.replace('network_range', 'dns_domain');
  const now = { ...shown, message: other(shown.message), says: other(shown.says) };
  expect(concernsNoOthers(now, shown)).toBe(false);
});

test('a name that looks like the end of a sentence hides no other hazard', () => {
  const of = (name: string, id: string) => ({
    message: `${name} changes (1 peer) (1 peer)`,
    says: `${name} changes (1 peer)`,
    concerned: [id],
  });
  expect(concernsNoOthers(of('a', 'peer/a'), of('a (2 peers) b', 'peer/a'))).toBe(false);
});
