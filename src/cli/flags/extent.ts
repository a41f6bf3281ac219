// `--full` and `--summary`: how much of a plan is shown, and the command that shows all of it.
import type { Command } from 'commander';
import { Option } from 'commander';
import { withoutCredentials } from '../../model/text/credentials.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import type { Extent } from '../../report/plan/planReport.ts';

export interface ExtentFlags {
  readonly full?: boolean;
  readonly summary?: boolean;
}

/** The flags of every command that shows a plan. */
export function withExtentFlags(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .addOption(
      new Option('--full', 'show every object with all its fields and every member of a list'),
    )
    .addOption(new Option('--summary', 'show each object on a line').conflicts('full'));
}

/** The extent that the flags select. `saved` is the path of the plan if it is saved. */
export function extentOf(
  { full, summary }: ExtentFlags,
  argv: readonly string[] | undefined,
  saved?: string,
): Extent {
  const detail = full ? 'full' : summary ? 'summary' : 'screen';
  const words = saved === undefined ? argv && repeated(argv) : ['show', saved, '--full'];
  // Logs and comments show the command, so passwords in addresses are removed. A user who runs the
  // command has to write them again.
  const shown = words && ['meshform', ...words].map(withoutCredentials);
  return { detail, command: shown?.map(shellWord).join(' ') };
}

/**
 * Flags that the command for the whole plan must not repeat, because they confirm the plan or
 * shorten its output.
 */
const ONCE: ReadonlySet<string> = new Set(['--summary', '--yes', '--auto-approve']);

/**
 * Converts the words of an `apply` of files to words of a `plan` that shows the same and changes
 * nothing. Flags that `plan` does not have are left out.
 */
export function wordsOfPlan(
  argv: readonly string[] | undefined,
  apply: Command,
): readonly string[] | undefined {
  const plan = apply.parent?.commands.find(command => command.name() === 'plan');
  if (argv === undefined || plan === undefined) return undefined;
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const words: string[] = [];
  for (let at = argv.indexOf(apply.name()) + 1; at < end; at++) {
    const word = argv[at] ?? '';
    const [flag = ''] = word.split('=', 1);
    const option = word.startsWith('-') ? optionOf(apply, flag) : undefined;
    const hasValue = option?.required === true && flag === word;
    const known = optionOf(plan, flag);
    const isKept = option === undefined || known !== undefined;
    // A flag that both commands have may take a value with `apply` and none with `plan`.
    if (isKept && known?.isBoolean() === true) words.push(flag);
    else if (isKept) for (const kept of argv.slice(at, at + (hasValue ? 2 : 1))) words.push(kept);
    if (hasValue) at += 1;
  }
  return [plan.name(), ...words, ...argv.slice(end)];
}

const optionOf = (command: Command, flag: string) =>
  command.options.find(({ long, short }) => flag === long || flag === short);

// After `--` nothing is a flag.
function repeated(argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const flags = argv.slice(0, end).filter(word => !ONCE.has(word));
  return [...flags, '--full', ...argv.slice(end)];
}
