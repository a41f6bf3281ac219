// Runs `grant`: writes the file of a grant, and shows the access that the grant gives. Nothing is written to the account.
import { lstatSync, statSync } from 'node:fs';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { stringify } from 'yaml';
import { type Selector, selectorOf, sourceSelectorOf } from '../../access/ask/selector.ts';
import {
  GRANT_DESTINATIONS,
  GRANT_SOURCES,
  grantedObject,
  grantObjects,
} from '../../access/gates/grantObjects.ts';
import { accessRefusal } from '../../apply/preconditions/gates.ts';
import { type Clocks, clockDiffers, isOtherTime } from '../../engine/endings/clockDiffers.ts';
import { timeText } from '../../model/ending.ts';
import { GRANTS_FOLDER } from '../../model/grantLimits.ts';
import { literally } from '../../model/text/literalText.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { writeDraft } from '../../read/files/writeFile.ts';
import { folderTargetAt, usable } from '../../read/files/writeTarget.ts';
import { gatesWithLabels } from '../../report/plan/planWithLabels.ts';
import { EXIT, exitOn } from '../exitCodes.ts';
import { desiredOrStop } from '../files/desired.ts';
import { planOrStop } from '../files/planning.ts';
import { renderPlan } from '../files/planOutput.ts';
import type { AccountFlags, SourceFlags } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import { stopOf } from '../refusals/refusals.ts';
import { refusedPlace } from '../refusedPlace.ts';
import { asksAccount } from '../server/accountOf.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';

/** The flags of `grant`. */
export interface GrantFlags extends SourceFlags, AccountFlags {
  /** How long the grant lasts, in milliseconds. */
  readonly for: number;
  readonly reason: string;
}

/** Writes a grant, and shows the access that it gives; returns the exit code. */
export async function grantAccess(
  words: readonly string[],
  flags: GrantFlags,
  io: Io,
): Promise<number> {
  const { from, to, path } = askedFor(words);
  const begun = io.now();
  // Times have whole seconds. Rounding up would exceed the requested duration, and also a limit of
  // exactly this duration.
  const until = timeText(Math.floor((begun + flags.for) / 1000) * 1000);
  const made = timeText(Math.floor(begun / 1000) * 1000);
  const name = `grant ${from.name} to ${to.name} ${made}`;
  const file = join(path, GRANTS_FOLDER, fileName(name, made));
  const content = grantObjects({ from, to, until, reason: flags.reason, name });
  // From here on, the first interrupt must not end the process. Otherwise, the file would remain
  // although nobody has seen what it grants.
  io.interrupts?.begin();
  const takeBack = await written(resolve(io.cwd, file), textOf(content), io);
  try {
    await showPlan(path, grantedObject(name), flags, io);
    refuseInterrupted(io);
  } catch (error) {
    await takeBack();
    throw error;
  }
  say(io.stdout, `Written: ${file}, until ${until}. Nothing is granted before it is applied:`);
  const message = `Grant ${from.text} access to ${to.text} until ${until}`;
  say(io.stdout, `  git add ${shellWord(file)} && git commit -m ${shellWord(message)}`);
  say(io.stdout, `  meshform apply ${shellWord(path)}`);
  return EXIT.done;
}

const USAGE =
  'meshform grant from group/x to network_resource/prod/db:tcp/5432 --for 4h --reason TEXT [PATH]';

function refuseInterrupted({ interrupts }: Io): void {
  const signal = interrupts?.caught;
  if (signal) throw new Stop(exitOn(signal), 'interrupted: no grant is written', 'run it again');
}

function askedFor([first, source, second, destination, path = '.', surplus]: readonly string[]) {
  if (first !== 'from' || second !== 'to' || source === undefined || destination === undefined)
    throw new Stop(EXIT.usage, 'a grant is `from` a source `to` a destination', USAGE);
  if (surplus !== undefined)
    throw new Stop(EXIT.usage, `${quoted(surplus)} is not part of a grant`, USAGE);
  if (/\.ya?ml$/.test(path))
    throw new Stop(
      EXIT.usage,
      `${quoted(path)} is a file: \`grant\` writes its own file into a folder`,
      USAGE,
    );
  return {
    from: namedOrStop(sourceSelectorOf(source), GRANT_SOURCES),
    to: namedOrStop(selectorOf(destination), GRANT_DESTINATIONS),
    path,
  };
}

function namedOrStop(found: ReturnType<typeof selectorOf>, types: ReadonlySet<string>): Selector {
  if ('fault' in found) throw new Stop(EXIT.usage, found.fault, USAGE);
  if (types.has(found.type)) return found;
  const forms = [...types].map(type => `${type}/NAME`).join(', ');
  throw new Stop(EXIT.usage, `${quoted(found.text)} cannot be granted, only ${forms}`, USAGE);
}

// `2026-11-30-120000-contractors-to-prod-db.yaml`
function fileName(name: string, made: string): string {
  const day = made.replace(/T(\d\d):(\d\d):(\d\d)Z$/, '-$1$2$3');
  const words = name
    .slice('grant '.length, -made.length)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${day}-${words.slice(0, 80) || 'grant'}.yaml`;
}

// The text of a file, in which references in names and reasons are escaped.
function textOf(content: Json): string {
  const literal = (value: Json): Json => {
    if (typeof value === 'string') return literally(value);
    if (isList(value)) return value.map(literal);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literal(item)]));
  };
  return stringify(literal(content), { lineWidth: 0 });
}

/** Writes a new file. Resolves to a function that removes the file, and the folder if the folder is new. */
async function written(file: string, text: string, io: Io): Promise<() => Promise<void>> {
  const folder = dirname(file);
  refuseNoFolder(dirname(folder), io);
  // In the checkout, a symbolic link may replace the folder and point anywhere.
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw noFolder(folder, found.isSymbolicLink(), io);
  const created = await newFolder(folder).catch((error: unknown) => {
    throw notWritten(file, error, io);
  });
  await writeDraft(file, text, 0o644).catch((error: unknown) => {
    throw notWritten(file, error, io);
  });
  return async () => {
    await rm(file, { force: true });
    if (created !== undefined) await rmdir(folder).catch(() => undefined);
  };
}

async function newFolder(folder: string): Promise<string | undefined> {
  usable(folderTargetAt(folder));
  return mkdir(folder, { recursive: true });
}

// Refuses a missing folder. Otherwise, the grant would begin a new folder of desired state, without
// the limits of the folder that the user meant.
function refuseNoFolder(home: string, io: Io): void {
  if (statSync(home, { throwIfNoEntry: false })?.isDirectory()) return;
  const message = `there is no folder ${quoted(relative(io.cwd, home))}`;
  throw new Stop(EXIT.usage, message, 'give the folder of the files as the last argument');
}

function notWritten(file: string, error: unknown, io: Io): Stop {
  const named = quoted(relative(io.cwd, file));
  if ((error as NodeJS.ErrnoException).code === 'EEXIST')
    return new Stop(
      EXIT.usage,
      `${named} is there already: another grant was written in the same second`,
      'run it again',
    );
  const message = `${named} cannot be written: ${reasonOf(error)}`;
  const hint = 'give the folder of the files as the last argument';
  return refusedPlace(message, error) ?? new Stop(EXIT.usage, message, hint);
}

function noFolder(folder: string, isLink: boolean, io: Io): Stop {
  const message = `${quoted(relative(io.cwd, folder))} is ${isLink ? 'a link' : 'no folder'}: no grant is written there`;
  return new Stop(EXIT.invalid, message, 'remove it; `meshform grant` makes the folder');
}

async function showPlan(path: string, only: string, flags: GrantFlags, io: Io): Promise<void> {
  const tools = loadSchemas();
  const accountBehind = asksAccount(tools.kinds, flags, io);
  const loading = { ...flags, isPlanned: true, accountBehind };
  const state = await desiredOrStop(tools, path, loading, io);
  const limited = { ...flags, prune: 'none' as const, only: [only], access: {} };
  let skew: number | undefined;
  const onSkew = (found: number) => {
    skew = found;
  };
  const plan = await withConnection(flags, state.project, io, connection =>
    planOrStop({ tools, state, connection: { ...connection, onSkew } }, limited, io),
  );
  refuseOtherClock({ now: io.now(), skew }, io);
  io.stdout.write(await renderPlan({ plan }, tools.kinds, { format: 'text' }, io));
  const refusal = accessRefusal(gatesWithLabels(plan.gates, plan));
  if (refusal) throw stopOf(refusal, io, true);
}

// Refuses a wrong clock, because the expiry of a grant is computed from the clock of this machine.
function refuseOtherClock(clocks: Clocks, io: Io): void {
  if (!isOtherTime(clocks)) return;
  const findings = [clockDiffers(clocks, 'error', 'the grant would not end when it should')];
  throw stopOf({ refused: 'findings', findings }, io);
}
