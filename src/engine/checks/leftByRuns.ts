// Objects of unfinished applies that no file declares: no base knows them, and nothing but their journals tells of them.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { shortRun } from '../../model/runName.ts';
import type { DraftPlan } from './draftPlan.ts';

/** The warnings for objects that an apply created which nobody finished, and that the plan leaves in the account. */
export function leftByRuns({
  input: { made = [] },
  run: { isForgotten, isSelected },
  pairing: { unpaired },
  pruning,
  declaredBy,
  context,
}: DraftPlan): readonly Diagnostic[] {
  const left = made.flatMap(one =>
    one.isLeft ? [[`${one.kind} ${one.id}`, one.run] as const] : [],
  );
  if (left.length === 0) return [];
  const runs = new Map(left);
  const gone = new Set(pruning.deletes.map(({ live }) => live));
  return unpaired.flatMap((live): Diagnostic[] => {
    const run = runs.get(`${live.kind} ${live.id}`);
    const address = context.addressOf(live);
    const named = { kind: live.kind, key: context.keyOf(live) };
    const isKnown = gone.has(live) || context.base.has(address) || declaredBy(live) !== undefined;
    if (run === undefined || isKnown || isForgotten(named) || !isSelected(named)) return [];
    return [
      {
        code: 'LEFT_BY_RUN',
        severity: 'warning',
        message: `${address} was created by the apply ${shortRun(run)}, which was not finished; no file declares it, and it stays in the account`,
        hint: `remove it with \`meshform apply --undo ${shortRun(run)}\`, or with --prune removed if \`meshform runs\` lists that apply as interrupted; to keep it, declare it`,
      },
    ];
  });
}
