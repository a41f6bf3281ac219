// What `plan --suggest-renames` says beside its patch: how many renames it has, and which a person must write.
import { spanText } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { AlikeRenames, SuggestedRename } from '../../model/suggestedRename.ts';
import { visible } from '../../model/text/visible.ts';
import { nameInYaml } from '../../model/text/yamlText.ts';
import { counted } from '../text/summary.ts';

/** The suggestions of a plan, by what became of them. */
export interface RenameReport {
  readonly written: readonly SuggestedRename[];
  /** The number of files of the patch. */
  readonly files: number;
  readonly unwritten: readonly { readonly rename: SuggestedRename; readonly because: string }[];
  readonly alike: readonly AlikeRenames[];
}

/** The report as lines. */
export function renameLines({ written, files, unwritten, alike }: RenameReport): readonly string[] {
  const isNothing = written.length + unwritten.length + alike.length === 0;
  if (isNothing)
    return ['No renames to suggest: no new object is like one that is deleted or not declared.'];
  const patch =
    written.length === 0
      ? 'The patch is empty: no rename can be written for you.'
      : `The patch has ${counted(written.length, 'rename')} in ${counted(files, 'file')}; apply it with \`git apply\`.`;
  return [
    patch,
    ...written.map(one => visible(`  ${nameOf(one)} was ${one.former}`)),
    ...unwritten.flatMap(({ rename, because }) => [
      visible(
        `Not in the patch: ${spanText(rename.at)}: ${nameOf(rename)} was ${rename.former}: ${because}`,
      ),
      visible(`  write: lifecycle: { ${rename.entry.name}: ${nameInYaml(rename.entry.value)} }`),
    ]),
    ...alike.flatMap(({ created, former }) => [
      visible(
        `Not in the patch: ${former.join(', ')} and the new objects are alike, so which is which is not known:`,
      ),
      ...created.map(({ address, at }) => visible(`  ${address} at ${spanText(at)}`)),
      '  write: lifecycle: { was: <old name> } into each that is one of them',
    ]),
  ];
}

const nameOf = ({ kind, key }: SuggestedRename): string => addressOf(kind, key);
