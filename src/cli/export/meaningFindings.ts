// The warnings of an export about objects that it leaves out, because references elsewhere in the files would mean them.
import type { NewMeaning } from '../../export/newMeanings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { AccountExport } from '../../pipeline/exporting/exportAccount.ts';
import { counted } from '../../report/text/summary.ts';
import type { ExportFlags, ExportRun } from './exportRun.ts';
import type { Target } from './exportTarget.ts';

/** A warning for each object that is left out, at the first reference that would mean it. */
export function meaningFindings(
  meanings: readonly NewMeaning[],
  { state }: Target,
  { snapshot }: AccountExport,
  { tools: { kinds }, flags }: Pick<ExportRun, 'tools' | 'flags'>,
): readonly Diagnostic[] {
  const ids = state?.stored?.base.ids ?? [];
  const declared = new Set((state?.desired ?? []).map(({ kind, key }) => addressOf(kind, key)));
  return meanings.flatMap(({ kind, id, key, means, places }): Diagnostic[] => {
    const [first, ...more] = places;
    if (first === undefined) return [];
    const address = addressOf(kind, key);
    const noun = kinds.get(kind)?.noun ?? kind;
    const former = means ?? ids.find(one => one.kind === kind && one.key === key)?.id;
    const now = snapshot.objects.find(one => one.kind === kind && one.id === former);
    const meant = meantText(noun, former, now?.key);
    const others =
      more.length === 0 ? '' : `; so would ${counted(more.length, 'other reference')} in the files`;
    const fate = declared.has(address) ? 'stays as it was in the files' : 'is left out';
    return [
      {
        code: 'OBJECT_STUCK',
        severity: 'warning',
        at: first.at,
        message: `${address} ${fate}: ${first.of} refers to this name and means ${meant}; declared now, the reference would mean ${nameText(id)}${others}`,
        hint: hintFor(flags),
      },
    ];
  });
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
