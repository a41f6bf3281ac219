// Somebody renamed a group of the base, and created another one with its name: the base still means the group that it knows by its id.
import { describe, expect, test } from 'vitest';
import { group, type Options, planFor, policy, type Read } from '../planning.ts';

const files = (sources: string, groups = 'servers') => `{
  groups: [{ name: ${groups} }, { name: staff }, { name: extra }],
  policies: [{ name: p, rules: [{ name: all, protocol: all, sources: ${sources}, destinations: [staff] }] }],
}`;
const OPTIONS: Options = {
  base: files('[servers]'),
  prune: 'removed',
  recordedIds: {
    'group.servers': 'ours',
    'group.staff': 'staff',
    'group.extra': 'extra',
    'policy.p': 'p',
  },
};
const ACCOUNT = [
  group('ours', 'machines'),
  group('other', 'servers'),
  group('staff', 'staff'),
  group('extra', 'extra'),
];

function planned(desired: string, sources: string[], account: readonly Read[] = ACCOUNT) {
  const { changes, actions } = planFor(
    desired,
    [...account, policy('p', 'p', sources, ['staff'])],
    OPTIONS,
  );
  return {
    changes: changes.flatMap(({ address, type, fields }) =>
      fields.length === 0
        ? [`${type} ${address}`]
        : fields.map(({ path, since }) => `${address} ${path.join('.')} ${since}`),
    ),
    hazards: actions.flatMap(({ hazards }) => hazards.map(({ code }) => code)),
  };
}

describe('a reference of both sides to the renamed group', () => {
  test('is not a change of the account: additions of the files are not a conflict', () => {
    expect(planned(files('[servers, extra]'), ['ours'])).toEqual({
      changes: ['policy.p rules.all.sources pending'],
      hazards: [],
    });
  });

  test('is drift if the files did not change', () => {
    expect(planned(files('[servers]'), ['ours'])).toEqual({
      changes: ['policy.p rules.all.sources drift'],
      hazards: [],
    });
  });

  test('a reference that somebody else moved to the other group as well leaves only the additions of the files', () => {
    expect(planned(files('[servers, extra]'), ['other'])).toEqual({
      changes: ['policy.p rules.all.sources pending'],
      hazards: [],
    });
  });

  test('is a conflict if somebody changed it to a third group', () => {
    expect(planned(files('[servers, extra]'), ['staff'])).toEqual({
      changes: ['policy.p rules.all.sources conflict'],
      hazards: ['CONFLICT'],
    });
  });
});

describe('files that follow the rename', () => {
  test('do not remove the other group, which the base does not have', () => {
    expect(planned(files('[machines]', 'machines'), ['ours'])).toEqual({
      changes: [],
      hazards: [],
    });
  });

  test('revert a reference that somebody moved to the other group', () => {
    expect(planned(files('[machines]', 'machines'), ['other'])).toEqual({
      changes: ['policy.p rules.all.sources drift'],
      hazards: [],
    });
  });
});
