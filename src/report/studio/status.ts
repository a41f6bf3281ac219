// The line at the top of the page of a studio: whether the files are valid, and which state the page shows.
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { diagnosticCounts } from '../findings/diagnosticText.ts';
import { type Content, element } from '../graph/markup.ts';
import { counted } from '../text/summary.ts';
import { moment } from './changingParts.ts';

/** The subject of the status line. */
export interface StudioStatus {
  /** When the files were read, in milliseconds. */
  readonly readAt: number;
  readonly findings: readonly Diagnostic[];
  readonly declared: number;
  readonly failedTests: number;
  /** Whether the files can be evaluated. */
  readonly isValid: boolean;
  /** The time at which the shown state was read; absent if no state without errors was read yet. */
  readonly shownAt?: number | undefined;
}

/** The line. */
export function statusContent(status: StudioStatus): Content {
  const { readAt, findings, isValid } = status;
  if (!isValid) return [errorLine(status), ' Read at ', moment(readAt), '.'];
  const parts = [
    `${counted(status.declared, 'object')} declared`,
    diagnosticCounts(findings),
    status.failedTests > 0 && `${counted(status.failedTests, 'access test')} failed`,
  ].filter(part => typeof part === 'string' && part !== '');
  const word = hasErrors(findings) ? 'With errors' : 'Valid';
  return [element('strong', {}, word), `: ${parts.join('; ')}. Read at `, moment(readAt), '.'];
}

/** The line if the files could not be read at all. */
export const troubleContent = (message: string): Content => [
  element('strong', {}, 'The files cannot be evaluated: '),
  `${message}. The rest of the page shows the last state that could be evaluated.`,
];

function errorLine({ findings, shownAt }: StudioStatus): Content {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const strong = element('strong', {}, `Not valid: ${diagnosticCounts(errors)}.`);
  if (shownAt === undefined) return [strong, ' Nothing can be shown before the files are valid.'];
  return [strong, ' The rest of the page shows the last valid state, of ', moment(shownAt), '.'];
}
