// The report of `plan --suggest-renames` beside its patch: the number of renames in the patch, and the renames that a person must
// write.
import { type Span, spanText } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type {
  AlikeRenames,
  SuggestedRename,
  UnprovenRenames,
} from '../../model/suggestedRename.ts';
import { quoted, visible } from '../../model/text/visible.ts';
import { nameInYaml } from '../../model/text/yamlText.ts';
import { counted } from '../text/summary.ts';

/** The suggestions of a plan, by their outcome. */
export interface RenameReport {
  readonly written: readonly SuggestedRename[];
  /** The number of files of the patch. */
  readonly files: number;
  readonly unwritten: readonly Unwritten[];
  readonly alike: readonly AlikeRenames[];
  readonly unproven: readonly UnprovenRenames[];
}

/** A rename that a person must write. */
interface Unwritten {
  readonly rename: SuggestedRename;
  readonly because: string;
  /** The entry of a `for_each` that must declare the rename; the text of the object is shared by other entries. */
  readonly entry?: Entry | undefined;
}

interface Entry {
  readonly as: string;
  readonly key: string;
  readonly at: Span | undefined;
}

/** The report as lines. */
export function renameLines(report: RenameReport): readonly string[] {
  const { written, files, unwritten, alike, unproven } = report;
  const isNothing = written.length + unwritten.length + alike.length + unproven.length === 0;
  if (isNothing)
    return [
      'No renames to suggest: no new object resembles an object that is deleted or not declared.',
    ];
  const patch =
    written.length === 0
      ? 'The patch is empty: no rename can be written for you.'
      : `The patch has ${counted(written.length, 'rename')} in ${counted(files, 'file')}; apply it with \`git apply\` in the root of the work tree.`;
  const keys = entryKeys(unwritten);
  return [
    patch,
    ...written.map(one => visible(`  ${nameOf(one)} was ${one.former}`)),
    ...unwritten.flatMap(one => unwrittenLines(one, keys)),
    ...alike.flatMap(alikeLines),
    ...unproven.flatMap(unprovenLines),
  ];
}

const alikeLines = ({ created, former, by }: AlikeRenames): readonly string[] => [
  visible(
    `Not in the patch: ${former.join(', ')} and the new objects are alike, so it is unknown which is which:`,
  ),
  ...created.map(({ address, at }) => visible(`  ${address} at ${spanText(at)}`)),
  `  write: lifecycle: { ${by}: <old ${by === 'was' ? 'name' : 'id'}> } into each new object that is one of them`,
];

const unprovenLines = ({ created, former }: UnprovenRenames): readonly string[] => [
  visible(
    `Not in the patch: it is unknown whether ${someOf(created)} had another name: ${someOf(former)}`,
  ),
  '  write: lifecycle: { was: <old name> } into each new object that is one of them',
];

/** The number of names that are shown. */
const FEW = 10;

const someOf = (names: readonly Address[]): string =>
  [
    names.slice(0, FEW).join(', '),
    ...(names.length > FEW ? [`and ${names.length - FEW} more`] : []),
  ].join(' ');

/** By the place of an object, the key that stores the former name in each of its entries. */
type EntryKeys = ReadonlyMap<string, string>;

// The keys of the entries, by the place of the object in the files. If several objects are declared
// over one set, each object needs its own key, because an entry cannot contain a key twice.
function entryKeys(unwritten: readonly Unwritten[]): EntryKeys {
  const keys = new Map<string, string>();
  const taken = new Map<string, Set<string>>();
  const objects = Map.groupBy(
    unwritten.filter(({ entry }) => entry !== undefined),
    ({ rename }) => spanText(rename.at),
  );
  for (const [place, some] of objects) {
    const entries = new Set(some.map(({ entry }) => entryPlace(entry)));
    const used = [...entries].map(entry => taken.get(entry) ?? new Set<string>());
    let key = 'was';
    for (let i = 2; used.some(names => names.has(key)); i += 1) key = `was_${i}`;
    keys.set(place, key);
    for (const entry of entries) taken.set(entry, new Set([...(taken.get(entry) ?? []), key]));
  }
  return keys;
}

const entryPlace = (entry: Entry | undefined): string =>
  entry ? `${entry.at ? spanText(entry.at) : ''} ${entry.key}` : '';

function unwrittenLines({ rename, because, entry }: Unwritten, keys: EntryKeys): readonly string[] {
  const { at, former, entry: own } = rename;
  const said = `${own.name}: ${nameInYaml(own.value)}`;
  const head = `Not in the patch: ${spanText(at)}: ${nameOf(rename)} was ${former}: ${because}`;
  if (!entry || own.name !== 'was')
    return [head, `  write: lifecycle: { ${said} }`].map(line => visible(line));
  const key = keys.get(spanText(at)) ?? 'was';
  const place = entry.at ? ` at ${spanText(entry.at)}` : '';
  return [
    head,
    `  write at ${spanText(at)}: lifecycle: { was: "\${${entry.as}.value.${key}}" }`,
    `  and into the entry ${quoted(entry.key)}${place}: ${key}: ${nameInYaml(own.value)}`,
  ].map(line => visible(line));
}

const nameOf = ({ kind, key }: SuggestedRename): string => addressOf(kind, key);
