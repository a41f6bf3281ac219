// Evaluates the files at one moment: findings, lints, results of access tests, the access that the
// files give, and its changes.
import { reachesIn } from '../../access/flows/reaches.ts';
import { lintFiles } from '../../access/lint/lintFiles.ts';
import type { Comparison } from '../../access/plan/comparison.ts';
import { filesComparison } from '../../access/plan/filesComparison.ts';
import { planAccess } from '../../access/plan/planAccess.ts';
import type { AccessState } from '../../access/state/accessState.ts';
import { type AsServerStores, stateOfFiles } from '../../access/state/stateOfFiles.ts';
import { withPlaces } from '../../access/tests/decidingPlaces.ts';
import { judgeTests } from '../../access/tests/judgeTests.ts';
import { declaredChanges } from '../../engine/declared/declaredChanges.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { TestVerdict } from '../../model/access/accessTest.ts';
import type { Folders } from '../../model/access/groupings.ts';
import { sortedAndDistinct } from '../../model/byPosition.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import { visible } from '../../model/text/visible.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import type { FilesDifference } from '../../report/studio/difference.ts';
import { foldersOf } from '../access/folders.ts';
import type { AnsweredState } from '../access/questionState.ts';
import { serverForm } from '../files/serverForm.ts';
import { withDialect } from '../files/validating.ts';
import type { ServerFlags, SourceFlags } from '../flags/flags.ts';

/** The base with which files are compared. */
export interface FilesBase {
  /** The base as text, such as `the last commit`. */
  readonly is: string;
  readonly desired: readonly Desired[];
}

/** Files without an error. */
export interface ValidFiles {
  readonly desired: readonly Desired[];
  readonly judged: AnsweredState;
  readonly asKept: AsServerStores;
  readonly folders: Folders;
  /** Absent if a selector of a test matches nothing. */
  readonly tests?: readonly TestVerdict[];
}

/** The files as read. */
export interface EvaluatedFiles {
  readonly findings: readonly Diagnostic[];
  readonly declared: number;
  /** Absent if the findings contain an error. */
  readonly valid?: ValidFiles;
}

/** Evaluates files that were loaded. */
export function evaluatedFiles(
  loaded: DesiredState,
  flags: Pick<SourceFlags, 'strict'> & Pick<ServerFlags, 'dialect'>,
  kinds: KindTable,
): EvaluatedFiles {
  const { desired, accessTests, project, folder } = loaded;
  const dialect = flags.dialect ?? project.dialect;
  // This evaluation opens no secret, so every secret counts as missing.
  const diagnostics = loaded.diagnostics.filter(({ code }) => code !== 'SECRET_UNDEFINED');
  const found = withDialect({ desired, project, diagnostics }, { ...flags, dialect });
  const declared = desired.length;
  if (hasErrors(found)) return { findings: sortedAndDistinct(found), declared };
  const asKept = serverForm(dialect);
  const lints = lintFiles({ desired, accessTests, kinds, asKept });
  const judged = {
    state: stateOfFiles(desired, asKept),
    judged: `the files in ${visible(folder)}`,
  };
  const tests = judgeTests(reachesIn(judged.state), accessTests);
  const areJudged = !hasErrors(tests.diagnostics);
  return {
    findings: sortedAndDistinct([...found, ...lints.findings, ...tests.diagnostics]),
    declared,
    valid: {
      desired,
      judged,
      asKept,
      folders: foldersOf(desired),
      ...(areJudged && { tests: withPlaces(tests.verdicts, () => asKept(desired)) }),
    },
  };
}

/** The changes of valid files from their base. */
export interface FoundDifference {
  /** The access of the base and of the files. A renamed object is the same object in both. */
  readonly states: readonly [AccessState, AccessState];
  /**
   * The difference that is available at once. In it, a change of access may still have several
   * objects as its cause.
   */
  readonly preliminary: FilesDifference;
  /** Returns the difference with separate causes; absent if it would be the same as `preliminary`. */
  readonly exact?: () => FilesDifference;
}

/** The changes of valid files from their base. */
export function differenceFrom(
  base: FilesBase,
  { desired, asKept }: ValidFiles,
  kinds: KindTable,
): FoundDifference {
  const edits = declaredChanges(base.desired, desired, kinds);
  const changes = edits.map(({ change }) => change);
  const comparedFiles = (areCausesExact: boolean) =>
    filesComparison({ before: base.desired, after: desired, edits, areCausesExact }, asKept);
  const found = (comparison: Comparison): FilesDifference => {
    const access = planAccess({ changes }, comparison);
    return { comparedWith: base.is, changes, access, kinds };
  };
  const once = comparedFiles(false);
  const preliminary = found(once);
  const isAmbiguous = preliminary.access.changes.some(change => change.one_of);
  const states = [once.stateBefore, once.stateAfter] as const;
  return { preliminary, states, ...(isAmbiguous && { exact: () => found(comparedFiles(true)) }) };
}
