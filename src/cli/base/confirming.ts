// The question that a command about a base asks.
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/** The question, and words for the action that is not carried out if the answer is not yes. */
export interface BaseQuestion {
  readonly about: string;
  readonly question: string;
  readonly not: string;
}

/**
 * Asks, unless `--yes` was given. Throws a `Stop` without a terminal, or for any answer other than
 * yes.
 */
export async function confirmOrStop(
  { about, question, not }: BaseQuestion,
  yes: boolean,
  { ask }: Pick<Io, 'ask'>,
): Promise<void> {
  if (yes) return;
  if (!ask)
    throw new Stop(
      EXIT.usage,
      'there is no terminal to ask for confirmation',
      'look at the base, then add --yes',
    );
  const answer = await ask(`\n${about}\n${question} Type "yes" to continue: `);
  if (answer.trim() === 'yes') return;
  throw new Stop(EXIT.refused, `${not}: the answer was not "yes"`, 'run it again and type yes');
}
