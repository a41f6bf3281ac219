// `--var`: values for `${var:NAME}` in ordinary fields, and the replacement for a flag of earlier versions.
import { type Command, Option } from 'commander';
import { brief } from '../../source/sentenceWords.ts';
import { isVariableName } from '../../source/values/reference.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

type Variable = readonly [name: string, value: string];

export interface VariableFlags {
  readonly var?: readonly Variable[];
}

/** Adds `--var` to a command that reads desired state. */
export function withVariables(command: Command): Command {
  return command
    .option(
      '--var <name=value>',
      'the value of ${var:name} in ordinary fields (or MESHFORM_VAR_<name>); may be repeated',
      collectVariable,
    )
    .addOption(new Option('--input <name[=value]>').hideHelp().argParser<string[]>(collectInput))
    .hook('preAction', (_, action) => refuseInputs(action.opts().input));
}

/** The variables that the flags set. */
export const namesGiven = ({ var: given = [] }: VariableFlags): string[] => [
  ...new Set(given.map(([name]) => name)),
];

// The message does not quote the value. It may be a secret that was meant for another flag.
function collectVariable(text: string, before: readonly Variable[] = []): Variable[] {
  const at = text.indexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  if (at > 0 && isVariableName(name)) return [...before, [name, text.slice(at + 1)]];
  if (at < 0 && isVariableName(name))
    throw new Stop(EXIT.usage, '--var has a name but no value', 'write --var NAME=VALUE');
  const hint = 'write --var NAME=VALUE; use letters, digits and _, and do not begin with a digit';
  throw new Stop(EXIT.usage, '--var is not in the form NAME=VALUE', hint);
}

const collectInput = (text: string, before: readonly string[] = []): string[] => [...before, text];

async function refuseInputs(inputs: readonly string[] = []): Promise<void> {
  if (inputs.length === 0) return;
  const { inputOf } = await import('../../source/project/projectInputs.ts');
  const { insteadOf } = await import('../../source/values/variables.ts');
  const names = [...new Set(inputs.map(text => text.replace(/=.*$/s, '')))];
  const ways = names.map(name => {
    const reference = inputOf(name);
    return `${insteadOf(reference)} instead of \${${reference.source}:${brief(name)}}`;
  });
  const message = '--input was replaced by --var: ordinary fields take ${var:NAME}';
  throw new Stop(EXIT.usage, message, ways.join('; '));
}
