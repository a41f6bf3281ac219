// `studio`: serves a page that follows files while they are edited, until it is interrupted or its
// terminal is closed.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { watchFolders } from '../../read/files/watchFolders.ts';
import { studioPage } from '../../report/studio/page.ts';
import { studioAssets } from '../access/pageOutput.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import type { AccountFlags, SourceFlags } from '../flags/flags.ts';
import { type Io, say } from '../io.ts';
import { projectBefore } from '../project.ts';
import { tokenOrStop } from '../server/connect.ts';
import { askForServer } from '../server/server.ts';
import { Board } from './board.ts';
import { ACCOUNT_EVERY, FollowedAccount } from './followedAccount.ts';
import { FollowedFiles } from './followedFiles.ts';
import { LAST_COMMIT, type StudioFiles, studioFiles } from './loading.ts';
import { answerTo } from './question.ts';
import { readAccount } from './readAccount.ts';
import { startStudio } from './studioServer.ts';

/** The flags of `studio`. */
export interface StudioFlags extends SourceFlags, Omit<AccountFlags, 'deadline'> {
  readonly port: number;
  readonly live?: boolean;
}

/** Serves the page of the files at a path until it is interrupted; resolves to the exit code. */
export async function serveStudio(path: string, flags: StudioFlags, io: Io): Promise<number> {
  const end = ended(io);
  const tools = loadSchemas();
  const board = new Board();
  const files = studioFiles(tools, path, flags, io);
  const base = await usableBase(path, flags, files, io);
  // The user confirms the server now, because nobody may be at the terminal later.
  if (flags.live)
    await askForServer(flags.url, projectBefore(io, folderOf(resolve(io.cwd, path))), io);
  const token = flags.live ? await tokenOrStop(flags, io) : undefined;
  const followed: FollowedFiles = new FollowedFiles({
    tools,
    files,
    flags,
    board,
    watch: watchFolders,
    onRead: () => account?.show(),
    io,
  });
  const account =
    token === undefined
      ? undefined
      : new FollowedAccount({
          read: () => readAccount(path, { ...flags, ...base, token }, io),
          readings: () => followed.readings,
          board,
          io,
        });
  const server = await startStudio(
    {
      page: studioPage({ accountEvery: account && ACCOUNT_EVERY }, studioAssets()),
      board,
      ask: body => answerTo(body, asked => (asked === 'files' ? followed : account)?.judged),
      refresh: () => account?.refresh() === true,
    },
    flags.port,
  );
  try {
    await followed.begin();
    say(io.stdout, `Open ${server.address} in a browser; Ctrl-C stops the studio.`);
    account?.refresh();
    await end;
  } finally {
    await server.close();
    await followed.close();
  }
  return EXIT.done;
}

// The base with which an account is compared. The page shows errors in files. Missing files, or a
// base that cannot be read, are errors of the command line and throw a `Stop`.
async function usableBase(
  path: string,
  { layers = [], base }: StudioFlags,
  files: StudioFiles,
  io: Io,
): Promise<{ readonly base?: string }> {
  if ([...layers, path].some(one => !existsSync(resolve(io.cwd, one)))) {
    const { diagnostics } = await files.load();
    printFindings(diagnostics, io);
    stopOnErrors(diagnostics);
  }
  if ((await files.base()) === null) return {};
  return { base: base ?? LAST_COMMIT };
}

/** Resolves on the first interrupt, or when the terminal is closed. */
function ended(io: Io): Promise<void> {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const releases = [io.onInterrupt(() => end()), io.onTerminalGone?.(end)];
  return promise.finally(() => {
    for (const release of releases) release?.();
  });
}
