// The table of differences is complete: every item worth imitating has a dialect, every switch has a reason.
import { describe, expect, it } from 'vitest';
import { BEHAVIOURS } from '../../../src/emulator/behaviour-matrix.ts';
import { BEHAVIOUR } from '../../../src/emulator/dialect.ts';

const switches = Object.keys(BEHAVIOUR.spec).toSorted();

describe('the table of dialects', () => {
  it('covers each of the 17 items', () => {
    const items = new Set(BEHAVIOURS.flatMap(({ item }) => item ?? []));
    expect([...items].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 17 }, (_, index) => index + 1),
    );
  });

  it('describes once what each switch decides', () => {
    expect(BEHAVIOURS.flatMap(({ decidedBy = [] }) => decidedBy).toSorted()).toEqual(switches);
  });

  it('has a switch exactly if the dialects differ', () => {
    for (const { what, shownBy, decidedBy } of BEHAVIOURS)
      expect(decidedBy !== undefined, what).toBe(shownBy === 'netbird' || shownBy === 'differs');
  });

  it('has no switch with the same value in both dialects', () => {
    const alike = Object.entries(BEHAVIOUR.spec).filter(
      ([name, value]) => Object(BEHAVIOUR.netbird)[name] === value,
    );
    expect(alike).toEqual([]);
  });
});
