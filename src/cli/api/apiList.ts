// `api list`: prints the operations by tag, either all operations or those that match a filter.
import { operationTable } from '../../api/operations/operationsById.ts';
import type { Operation } from '../../contract/index.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { quoted } from '../../model/text/visible.ts';
import { rowLines } from '../../report/explain/rows.ts';
import type { Style } from '../../report/text/style.ts';
import { styleFor } from '../colour.ts';
import { type Io, say } from '../io.ts';
import { hasWords, knownOf, marksOf } from './apiOperation.ts';

interface ListFlags {
  readonly format: 'text' | 'json';
  /** Whether only the operations of the specification are listed. */
  readonly specification?: boolean;
}

/** Prints the operations that contain every word of `filter` in their id, method, path, tag, summary or notes. */
export function printOperations(
  filter: readonly string[],
  { format, specification = false }: ListFlags,
  io: Io,
): void {
  const words = filter.flatMap(text => text.split(/\s+/));
  const found = [...operationTable().operations.values()].filter(
    one => hasWords(one, words) && !(specification && one.isOutside),
  );
  if (format === 'json') io.stdout.write(jsonText(listDocument(found)));
  else io.stdout.write(listText(found, styleFor(io.stdout, io)));
  if (found.length === 0) say(io.stderr, `no operation matches ${quoted(filter.join(' '))}`);
}

function listText(operations: readonly Operation[], style: Style): string {
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const sections = [...byTag].map(([tag, some]) => {
    const rows = some.map(operation => ({
      name: operation.id,
      what: `${operation.method.padEnd(6)} ${operation.path}`,
      text: [operation.summary, ...inBrackets(operation)].join(' '),
    }));
    return [style.strong(tag), '', ...rowLines(rows, style), ''];
  });
  return sections
    .flat()
    .map(line => `${line}\n`)
    .join('');
}

function inBrackets(operation: Operation): readonly string[] {
  const { netbirdPath } = operation;
  const elsewhere = netbirdPath === undefined ? [] : [`in netbird ${netbirdPath}`];
  const marks = [...elsewhere, ...marksOf(operation)];
  return marks.length === 0 ? [] : [`(${marks.join(', ')})`];
}

function listDocument(operations: readonly Operation[]): object {
  return { format_version: '1.0', operations: operations.map(knownOf) };
}
