// Resolves the argument of `explain`, and prints the explanation in the requested format.
import type { Field, Kind, KindTable } from '../../kinds/kind.ts';
import { findField, kindAndPath, kindNamedIn, kindsOfVendor } from '../../kinds/lookup.ts';
import { kindName } from '../../model/names.ts';
import { objectNamed } from '../../model/objectName.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import {
  type FileWord,
  fileWordMarkdown,
  fileWords,
  fileWordText,
} from '../../report/explain/explainFiles.ts';
import {
  type LifecycleSetting,
  lifecycleMarkdown,
  lifecycleSettings,
  lifecycleText,
} from '../../report/explain/explainLifecycle.ts';
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
  | { readonly word: FileWord }
  | { readonly lifecycle: readonly LifecycleSetting[]; readonly of: Kind | undefined }
  | { readonly kind: Kind; readonly path: readonly string[]; readonly field?: Field };

/** The subject that the arguments name. Throws a `Stop` if no kind or field has that name. */
export function subjectOf(what: string, kinds: KindTable): Subject {
  // Removes positions in lists, because all entries have the same fields.
  const asked = what.replaceAll(/\[(\d*|\*)\](?=\.|$)/g, '');
  const [name = '', ...rest] = asked.split(/[./[]/);
  if (name === LIFECYCLE) return lifecycleSubject(undefined, rest);
  const named = addressed(asked, kinds) ?? kindAndPath(kinds, asked);
  if (!named) {
    const word = wordSubject(name, rest);
    if (word) return word;
    const [product] = kindsOfVendor(kinds.values(), name);
    const message = `unknown kind ${quoted(name)}`;
    if (product) throw new Stop(EXIT.usage, message, `did you mean ${quoted(product.name)}?`);
    throw unknown(message, name, [...kinds.keys(), ...wordNames()], { listed: [...kinds.keys()] });
  }
  const { kind, path } = named;
  const [first, ...inside] = path;
  if (first === LIFECYCLE) return lifecycleSubject(kind, inside);
  const found = findField(kind.shape, path);
  if (found === null) return { kind, path };
  if ('field' in found) return { kind, path, field: found.field };
  const within = [kind.name, ...path.slice(0, knownSteps(kind, path))].join('.');
  throw unknown(
    `${quoted(within)} has no field ${quoted(found.unknown)}`,
    found.unknown,
    found.known,
    { whole: within },
  );
}

/** The settings that every object can have, whatever its kind. */
const LIFECYCLE = 'lifecycle';

function lifecycleSubject(kind: Kind | undefined, [name, ...further]: readonly string[]): Subject {
  const settings = lifecycleSettings();
  if (name === undefined) return { lifecycle: settings, of: kind };
  const setting = settings.find(one => one.name === name);
  const [beyond] = further;
  if (setting && beyond === undefined) return { lifecycle: [setting], of: kind };
  const within = [...(kind ? [kind.name] : []), LIFECYCLE, ...(setting ? [name] : [])].join('.');
  const unfound = setting ? (beyond ?? '') : name;
  const known = setting ? [] : settings.map(one => one.name);
  throw unknown(`${quoted(within)} has no field ${quoted(unfound)}`, unfound, known, {
    whole: within,
  });
}

/** The names that `explain` accepts besides kinds and their fields. */
export const wordNames = (): readonly string[] => [
  ...fileWords().map(({ name }) => name),
  LIFECYCLE,
];

// The subject for a top-level key of the files, one of its entries, or a lifecycle setting that is
// named alone; otherwise undefined.
function wordSubject(name: string, rest: readonly string[]): Subject | undefined {
  const word = fileWords().find(one => one.name === name);
  if (!word)
    return lifecycleSettings().some(one => one.name === name)
      ? lifecycleSubject(undefined, [name, ...rest])
      : undefined;
  const [entry, beyond] = rest;
  if (entry === undefined) return { word };
  const found = word.entries.filter(one => one.name === entry);
  const [unfound, known] = found.length > 0 ? [beyond, []] : [entry, word.entries];
  if (unfound === undefined) return { word: { ...word, entries: found } };
  const message = `${quoted(name)} has no field ${quoted(unfound)}`;
  const names = known.map(one => one.name);
  throw unknown(message, unfound, names, { whole: name });
}

/** The number of steps at the start of a path that name existing fields. */
function knownSteps({ shape }: Kind, path: readonly string[]): number {
  const at = path.findIndex((_, i) => 'unknown' in (findField(shape, path.slice(0, i + 1)) ?? {}));
  return at < 0 ? path.length : at;
}

// The kind of an object that is named by its address, as in plans; otherwise undefined.
function addressed(what: string, kinds: KindTable) {
  if (!/[/[]/.test(what)) return undefined;
  const kind = kinds.get(objectNamed(what, kindNamedIn(kinds))?.kind ?? kindName(''));
  return kind && { kind, path: [] };
}

function unknown(
  message: string,
  name: string,
  known: readonly string[],
  { whole, listed = known }: { readonly whole?: string; readonly listed?: readonly string[] } = {},
): Stop {
  const all = listed.length > 0 ? `one of: ${listed.join(', ')}` : undefined;
  const value =
    whole === undefined ? null : `it is a value without fields: run \`meshform explain ${whole}\``;
  return new Stop(EXIT.usage, message, didYouMean(name, known) ?? all ?? value);
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
  if ('word' in subject) return fileWordMarkdown(subject.word);
  if ('lifecycle' in subject) return lifecycleMarkdown(subject.lifecycle, subject.of);
  const { kind, path, field } = subject;
  return field ? fieldMarkdown({ kind, path, field }, kinds) : kindMarkdown(kind, kinds);
}

function asText(subject: Subject, kinds: KindTable, io: Io): string {
  const style = styleFor(io.stdout, io);
  if (subject === 'list') return kindList(kinds, style);
  if (subject === 'all')
    return [...kinds.values()].map(kind => kindText(kind, kinds, style)).join('\n');
  if ('word' in subject) return fileWordText(subject.word, style);
  if ('lifecycle' in subject) return lifecycleText(subject.lifecycle, subject.of, style);
  const { kind, path, field } = subject;
  return field ? fieldText({ kind, path, field }, kinds, style) : kindText(kind, kinds, style);
}
