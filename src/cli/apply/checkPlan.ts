// `plan check`: checks whether a saved plan can still be applied.
import type { UsedTraffic } from '../../access/gates/usedFindings.ts';
import { checkSaved } from '../../apply/checkSaved.ts';
import { isRefusal } from '../../apply/refusal.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { readKinds } from '../../kinds/registry.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import {
  comparisonText,
  type PlanComparison,
  planCheckDocument,
  planCheckText,
} from '../../report/plan/planCheck.ts';
import { planDifferences } from '../../report/plan/planDifferences.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import type { AccountFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { stopOf } from '../refusals/refusals.ts';
import { secretSources } from '../secrets/sources.ts';
import { withConnection } from '../server/connect.ts';
import { hostOf } from './notes.ts';
import { projectsFor } from './planProjects.ts';
import { planFileOrStop } from './savedPlan.ts';

/** The flags of `plan check`. */
export interface CheckFlags extends AccountFlags {
  readonly format: 'text' | 'json';
  readonly anyServer?: boolean;
  readonly tests?: boolean;
  readonly digest?: string;
  readonly sameAs?: string;
  /** The flows that were in use. */
  readonly used?: UsedTraffic | undefined;
}

/** Compares the plan in a file with the account, and with another plan if one is named. Resolves to the exit code; throws a `Stop`. */
export async function checkPlan(file: string, flags: CheckFlags, io: Io): Promise<number> {
  const kinds = readKinds();
  const saved = await planFileOrStop(file, kinds, io, flags.digest);
  const compared = await comparedWith(flags.sameAs, { saved, file, kinds }, io);
  const { anyServer = false, tests = true, concurrency, format } = flags;
  const projects = await projectsFor(saved.plan, '.', io);
  const check = await withConnection(flags, projects, io, connection =>
    checkSaved(saved, {
      kinds,
      connection,
      concurrency,
      areTestsJudged: tests,
      isAnyServer: anyServer,
      used: flags.used,
      host: hostOf(io, { kinds, isText: false }),
      secrets: {
        sources: (folder, layers) => secretSources(folder, { token: connection.token, layers }, io),
      },
    }),
  );
  if (isRefusal(check)) {
    // The differences between the plans do not depend on the account.
    if (compared && compared.differences.length > 0 && format === 'text')
      io.stdout.write(comparisonText(compared, styleFor(io.stdout, io)));
    throw stopOf(check, io);
  }
  io.stdout.write(
    format === 'json'
      ? jsonText(planCheckDocument(check, compared))
      : planCheckText(check, compared, styleFor(io.stdout, io)),
  );
  const isSame = compared === undefined || compared.differences.length === 0;
  return check.stale.length === 0 && isSame ? EXIT.done : EXIT.stale;
}

// The differences between a saved plan and the plan in another file; undefined if no other file is named.
async function comparedWith(
  other: string | undefined,
  { saved, file, kinds }: OpenedPlan,
  io: Io,
): Promise<PlanComparison | undefined> {
  if (other === undefined) return undefined;
  const plan = { saved: await planFileOrStop(other, kinds, io), file: other };
  return { file: other, differences: planDifferences({ saved, file }, plan) };
}

interface OpenedPlan {
  readonly saved: Awaited<ReturnType<typeof planFileOrStop>>;
  readonly file: string;
  readonly kinds: KindTable;
}
