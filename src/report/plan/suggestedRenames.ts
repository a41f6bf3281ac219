// The report of `plan --suggest-renames` beside its patch: the number of renames in the patch, and the renames that a person must
// write.
import { type Span, spanText } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { AlikeRenames, SuggestedRename } from '../../model/suggestedRename.ts';
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
export function renameLines({ written, files, unwritten, alike }: RenameReport): readonly string[] {
  const isNothing = written.length + unwritten.length + alike.length === 0;
  if (isNothing)
    return [
      'No renames to suggest: no new object resembles an object that is deleted or not declared.',
    ];
  const patch =
    written.length === 0
      ? 'The patch is empty: no rename can be written for you.'
      : `The patch has ${counted(written.length, 'rename')} in ${counted(files, 'file')}; apply it with \`git apply\`.`;
  return [
    patch,
    ...written.map(one => visible(`  ${nameOf(one)} was ${one.former}`)),
    ...unwritten.flatMap(unwrittenLines),
    ...alike.flatMap(({ created, former }) => [
      visible(
        `Not in the patch: ${former.join(', ')} and the new objects are alike, so it is unknown which is which:`,
      ),
      ...created.map(({ address, at }) => visible(`  ${address} at ${spanText(at)}`)),
      '  write: lifecycle: { was: <old name> } into each new object that is one of them',
    ]),
  ];
}

function unwrittenLines({ rename, because, entry }: Unwritten): readonly string[] {
  const { at, former, entry: own } = rename;
  const said = `${own.name}: ${nameInYaml(own.value)}`;
  const head = `Not in the patch: ${spanText(at)}: ${nameOf(rename)} was ${former}: ${because}`;
  if (!entry || own.name !== 'was')
    return [head, `  write: lifecycle: { ${said} }`].map(line => visible(line));
  const place = entry.at ? ` at ${spanText(entry.at)}` : '';
  return [
    head,
    `  write at ${spanText(at)}: lifecycle: { was: "\${${entry.as}.value.was}" }`,
    `  and into the entry ${quoted(entry.key)}${place}: ${said}`,
  ].map(line => visible(line));
}

const nameOf = ({ kind, key }: SuggestedRename): string => addressOf(kind, key);
