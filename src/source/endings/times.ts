// Checks the text of an expiry time.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { endOf } from '../../model/ending.ts';
import { quotedBriefly } from '../sentenceWords.ts';

const FAULTS = {
  form: ['is not a date or a time', 'write a date such as 2026-12-01, or 2026-12-01T18:00:00Z'],
  calendar: ['does not exist in the calendar', 'such as 2026-12-01, or 2026-12-01T18:00:00Z'],
  zone: [
    'is a time without a zone',
    'add `Z` for UTC, or an offset such as +02:00; a date alone ends at 24:00 UTC',
  ],
} as const;

/** The fault of a text that is not a valid expiry time; null if it is valid. */
export function endFault(text: string): Pick<Diagnostic, 'code' | 'message' | 'hint'> | null {
  const found = endOf(text);
  if (typeof found === 'number') return null;
  const [what, hint] = FAULTS[found];
  return { code: 'SCHEMA_FORMAT', message: `${quotedBriefly(text)} ${what}`, hint };
}
