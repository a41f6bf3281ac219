// A wrong command line, told as every other error is: the words are the library's, the form is ours.
import type { Command } from 'commander';
import { quoted, visible } from '../../model/text/visible.ts';

/** Has a command and those below it answer a wrong command line in our form, with the help that lists what is right. */
export function withUsageErrors(command: Command, above = ''): void {
  const words = `${above}${command.name()}`;
  command.configureOutput({
    outputError: (text, write) => write(usageError(text, command, words)),
  });
  for (const inner of command.commands) withUsageErrors(inner, `${words} `);
}

// The library's `error: …`, with its guess, as a sentence and a hint.
function usageError(text: string, { commands }: Command, words: string): string {
  const [, message = text, guess] =
    text.match(/^error: (.*?)\n?(?:\(Did you mean (.*)\?\))?\n$/s) ?? [];
  const list = `${quoted(`${words} --help`)} lists ${commands.length > 0 ? 'the commands' : 'the arguments and flags'}`;
  const names = guess
    ?.replace(/^one of /, '')
    .split(', ')
    .map(quoted);
  const hint = names === undefined ? list : `did you mean ${names.join(' or ')}?`;
  return `Error: ${visible(message).replace(/\.$/, '')}\n  hint: ${hint}\n`;
}
