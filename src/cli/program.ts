// The commands of the program. Each command loads its modules when it runs, so that help is fast.
import { Command } from 'commander';
import { readable } from '../report/text/style.ts';
import { styleFor } from './colour.ts';
import { addAccess } from './commands/access.ts';
import { addApi } from './commands/api.ts';
import { addApply } from './commands/apply.ts';
import { addBase } from './commands/base.ts';
import { addCompletion } from './commands/completion.ts';
import { addDemo } from './commands/demo.ts';
import { addDrift } from './commands/drift.ts';
import { addEmulator } from './commands/emulator.ts';
import { addEvents } from './commands/events.ts';
import { addExpire } from './commands/expire.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addFleet } from './commands/fleet.ts';
import { addGrant } from './commands/grant.ts';
import { addGraph } from './commands/graph.ts';
import { addInit } from './commands/init.ts';
import { addLock } from './commands/lock.ts';
import { addObserve } from './commands/observe.ts';
import { addPlan } from './commands/plan.ts';
import { addRender } from './commands/render.ts';
import { addRuns } from './commands/runs.ts';
import { addShow } from './commands/show.ts';
import { addStudio } from './commands/studio.ts';
import { addTest } from './commands/test.ts';
import { addTighten } from './commands/tighten.ts';
import { addValidate } from './commands/validate.ts';
import type { CommandContext } from './context.ts';
import { EXIT_MEANING } from './exitCodes.ts';
import { refuseEmptyArguments, refuseEmptyFlags } from './flags/emptyFlags.ts';
import { withUsageErrors } from './flags/usageError.ts';
import { knowTokens } from './server/knownTokens.ts';

type Add = (program: Command, context: CommandContext) => void;

const RECONCILE: Readonly<Record<string, Add>> = {
  init: addInit,
  validate: addValidate,
  render: addRender,
  test: addTest,
  plan: addPlan,
  show: addShow,
  apply: addApply,
  drift: addDrift,
  grant: addGrant,
  expire: addExpire,
  base: addBase,
  lock: addLock,
  runs: addRuns,
  export: addExport,
  fleet: addFleet,
};

const INSPECT: Readonly<Record<string, Add>> = {
  access: addAccess,
  graph: addGraph,
  studio: addStudio,
  tighten: addTighten,
  explain: addExplain,
  events: addEvents,
  observe: addObserve,
  api: addApi,
};

const TRY: Readonly<Record<string, Add>> = {
  emulator: addEmulator,
  demo: addDemo,
  completion: addCompletion,
};

const ALL = Object.keys({ ...RECONCILE, ...INSPECT, ...TRY });

/**
 * The other commands that a command needs. `apply` needs the flags of `plan`, and completion needs
 * all commands.
 */
const LOOKS_AT: Readonly<Record<string, readonly string[]>> = { apply: ['plan'], completion: ALL };

/**
 * Builds the program. It contains only the commands that the command in `context.argv` needs,
 * because building each command takes time. `finish` receives the exit code of the command that
 * ran.
 */
export function buildProgram(context: CommandContext): Command {
  const { stdout, stderr } = context.io;
  const program = new Command('meshform')
    .description('Desired state in YAML, in Git, for a private overlay network.')
    .version(context.version, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .configureOutput({
      writeOut: text => stdout.write(text),
      writeErr: text => stderr.write(text),
      getOutHelpWidth: () => readable(styleFor(stdout, context.io)),
      getErrHelpWidth: () => readable(styleFor(stderr, context.io)),
      // Help has no colours to remove, and a check of the platform's streams for colours would load these streams.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', footer());
  const needed = neededFor(context.argv?.[0]);
  const addAll = (commands: Readonly<Record<string, Add>>): void => {
    for (const [name, add] of Object.entries(commands))
      if (needed.includes(name)) add(program, context);
  };
  program.commandsGroup('Reconcile:');
  addAll(RECONCILE);
  program.commandsGroup('Inspect:');
  addAll(INSPECT);
  program.helpCommand('help [command]', 'show help for a command');
  program.commandsGroup('Try:');
  addAll(TRY);
  withUsageErrors(program, () => readable(styleFor(stderr, context.io)));
  refuseEmptyFlags(program);
  refuseEmptyArguments(program);
  knowTokens(program, context.io);
  return program;
}

// Help and a suggestion for an unknown command need all commands.
const neededFor = (first: string | undefined): readonly string[] =>
  first !== undefined && ALL.includes(first) ? [first, ...(LOOKS_AT[first] ?? [])] : ALL;

function footer(): string {
  const codes = Object.entries(EXIT_MEANING).map(
    ([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`,
  );
  return [
    '',
    'Environment:',
    '  MESHFORM_URL    the server, such as https://api.example.com',
    '  MESHFORM_TOKEN  the API token of the account',
    '  MESHFORM_VAR_X  the value of ${var:X} in ordinary fields',
    '',
    'Exit codes:',
    ...codes,
  ].join('\n');
}
