// How unknown posture is evaluated. Conditions that open access and conditions that close access
// are evaluated in opposite ways, so that the result is a bound: `certain` access always exists,
// and access beyond `possible` never exists. An outcome is not a bound: it decides every unknown
// condition, in the same way everywhere.
import type { JudgedCheck } from '../posture/verdict.ts';
import { allBits, type Bits, noBits } from '../sets/bits.ts';
import type { Policy } from '../state/accessState.ts';
import type { Outcome } from './outcome.ts';
import type { World } from './world.ts';

/**
 * - `seen`: a machine passes if the visible facts suffice.
 * - `certain`: unknown facts are assumed to be against access.
 * - `possible`: unknown facts are assumed to be in favour of access.
 * - `unconditional`: only access that no posture check can remove.
 * - `granted`: all access that would exist if every posture check passed.
 */
export type Reading = 'seen' | 'certain' | 'possible' | 'unconditional' | 'granted';

/** How unknown posture is evaluated: as a bound, or as in one outcome. */
export type Posture = Reading | Outcome;

/** Whose posture counts: that of the source, or that of another machine on which the access depends. */
type Role = keyof Outcome;

/**
 * The members of groups that count as sources for a policy. `opens`: members that count for accept
 * rules. `closes`: members that count for drop rules.
 */
export interface CountedMembers {
  readonly opens: Bits;
  readonly closes: Bits;
}

/** Returns the members that count for each policy of a state. */
export function countedMembersIn(
  { verdicts, size }: World,
  reading: Posture,
  role: Role = 'ofSource',
): (policy: Policy) => CountedMembers {
  if (typeof reading === 'object')
    return policy => {
      const passing = verdicts.passingIf(policy, reading[role]);
      return { opens: passing, closes: passing };
    };
  const everyone = allBits(size);
  const nobody = noBits();
  return policy => {
    const { pass, passOrUnknown, asSeen } = verdicts.passing(policy);
    const isChecked = verdicts.checksOf(policy).length > 0;
    switch (reading) {
      case 'seen':
        return { opens: asSeen, closes: asSeen };
      case 'certain':
        return { opens: pass, closes: passOrUnknown };
      case 'possible':
        return { opens: passOrUnknown, closes: pass };
      case 'unconditional':
        return { opens: isChecked ? nobody : everyone, closes: everyone };
      case 'granted':
        return { opens: everyone, closes: isChecked ? nobody : everyone };
    }
  };
}

/**
 * Whether a member may fail a check, and whether it may pass, for one way to evaluate posture. Both are possible if the facts are
 * unknown.
 */
export interface PossibleResults {
  readonly fails: (judged: JudgedCheck) => boolean;
  readonly passes: (judged: JudgedCheck) => boolean;
}

/**
 * Returns which results of a check are possible for a source, for one way to evaluate posture. For drop rules, unknown facts are
 * treated in the opposite way.
 */
export function possibleResultsOf(reading: Posture, isDrop: boolean): PossibleResults {
  if (typeof reading === 'object')
    return { fails: one => one.verdict === 'fail', passes: one => one.verdict === 'pass' };
  if (reading === 'seen')
    return { fails: one => !one.passesAsSeen, passes: one => one.passesAsSeen };
  const isAgainst = (reading === 'certain' || reading === 'unconditional') !== isDrop;
  if (reading === 'unconditional' || reading === 'granted')
    return { fails: () => isAgainst, passes: () => true };
  return isAgainst
    ? { fails: one => one.verdict !== 'pass', passes: one => one.verdict !== 'fail' }
    : { fails: one => one.verdict === 'fail', passes: one => one.verdict === 'pass' };
}
