// Shows the output of a command for each account of a fleet. Accounts with the same output are listed together.

import { visible } from '../../model/text/visible.ts';
import type { JsonObject } from '../../model/value.ts';
import type { Style } from '../text/style.ts';
import { counted } from '../text/summary.ts';

/** The outcome of a command for one account. */
export interface AccountOutcome {
  readonly name: string;
  /** The exit code that a run for this account alone ends with. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The maximum number of names that are listed for a group. */
const NAMES = 20;

/** The outcomes for a terminal: each text once, with its accounts, the largest group first; then the totals. */
export function outcomesText(
  outcomes: readonly AccountOutcome[],
  { done, other }: { readonly done: string; readonly other: string },
  style: Style,
): string {
  const groups = [...Map.groupBy(outcomes, textOf).entries()].toSorted(
    ([, one], [, two]) => two.length - one.length,
  );
  const lines = groups.flatMap(([text, accounts]) => [
    style.strong(namesOf(accounts)),
    ...(text === ''
      ? [`  ${done}`]
      : text.split('\n').map(line => (line === '' ? '' : `  ${line}`))),
    '',
  ]);
  const isDone = ({ code }: AccountOutcome): boolean => code === 0;
  const good = outcomes.filter(isDone).length;
  const bad = outcomes.length - good;
  const totals = [
    counted(outcomes.length, 'account'),
    ...(good > 0 ? [`${good} ${done}`] : []),
    ...(bad > 0 ? [`${bad} ${other}`] : []),
  ];
  return `${[...lines, totals.join(', ')].join('\n')}\n`;
}

const textOf = ({ stdout, stderr }: AccountOutcome): string =>
  [stderr, stdout]
    .map(text => text.trimEnd())
    .filter(text => text !== '')
    .join('\n');

function namesOf(accounts: readonly AccountOutcome[]): string {
  const shown = accounts.slice(0, NAMES).map(({ name }) => visible(name));
  const more = accounts.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The outcomes as a document. */
export const outcomesDocument = (outcomes: readonly AccountOutcome[]): JsonObject => ({
  format_version: '1.0',
  accounts: outcomes.map(({ name, code, stdout, stderr }) => ({
    name,
    code,
    output: stdout,
    messages: stderr,
  })),
});

/**
 * The exit codes of accounts, from the most urgent for a person to the least urgent. An interruption comes first, because it ends
 * everything. A refusal by a guard must not be hidden by the failure of another account. Files and flags must be corrected before
 * a retry helps. docs/fleet.md lists the same order.
 */
const WORST_FIRST = [143, 130, 6, 5, 4, 3, 64, 69, 1, 2];

/** The exit code of all runs: 0 if all succeeded, otherwise the first code of `WORST_FIRST` that one of them ended with. */
export function codeOfAll(outcomes: readonly Pick<AccountOutcome, 'code'>[]): number {
  const codes = new Set(outcomes.map(({ code }) => code));
  codes.delete(0);
  const [unknown = 0] = codes;
  return WORST_FIRST.find(code => codes.has(code)) ?? unknown;
}
