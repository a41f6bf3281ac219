// The members that pass each posture check, as sets.
import { judgePosture, requirementsOf } from '../posture/judgePosture.ts';
import { fail, type JudgedCheck, pass } from '../posture/verdict.ts';
import { add, allBits, type Bits, has, noBits } from '../sets/bits.ts';
import type { AccessState, Facts, Policy, PostureCheck } from '../state/accessState.ts';
import type { Assumption } from './assumption.ts';
import type { HoldingConditions, Required } from './outcome.ts';
import { namesOf } from './roster.ts';

/** The members by the results of a policy's checks. */
interface Passing {
  readonly pass: Bits;
  readonly passOrUnknown: Bits;
  /** The machines that pass if only visible facts count. */
  readonly asSeen: Bits;
}

export interface Verdicts {
  /** Returns the existing checks of a policy. A missing check counts as passed. */
  readonly checksOf: (policy: Policy) => readonly PostureCheck[];
  readonly passing: (policy: Policy) => Passing;
  /** Returns the members that pass a policy's checks if the given unknown conditions hold. */
  readonly passingIf: (policy: Policy, holding: HoldingConditions) => Bits;
  /** The conditions of a policy's checks. */
  readonly requiredBy: (policy: Policy) => Required;
  /** The verdict of a check on a member. */
  readonly judge: (check: PostureCheck, index: number) => JudgedCheck;
  /** Returns whether a member passes a check if the given unknown conditions hold. */
  readonly judgeIf: (check: PostureCheck, index: number, holding: HoldingConditions) => JudgedCheck;
}

interface Members {
  readonly state: AccessState;
  readonly size: number;
  readonly factsAt: (index: number) => Facts;
}

/** The verdicts of a state's posture checks on its members. */
export function verdictsIn({ state, size, factsAt }: Members, assumption?: Assumption): Verdicts {
  const checks = new Map(state.checks.flatMap(check => namesOf(check).map(name => [name, check])));
  const reason = state.unread.get('posture_checks');
  const { judge, judgeIf } = judging(factsAt, assumption);
  const checksOf = ({ checks: keys }: Policy): readonly PostureCheck[] =>
    keys.flatMap(key => checks.get(key) ?? (reason === undefined ? [] : { key, checks: null }));
  const everyone = allBits(size);
  const requirements = new Map<Policy, Required>();
  const known = new Map<string, Passing>();
  const knownIf = new WeakMap<HoldingConditions, Map<string, Bits>>();
  return {
    checksOf,
    judge,
    judgeIf,
    requiredBy: policy => {
      const required = requirements.get(policy) ?? checksOf(policy).flatMap(requirementsOf);
      requirements.set(policy, required);
      return required;
    },
    passing: policy => {
      const existing = checksOf(policy);
      const name = nameOf(existing);
      const found = known.get(name) ?? passingAll(existing, size, judge);
      known.set(name, found);
      return found;
    },
    passingIf: (policy, holding) => {
      const existing = checksOf(policy);
      if (existing.length === 0) return everyone;
      const name = nameOf(existing);
      const kept = knownIf.get(holding) ?? new Map<string, Bits>();
      knownIf.set(holding, kept);
      const found = kept.get(name) ?? noBits();
      if (!kept.has(name))
        for (let index = 0; index < size; index++)
          if (existing.every(check => judgeIf(check, index, holding).verdict === 'pass'))
            add(found, index);
      kept.set(name, found);
      return found;
    },
  };
}

function judging(
  factsAt: Members['factsAt'],
  assumption: Assumption | undefined,
): Pick<Verdicts, 'judge' | 'judgeIf'> {
  const judge = (check: PostureCheck, index: number): JudgedCheck =>
    assumption?.passes && has(assumption.members, index)
      ? pass('assumed')
      : judgePosture(check, factsAt(index));
  return {
    judge,
    judgeIf: (check, index, holding) => {
      const judged = judge(check, index);
      if (judged.verdict !== 'unknown') return judged;
      const facts = factsAt(index);
      const holds = requirementsOf(check).every(requirement => {
        const { verdict } = requirement.judge(facts);
        return verdict === 'unknown' ? holding.holds(requirement) : verdict === 'pass';
      });
      return holds ? pass(judged.because) : fail(judged.because);
    },
  };
}

const nameOf = (checks: readonly PostureCheck[]): string =>
  checks
    .map(({ key }) => key)
    .toSorted()
    .join('\n');

function passingAll(
  checks: readonly PostureCheck[],
  size: number,
  judge: Verdicts['judge'],
): Passing {
  if (checks.length === 0) {
    const everyone = allBits(size);
    return { pass: everyone, passOrUnknown: everyone, asSeen: everyone };
  }
  const passing = { pass: noBits(), passOrUnknown: noBits(), asSeen: noBits() };
  for (let index = 0; index < size; index++) {
    const judged = checks.map(check => judge(check, index));
    if (judged.every(({ verdict }) => verdict === 'pass')) add(passing.pass, index);
    if (judged.every(({ verdict }) => verdict !== 'fail')) add(passing.passOrUnknown, index);
    if (judged.every(({ passesAsSeen }) => passesAsSeen)) add(passing.asSeen, index);
  }
  return passing;
}
