// How the access of a pair differs between two states. `comparedVerdict` in `assets/page/matrix.js`
// has the same rules. Another path to the same address counts as a separate pair.
import type { MatrixVerdict, PairChange } from './accessPicture.ts';

/**
 * The change of a pair: `gained` if the sources only gain ports, `lost` if they only lose ports, and `changed` if they do both,
 * or if the rules or posture checks differ. Undefined if the access stays the same.
 */
export function pairChange(
  before: MatrixVerdict | undefined,
  after: MatrixVerdict | undefined,
): PairChange | undefined {
  if (isNewButFailed(before, after)) return 'gained';
  const was = grantedPorts(before);
  const is = grantedPorts(after);
  if (was.length === 0 || is.length === 0) {
    if (was.length === is.length) return undefined;
    return was.length === 0 ? 'gained' : 'lost';
  }
  const isMore = is.some(port => !was.some(one => allows(one, port)));
  const isLess = was.some(port => !is.some(one => allows(one, port)));
  if (conditionOf(before) !== conditionOf(after)) return 'changed';
  if (isMore === isLess) return isMore ? 'changed' : undefined;
  return isMore ? 'gained' : 'lost';
}

// Whether ports, such as `tcp/8000-8100`, include other ports.
function allows(allowed: string, asked: string): boolean {
  if (allowed === '*' || allowed === asked) return true;
  const [own = '', ports = '*'] = allowed.split('/');
  const [protocol = '', wanted = '*'] = asked.split('/');
  if (protocol !== own) return false;
  if (ports === '*') return true;
  if (wanted === '*') return false;
  const [from = 0, to = from] = ports.split('-').map(Number);
  const [low = 0, high = low] = wanted.split('-').map(Number);
  return from <= low && high <= to;
}

/**
 * Whether a new rule grants access to sources that fail its posture checks. Such a rule counts as a gain, although the sources
 * fail its checks today.
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
