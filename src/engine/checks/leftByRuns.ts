// Objects of unfinished applies that no file declares: no base knows them, and nothing but their journals tells of them.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { MadeObject } from '../../model/leftObjects.ts';
import { shortRun } from '../../model/runName.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DraftPlan } from './draftPlan.ts';

/** The warnings for objects that an apply created which nobody finished, and that the plan leaves in the account. */
export function leftByRuns({
  input: { made = [], leftInGone = [] },
  run: { isForgotten, isSelected },
  pairing: { unpaired },
  pruning,
  declaredBy,
  context,
}: DraftPlan): readonly Diagnostic[] {
  const left = [...leftInGone, ...made].flatMap(one =>
    one.isLeft ? [[`${one.kind} ${one.id}`, one] as const] : [],
  );
  if (left.length === 0) return [];
  const known = new Map(left);
  const gone = new Set(pruning.deletes.map(({ live }) => live));
  return unpaired.flatMap((live): Diagnostic[] => {
    const found = known.get(`${live.kind} ${live.id}`);
    const address = context.addressOf(live);
    const named = { kind: live.kind, key: context.keyOf(live) };
    const isKnown = gone.has(live) || context.base.has(address) || declaredBy(live) !== undefined;
    if (!found || isKnown || isForgotten(named) || !isSelected(named)) return [];
    return [
      {
        code: 'LEFT_BY_RUN',
        severity: 'warning',
        message: `${address} was created by the apply ${shortRun(found.run)}, which was not finished${folderText(found)}; no file declares it, and it stays in the account`,
        hint: hintFor(found),
      },
    ];
  });
}

const folderText = ({ formerFolder }: MadeObject): string =>
  formerFolder === undefined ? '' : `; its folder ${quoted(formerFolder)} has no files any more`;

function hintFor({ run, isCounted }: MadeObject): string {
  const undo = quoted(`meshform apply --undo ${shortRun(run)}`);
  const pruned = isCounted ? ', or with `meshform apply --prune removed`' : '';
  return `remove it with ${undo}${pruned}; to keep it, declare it`;
}
