// Objects that the server keeps in parts: what a plan says of them beyond what the scenarios tell.
import { describe, expect, test } from 'vitest';
import { inParts } from '../../../src/engine/scope/parts.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import type { Read } from '../planning.ts';
import { changesOf, declaration, filesWith, kept, planned } from './partedPolicies.ts';

const files = (rules: readonly string[], more = '', name = 'p'): string =>
  filesWith(declaration(name, rules, more));

test('the positions of an object are read once, however many items it has', () => {
  const readsFor = (count: number): number => {
    let reads = 0;
    const names = Array.from({ length: count }, (_, number) => `r${number}`);
    const counted = desiredOf(files(names)).map(object => ({
      ...object,
      spans: new Proxy(object.spans, {
        get: (spans, at) => {
          reads += 1;
          return Reflect.get(spans, at);
        },
      }),
    }));
    const parts = inParts(counted, KINDS, 'netbird').filter(({ part }) => part);
    expect(parts).toHaveLength(count);
    return reads / count;
  };
  expect(readsFor(40)).toBeCloseTo(readsFor(20), 0);
});

test('a part has the positions of its own item', () => {
  const [policy] = desiredOf(files(['a', 'b'])).filter(({ kind }) => kind === 'policy');
  const parts = inParts(policy ? [policy] : [], KINDS, 'netbird');
  const at = parts.map(({ spans }) => spans['/rules/0/name']);
  expect(at).toEqual([policy?.spans['/rules/0/name'], policy?.spans['/rules/1/name']]);
  expect(parts.map(({ spans }) => spans['/rules/1'])).toEqual([undefined, undefined]);
  expect(parts.map(({ spans }) => spans['/name'])).toEqual([
    policy?.spans['/name'],
    policy?.spans['/name'],
  ]);
});

describe('a live object with several items', () => {
  test('is replaced by its parts', () => {
    const made = planned(files(['a', 'b']), [kept('1', 'p', ['a', 'b'])]);
    expect(changesOf(made)).toEqual([
      ['replace', 'p / a', '1'],
      ['create', 'p / b'],
    ]);
    const codes = made.actions.flatMap(({ hazards }) => hazards.map(({ code }) => code));
    expect(codes).toContain('REPLACES_OBJECT');
  });

  test('is replaced if one item is declared', () => {
    const made = planned(files(['a']), [kept('1', 'p', ['a', 'b'])]);
    expect(changesOf(made)).toEqual([['replace', 'p', '1']]);
  });

  test('is deleted if all of it is marked for deletion', () => {
    const text = files(['a', 'b'], '    lifecycle: { delete: true }\n');
    expect(changesOf(planned(text, [kept('1', 'p', ['a', 'b'])]))).toEqual([['delete', 'p', '1']]);
  });

  test('is not a part of another object', () => {
    const reads = [kept('1', 'p / a', ['x', 'y']), kept('2', 'p / b', ['b'])];
    expect(changesOf(planned(files(['a', 'b']), reads))).toEqual([['create', 'p / a']]);
  });
});

describe('a part whose item was renamed in the account', () => {
  const reads = [kept('1', 'p / a', ['x']), kept('2', 'p / b', ['b'])];

  test('is treated as another object without a base', () => {
    const made = planned(files(['a', 'b']), reads);
    expect(changesOf(made)).toEqual([['create', 'p / a']]);
    expect(made.leftAlone).toMatchObject([{ id: '1', reason: 'unmanaged' }]);
  });

  test('is drift if the base declared it', () => {
    const made = planned(files(['a', 'b']), reads, { base: files(['a', 'b']) });
    expect(changesOf(made)).toEqual([['update', 'p / a', '1']]);
    expect(made.changes[0]?.fields).toMatchObject([{ since: 'drift' }]);
  });
});

describe('parts of one name', () => {
  test('cannot be distinguished, and cannot be bound', () => {
    const reads = [kept('1', 'p / a', ['a']), kept('2', 'p / a', ['a'])];
    expect(planned(files(['a', 'b']), reads).diagnostics).toMatchObject([
      { code: 'PAIR_AMBIGUOUS', hint: expect.not.stringContaining('lifecycle.id') },
    ]);
  });
});

describe('values that the base declared of an object that is now in parts', () => {
  test('is not drift before the change is applied', () => {
    const made = planned(files(['a', 'b']), [kept('1', 'p', ['a'])], { base: files(['a']) });
    expect(changesOf(made)).toEqual([
      ['update', 'p / a', '1'],
      ['create', 'p / b'],
    ]);
    const sinces = made.changes.flatMap(({ since, fields }) => [
      ...(since ? [since] : []),
      ...fields.flatMap(field => field.since ?? []),
    ]);
    expect(new Set(sinces)).toEqual(new Set(['pending']));
  });

  test('is deleted in every mode of pruning, but not from an undeclared object', () => {
    const reads = [kept('1', 'p / a', ['a']), kept('2', 'p / b', ['b']), kept('3', 'p / c', ['c'])];
    const base = files(['a', 'b', 'c']);
    for (const prune of ['none', 'removed'] as const)
      expect(changesOf(planned(files(['a', 'b']), reads, { base, prune }))).toEqual([
        ['delete', 'p / c', '3'],
      ]);
    const other = files(['a'], '', 'q');
    expect(changesOf(planned(other, reads, { base }))).toEqual([['create', 'q']]);
  });

  test('stays if its object is not part of the run, is given up, or is protected', () => {
    const reads = [kept('1', 'p / a', ['a']), kept('2', 'p / b', ['b'])];
    const base = files(['a', 'b']);
    const text = files(['a']);
    const out = planned(text, reads, { base, select: { except: ['policy/p'] } });
    expect(changesOf(out)).toEqual([]);
    const forgotten = planned(text, reads, { base, forget: ['policy/p / b'] });
    expect(changesOf(forgotten)).toEqual([['update', 'p', '1']]);
    const { diagnostics } = planned(text, reads, { base, protect: ['policy/p'] });
    expect(diagnostics).toMatchObject([{ code: 'PROTECTED' }]);
  });

  test('is deleted with the name that its object has now', () => {
    const reads = [kept('1', 'p / a', ['a']), kept('2', 'p / b', ['b']), kept('3', 'p / c', ['c'])];
    const text = files(['a', 'b'], '    lifecycle: { was: p }\n', 'q');
    const options = { base: files(['a', 'b', 'c']), select: { only: ['policy/q'] } };
    const found = planned(text, reads, options).changes.map(one => [one.type, one.id, one.partOf]);
    expect(found.sort()).toEqual([
      ['delete', '3', 'q'],
      ['update', '1', 'q'],
      ['update', '2', 'q'],
    ]);
  });
});

test('an object in parts is declared once, and an error about all of it is reported once', () => {
  const text = files(['a', 'b'], '    source_posture_checks: [nowhere]\n');
  const { diagnostics, declared } = planned(text, []);
  expect(declared).toBe(2);
  expect(diagnostics).toMatchObject([{ code: 'REF_UNKNOWN', at: { line: 4 } }]);
});

test('an error in an item is reported at that item', () => {
  const text = files(['b', 'a']).replace(/(name: a, .*sources: )\[g\]/, '$1[nowhere]');
  expect(planned(text, []).diagnostics).toMatchObject([{ code: 'REF_UNKNOWN', at: { line: 6 } }]);
});

describe('under names that a former object had', () => {
  test('a hint names the object and not its part', () => {
    const reads = [kept('1', 'p / a', ['a']), kept('2', 'p / b', ['b'])];
    const { changes } = planned(files(['a', 'b'], '', 'q'), reads, {
      base: files(['a', 'b']),
      prune: 'removed',
    });
    const notes = changes.flatMap(({ notes: found }) => found);
    for (const note of notes.filter(text => text.startsWith('renamed?')))
      expect(note).toContain('`was: p`');
    const renamedItem = planned(files(['a', 'c']), reads);
    expect(renamedItem.changes.flatMap(({ notes: found }) => found)).toEqual([]);
  });
});

describe('a flag that names an object in parts', () => {
  const base = files(['a', 'b']);
  const reads = [kept('1', 'p / a', ['a']), kept('2', 'p / b', ['b'])];
  const gone = 'groups: [{ name: g }]\n';
  const others = files(['z'], '', 'q');
  const NAMES = ['policy/p', 'policy/p / a', 'policy/p*', 'policy/p / *'];

  test.each(NAMES)('--forget %s applies to all parts, with a base', name => {
    for (const text of [gone, others]) {
      const made = planned(text, reads, { base, prune: 'removed', forget: [name] });
      expect(made.diagnostics).toEqual([]);
      expect(changesOf(made).filter(([type]) => type === 'delete')).toEqual([]);
    }
  });

  test.each(NAMES)('--forget %s applies to all parts, without a base', name => {
    const made = planned(others, reads, { prune: 'unmanaged', forget: [name] });
    expect(made.diagnostics).toEqual([]);
    expect(changesOf(made)).toEqual([['create', 'q']]);
  });

  test.each(['policy/p', 'policy/p*'])('--except %s and --only apply to all parts', name => {
    for (const options of [{ base, prune: 'removed' }, { prune: 'unmanaged' }] as const) {
      const without = planned(others, reads, { ...options, select: { except: [name] } });
      expect(without.diagnostics).toEqual([]);
      expect(changesOf(without)).toEqual([['create', 'q']]);
    }
    const text = files(['a', 'b']).replaceAll('protocol: all', 'protocol: icmp');
    const changed = planned(text, reads, { base, select: { only: [name] } });
    expect(changed.diagnostics).toEqual([]);
    expect(changesOf(changed).map(([type]) => type)).toEqual(['update', 'update']);
  });

  test.each(['policy/p / a', 'policy/p / *', '* / a'])('--except and --only refuse %s', name => {
    const alone = kept('3', 'other / a', ['x']);
    for (const select of [{ only: [name] }, { except: [name] }]) {
      const made = planned(base, [...reads, alone], { prune: 'unmanaged', select });
      expect(made.actions).toEqual([]);
      expect(made.diagnostics.map(({ message, hint }) => [message, hint])).toEqual([
        [
          `\`${name}\` names a part of \`policy/p\`, and a run includes all parts of it or none`,
          'name `policy/p`',
        ],
      ]);
    }
  });

  test.each(['policy/p', 'policy/p / a'])('--resolve live=%s applies to all parts', object => {
    const text = files(['a', 'b']).replaceAll('protocol: all', 'protocol: icmp');
    const moved = reads.map(([kind, body]): Read => {
      const rules = (Array.isArray(body.rules) ? body.rules : []).map(one => ({
        ...(one as JsonObject),
        protocol: 'tcp',
      }));
      return [kind, { ...body, rules }];
    });
    const resolve = [{ side: 'live', object }] as const;
    for (const declared of [text, gone]) {
      const made = planned(declared, moved, { base, prune: 'removed', resolve });
      expect(changesOf(made)).toEqual([]);
    }
  });

  test('--allow and protect apply to all parts, declared or not', () => {
    const allow = [{ code: 'DELETES_OBJECT', object: 'policy/p' }] as const;
    for (const options of [{ base, prune: 'removed' }, { prune: 'unmanaged' }] as const) {
      const made = planned(others, reads, { ...options, allow });
      const hazards = made.actions.flatMap(action => action.hazards);
      expect(hazards.map(({ code, allowed }) => [code, allowed])).toEqual([
        ['DELETES_OBJECT', true],
        ['DELETES_OBJECT', true],
      ]);
      const { diagnostics } = planned(others, reads, { ...options, protect: ['policy/p'] });
      expect(diagnostics.map(({ code }) => code)).toEqual(['PROTECTED', 'PROTECTED']);
    }
  });

  test('--rotate says that the object has no secret', () => {
    const { diagnostics } = planned(base, reads, { rotate: ['policy/p'] });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      '`policy/p` has no secret that can be renewed',
    ]);
  });

  test('names objects that only share a prefix by their own names', () => {
    const alone = [kept('1', 'p / a', ['a']), kept('2', 'p / b', ['x'])];
    const { diagnostics } = planned(others, alone, { prune: 'unmanaged', forget: ['policy/p'] });
    expect(diagnostics).toMatchObject([{ code: 'SELECTION_UNKNOWN' }]);
    const taken = [...reads, kept('3', 'p', ['c'])];
    const made = planned(others, taken, { prune: 'unmanaged', forget: ['policy/p'] });
    expect(changesOf(made).filter(([type]) => type === 'delete')).toHaveLength(2);
  });

  test('is suggested by the refusal to record a base', () => {
    const { diagnostics } = planned(others, reads, { base, isRecorded: true });
    expect(new Set(diagnostics.map(({ hint }) => hint))).toEqual(
      new Set(['delete it with --prune removed, or stop managing it with --forget policy/p']),
    );
  });
});
