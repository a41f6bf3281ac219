// The example company, broken one object and one way at a time: the lines of its access tests that fail are those that the slow
// evaluator finds broken, no more and no less, and coverage names the policies that no line depends on.
import { expect, test } from 'vitest';
import { reachesIn } from '../../../src/access/flows/reaches.ts';
import { stateOfFiles, withoutEachPolicy } from '../../../src/access/state/stateOfFiles.ts';
import { judgeTests } from '../../../src/access/tests/judgeTests.ts';
import { uncoveredPolicies } from '../../../src/access/tests/uncoveredPolicies.ts';
import { escapeSegment } from '../../../src/model/key.ts';
import type { Desired } from '../../../src/model/object.ts';
import type { Json } from '../../../src/model/value.ts';
import { companyTexts } from '../../support/examples/company.ts';
import { loadFiles } from '../../support/files.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';
import { failingLines } from '../slow/lines.ts';

const EXTENT: Extent = { slice: 8, full: 1_000 };

/** One object broken in one way. */
interface Broken {
  readonly name: string;
  /** What a selector calls the object. */
  readonly selected: string;
  readonly desired: readonly Desired[];
}

test(
  'the tests that fail are those that name the broken object',
  () => {
    const { count, seed, found } = proof('ways to break an object of the example company', EXTENT);
    const { desired, accessTests: tests } = company();
    const asKept = (objects: readonly Desired[]) => objects;
    const all = [...brokenOf(desired)];
    const step = Math.max(1, Math.floor(all.length / count));
    const chosen = all.filter((_, at) => (at + seed) % step === 0);
    let noticed = 0;
    for (const { name, selected, desired: broken } of chosen) {
      const { verdicts, diagnostics } = judgeTests(reachesIn(stateOfFiles(broken, asKept)), tests);
      // A selector of a test names the object itself: the whole run is refused.
      if (diagnostics.length > 0) {
        noticed++;
        const messages = diagnostics.map(({ message }) => message);
        expect({ name, others: messages.filter(text => !text.includes(selected)) }).toEqual({
          name,
          others: [],
        });
        continue;
      }
      const failing = verdicts.flatMap(({ name: of, failures }) =>
        failures.map(({ line, selector }) => `${of} ${line} ${selector}`),
      );
      expect({ name, failing: failing.sort() }).toEqual({
        name,
        failing: [...failingLines(broken, tests)].sort(),
      });
      if (failing.length > 0) noticed++;
    }
    const policies = desired.filter(({ kind }) => kind === 'policy');
    const judged = policies.filter((_, at) => (at + seed) % Math.min(step, policies.length) === 0);
    const silent = judged.filter(policy =>
      [without(desired, policy), changed(desired, policy, { enabled: false })].every(
        broken => failingLines(broken, tests).length === 0,
      ),
    );
    const mutated = withoutEachPolicy(desired, asKept).filter(({ policy }) =>
      judged.some(({ key }) => key === policy),
    );
    const uncovered = uncoveredPolicies(stateOfFiles(desired, asKept), mutated, tests);
    expect(uncovered).toEqual(silent.map(({ key }) => key));
    found(
      `${chosen.length} of ${all.length} ways to break an object of the example; ${noticed} fail a test, each exactly the lines that speak of it; ${uncovered.length} policies are named as covered by none`,
    );
  },
  patience(EXTENT, 8_000),
);

function company() {
  const loaded = loadFiles(companyTexts());
  expect(failingLines(loaded.desired, loaded.accessTests)).toEqual([]);
  return loaded;
}

function* brokenOf(desired: readonly Desired[]): Generator<Broken> {
  for (const object of desired) {
    const { kind, key, fields } = object;
    const name = typeof fields.network_id === 'string' ? fields.network_id : key;
    const selected = object.parent === undefined ? escapeSegment(name) : name;
    const broken = (how: string, more: Record<string, Json>): Broken => ({
      name: `${kind} ${key}: ${how}`,
      selected,
      desired: changed(desired, object, more),
    });
    yield { name: `${kind} ${key}: deleted`, selected, desired: without(desired, object) };
    if (['policy', 'route', 'network_resource', 'network_router'].includes(kind))
      yield broken('disabled', { enabled: false });
    for (const list of ['groups', 'peer_groups', 'access_control_groups', 'source_posture_checks'])
      for (const [at, item] of listIn(fields[list]).entries())
        yield broken(`${list} without ${String(item)}`, {
          [list]: listIn(fields[list]).toSpliced(at, 1),
        });
    if (kind !== 'policy') continue;
    const rules = listIn(fields.rules) as Record<string, Json>[];
    for (const [at, rule] of rules.entries())
      for (const [how, other] of brokenRules(rule))
        yield broken(`rule ${at} ${how}`, { rules: rules.with(at, other) });
  }
}

function* brokenRules(rule: Record<string, Json>): Generator<[string, Record<string, Json>]> {
  yield ['disabled', { ...rule, enabled: false }];
  yield ['drops', { ...rule, action: 'drop' }];
  yield ['bidirectional', { ...rule, bidirectional: rule.bidirectional !== true }];
  const { ports: _, port_ranges: __, ...everyPort } = rule;
  yield ['on every port', everyPort];
  yield ['by udp', { ...rule, protocol: 'udp' }];
  for (const side of ['sources', 'destinations'])
    for (const [at, item] of listIn(rule[side]).entries())
      yield [
        `${side} without ${String(item)}`,
        { ...rule, [side]: listIn(rule[side]).toSpliced(at, 1) },
      ];
  if (rule.destinations && rule.sources)
    yield ['swapped', { ...rule, sources: rule.destinations, destinations: rule.sources }];
}

const without = (desired: readonly Desired[], object: Desired) =>
  desired.filter(one => one !== object && (object.kind !== 'network' || one.parent !== object.key));

const changed = (desired: readonly Desired[], object: Desired, more: Record<string, Json>) =>
  desired.map(one => (one === object ? { ...one, fields: { ...one.fields, ...more } } : one));

const listIn = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
