// How the access of a pair differs between two states, by the same rules as `comparedVerdict` of `assets/page/matrix.js`. Another
// way to the same address is a pair of its own.
import type { MatrixVerdict, PairChange } from './accessPicture.ts';

/** The change of a pair; undefined if its access stays as it is. */
export function pairChange(
  before: MatrixVerdict | undefined,
  after: MatrixVerdict | undefined,
): PairChange | undefined {
  if (isNewButFailed(before, after)) return 'gained';
  const was = grantedPorts(before);
  const is = grantedPorts(after);
  if (was.join() === is.join() && (was.length === 0 || conditionOf(before) === conditionOf(after)))
    return undefined;
  if (was.length === 0) return 'gained';
  return is.length === 0 ? 'lost' : 'changed';
}

/**
 * Whether a new rule grants access to sources that fail its checks: a new rule is a gain, whether or not sources fail its checks
 * today.
 */
export const isNewButFailed = (
  before: MatrixVerdict | undefined,
  after: MatrixVerdict | undefined,
): boolean => after?.status === 'fail' && (before === undefined || !('via' in before));

/** The ports that sources may use, without the ports of sources that fail posture checks. */
export function grantedPorts(verdict: MatrixVerdict | undefined): readonly string[] {
  if (verdict === undefined || !('via' in verdict) || verdict.status === 'fail') return [];
  return verdict.ports;
}

// The rules and checks of a pair as text. If the checks cannot be judged, only a difference in this text shows that more or fewer
// sources may pass.
function conditionOf(verdict: MatrixVerdict | undefined): string {
  if (verdict === undefined || !('via' in verdict)) return '';
  const { status, via, checks } = verdict;
  return status === 'unknown' ? JSON.stringify([via, checks]) : status;
}
