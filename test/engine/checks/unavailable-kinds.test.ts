// A plan fails when the account does not give a kind that the plan needs.
import { describe, expect, test } from 'vitest';
import { kindName } from '../../../src/model/names.ts';
import { type Options, planFor } from '../planning.ts';
import { found } from './verdict.ts';

describe('a kind that the account does not give', () => {
  const without = (kind: string): Options => ({
    unavailable: new Map([[kindName(kind), 'it said no']]),
  });

  test('stops a run that declares it or points at it', () => {
    expect(found('groups: [{ name: a }]', [], without('group'))).toEqual({
      codes: ['KIND_UNAVAILABLE'],
      actions: 0,
    });
    expect(found('groups: [{ name: a, peers: [x] }]', [], without('peer')).codes).toEqual([
      'KIND_UNAVAILABLE',
    ]);
  });

  test('stops a run that would delete some of it along', () => {
    expect(
      found('networks: [{ name: n }]', [], { ...without('network_router'), prune: 'unmanaged' })
        .codes,
    ).toEqual(['KIND_UNAVAILABLE']);
    expect(found('networks: [{ name: n }]', [], without('network_router'))).toEqual({
      codes: [],
      actions: 1,
    });
  });

  test('is reported, and stops nothing, where it was only to be listed', () => {
    const watch = new Set([kindName('policy')]);
    const { diagnostics, actions } = planFor('groups: [{ name: a }]', [], {
      ...without('policy'),
      watch,
    });
    expect(diagnostics).toMatchObject([{ code: 'KIND_UNAVAILABLE', severity: 'warning' }]);
    expect(actions).toHaveLength(1);
  });

  test('does not stop a run that only looks whether it points at something', () => {
    expect(
      found('groups: [{ name: a }]', [], { ...without('route'), prune: 'unmanaged' }).codes,
    ).toEqual([]);
  });
});
