// The warnings of an export about objects that it leaves out because references elsewhere in the
// files would otherwise denote them.
import type { NewMeaning } from '../../export/newMeanings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { AccountExport } from '../../pipeline/exporting/exportAccount.ts';
import { counted } from '../../report/text/summary.ts';
import type { ExportFlags, ExportRun } from './exportRun.ts';
import type { Target } from './exportTarget.ts';

/**
 * A warning for each object that is left out, at the first reference that would denote another
 * object.
 */
export function meaningFindings(
  meanings: readonly NewMeaning[],
  { state }: Target,
  { snapshot }: AccountExport,
  { tools: { kinds }, flags }: Pick<ExportRun, 'tools' | 'flags'>,
): readonly Diagnostic[] {
  const ids = state?.stored?.base.ids ?? [];
  const declared = new Set((state?.desired ?? []).map(({ kind, key }) => addressOf(kind, key)));
  return meanings.flatMap((meaning): Diagnostic[] => {
    const { kind, key, now, means, places } = meaning;
    const [first, ...more] = places;
    if (first === undefined) return [];
    const address = addressOf(kind, now ?? key);
    const noun = kinds.get(kind)?.noun ?? kind;
    const former = means ?? ids.find(one => one.kind === kind && one.key === key)?.id;
    const called = snapshot.objects.find(one => one.kind === kind && one.id === former)?.key;
    const fate = declared.has(address) ? 'stays as it was in the files' : 'is left out';
    const why =
      now === undefined
        ? becomesMeant(meaning, meantText(noun, former, called), more.length)
        : noLongerMeant(meaning, more.length);
    return [
      {
        code: 'OBJECT_STUCK',
        severity: 'warning',
        at: first.at,
        message: `${address} ${fate}: ${first.of} ${why}`,
        hint: hintFor(flags),
      },
    ];
  });
}

function becomesMeant({ id }: NewMeaning, meant: string, more: number): string {
  const others = more === 0 ? '' : `; so would ${counted(more, 'other reference')} in the files`;
  return `refers to this name and means ${meant}; if the file declared the object, the reference would mean ${nameText(id)}${others}`;
}

function noLongerMeant({ key }: NewMeaning, more: number): string {
  const others =
    more === 0
      ? ''
      : `, as ${counted(more, 'other reference')} in the files ${more === 1 ? 'does' : 'do'}`;
  return `refers to the object by its former name, ${quoted(key)}${others}; under its new name, the reference would no longer mean it`;
}

function meantText(noun: string, id: string | undefined, name: string | undefined): string {
  if (id === undefined) return `no ${noun} of the account`;
  const called = nameText(id);
  return name === undefined
    ? `the ${noun} ${called}, which the account no longer has`
    : `the ${noun} ${called}, which is called ${quoted(name)} now`;
}

function hintFor({ kinds, only, except }: ExportFlags): string {
  const given = [
    ...(kinds ? ['--kinds'] : []),
    ...(only ? ['--only'] : []),
    ...(except ? ['--except'] : []),
  ];
  return given.length === 0
    ? 'write by hand which object is meant here, and export again'
    : `export without ${given.map(quoted).join(' and ')}: that writes all references as the account has them`;
}
