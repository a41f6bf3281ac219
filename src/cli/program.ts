// The commands of the program. Each loads its modules when it runs, so that help is fast.
import { Command } from 'commander';
import { readable } from '../report/text/style.ts';
import { styleFor } from './colour.ts';
import { addAccess } from './commands/access.ts';
import { addApi } from './commands/api.ts';
import { addApply } from './commands/apply.ts';
import { addCompletion } from './commands/completion.ts';
import { addDemo } from './commands/demo.ts';
import { addDrift } from './commands/drift.ts';
import { addEmulator } from './commands/emulator.ts';
import { addEvents } from './commands/events.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addGraph } from './commands/graph.ts';
import { addInit } from './commands/init.ts';
import { addPlan } from './commands/plan.ts';
import { addShow } from './commands/show.ts';
import { addTest } from './commands/test.ts';
import { addValidate } from './commands/validate.ts';
import type { CommandContext } from './context.ts';
import { EXIT_MEANING } from './exitCodes.ts';
import { refuseEmptyArguments, refuseEmptyFlags } from './flags/emptyFlags.ts';
import { withUsageErrors } from './flags/usageError.ts';

/** The program with all its commands. `finish` receives the exit code of the command that ran. */
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
      // Help has no colours to take out, and to ask the streams of the platform for theirs would load them.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    })
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText('after', footer());
  program.commandsGroup('Reconcile:');
  for (const add of [
    addInit,
    addValidate,
    addTest,
    addPlan,
    addShow,
    addApply,
    addDrift,
    addExport,
  ])
    add(program, context);
  program.commandsGroup('Inspect:');
  for (const add of [addAccess, addGraph, addExplain, addEvents, addApi]) add(program, context);
  program.helpCommand('help [command]', 'show help for a command');
  program.commandsGroup('Try:');
  for (const add of [addEmulator, addDemo, addCompletion]) add(program, context);
  withUsageErrors(program, () => readable(styleFor(stderr, context.io)));
  refuseEmptyFlags(program);
  refuseEmptyArguments(program);
  return program;
}

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
