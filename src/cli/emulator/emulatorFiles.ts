// The files that an emulator reads at its start or writes: a snapshot, stubs, and the request log.
import { closeSync, constants, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LoggedRequest, Stub } from '../../emulator/index.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import { pathText } from '../../model/text/visible.ts';
import type { Json } from '../../model/value.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { OpenFile } from '../../read/files/owners.ts';
import { preparePrivateFile } from '../../read/files/privateFile.ts';
import { usable, writeTargetAt } from '../../read/files/writeTarget.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { refusedPlace } from '../refusedPlace.ts';
import { Stop } from '../stop.ts';

/** The content of a JSON file that a flag names. Throws a `Stop` if it cannot be read or is not JSON. */
export async function jsonFile(flag: string, file: string, { cwd }: Io): Promise<Json> {
  const text = await readFile(resolve(cwd, file), 'utf8').catch(error => {
    throw new Stop(
      EXIT.usage,
      `${pathText(file)} cannot be read: ${reasonOf(error)}`,
      `check ${flag}`,
    );
  });
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    // The message of the parser quotes the file, which may contain secrets.
    const [place = ''] = /\(?line \d+ column \d+\)?/.exec(String(error)) ?? [];
    throw new Stop(EXIT.usage, `${pathText(file)} is not JSON ${place}`.trim(), `check ${flag}`);
  }
}

/** The stubs in a file. Throws a `Stop` if the file contains none. */
export async function stubsIn(file: string, io: Io): Promise<readonly Stub[]> {
  const { readStubs, STUB_EXAMPLE, UnusableStubs } = await import('../../emulator/index.ts');
  const json = await jsonFile('--stub', file, io);
  try {
    return readStubs(json);
  } catch (error) {
    if (!(error instanceof UnusableStubs)) throw error;
    const hint = `write each entry like ${STUB_EXAMPLE}`;
    throw new Stop(EXIT.usage, `${pathText(file)}: ${error.message}`, hint);
  }
}

/**
 * The database of an emulator: its path, and a function that removes the file if the emulator did
 * not start and the file is new.
 */
export interface DatabaseFile {
  readonly path: string;
  readonly removeNew: () => void;
}

/** The files that SQLite writes beside a database. */
const BESIDES = ['-wal', '-shm', '-journal'] as const;

/**
 * The database in a file. Only this user can read the file, because it contains the secrets of the
 * declarations in clear text. The file is created if it is missing. Throws a `Stop` if the file
 * cannot be used.
 */
export function databaseFile(file: string, { cwd }: Io): DatabaseFile {
  try {
    const { path, isNew } = preparePrivateFile(resolve(cwd, file), BESIDES);
    return {
      path,
      removeNew: () => {
        if (isNew && statSync(path).size === 0) rmSync(path);
      },
    };
  } catch (error) {
    const message = `${pathText(file)} cannot hold the state of the emulator: ${reasonOf(error)}`;
    const hint = error instanceof OpenFile ? error.hint : 'check --db';
    throw refusedPlace(message, error) ?? new Stop(EXIT.usage, message, hint);
  }
}

/** Receives one line for each request. */
export interface RequestLog {
  readonly write: (line: LoggedRequest) => void;
  readonly close: () => void;
}

/** A request log in a file. Each line is written before the response is sent. Existing content of the file is kept. */
export function openRequestLog(file: string, { cwd }: Io): RequestLog {
  try {
    const place = usable(writeTargetAt(resolve(cwd, file)));
    const opened =
      place.is === 'stream' ? openedPipe(place.path) : openSync(place.path, 'a', 0o600);
    return {
      write: line => {
        writeSync(opened, jsonLine(line));
      },
      close: () => closeSync(opened),
    };
  } catch (error) {
    const message = `${pathText(file)} cannot be written: ${reasonOf(error)}`;
    throw refusedPlace(message, error) ?? new Stop(EXIT.usage, message, 'check --request-log');
  }
}

// Opens a pipe or a device. Throws for a pipe that no program reads: opening it would stop the emulator, without any message, until
// one does.
function openedPipe(path: string): number {
  const { O_WRONLY, O_NONBLOCK = 0 } = constants;
  try {
    const first = openSync(path, O_WRONLY | O_NONBLOCK);
    // The first one is closed last, because a reader ends when nobody has the pipe open.
    const opened = openSync(path, 'a');
    closeSync(first);
    return opened;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    throw new Error('it is a pipe that no program reads', { cause: error });
  }
}
