// Resolves the argument of `explain`, and prints the explanation in the requested format.
import type { Field, Kind, KindTable } from '../../kinds/kind.ts';
import { findField, kindAndPath, kindNamedIn } from '../../kinds/lookup.ts';
import { kindName } from '../../model/names.ts';
import { objectNamed } from '../../model/objectName.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import {
  fieldMarkdown,
  kindMarkdown,
  kindsMarkdown,
  kindTable,
} from '../../report/explain/explainMarkdown.ts';
import { fieldText, kindList, kindText } from '../../report/explain/explainText.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/** The subject: the list of kinds, all kinds in full, a kind, or a field of a kind. */
export type Subject =
  | 'list'
  | 'all'
  | { readonly kind: Kind; readonly path: readonly string[]; readonly field?: Field };

/** The subject that the arguments name. Throws a `Stop` if no kind or field has that name. */
export function subjectOf(what: string, kinds: KindTable): Subject {
  const named = addressed(what, kinds) ?? kindAndPath(kinds, what);
  const [name = ''] = what.split(/[./[]/);
  if (!named) throw unknown(`unknown kind ${quoted(name)}`, name, [...kinds.keys()]);
  const { kind, path } = named;
  const found = findField(kind.shape, path);
  if (found === null) return { kind, path };
  if ('field' in found) return { kind, path, field: found.field };
  const holder = [kind.name, ...path.slice(0, knownSteps(kind, path))].join('.');
  throw unknown(
    `${quoted(holder)} has no field ${quoted(found.unknown)}`,
    found.unknown,
    found.known,
  );
}

/** How many steps of a path lead to fields. */
function knownSteps({ shape }: Kind, path: readonly string[]): number {
  const at = path.findIndex((_, i) => 'unknown' in (findField(shape, path.slice(0, i + 1)) ?? {}));
  return at < 0 ? path.length : at;
}

// For the address of an object, as plans print it, `explain` describes its kind.
function addressed(what: string, kinds: KindTable) {
  if (!/[/[]/.test(what)) return undefined;
  const kind = kinds.get(objectNamed(what, kindNamedIn(kinds))?.kind ?? kindName(''));
  return kind && { kind, path: [] };
}

function unknown(message: string, name: string, known: readonly string[]): Stop {
  return new Stop(EXIT.usage, message, didYouMean(name, known) ?? `one of: ${known.join(', ')}`);
}

/** The explanation as printed on stdout. */
export function explained(
  subject: Subject,
  kinds: KindTable,
  format: 'text' | 'markdown',
  io: Io,
): string {
  return format === 'markdown' ? asMarkdown(subject, kinds) : asText(subject, kinds, io);
}

function asMarkdown(subject: Subject, kinds: KindTable): string {
  if (subject === 'list') return kindTable(kinds);
  if (subject === 'all') return kindsMarkdown(kinds);
  const { kind, path, field } = subject;
  return field ? fieldMarkdown({ kind, path, field }, kinds) : kindMarkdown(kind, kinds);
}

function asText(subject: Subject, kinds: KindTable, io: Io): string {
  const style = styleFor(io.stdout, io);
  if (subject === 'list') return kindList(kinds, style);
  if (subject === 'all')
    return [...kinds.values()].map(kind => kindText(kind, kinds, style)).join('\n');
  const { kind, path, field } = subject;
  return field ? fieldText({ kind, path, field }, kinds, style) : kindText(kind, kinds, style);
}
