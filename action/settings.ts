// Converts the inputs of the action to its settings. Workflows compose inputs from other texts, so invalid input is rejected, and
// nothing in an input is expanded.
import { createHash } from 'node:crypto';

const COMMANDS = [
  'validate',
  'test',
  'plan',
  'check',
  'apply',
  'drift',
  'expire',
  'observe',
  'tighten',
] as const;
const COMMENT_MODES = ['never', 'changes-only', 'always'] as const;

type ActionCommand = (typeof COMMANDS)[number];
type CommentMode = (typeof COMMENT_MODES)[number];

/** The settings of the action. */
export interface Settings {
  readonly command: ActionCommand;
  readonly path: string;
  readonly base: string;
  /** Where a plan is saved or read; empty for no file. */
  readonly plan: string;
  /** The folder of observed traffic; empty for none. */
  readonly store: string;
  readonly comment: CommentMode;
  readonly label: string;
  readonly args: readonly string[];
  readonly workingDirectory: string;
}

/** Thrown for an invalid input. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** The settings in the environment of the action's step. Throws an `InputError`. */
export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  const { INPUT_LABEL: label = '' } = env;
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._/-]{0,59}$|^$/u.test(label))
    throw new InputError(
      'the input `label` must be at most 60 letters, digits, spaces and . _ / -, the first a letter or digit',
    );
  const command = choice('command', env.INPUT_COMMAND ?? '', COMMANDS);
  const store = env.INPUT_STORE ?? '';
  if (command === 'observe' && store === '')
    throw new InputError(
      '`observe` needs the input `store`: the folder that it collects the traffic in',
    );
  return {
    command,
    path: env.INPUT_PATH || '.',
    base: env.INPUT_BASE ?? '',
    plan: env.INPUT_PLAN ?? '',
    store,
    comment: choice('comment', env.INPUT_COMMENT || 'changes-only', COMMENT_MODES),
    label,
    args: wordsIn(env.INPUT_ARGS ?? ''),
    workingDirectory: env.INPUT_WORKING_DIRECTORY || '.',
  };
}

/** The name of the plan file for a label. Labels that differ only in special characters get different names. */
export function planNameOf(label: string): string {
  if (label === '') return 'plan.json';
  const name = label.replaceAll(/[^\p{L}\p{N}._-]/gu, '-');
  if (name === label) return `plan-${label}.json`;
  const digest = createHash('sha256').update(label).digest('hex').slice(0, 8);
  return `plan-${name}-${digest}.json`;
}

function choice<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const found = choices.find(one => one === text);
  if (found === undefined)
    throw new InputError(`the input \`${name}\` is one of: ${choices.join(', ')}`);
  return found;
}

/**
 * Splits a text at blanks and line breaks; single and double quotes group words. Throws an `InputError` for an unclosed quote.
 */
export function wordsIn(text: string): readonly string[] {
  const words = [...text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+|["']/g)].map(([word]) => word);
  if (words.some(word => word === '"' || word === "'"))
    throw new InputError('the input `args` has an unclosed quote');
  return words.map(word =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/g,
      (_, double?: string, single?: string) => double ?? single ?? '',
    ),
  );
}
