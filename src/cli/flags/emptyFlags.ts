// Flags and arguments that are given as an empty text. None of them has a meaning: a script passed on a variable that was
// not set, and the command would do something else than was meant.
import type { Command } from 'commander';
import { shellWord } from '../../model/text/shellWord.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** Makes every flag of a command, and of those below it, refuse an empty text. */
export function refuseEmptyFlags(command: Command): void {
  for (const option of command.options) {
    if (!option.required && !option.optional) continue;
    const parse = option.parseArg;
    option.argParser((value, previous) => {
      if (value === '') throw isEmpty(option.long ?? option.flags);
      return parse ? parse(value, previous) : value;
    });
  }
  // The library judges a choice before the hook below is asked.
  for (const argument of command.registeredArguments) {
    const { parseArg: parse, argChoices } = argument;
    if (argChoices && parse)
      argument.argParser((value: string, previous: unknown) => {
        if (value === '') throw isEmpty(`the argument ${argument.name()}`);
        return parse(value, previous);
      });
  }
  for (const inner of command.commands) refuseEmptyFlags(inner);
}

const tolerant = new WeakSet<Command>();

/** Has a command take empty arguments: they are the words of somebody else's command line. */
export function allowEmptyArguments(command: Command): Command {
  tolerant.add(command);
  return command;
}

/** Makes every command of a program refuse an argument that is an empty text. */
export function refuseEmptyArguments(program: Command): void {
  program.hook('preAction', (_, command) => {
    const { args, registeredArguments } = command;
    if (tolerant.has(command)) return;
    for (const [i, argument] of registeredArguments.entries())
      if (args[i] === '') throw isEmpty(`the argument ${argument.name()}`);
  });
}

/** Names with commas between them, from a flag: none of them is empty. */
export function listed(flag: string): (value: string, before?: readonly string[]) => string[] {
  return (value, before = []) => {
    const names = value.split(',').map(name => name.trim());
    if (names.includes('')) throw isEmpty(`a name in ${flag} ${shellWord(value)}`);
    return [...before, ...names];
  };
}

/** The end of a command whose flag is given without a text. */
export function isEmpty(what: string): Stop {
  const hint = 'the likely cause is an unset variable: set it, or remove the flag or argument';
  return new Stop(EXIT.usage, `${what} is empty`, hint);
}
