// A plan fails when the account does not give a kind that the plan needs.
import { describe, expect, test } from 'vitest';
import { kindName } from '../../../src/model/names.ts';
import { network, type Options, planFor } from '../planning.ts';
import { found } from './verdict.ts';

describe('a kind that the account does not offer', () => {
  const without = (kind: string): Options => ({
    unavailable: new Map([[kindName(kind), 'it said no']]),
  });

  test('stops a run that declares it or refers to it', () => {
    expect(found('groups: [{ name: a }]', [], without('group'))).toEqual({
      codes: ['KIND_UNAVAILABLE'],
      actions: 0,
    });
    expect(found('groups: [{ name: a, peers: [x] }]', [], without('peer')).codes).toEqual([
      'KIND_UNAVAILABLE',
    ]);
  });

  test('stops a run that would delete some of it too, and is a note for a run that deletes nothing', () => {
    const pruning: Options = { ...without('network_router'), prune: 'unmanaged' };
    const there = network('n1', 'other');
    expect(found('networks: [{ name: n }]', [there], pruning)).toMatchObject({
      codes: expect.arrayContaining(['KIND_UNAVAILABLE']),
      actions: 0,
    });
    const { diagnostics, actions } = planFor('networks: [{ name: n }]', [], pruning);
    expect(diagnostics).toMatchObject([{ code: 'KIND_UNAVAILABLE', severity: 'note' }]);
    expect(actions).toHaveLength(1);
    expect(found('networks: [{ name: n }]', [], without('network_router'))).toEqual({
      codes: [],
      actions: 1,
    });
  });

  test('is reported, and stops nothing, if the run would only list it', () => {
    const watch = new Set([kindName('policy')]);
    const { diagnostics, actions } = planFor('groups: [{ name: a }]', [], {
      ...without('policy'),
      watch,
    });
    expect(diagnostics).toMatchObject([{ code: 'KIND_UNAVAILABLE', severity: 'warning' }]);
    expect(actions).toHaveLength(1);
  });

  test('does not stop a run that only checks whether something refers to it', () => {
    expect(
      found('groups: [{ name: a }]', [], { ...without('route'), prune: 'unmanaged' }).codes,
    ).toEqual([]);
  });
});
