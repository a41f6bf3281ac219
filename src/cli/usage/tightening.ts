// Runs `tighten`: finds the access of files that nobody used, prints the findings, and with --write edits the files.
import type { Dialect } from '../../kinds/traits.ts';
import { spanText } from '../../model/diagnostic.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { pathText, visible } from '../../model/text/visible.ts';
import { findingsOf, type Tightening } from '../../model/tightening.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { tightenComment } from '../../report/usage/tightenComment.ts';
import { tightenDocument } from '../../report/usage/tightenDocument.ts';
import { tightenText } from '../../report/usage/tightenText.ts';
import { afterEdits, withLater } from '../../usage/findings/later.ts';
import { type Tightened, tightened } from '../../usage/findings/tighten.ts';
import type { Observed } from '../../usage/observed.ts';
import { ofFiles, refuseOtherAccount } from '../access/otherAccount.ts';
import { styleFor } from '../colour.ts';
import { EXIT } from '../exitCodes.ts';
import { loadRequest, printIfInvalid } from '../files/desired.ts';
import { serverForm } from '../files/serverForm.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { StoreFlags } from '../flags/storeFlags.ts';
import { type Io, say } from '../io.ts';
import { observedFrom } from './observedFrom.ts';
import {
  objectsWithVariables,
  type WrittenFiles,
  withLaterFiles,
  writeFiles,
  writtenEdits,
} from './writing.ts';

/** The flags of `tighten`. */
export interface TightenFlags extends SourceFlags, StoreFlags {
  readonly format: 'text' | 'json' | 'comment';
  readonly write?: boolean;
  readonly details?: boolean;
  readonly dialect?: Dialect;
}

/** Finds the access that the files at `path` can lose; returns the exit code. */
export async function tighten(path: string, flags: TightenFlags, io: Io): Promise<number> {
  const tools = loadSchemas();
  const request = loadRequest(path, flags, io);
  const state = await loadDesired(tools, request);
  // This command applies nothing, so secrets may be missing.
  const findings = state.diagnostics.filter(({ code }) => code !== 'SECRET_UNDEFINED');
  printFindings(findings, io);
  printIfInvalid({ ...state, diagnostics: findings }, flags, io);
  stopOnErrors(findings);
  const { guards, elsewhere, project } = state;
  const asKept = serverForm(flags.dialect ?? project.dialect);
  // Access that another folder of the account guards or tests is also kept, because an apply of
  // this folder must not remove it.
  const guarded = [...guards.guarded, ...(elsewhere?.guarded ?? [])];
  const accessTests = [...guards.accessTests, ...(elsewhere?.accessTests ?? [])];
  const observed = await observedFrom(flags, io);
  refuseOtherAccount(observed, ofFiles(project));
  const protect = [...guards.protect, ...(elsewhere?.protect.keys() ?? [])];
  const variable = await objectsWithVariables(path, state, io);
  const input = {
    accessTests,
    kinds: tools.kinds,
    asKept,
    guarded,
    protect,
    withVariables: variable,
  };
  const examine: Rounds['examine'] = ({ desired }, seen) =>
    tightened({ ...input, desired, observed: seen });
  const read = (instead: WrittenFiles['files']) => loadDesired(tools, { ...request, instead });
  const first = examine(state, observed);
  // Without --write, the command lists the edits that --write would make.
  const rounds = await writtenInRounds(first, { tools, path, state, read, examine, observed }, io);
  const { tightening } = rounds;
  const written = flags.write ? rounds.written : NOTHING;
  await writeFiles(written.files, io);
  print(tightening, written, flags, io);
  const isCertain = findingsOf(tightening).some(one => one.state === 'certain');
  return flags.strict && isCertain && !flags.write ? EXIT.refused : EXIT.done;
}

const NOTHING: WrittenFiles = { files: [], unwritten: [] };

interface Rounds extends Omit<Parameters<typeof writtenEdits>[1], 'instead' | 'isSafe'> {
  readonly observed: Observed | undefined;
  readonly examine: (
    state: Pick<DesiredState, 'desired'>,
    observed: Observed | undefined,
  ) => Tightened;
}

// Writes in rounds. Narrowing can make other access unused, so the edited files are examined again
// until there is nothing more to write. Each round removes something, so the rounds end.
async function writtenInRounds(
  first: Tightened,
  { examine, observed, ...writing }: Rounds,
  io: Io,
): Promise<{ readonly tightening: Tightening; readonly written: WrittenFiles }> {
  let found = first;
  let { tightening } = first;
  let written = await writtenEdits(first.edits, { ...writing, isSafe: first.isSafe }, io);
  for (let { files } = written; files.length > 0; ) {
    const instead = written.files;
    const state = await writing.read(instead);
    found = examine(state, observed && afterEdits(observed, found.accountAfter()));
    const { edits, isSafe } = found;
    const more = await writtenEdits(edits, { ...writing, state, instead, isSafe }, io);
    ({ files } = more);
    // The first round already reported edits that cannot be written.
    if (files.length === 0) break;
    tightening = withLater(tightening, found.tightening);
    written = { ...written, files: withLaterFiles(instead, files) };
  }
  return { tightening, written };
}

/** The maximum number of lines about edits that are not written, unless all are requested. */
const UNWRITTEN_LINES = 5;

function print(
  tightening: Tightening,
  { files, unwritten }: WrittenFiles,
  { format, details = false, write = false }: TightenFlags,
  io: Io,
): void {
  const settings = { kinds: loadSchemas().kinds, isDetailed: details, isWritten: write };
  const left = unwritten.map(({ at, because }) => ({ at: spanText(at), because }));
  const reasons = left.map(({ at, because }) => `${at}: ${because}`);
  if (format === 'json') {
    const names = files.map(({ file }) => file);
    io.stdout.write(jsonText(tightenDocument(tightening, { files: names, unwritten: left })));
  } else if (format === 'comment') io.stdout.write(tightenComment(tightening, settings, reasons));
  else io.stdout.write(tightenText(tightening, styleFor(io.stdout, io), settings));
  const shown = details ? reasons : reasons.slice(0, UNWRITTEN_LINES);
  for (const reason of shown) say(io.stderr, visible(`Not written: ${reason}`));
  if (reasons.length > shown.length)
    say(io.stderr, `… and ${reasons.length - shown.length} more not written: --details lists all`);
  if (!write) return;
  say(io.stderr, files.length === 0 ? 'Nothing to write.' : 'Written:');
  for (const { file } of files) say(io.stderr, `  ${pathText(file)}`);
}
