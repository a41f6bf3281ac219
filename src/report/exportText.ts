// The result of an export, and the comparison of files with an account, as text.
import type { Kind, KindTable } from '../kinds/kind.ts';
import type { ShownChange } from '../model/change.ts';
import { jsonString, visible } from '../model/text/visible.ts';
import { driftBlocks } from './drift/driftText.ts';
import { wrap } from './text/lines.ts';
import type { Style } from './text/style.ts';
import { counted } from './text/summary.ts';

/** A live object that files can declare. */
interface Called {
  readonly kind: Kind;
  readonly name: string;
}

/** The differences between files and an account. */
export interface Disagreement {
  /** The changes that would bring the account to the state of the files. */
  readonly changes: readonly ShownChange[];
  /** Declared objects that have no live object and that cannot be created. */
  readonly gone: readonly string[];
  /** Live objects that no file declares. */
  readonly undeclared: readonly Called[];
}

/** Whether there is any difference. */
export function agree({ changes, gone, undeclared }: Disagreement): boolean {
  return changes.length + gone.length + undeclared.length === 0;
}

/** The result of `export --check`; it ends with a summary line. */
export function checkText(difference: Disagreement, kinds: KindTable, style: Style): string {
  const { changes, gone, undeclared } = difference;
  const parts = [
    ...driftBlocks(changes, { kinds, twice: new Set(), overdue: new Set() }, style),
    ...gone.map(address => style.strong(visible(`  # ${address} is missing from the account`))),
    undeclaredPart(undeclared, style),
  ].filter(part => part !== '');
  const missing = changes.filter(({ type }) => type === 'create').length + gone.length;
  const differing = changes.filter(({ type }) => type !== 'create').length;
  const verdict = agree(difference)
    ? 'The files match the account.'
    : `Files and account differ: ${differing} changed, ${missing} missing from the account, ${undeclared.length} not declared.`;
  return [...parts, `${style.strong(verdict)}\n`].join('\n\n');
}

function undeclaredPart(undeclared: readonly Called[], style: Style): string {
  const lines = [...Map.groupBy(undeclared, ({ kind }) => kind)].flatMap(([kind, own]) => {
    const what = counted(own.length, kind.noun, kind.plural);
    return wrap(`  ${what}: ${own.map(({ name }) => jsonString(name)).join(', ')}`, style.width);
  });
  return lines.length === 0 ? '' : [style.strong('Not declared'), '', ...lines].join('\n');
}

/** The number of objects in an export. */
export interface ExportCounts {
  readonly objects: number;
  readonly added: number;
  readonly updated: number;
  readonly leftOut: number;
}

/** The summary line of an export. */
export function exportLine({ objects, added, updated, leftOut }: ExportCounts): string {
  const asDeclared = objects - added - updated;
  const rest = [
    added > 0 && `${added} new`,
    updated > 0 && `${updated} updated`,
    asDeclared > 0 && `${asDeclared} declared already`,
  ].filter(text => text !== false);
  const left = leftOut > 0 ? `; ${leftOut} left out` : '';
  return `${counted(objects, 'object')} exported${rest.length > 0 ? `: ${rest.join(', ')}` : ''}${left}.`;
}
