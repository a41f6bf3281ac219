// Flags that several commands share.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PLACE_FORMS, type PlaceChoice, placeChoice } from '../../apply/secrets/places.ts';
import type { Selection } from '../../engine/types/selection.ts';
import { PRUNE_MODES, type PruneMode, type Resolution } from '../../engine/types/settings.ts';
import { DIALECT_CHOICES, DIALECTS, type DialectChoice } from '../../kinds/traits.ts';
import type { Allowance } from '../../model/allowance.ts';
import { allowance } from '../../model/allowance.ts';
import { HAZARD_CODES } from '../../model/codes.ts';
import { PLAN_DIGEST } from '../../report/plan/planDigest.ts';
import { isEmpty, listed } from './emptyFlags.ts';
import { type VariableFlags, withVariables } from './variableFlags.ts';

const FORMS = `${PLACE_FORMS.slice(0, -1).join(', ')} or ${PLACE_FORMS.at(-1)}`;

export interface SourceFlags extends VariableFlags {
  /** The layers before the last named path. */
  readonly layers?: readonly string[];
  readonly base?: string;
  /** Whether the recorded base is used without `base`, if there is one. Only for `expire`. */
  readonly isBaseIfRecorded?: boolean;
  /** Only for a plan and an apply. */
  readonly recordBase?: boolean;
  /** Whether this is the first run of the folder. Only for a plan and an apply. */
  readonly first?: boolean;
  readonly strict?: boolean;
  /**
   * The time at which the files are judged, in milliseconds since 1970; the current time if absent. Only for `test` and `access`.
   */
  readonly at?: number;
}

export interface ServerFlags {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly caFile?: string;
  readonly dialect?: DialectChoice;
  readonly timeout: number;
  readonly verbose?: boolean;
}

export interface AccountFlags extends ServerFlags {
  readonly concurrency: number;
  readonly rate?: number;
  readonly deadline?: number;
}

export interface PlanFlags extends Selection {
  readonly prune: PruneMode;
  readonly allow?: readonly Allowance[];
  readonly resolve?: readonly Resolution[];
  readonly rotate?: readonly string[];
  readonly fingerprints?: string;
  readonly forget?: readonly string[];
  /** False if the access tests of the files are not run. */
  readonly tests?: boolean;
  /** False if a plan that grants access is refused. */
  readonly newAccess?: boolean;
  /** Only for an apply. */
  readonly secretsTo?: PlaceChoice;
}

/** Flags of every command that reads desired state. */
export function withSourceFlags(command: Command): Command {
  return withVariables(command.optionsGroup('Desired state:')).option(
    '--strict',
    'treat warnings as errors',
  );
}

/** Flags of every command that reads an account. */
export function withAccountFlags(command: Command): Command {
  return withReadingFlags(command).option(
    '--deadline <seconds>',
    'time limit of the whole run: no request starts after it',
    wholeNumber,
  );
}

/** Flags of every command that reads an account repeatedly. */
export function withReadingFlags(command: Command): Command {
  return withServerFlags(command)
    .option('--concurrency <number>', 'number of concurrent requests', wholeNumber, 4)
    .option(
      '--rate <number>',
      'requests per minute, for a server with a rate limit; overrides `rate` in meshform.yaml',
      wholeNumber,
    );
}

/** Flags of every command that connects to a server. */
export function withServerFlags(command: Command): Command {
  return command
    .optionsGroup('Account:')
    .addOption(
      new Option(
        '--url <address>',
        'address of the server (or MESHFORM_URL); `url` in meshform.yaml must be the same',
      ),
    )
    .option('--token-file <file>', 'file that contains the token (or MESHFORM_TOKEN)')
    .option('--ca-file <file>', 'PEM file with certificates of a private server')
    .addOption(
      new Option(
        '--dialect <name>',
        'dialect of the server; `auto`, the default, detects it',
      ).choices([...DIALECT_CHOICES]),
    )
    .option('--timeout <seconds>', 'time limit of each attempt of a request', wholeNumber, 30)
    .option('--verbose', 'print every request to stderr: method, path, status, time, tries');
}

/** `--dialect` of a command that works without a server. */
export function withDialect(command: Command): Command {
  return command.addOption(
    new Option('--dialect <name>', 'the dialect the server speaks').choices([...DIALECTS]),
  );
}

/** The description of `--destroy` in the help of `plan` and `apply`. */
export const DESTROY =
  'the files declare nothing: with --prune removed, delete everything that the base declared';

/** The number of objects in `--destroy=NUMBER`. */
export function countOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError(
    'Its value is the number of objects that the plan deletes: write the path before the flag.',
  );
}

/** The heading of the flags about the base and about deletions. */
export const BASE_GROUP = 'Base and deletion:';

/** Flags that determine what a plan may do. */
export function withPlanFlags(command: Command): Command {
  withBaseFlags(command.optionsGroup(BASE_GROUP));
  withGuardFlags(command.optionsGroup('Guards:'));
  withValueFlags(command.optionsGroup('Values and secrets:'));
  return withSelectionFlags(command).option(
    '--with-dependencies',
    'also the declared objects that the selected objects refer to',
  );
}

function withBaseFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--prune <mode>',
        'delete nothing, objects that were removed from the files since the base, or all undeclared objects',
      )
        .choices([...PRUNE_MODES])
        .default('none'),
    )
    .option(
      '--base <revision|folder>',
      'the desired state of the last apply; `auto` uses the base that apply recorded',
    )
    .option(
      '--first',
      'the files were never applied: start with an empty base, although other folders of the account have bases',
    )
    .option(
      '--forget <kind/name>',
      'stop managing an object that was removed from the files, and leave it in the account; may be repeated',
      collect,
    );
}

function withGuardFlags(command: Command): Command {
  return command
    .addOption(allowOption())
    .option('--no-tests', 'skip the access tests; the output reports that')
    .option(
      '--no-new-access',
      'refuse a plan that grants new access, even if the hazard is allowed',
    );
}

function withValueFlags(command: Command): Command {
  return command
    .option(
      '--resolve <desired|live[=kind/name]>',
      'which value to use where the files and the account both changed since the base; may be repeated',
      collectResolution,
    )
    .option(
      '--rotate <kind/name>',
      'send the secrets of an object again, or get a new secret from the server, by replacing the object if the API has no other way; may be repeated',
      collect,
    )
    .option('--fingerprints <file>', 'detect changed secrets by keyed fingerprints in this file');
}

/** `--allow`, for commands that carry out plans. */
export const allowOption = (): Option =>
  new Option('--allow <code[=kind/name]>', 'accept a hazard; may be repeated').argParser(
    collectAllowance,
  );

/** Flags that limit a run to a part of the declared objects. */
export function withSelectionFlags(command: Command): Command {
  return command
    .optionsGroup('Selection:')
    .option('--kinds <names>', 'only these kinds, by name or by YAML key', listed('--kinds'))
    .option(
      '--only <kind/name>',
      'only this object and the objects nested in it; `*` matches any text; may be repeated',
      collect,
    )
    .option(
      '--except <kind/name>',
      'everything except this object and the objects nested in it',
      collect,
    );
}

/** `--secrets-to`, of commands that receive secrets from the server. */
export function withSecretsTo(command: Command): Command {
  return command
    .optionsGroup('Run:')
    .option(
      '--secrets-to <place>',
      `where to store secrets that the server shows only once: ${FORMS}`,
      onePlace,
    );
}

/** The value of `--digest`: the digest of a saved plan. */
export function digestOf(text: string): string {
  if (PLAN_DIGEST.test(text)) return text;
  throw new InvalidArgumentError('Write sha256: and 64 hexadecimal digits.');
}

/** `--format` with the formats of a command; the first is the default. */
export function withFormat(command: Command, formats: readonly string[]): Command {
  return command
    .optionsGroup('Output:')
    .addOption(
      new Option('--format <name>', 'output format').choices([...formats]).default(formats[0]),
    );
}

/** Collects the values of a flag that may be repeated. */
export const collect = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  value,
];

function collectAllowance(value: string, before: readonly Allowance[] = []): Allowance[] {
  const found = allowance(value);
  if (found?.object === '') throw isEmpty(`--allow ${found.code}=`);
  if (found) return [...before, found];
  throw new InvalidArgumentError(`Hazards are: ${Object.keys(HAZARD_CODES).join(', ')}.`);
}

function collectResolution(value: string, before: readonly Resolution[] = []): Resolution[] {
  const [side, ...object] = value.split('=');
  if (side !== 'desired' && side !== 'live')
    throw new InvalidArgumentError('It must begin with desired or live.');
  if (object.length > 0 && object.join('=') === '') throw isEmpty(`--resolve ${side}=`);
  return [...before, { side, ...(object.length > 0 && { object: object.join('=') }) }];
}

// Accepts only one place. With two places, the user would expect every secret in both, but each
// place would get only some of them.
function onePlace(text: string, before: PlaceChoice | undefined): PlaceChoice {
  const place = placeChoice(text);
  if (before !== undefined) throw new InvalidArgumentError('Only one destination is possible.');
  if (place === null) throw new InvalidArgumentError(`Destinations are: ${FORMS}.`);
  return place;
}

/** Parses the value of a flag as a port; 0 means any free port. */
export function portNumber(value: string): number {
  if (!/^\d+$/.test(value) || Number(value) > 65_535)
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  return Number(value);
}

// The maximum in seconds: more than eleven days, and a quarter of the longest time that the
// platform's timers support.
const LARGEST = 1_000_000;

/** Parses the value of a flag as a whole number above 0. */
export function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value))
    throw new InvalidArgumentError('It must be a whole number above 0.');
  if (Number(value) > LARGEST) throw new InvalidArgumentError(`It must be at most ${LARGEST}.`);
  return Number(value);
}
