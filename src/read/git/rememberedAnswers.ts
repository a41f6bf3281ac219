// Answers of git that are kept for a while: planning hundreds of accounts from one checkout asks the same for each, and each part of
// what one run loads asks about the same index and refs.
import { AsyncLocalStorage } from 'node:async_hooks';

/** The answers of git, by the question. */
type Answers = Map<string, Promise<Buffer>>;

interface Kept {
  readonly answers: Answers;
  /** Whether they are kept for many accounts. */
  readonly isForMany: boolean;
}

const kept = new AsyncLocalStorage<Kept>();

/**
 * Answers each question to git once for all that `use` does, which must not change the repository: it sees the repository as it was
 * when it was first asked.
 */
export const withRememberedAnswers = <T>(use: () => Promise<T>): Promise<T> =>
  kept.run({ answers: new Map(), isForMany: true }, use);

/** Whether answers are kept here for many accounts. */
export const areRememberedForMany = (): boolean => kept.getStore()?.isForMany === true;

/**
 * The same for several parts of one run: a function through which each of them goes. What the run does between them sees the repository
 * as it is, and may change it. Where answers are kept already, they count.
 */
export function rememberingAnswers(): <T>(use: () => Promise<T>) => Promise<T> {
  const answers: Answers = new Map();
  return use =>
    kept.getStore() === undefined ? kept.run({ answers, isForMany: false }, use) : use();
}

/** Commands that change nothing, and are asked the same for each account. What objects are there changes with a fetch. */
const QUESTIONS =
  /^(?:config|for-each-ref|ls-files|ls-remote|ls-tree|merge-base|remote|rev-list|rev-parse|status)$/;

/** The answer to a question, which `ask` gives if it is not known. `command` is the command of git. */
export function remembered(
  command: string,
  question: readonly unknown[],
  ask: () => Promise<Buffer>,
): Promise<Buffer> {
  const answers = kept.getStore()?.answers;
  if (answers === undefined || !QUESTIONS.test(command)) return ask();
  const key = JSON.stringify(question);
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  return answer;
}
