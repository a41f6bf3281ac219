// Outcomes of posture checks. For members whose posture is unknown, each condition of a check may
// or may not hold. An outcome is the set of conditions that hold. If a plan redefines a check, the
// check has different conditions after the plan.
import { implies, type Requirement } from '../posture/judgePosture.ts';
import type { RowPool } from '../sets/rowPool.ts';
import type { HoldingConditions, Outcome, Required } from '../world/outcome.ts';

/** Conditions that must all hold, for the source of access or for another machine. */
export interface Demand {
  readonly role: keyof Outcome;
  readonly required: Required;
}

/** Looks up outcomes. Equal outcomes are the same object, so results can be cached by outcome. */
export interface KnownOutcomes {
  readonly outcomesOf: (ofSource: Required, ofOthers: Required) => Outcome;
}

/** The outcomes for states that share a pool. */
export function knownOutcomes(pool: RowPool): KnownOutcomes {
  const known = ofPool.get(pool) ?? noOutcomes();
  ofPool.set(pool, known);
  return known;
}

const ofPool = new WeakMap<RowPool, KnownOutcomes>();

function noOutcomes(): KnownOutcomes {
  const holdings = new Map<string, HoldingConditions>();
  const outcomes = new Map<string, Outcome>();
  const holdingOf = (required: Required): readonly [string, HoldingConditions] => {
    const name = textOf(required);
    const found = holdings.get(name) ?? {
      holds: other => required.some(one => implies(one, other)),
    };
    holdings.set(name, found);
    return [name, found];
  };
  return {
    outcomesOf: (source, others) => {
      const [name, ofSource] = holdingOf(source);
      const [other, ofOthers] = holdingOf(others);
      const pair = `${name}\n\n${other}`;
      const found = outcomes.get(pair) ?? { ofSource, ofOthers };
      outcomes.set(pair, found);
      return found;
    },
  };
}

/** A string that is the same for equal sets of conditions. */
export function textOf(required: Required): string {
  const text = texts.get(required) ?? [...new Set(required.map(one => one.text))].sort().join('\n');
  texts.set(required, text);
  return text;
}

const texts = new WeakMap<Required, string>();

/** All unions of these sets of conditions, each once, including the empty set. Null if there are more than `most`. */
export function unionsOf(sets: readonly Required[], most: number): readonly Required[] | null {
  let found: ReadonlyMap<string, Required> = new Map([['', []]]);
  for (const one of sets) {
    const more = new Map(found);
    for (const other of found.values()) {
      const union = joined(one, other);
      more.set(textOf(union), union);
    }
    if (more.size > most) return null;
    found = more;
  }
  return [...found.values()];
}

/** The conditions that hold for the source, and those that hold for another machine. */
export type HeldConditions = Readonly<Record<keyof Outcome, Required>>;

/**
 * The unions of one demand from each list, without duplicates. Null if there are more than `most`.
 */
export function combined(
  lists: readonly (readonly Demand[])[],
  most: number,
): readonly HeldConditions[] | null {
  let found: ReadonlyMap<string, HeldConditions> = new Map([['', { ofSource: [], ofOthers: [] }]]);
  for (const list of lists) {
    const more = new Map<string, HeldConditions>();
    for (const held of found.values())
      for (const { role, required } of list) {
        const union: HeldConditions = { ...held, [role]: joined(held[role], required) };
        more.set(`${textOf(union.ofSource)}\n\n${textOf(union.ofOthers)}`, union);
      }
    if (more.size > most) return null;
    found = more;
  }
  return [...found.values()];
}

// If a condition implies another condition, the implied condition holds too.
function joined(one: Required, other: Required): Required {
  // This function runs for every machine, so it returns `one` or `other` if that already is the
  // union, instead of a new set.
  if (one.length === 0 || one === other) return other;
  if (other.length === 0) return one;
  const all = new Map([...one, ...other].map(condition => [condition.text, condition]));
  const isImplied = (condition: Requirement) =>
    all
      .values()
      .some(
        stronger =>
          stronger !== condition &&
          implies(stronger, condition) &&
          (!implies(condition, stronger) || stronger.text < condition.text),
      );
  return [...all.values()].filter(condition => !isImplied(condition));
}
