// A saved plan that was carried out before: nothing is sent, and the report says so.
import { relative } from 'node:path';
import type { KindTable } from '../../kinds/kind.ts';
import type { EarlierRun } from '../../model/journal.ts';
import type { RunResult } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import { jsonLine, jsonText } from '../../model/text/jsonText.ts';
import { pathText } from '../../model/text/visible.ts';
import { runDocument } from '../../report/run/runDocument.ts';
import { resultEvent } from '../../report/run/runEvents.ts';
import { type Io, say } from '../io.ts';
import type { RunFormat } from './applying.ts';

/** Prints that every result of the plan is in the account. */
export function printApplied(
  plan: Plan,
  {
    run,
    path,
    kinds,
    format,
  }: {
    readonly run: EarlierRun;
    readonly path: string;
    readonly kinds: KindTable;
    readonly format: RunFormat;
  },
  io: Io,
): void {
  const result: RunResult = {
    outcomes: plan.actions.flatMap(({ id }) => run.done.get(id) ?? []),
    ...{ requests: 0, written: 0 },
  };
  const already = { already_applied: true };
  const file = relative(io.cwd, path);
  if (format === 'jsonl') io.stdout.write(jsonLine({ ...resultEvent(result), ...already }));
  else if (format === 'json')
    io.stdout.write(jsonText({ ...runDocument(plan, result, kinds), ...already }));
  else {
    const done = 'Already applied: the account has every change of this plan.';
    say(io.stdout, '');
    say(io.stdout, `${done} Journal: ${pathText(file)}.`);
  }
}
