// Answers of git that are kept for a while. Planning hundreds of accounts from one checkout asks the same questions for each
// account, and each part of a run asks about the same index and refs.
import { AsyncLocalStorage } from 'node:async_hooks';

/** The answers of git, by the question. */
type Answers = Map<string, Promise<Buffer>>;

interface Kept {
  readonly answers: Answers;
  /** Whether the answers are kept for many accounts. */
  readonly isForMany: boolean;
}

const kept = new AsyncLocalStorage<Kept>();

/**
 * Calls `use`, and asks git each question of `use` only once. `use` must not change the repository, because it sees each answer
 * as it was when the question was first asked.
 */
export const withRememberedAnswers = <T>(use: () => Promise<T>): Promise<T> =>
  kept.run({ answers: new Map(), isForMany: true }, use);

/** Whether answers are currently kept for many accounts. */
export const areRememberedForMany = (): boolean => kept.getStore()?.isForMany === true;

/**
 * Returns a function that calls a part of a run and keeps the answers of git for the later parts that are called through it.
 * Between the parts, the run sees the repository as it is, and may change it. If answers are already kept, those are used.
 */
export function rememberingAnswers(): <T>(use: () => Promise<T>) => Promise<T> {
  const answers: Answers = new Map();
  return use =>
    kept.getStore() === undefined ? kept.run({ answers, isForMany: false }, use) : use();
}

/**
 * Commands that change nothing and whose answers are the same for each account. Commands about objects are not included, because
 * a fetch changes which objects exist.
 */
const QUESTIONS =
  /^(?:config|for-each-ref|ls-files|ls-remote|ls-tree|merge-base|remote|rev-list|rev-parse|status)$/;

const settings = new AsyncLocalStorage<Answers>();

/**
 * Calls `use`, and asks git only once about the settings of the clone and of its remotes: a rollout reaches one remote for each of
 * its accounts. Unlike the refs, only a user who may change the settings could change these answers in the meantime.
 */
export const withRememberedSettings = <T>(use: () => Promise<T>): Promise<T> =>
  settings.run(new Map(), use);

/**
 * The addresses of a remote, the files that settings come from, the person, and the kind of the repository. The keys that programs
 * could hide behind are not included: they are read before each command.
 */
const ABOUT_SETTINGS =
  /^(?:remote get-url|config --list --includes --show-origin|var GIT_COMMITTER_IDENT|rev-parse --show-object-format|rev-parse --is-shallow-repository)\b/;

/** The answer to a question; `ask` supplies it if it is not known. `asked`: the command of git with its arguments. */
export function remembered(
  asked: readonly string[],
  question: readonly unknown[],
  ask: () => Promise<Buffer>,
): Promise<Buffer> {
  const ofSettings = settings.getStore();
  const isAboutSettings = ofSettings !== undefined && ABOUT_SETTINGS.test(asked.join(' '));
  const answers = isAboutSettings ? ofSettings : kept.getStore()?.answers;
  if (answers === undefined || !(isAboutSettings || QUESTIONS.test(asked[0] ?? ''))) return ask();
  const key = JSON.stringify(question);
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  // A rollout takes a long time, so a question that failed once is asked again.
  if (isAboutSettings) answer.catch(() => answers.delete(key));
  return answer;
}
