// What servers of a dialect refuse, as far as the files alone show it.
import type { KindTable } from '../../kinds/kind.ts';
import { DIALECTS, type Dialect, type DialectChoice } from '../../kinds/traits.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { quoted } from '../../model/text/visible.ts';
import { partFaults } from '../scope/partFaults.ts';
import { inParts } from '../scope/parts.ts';
import { unsupported } from './faults.ts';

/**
 * Errors for what the chosen dialect refuses. With `auto`, what either dialect refuses: warnings that name the dialect,
 * or errors if `strict`.
 */
export function dialectFindings(
  kinds: KindTable,
  desired: readonly Desired[],
  { dialect: choice = 'auto', strict }: { dialect?: DialectChoice | undefined; strict: boolean },
): Diagnostic[] {
  const kind = (name: KindName) => present(kinds.get(name), `the kind ${name}`);
  const kept = desired.filter(({ lifecycle }) => lifecycle.delete !== true);
  const severity = choice === 'auto' && !strict ? 'warning' : 'error';
  return (choice === 'auto' ? DIALECTS : [choice]).flatMap(dialect =>
    [
      ...partFaults(kept, kinds, dialect),
      ...inParts(kept, kinds, dialect).flatMap(object => unsupported(object, { kind, dialect })),
    ].map(found => ({
      ...found,
      severity,
      message: naming(dialect, found.message),
    })),
  );
}

const naming = (dialect: Dialect, message: string): string =>
  message.includes(quoted(dialect)) ? message : `${message} (dialect ${quoted(dialect)})`;
