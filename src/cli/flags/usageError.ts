// A wrong command line as an error in our own form, from the message of the library.
import type { Command } from 'commander';
import { quoted } from '../../model/text/visible.ts';
import { wrap } from '../../report/text/lines.ts';

/** Has a command and those below it answer a wrong command line in our form, with the help that lists what is right. */
export function withUsageErrors(command: Command, room: () => number, above = ''): void {
  const words = `${above}${command.name()}`;
  command.configureOutput({
    outputError: (text, write) => write(usageError(text, command, { words, room: room() })),
  });
  for (const inner of command.commands) withUsageErrors(inner, room, `${words} `);
}

// The library's `error: …`, with its guess, as a sentence and a hint.
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
  const hint = names === undefined ? list : `did you mean ${names.join(' or ')}?`;
  const sentence = `Error: ${message.replace(/\.$/, '')}`;
  return [...wrap(sentence, room), ...wrap(`  hint: ${hint}`, room), ''].join('\n');
}
