// The state to which an access question applies, from files, from the live account, or from saved
// answers.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AccessState } from '../../access/state/accessState.ts';
import { stateOfFiles } from '../../access/state/stateOfFiles.ts';
import { readTransport } from '../../api/transport/transport.ts';
import type { Folders } from '../../model/access/groupings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { present } from '../../model/errors.ts';
import type { LabelledId } from '../../model/idLabels.ts';
import { pathText, quoted, visible } from '../../model/text/visible.ts';
import { accessStateOf } from '../../pipeline/access/accountAccess.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { accountOfState } from '../../usage/observed.ts';
import { EXIT } from '../exitCodes.ts';
import { loadRequest } from '../files/desired.ts';
import { serverForm } from '../files/serverForm.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import type { AccountFlags, SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { progressOn } from '../progress.ts';
import { projectOrStop } from '../project.ts';
import { withConnection } from '../server/connect.ts';
import { Stop } from '../stop.ts';
import { accountIn } from './accessLines.ts';
import { foldersOf } from './folders.ts';
import { idleRules } from './idleRules.ts';
import { type ComparedWith, ofFiles } from './otherAccount.ts';

export interface StateFlags extends AccountFlags, SourceFlags {
  readonly state?: string;
  readonly live?: boolean;
}

export interface AnsweredState {
  readonly state: AccessState;
  /** The source of the state, for messages. */
  readonly judged: string;
  /** The account of the state, with which observed traffic is compared. */
  readonly account?: ComparedWith;
  /** The objects that the state identifies by id, with their names if known. */
  readonly called?: readonly LabelledId[];
  /** The folders of objects, if the state comes from files. */
  readonly folders?: Folders;
  /** Returns findings about rules without an effect of their own, if the state comes from files. */
  readonly idleRules?: () => readonly Diagnostic[];
}

/** Reads the state, or stops the command with all reasons why it cannot be read. */
export async function judgedState(
  path: string | undefined,
  flags: StateFlags,
  io: Io,
): Promise<AnsweredState> {
  if (flags.state !== undefined) return savedState(flags.state, io);
  return flags.live ? liveState(flags, io) : filesState(path ?? '.', flags, io);
}

/** The text of a file of saved answers, or of stdin. */
export async function savedText(file: string, io: Io): Promise<string> {
  if (file === '-') return io.stdin();
  try {
    return await readFile(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    const message = `${quoted(file)} of --state cannot be read: ${reasonOf(error)}`;
    throw new Stop(EXIT.usage, message, 'save one with `meshform export --state FILE`');
  }
}

async function savedState(file: string, io: Io): Promise<AnsweredState> {
  const answered = accountIn(await savedText(file, io));
  const judged =
    file === '-' ? 'the account on standard input' : `the account saved in ${pathText(file)}`;
  if ('state' in answered) {
    const { state } = answered;
    return { state, judged, account: { account: accountOfState(state), is: `${judged} is` } };
  }
  const hint = 'save one with `meshform export --state FILE`';
  throw new Stop(
    EXIT.invalid,
    `${quoted(file)} is not a saved account: ${answered.faults[0]}`,
    hint,
  );
}

async function liveState(flags: StateFlags, io: Io): Promise<AnsweredState> {
  const project = projectOrStop(io);
  const dialect = flags.dialect ?? project.dialect ?? 'auto';
  const progress = progressOn(io);
  const { state, called, findings } = await withConnection(flags, project, io, connection =>
    accessStateOf(loadSchemas().kinds, readTransport(connection), {
      dialect,
      concurrency: flags.concurrency,
      onProgress: progress.fetching,
    }).finally(progress.clear),
  );
  printFindings(findings, io);
  stopOnErrors(findings);
  const read = present(state, 'the state of an account without errors');
  const judged = 'the live account';
  return {
    state: read,
    judged,
    account: { account: accountOfState(read), is: `${judged} is` },
    ...(called && { called }),
  };
}

async function filesState(path: string, flags: StateFlags, io: Io): Promise<AnsweredState> {
  const { desired, project, folder, diagnostics } = await loadDesired(
    loadSchemas(),
    loadRequest(path, flags, io),
  );
  // This command applies nothing, so secrets may be missing.
  const findings = diagnostics.filter(({ code }) => code !== 'SECRET_UNDEFINED');
  printFindings(findings, io);
  stopOnErrors(findings);
  const dialect = flags.dialect ?? project.dialect;
  const asKept = serverForm(dialect);
  return {
    state: stateOfFiles(desired, asKept),
    judged: `the files in ${visible(folder)}`,
    account: ofFiles(project),
    folders: foldersOf(desired),
    idleRules: () => idleRules(desired, dialect),
  };
}
