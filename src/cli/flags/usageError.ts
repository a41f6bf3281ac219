// Turns the library's message about a wrong command line into an error in the format of meshform.
import type { Command } from 'commander';
import { quoted } from '../../model/text/visible.ts';
import { wrap } from '../../report/text/lines.ts';

/**
 * Makes a command and its subcommands report a wrong command line in the format of meshform, with a
 * reference to the matching help.
 */
export function withUsageErrors(command: Command, room: () => number, above = ''): void {
  const words = `${above}${command.name()}`;
  command.configureOutput({
    outputError: (text, write) => write(usageError(text, command, { words, room: room() })),
  });
  for (const inner of command.commands) withUsageErrors(inner, room, `${words} `);
}

/** Commands of other tools, each with the meshform command for the same purpose. */
const OTHER_TOOLS: readonly (readonly [command: string, hint: string])[] = [
  [
    'import',
    '`meshform apply` adopts objects that have the declared names; `meshform export` writes files for an account',
  ],
];

// Splits the library's `error: …` into a message and a hint with its suggestion.
function usageError(
  text: string,
  { commands, registeredArguments }: Command,
  { words, room }: { readonly words: string; readonly room: number },
): string {
  const [, message = text, guess] =
    text.match(/^error: (.*?)\n?(?:\(Did you mean (.*)\?\))?\n$/s) ?? [];
  const isGroup = commands.length > 0 && registeredArguments.length === 0;
  const list = `${quoted(`${words} --help`)} lists ${isGroup ? 'the commands' : 'the arguments and flags'}`;
  const names = guess
    ?.replace(/^one of /, '')
    .split(', ')
    .map(quoted);
  const known = OTHER_TOOLS.find(([said]) => message.startsWith(`unknown command '${said}'`))?.[1];
  const guessed = names === undefined ? list : `did you mean ${names.join(' or ')}?`;
  const hint = known ?? guessed;
  const sentence = `Error: ${message.replace(/\.$/, '')}`;
  return [...wrap(sentence, room), ...wrap(`  hint: ${hint}`, room), ''].join('\n');
}
