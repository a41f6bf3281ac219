// Guards that the files of a run loosen, and that a flag removes in the same run.
import type { Allowance } from './allowance.ts';
import type { LoosenedGuard } from './guards.ts';

/** The code with which a flag removes loosened guards. */
export const LOOSENS_GUARDS = 'LOOSENS_GUARDS';

/** Whether a flag removes the loosened guard with a name, or all loosened guards. */
export function isTakenAway(name: string, byFlag: readonly Allowance[]): boolean {
  return byFlag.some(
    ({ code, object }) => code === LOOSENS_GUARDS && (object === undefined || object === name),
  );
}

/** The guard itself; marked as allowed if a flag removes it. */
export const marked = (guard: LoosenedGuard, byFlag: readonly Allowance[]): LoosenedGuard =>
  isTakenAway(guard.name, byFlag) ? { ...guard, allowed_by: 'flag' } : guard;
