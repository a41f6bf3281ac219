// Refuses empty values of flags and arguments. An empty value usually means that a script passed an
// unset variable. The command would then not do what was intended.
import type { Command } from 'commander';
import { shellWord } from '../../model/text/shellWord.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';

/** Makes every flag of a command and its subcommands refuse an empty value. */
export function refuseEmptyFlags(command: Command): void {
  for (const option of command.options) {
    if (!option.required && !option.optional) continue;
    const parse = option.parseArg;
    option.argParser((value, previous) => {
      if (value === '') throw isEmpty(option.long ?? option.flags);
      return parse ? parse(value, previous) : value;
    });
  }
  // The library checks choices before it calls the hook below.
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

/** Makes a command accept empty arguments. Its arguments are the words of another command line. */
export function allowEmptyArguments(command: Command): Command {
  tolerant.add(command);
  return command;
}

/** Makes every command of a program refuse an empty argument. */
export function refuseEmptyArguments(program: Command): void {
  program.hook('preAction', (_, command) => {
    const { args, registeredArguments } = command;
    if (tolerant.has(command)) return;
    for (const [i, argument] of registeredArguments.entries())
      if (args[i] === '') throw isEmpty(`the argument ${argument.name()}`);
  });
}

/** Parses the names in a comma-separated flag. Throws for an empty name. */
export function listed(flag: string): (value: string, before?: readonly string[]) => string[] {
  return (value, before = []) => {
    const names = value.split(',').map(name => name.trim());
    if (names.includes('')) throw isEmpty(`a name in ${flag} ${shellWord(value)}`);
    return [...before, ...names];
  };
}

/** The `Stop` for a flag without a value. */
export function isEmpty(what: string): Stop {
  const hint = 'the likely cause is an unset variable: set it, or remove the flag or argument';
  return new Stop(EXIT.usage, `${what} is empty`, hint);
}
