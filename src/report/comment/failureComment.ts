// The failure of a command as a comment on a pull request: the findings, errors first, and the error that ended the command.
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { visibleLines } from '../../model/text/visible.ts';
import { diagnosticCounts, diagnosticsText } from '../findings/diagnosticText.ts';
import { PLAIN } from '../text/style.ts';
import { bytesOf, COMMENT_BYTES, textWithin } from './budget.ts';
import { type FailedCommand, factsLine } from './facts.ts';

/** A command that failed before it had a report. The texts contain no secrets. */
export interface Failure {
  readonly command: FailedCommand;
  readonly findings: readonly Diagnostic[];
  /** The error that ended the command, in lines. */
  readonly error: string;
}

/** The failure as a comment. */
export function failureComment({ command, findings, error }: Failure): string {
  const errors = findings.filter(finding => hasErrors([finding]));
  const others = findings.filter(finding => !hasErrors([finding]));
  const counts = diagnosticCounts(findings);
  const seen = [
    factsLine({ report: 'failure', command, errors: errors.length }),
    `### meshform ${command}`,
    '',
    `**The ${command} failed${counts === '' ? '' : `: ${counts}`}.**`,
    '',
  ];
  const text = [...errors, ...others].map(one => diagnosticsText([one], PLAIN)).concat(error);
  const room = COMMENT_BYTES - bytesOf(seen.join('\n'));
  // The list of findings is shortened, because a long list would leave no room for the error. Both are also in the log.
  return [
    ...seen,
    textWithin(visibleLines(text.join('')), room, 'see the log of the job'),
    '',
  ].join('\n');
}
