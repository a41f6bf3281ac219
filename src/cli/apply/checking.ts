// `plan check`: whether a saved plan can still be applied.
import { checkSaved } from '../../apply/checkSaved.ts';
import { isRefusal } from '../../apply/refusal.ts';
import { readKinds } from '../../kinds/registry.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { planCheckDocument, planCheckText } from '../../report/plan/planCheck.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import type { AccountFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { secretSources } from '../secrets/sources.ts';
import { withConnection } from '../server/connect.ts';
import { hostOf } from './notes.ts';
import { projectsFor } from './planProjects.ts';
import { stopOf } from './refusals.ts';
import { planFileOrStop } from './savedPlan.ts';

/** The flags of `plan check`. */
export interface CheckFlags extends AccountFlags {
  readonly format: 'text' | 'json';
  readonly anyServer?: boolean;
  readonly tests?: boolean;
  readonly digest?: string;
}

/** Compares the plan in a file with the account. Resolves to the exit code; throws a `Stop`. */
export async function checkPlan(file: string, flags: CheckFlags, io: Io): Promise<number> {
  const kinds = readKinds();
  const saved = await planFileOrStop(file, kinds, io, flags.digest);
  const { anyServer = false, tests = true, concurrency, format } = flags;
  const projects = await projectsFor(saved.plan, '.', io);
  const check = await withConnection(flags, projects, io, connection =>
    checkSaved(saved, {
      kinds,
      connection,
      concurrency,
      areTestsJudged: tests,
      isAnyServer: anyServer,
      host: hostOf(io, { kinds, isText: false }),
      secrets: {
        sources: folder => secretSources(folder, { token: connection.token }, io),
      },
    }),
  );
  if (isRefusal(check)) throw stopOf(check, io);
  io.stdout.write(
    format === 'json'
      ? jsonText(planCheckDocument(check))
      : planCheckText(check, styleFor(io.stdout, io)),
  );
  return check.stale.length === 0 ? EXIT.done : EXIT.stale;
}
