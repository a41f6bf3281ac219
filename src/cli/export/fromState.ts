// `export --from-state`: the state file of OpenTofu or Terraform that selects objects, and what is printed about it.
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { kindsToRead, type Selection } from '../../export/exportSelection.ts';
import { carriedOver, isOfOther } from '../../export/opentofu/carriedOver.ts';
import { declaredSecrets, kindsOfState, objectsOfState } from '../../export/opentofu/match.ts';
import { removedBlocks } from '../../export/opentofu/removedBlocks.ts';
import { readStateFile, type StateFile } from '../../export/opentofu/stateFile.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { quoted } from '../../model/text/visible.ts';
import type { AccountExport, ExportRequest } from '../../pipeline/exporting/exportAccount.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';
import type { ExportRun } from './exportRun.ts';

/**
 * The maximum size in bytes. A JavaScript string cannot be longer, so a larger file is refused
 * before it is read.
 */
const LARGEST = 2 ** 29 - 25;

const PULL = 'write the state with `tofu state pull > state.json`, and name that file';

/** The state in a file, or from stdin for `-`. Stops the command if it cannot be read. */
export async function stateOrStop(file: string, kinds: KindTable, io: Io): Promise<StateFile> {
  const state = readStateFile(await stateText(file, io), file === '-' ? 'stdin' : file);
  if ('faults' in state) {
    printFindings(state.faults, io);
    stopOnErrors(state.faults);
    throw new Stop(EXIT.invalid, `${quoted(file)} is not a state file`, PULL);
  }
  for (const secret of [...state.secrets, ...declaredSecrets(state, kinds)]) io.secrets.add(secret);
  if (kindsOfState(state, kinds).size > 0) return state;
  const hint = 'name the state of the configuration that uses the provider netbirdio/netbird';
  throw new Stop(
    EXIT.invalid,
    `the state ${quoted(file)} has no object that files can declare`,
    hint,
  );
}

async function stateText(file: string, io: Io): Promise<string> {
  if (file === '-') return io.stdin();
  const path = resolve(io.cwd, file);
  const unread = (why: string) =>
    new Stop(EXIT.invalid, `the state ${quoted(file)} cannot be read: ${why}`, PULL);
  try {
    if ((await stat(path)).size > LARGEST) throw unread('it is larger than 512 MB');
    return await readFile(path, 'utf8');
  } catch (error) {
    throw error instanceof Stop ? error : unread(reasonOf(error));
  }
}

/** Limits an export to the objects of a state and, if the selection names kinds, to these kinds. */
export function limitedTo(
  state: StateFile,
  selection: Selection,
  kinds: KindTable,
): Pick<ExportRequest, 'selection' | 'isExported'> {
  const isWhole = selection.kinds.size + selection.only.length === 0;
  return {
    selection: isWhole ? { ...selection, kinds: kindsOfState(state, kinds) } : selection,
    isExported: objectsOfState(state, kinds),
  };
}

/**
 * Stops the command if the account has no object of the state, because the state then belongs to
 * another account.
 */
export function stopOnOther(
  state: StateFile,
  { snapshot }: AccountExport,
  { kinds, file }: { readonly kinds: KindTable; readonly file: string },
): void {
  if (!isOfOther({ state, kinds, snapshot })) return;
  throw new Stop(
    EXIT.invalid,
    `the account has no object of the state ${quoted(file)}`,
    'use the URL and the token of the account that the state is about',
  );
}

/** Prints the findings about a state to stderr, and returns the `removed` blocks. */
export function removedFor(
  state: StateFile,
  { snapshot, model }: AccountExport,
  { tools: { kinds }, selection, io }: Pick<ExportRun, 'tools' | 'selection' | 'io'>,
): string {
  const read = kindsToRead(kinds, selection);
  const { removed, findings } = carriedOver({ state, kinds, snapshot, model, read });
  printFindings(findings, io);
  return removedBlocks(removed);
}
