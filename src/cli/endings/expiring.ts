// Runs `expire`: removes what has expired and changes nothing else. With --write, it also removes the files of expired grants.
import { rm } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { type Clocks, clockDiffers, isOtherTime } from '../../engine/endings/clockDiffers.ts';
import { sectionsUnder } from '../../kinds/identity/sections.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { isInGrants } from '../../model/grantLimits.ts';
import type { ShownEnding } from '../../model/plan.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { isObject } from '../../model/value.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { loadSchemas, type Schemas } from '../../pipeline/schemas.ts';
import { readIfThere } from '../../read/files/fileText.ts';
import { wholeTargetAt } from '../../read/files/writeTarget.ts';
import { endingText } from '../../report/plan/endingsText.ts';
import { parseDocuments, type SourceText } from '../../source/yaml/document.ts';
import { applyFiles } from '../apply/applyFiles.ts';
import type { ApplyFlags } from '../apply/applyRequest.ts';
import { EXIT } from '../exitCodes.ts';
import { desiredOrStop } from '../files/desired.ts';
import { planOrStop } from '../files/planning.ts';
import { printFindings } from '../findings.ts';
import { type Io, type Sink, say } from '../io.ts';
import { leftUnfinished } from '../lock/leftUnfinished.ts';
import { withSharedBases } from '../lock/sharedBases.ts';
import { asksAccount } from '../server/accountOf.ts';
import { withConnection } from '../server/connect.ts';

/** The flags of `expire`. */
export interface ExpireFlags extends Omit<ApplyFlags, 'onError' | 'prune'> {
  /** Whether files of expired grants are removed. */
  readonly write?: boolean;
}

/** Removes what has expired; returns the exit code. */
export async function expire(path: string, given: ExpireFlags, io: Io): Promise<number> {
  const tools = loadSchemas();
  // A test that expects access that has expired would fail in every run, and nothing would ever be
  // removed.
  const ends = { prune: 'none', tests: false, onError: 'continue', onlyEnds: true } as const;
  // The name may belong to another object by now, and only the base shows which object was given
  // the expiry.
  const flags = { ...given, ...ends, isBaseIfRecorded: true };
  const code = await applyFiles(tools, path, flags, io);
  if (code !== EXIT.done) return code;
  const { state, left, isRefused, clocks } = await readAgain(tools, path, flags, io);
  // Programs read stdout.
  const told = flags.format === 'text' ? io.stdout : io.stderr;
  for (const one of left) say(io.stderr, `Still in the account: ${endingText(one)}`);
  const gone = given.write ? goneGrants({ ...state, left }, io) : [];
  // By the clock of the server, a grant that was never applied may not have expired yet.
  const isOther = gone.length > 0 && isOtherTime(clocks);
  if (isOther) printFindings([clockDiffers(clocks, 'error', 'no file is removed')], io);
  else await removeFiles(tools.kinds, { files: gone, told }, io);
  if (isRefused || isOther) return EXIT.refused;
  return left.length > 0 ? EXIT.incomplete : EXIT.done;
}

// Reads the account again, because an object counts as removed only if a read does not find it any
// more.
async function readAgain(tools: Schemas, path: string, flags: ApplyFlags, io: Io) {
  const quiet = withoutMessages(io);
  const accountBehind = asksAccount(tools.kinds, flags, quiet);
  const loading = { ...flags, isPlanned: true, accountBehind };
  // Reads the bases at the remote like the apply, because a clone may not have fetched them.
  const asked = { ...flags, base: flags.base ?? 'auto' };
  let skew: number | undefined;
  const onSkew = (found: number) => {
    skew = found;
  };
  return withSharedBases(path, asked, quiet, async (own, runs) => {
    const state = await desiredOrStop(tools, path, loading, own);
    return withConnection(flags, state.project, own, async opened => {
      const connection = { ...opened, onSkew };
      // Without a base, only the journals identify an object that somebody renamed.
      const reading = { kinds: tools.kinds, connection, runs, isWhole: false };
      const unfinished = await leftUnfinished(path, reading, own);
      const sources = { tools, state: { ...state, left: unfinished }, connection };
      const plan = await planOrStop(sources, flags, own);
      const left = plan.endings?.overdue ?? [];
      const clocks: Clocks = { now: io.now(), skew };
      if (left.length === 0) return { state, left, isRefused: false, clocks };
      const { diagnostics } = await planOrStop(sources, { ...flags, access: flags }, own);
      const isRefused = diagnostics.some(({ code }) => code === 'END_GIVES_ACCESS');
      return { state, left, isRefused, clocks };
    });
  });
}

// The apply has printed the same findings.
const withoutMessages = (io: Io): Io => ({
  ...io,
  stderr: { write: () => undefined, isTerminal: false },
});

// The grant files of this folder whose objects have all expired and, according to a read, no longer
// exist in the account.
function goneGrants(
  {
    desired,
    folder,
    left,
  }: Pick<DesiredState, 'desired' | 'folder'> & { readonly left: readonly ShownEnding[] },
  io: Io,
): readonly string[] {
  const overdue = new Set(left.map(({ kind, key }) => `${kind} ${key}`));
  const byFile = Map.groupBy(desired, ({ at }) => at.file);
  const gone = [...byFile].filter(([, objects]) =>
    objects.every(({ kind, key, ended }) => ended?.isWhole && !overdue.has(`${kind} ${key}`)),
  );
  const home = resolve(io.cwd, folder);
  const files = gone.map(([file]) => file).filter(file => isOwnGrant(resolve(io.cwd, file), home));
  return files.sort();
}

async function removeFiles(
  kinds: KindTable,
  { files, told }: { readonly files: readonly string[]; readonly told: Sink },
  io: Io,
): Promise<void> {
  const sections = new Set(sectionsUnder(kinds).keys());
  const removed: string[] = [];
  for (const file of files) {
    const path = resolve(io.cwd, file);
    const text = await readIfThere(path);
    // Another run has removed the file.
    if (text === null) continue;
    const place = wholeTargetAt(path);
    if (place.is === 'unusable') say(io.stderr, `${quoted(file)} stays: ${place.why}`);
    else if (hasOnly({ file: path, text }, sections)) {
      await rm(path, { force: true });
      removed.push(file);
      say(told, `Removed: ${file}`);
    } else say(io.stderr, `${quoted(file)} stays: it declares more than the objects that are gone`);
  }
  if (removed.length === 0) return;
  const folders = [...new Set(removed.map(file => shellWord(dirname(file))))].join(' ');
  say(told, 'Commit the removal:');
  say(told, `  git add -A ${folders} && git commit -m 'Grants that have ended'`);
}

// Whether a grant file belongs to this folder alone. Files of other layers also belong to other folders.
function isOwnGrant(file: string, folder: string): boolean {
  const inside = relative(folder, file).split(sep).join('/');
  return !inside.startsWith('../') && isInGrants(inside);
}

// Whether a file contains only these sections. Other sections, such as access tests and templates, would be lost with the file.
function hasOnly(source: SourceText, sections: ReadonlySet<string>): boolean {
  const { documents } = parseDocuments(source);
  return documents.every(
    ({ value }) => !isObject(value) || Object.keys(value).every(key => sections.has(key)),
  );
}
