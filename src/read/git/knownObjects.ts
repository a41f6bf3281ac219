// Remembers answers of git about objects that were named by their whole hashes. Such an object never changes, so a run need not
// ask again. One apply looks at the commit of its base about ten times, and each question would start a process.
import type { Environment } from '../environment.ts';

/** A question to git. */
export interface ObjectQuestion {
  /** The command and its arguments. */
  readonly args: readonly string[];
  readonly input: string;
  /** The repository, and its object folder. */
  readonly where: readonly (string | undefined)[];
}

/** The maximum number of answers that are kept, because the files of a base can be large, and a watch may run for months. */
const MOST = 16;

/** The answers by the environment of the run, with the latest at the end. */
const known = new WeakMap<Environment, Map<string, Buffer>>();

/**
 * The answer to a question; `ask` supplies it if it is not known. Only answers that can never change are kept: an answer about a
 * missing object or a shallow clone is not kept.
 */
export async function knownOfObjects(
  run: Environment,
  question: ObjectQuestion,
  ask: () => Promise<Buffer>,
): Promise<Buffer> {
  const lasts = LASTING[question.args[0] ?? ''];
  if (lasts === undefined || !lasts.isAbout(question)) return ask();
  const answers = known.get(run) ?? new Map<string, Buffer>();
  known.set(run, answers);
  const key = JSON.stringify(question);
  const before = answers.get(key);
  if (before !== undefined) return before;
  const answer = await ask();
  if (lasts.isWhole(answer)) keep(answers, key, answer);
  return answer;
}

function keep(answers: Map<string, Buffer>, key: string, answer: Buffer): void {
  answers.set(key, answer);
  for (const oldest of answers.keys()) {
    if (answers.size <= MOST) return;
    answers.delete(oldest);
  }
}

interface Lasting {
  /** Whether the question names its objects by their whole hashes only. */
  readonly isAbout: (question: ObjectQuestion) => boolean;
  readonly isWhole: (answer: Buffer) => boolean;
}

const HASH = '(?:[0-9a-f]{40}|[0-9a-f]{64})';
const FILES = new RegExp(`^(?:${HASH}(?::[^\\n]+)?\\n)+$`);
const ONE_HASH = new RegExp(`^${HASH}$`);

/** Commands whose answers can be kept. A command that fails has no answer. */
const LASTING: Readonly<Record<string, Lasting>> = {
  'cat-file': {
    isAbout: ({ args, input }) => args[1] === '--batch' && FILES.test(input),
    // An answer is not kept if it says that an object is missing.
    isWhole: answer => !answer.includes(' missing\n'),
  },
  // A run never fetches with a depth, so a complete clone stays complete.
  'rev-parse': {
    isAbout: ({ args }) => args.length === 2 && args[1] === '--is-shallow-repository',
    isWhole: answer => answer.toString('utf8') === 'false\n',
  },
  'merge-base': {
    isAbout: ({ args }) =>
      args[1] === '--is-ancestor' && args.slice(2).every(commit => ONE_HASH.test(commit)),
    isWhole: () => true,
  },
};
