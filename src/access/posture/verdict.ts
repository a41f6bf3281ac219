// The result of a posture check for a machine.

/** `pass`, `fail`, or `unknown` if the decisive fact is not visible from outside. */
type Verdict = 'pass' | 'fail' | 'unknown';

/** A verdict, with the decisive fact. */
export interface JudgedCheck {
  readonly verdict: Verdict;
  /** Whether the machine passes if only the visible facts count. */
  readonly passesAsSeen: boolean;
  /** The reason, such as `version 0.59.0 is older than 0.60.0`. */
  readonly because: string;
}

export const pass = (because: string): JudgedCheck => ({
  verdict: 'pass',
  passesAsSeen: true,
  because,
});
export const fail = (because: string): JudgedCheck => ({
  verdict: 'fail',
  passesAsSeen: false,
  because,
});
export const unknown = (because: string, passesAsSeen = false): JudgedCheck => ({
  verdict: 'unknown',
  passesAsSeen,
  because,
});

/**
 * The verdict for several checks that must all pass: the verdict of the first failed check,
 * otherwise of the first unknown check.
 */
export function allOf(parts: readonly JudgedCheck[]): JudgedCheck {
  const deciding =
    parts.find(({ verdict }) => verdict === 'fail') ??
    parts.find(({ verdict }) => verdict === 'unknown') ??
    pass(parts.map(({ because }) => because).join(', '));
  return { ...deciding, passesAsSeen: parts.every(part => part.passesAsSeen) };
}
