// Declarations that servers of a dialect refuse, if the files alone show this.
import { isServedIn } from '../../kinds/dialect/dialects.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { DIALECTS, type Dialect, type DialectChoice } from '../../kinds/traits.ts';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { quoted } from '../../model/text/visible.ts';
import { partFaults } from '../scope/partFaults.ts';
import { inParts } from '../scope/parts.ts';
import { othersInParts, partsElsewhere } from '../scope/partsElsewhere.ts';
import { unsupported } from './faults.ts';

/** What the findings depend on, in addition to the files. */
export interface DialectRules {
  readonly dialect?: DialectChoice | undefined;
  readonly strict: boolean;
  /** The declarations of other folders of the account; none if absent. */
  readonly others?: readonly OtherFolder[] | undefined;
}

/**
 * Errors for declarations that the chosen dialect refuses. With `auto`, a declaration that one of
 * the dialects refuses causes a warning that names the dialect, or an error if `strict` is set.
 * With `auto`, a kind that only one dialect has also determines the dialect of the files.
 */
export function dialectFindings(
  kinds: KindTable,
  desired: readonly Desired[],
  { dialect: choice = 'auto', strict, others = [] }: DialectRules,
): Diagnostic[] {
  const kind = (name: KindName) => present(kinds.get(name), `the kind ${name}`);
  const kept = desired.filter(({ lifecycle }) => lifecycle.delete !== true);
  const unserved = choice === 'auto' ? [] : unservedKinds(kept, kind, choice);
  const severity: Severity = choice === 'auto' && !strict ? 'warning' : 'error';
  const elsewhere = (dialect: Dialect) =>
    others.length === 0
      ? []
      : partsElsewhere(
          inParts(desired, kinds, dialect),
          othersInParts(others, kinds, dialect),
          kinds,
          dialect,
        );
  const refused = (choice === 'auto' ? DIALECTS : [choice]).flatMap(dialect =>
    [
      ...partFaults(kept, kinds, dialect),
      ...inParts(kept, kinds, dialect).flatMap(object => unsupported(object, { kind, dialect })),
      ...elsewhere(dialect),
    ].map(found => ({
      ...found,
      severity,
      message: naming(dialect, found.message),
    })),
  );
  return [...unserved, ...refused];
}

// Findings for kinds that servers of the dialect do not have. Each kind is reported once, at its first declaration.
function unservedKinds(
  kept: readonly Desired[],
  kindOf: (name: KindName) => Kind,
  dialect: Dialect,
): Diagnostic[] {
  const first = new Map([...kept].reverse().map(object => [object.kind, object]));
  return [...first].flatMap(([name, { at }]): Diagnostic[] => {
    const kind = kindOf(name);
    if (isServedIn(kind, dialect)) return [];
    return [
      {
        code: 'DIALECT_UNSUPPORTED',
        severity: 'error',
        message: `a server of dialect ${quoted(dialect)} has no ${kind.plural}`,
        at,
        hint: `remove them: only servers of dialect ${(kind.dialects ?? []).map(quoted).join(' and ')} have them`,
      },
    ];
  });
}

const naming = (dialect: Dialect, message: string): string =>
  message.includes(quoted(dialect)) ? message : `${message} (dialect ${quoted(dialect)})`;
