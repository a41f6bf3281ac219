// Reports the gates of a plan's access, and refuses a plan that does not pass them: access tests,
// and access that the plan may not grant.
import { LOOSENS_GUARDS } from '../../model/acceptedGuards.ts';
import { newAccessIn } from '../../model/access/accessFindings.ts';
import type { AccessGates } from '../../model/access/accessGates.ts';
import type { TestVerdict } from '../../model/access/accessTest.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { visible } from '../../model/text/visible.ts';
import { testsLine } from '../../report/plan/planGatesText.ts';
import { failedTests, refusedBy } from '../../report/plan/refusedBy.ts';
import { failureLines } from '../../report/tests/testText.ts';
import type { PlanFlags } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';

/** The gates that a run applies. Both are on unless a `--no-…` flag turns them off. */
export type AccessFlags = Pick<PlanFlags, 'tests' | 'newAccess'>;

/** Prints the result of a saved plan's tests, which were evaluated again, or that they were not evaluated. */
export function tellTests(gates: AccessGates | undefined, isText: boolean, io: Io): void {
  if (gates?.tests === undefined) return;
  if (isText) say(io.stdout, testsLine(gates.tests));
  else if (gates.tests.verdicts === undefined) say(io.stderr, testsLine(gates.tests));
}

/** Why a plan is refused because of effects that it did not have when it was shown. */
export const CHANGED_SINCE_SHOWN = 'the account changed since the plan was shown';

/** What a person has already seen of a refused plan. */
interface Seen {
  /** Whether the plan has already shown the details. */
  readonly isShown: boolean;
  /** Whether the plan passed when it was shown, and fails now because the account has changed since. */
  readonly isUnseen?: boolean;
}

/** Ends a command whose gates do not pass, with `code`. */
export function gatesStop(
  gates: AccessGates,
  code: number,
  { isShown, isUnseen = false }: Seen,
): Stop {
  const { tests, findings } = gates;
  const gained = newAccessIn(findings);
  const failed = failedTests(gates);
  const lost = (tests?.tests ?? []).filter(
    ({ former: isFormer }, at) => isFormer && (tests?.verdicts?.[at]?.failures.length ?? 0) > 0,
  );
  const former = [
    ...new Set(lost.map(({ name }) => `--allow ${shellWord(`${LOOSENS_GUARDS}=${name}`)}`)),
  ];
  // Changing the files is not the first remedy, because the files alone do not cause the refusal.
  const hintsNow = ['make a new plan with `meshform plan`: it shows what changed'];
  const hintsOfFiles = [
    ...(failed.length > 0 ? ['change the files until the tests pass'] : []),
    ...(former.length > 0
      ? [
          `to change a test, first apply the change of the test, and apply what it forbade later; or add ${former.join(' ')}`,
        ]
      : []),
    ...(gained.length > 0 ? ['remove the changes that widen access'] : []),
  ];
  const hints = isUnseen ? hintsNow : hintsOfFiles;
  const why = [...(isUnseen ? [CHANGED_SINCE_SHOWN] : []), ...refusedBy(gates)].join('; ');
  return new Stop(code, `refused: ${why}`, hints.join('; '), [
    ...failed.flatMap(verdict => failedLines(verdict, isShown)),
    ...gained.map(text => `  + ${visible(text)}`),
  ]);
}

function failedLines({ name, failures }: TestVerdict, isShown: boolean): string[] {
  const details = isShown ? [] : failures.flatMap(failureLines).map(text => `    ${text}`);
  return [`  FAIL  ${visible(name)}`, ...details];
}
