// Answers of git that are kept for a while: planning hundreds of accounts from one checkout asks the same for each.
import { AsyncLocalStorage } from 'node:async_hooks';

/** The answers of git, by the question. */
type Answers = Map<string, Promise<Buffer>>;

const kept = new AsyncLocalStorage<Answers>();

/**
 * Answers each question to git once for all that `use` does, which must not change the repository: it sees the repository as it was
 * when it was first asked.
 */
export const withRememberedAnswers = <T>(use: () => Promise<T>): Promise<T> =>
  kept.run(new Map(), use);

/** Whether answers are kept here. */
export const areRemembered = (): boolean => kept.getStore() !== undefined;

/** Commands that change nothing, and are asked the same for each account. What objects are there changes with a fetch. */
const QUESTIONS =
  /^(?:config|for-each-ref|ls-files|ls-remote|ls-tree|merge-base|rev-list|rev-parse|status)$/;

/** The answer to a question, which `ask` gives if it is not known. `command` is the command of git. */
export function remembered(
  command: string,
  question: readonly unknown[],
  ask: () => Promise<Buffer>,
): Promise<Buffer> {
  const answers = kept.getStore();
  if (answers === undefined || !QUESTIONS.test(command)) return ask();
  const key = JSON.stringify(question);
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  return answer;
}
