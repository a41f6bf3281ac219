// Which members pass which posture checks, as sets.
import { judgePosture } from '../posture/judge.ts';
import { type Judged, pass } from '../posture/verdict.ts';
import { add, allBits, type Bits, has, noBits } from '../sets/bits.ts';
import type { AccessState, Facts, Policy, PostureCheck } from '../state/accessState.ts';
import type { Assumption } from './assumption.ts';
import { namesOf } from './roster.ts';

/** The members by the results of a policy's checks. */
interface Passing {
  readonly pass: Bits;
  readonly passOrUnknown: Bits;
  /** The machines that pass if only the visible facts are known. */
  readonly asSeen: Bits;
}

export interface Verdicts {
  /** The existing checks of a policy. A check that does not exist passes. */
  readonly checksOf: (policy: Policy) => readonly PostureCheck[];
  readonly passing: (policy: Policy) => Passing;
  /** The verdict of a check on a member. */
  readonly judge: (check: PostureCheck, index: number) => Judged;
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
  const judge = (check: PostureCheck, index: number): Judged =>
    assumption?.passes && has(assumption.members, index)
      ? pass('assumed')
      : judgePosture(check, factsAt(index));
  const checksOf = ({ checks: keys }: Policy): readonly PostureCheck[] =>
    keys.flatMap(key => checks.get(key) ?? (reason === undefined ? [] : { key, checks: null }));
  const known = new Map<string, Passing>();
  return {
    checksOf,
    judge,
    passing: policy => {
      const existing = checksOf(policy);
      const name = existing
        .map(({ key }) => key)
        .toSorted()
        .join('\n');
      const found = known.get(name) ?? passingAll(existing, size, judge);
      known.set(name, found);
      return found;
    },
  };
}

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
