// `--full` and `--summary`: how much of a plan is shown, and the command that shows all of it.
import type { Command } from 'commander';
import { Option } from 'commander';
import { shellWord } from '../../model/text/shellWord.ts';
import type { Extent } from '../../report/plan/planReport.ts';

export interface ExtentFlags {
  readonly full?: boolean;
  readonly summary?: boolean;
}

/** Flags of every command that shows a plan. */
export function withExtentFlags(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .addOption(
      new Option('--full', 'show every object with all its fields and every member of a list'),
    )
    .addOption(new Option('--summary', 'show each object on a line').conflicts('full'));
}

/** What the flags say. `saved` is the file of the plan, where it is saved. */
export function extentOf(
  { full, summary }: ExtentFlags,
  argv: readonly string[] | undefined,
  saved?: string,
): Extent {
  const detail = full ? 'full' : summary ? 'summary' : 'screen';
  const words = saved === undefined ? argv && repeated(argv) : ['show', saved, '--full'];
  return { detail, command: words && ['meshform', ...words].map(shellWord).join(' ') };
}

/** Flags that another look at the plan must not repeat: they confirm, or ask for less. */
const ONCE: ReadonlySet<string> = new Set(['--summary', '--yes', '--auto-approve']);

// Behind `--` nothing is a flag.
function repeated(argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const flags = argv.slice(0, end).filter(word => !ONCE.has(word));
  return [...flags, '--full', ...argv.slice(end)];
}
