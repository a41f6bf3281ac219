// Flags and environment → where the server is and who asks. A token never comes from the command line itself.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Dispatcher } from 'undici';
import { dispatcher } from '../api/dispatcher.ts';
import type { TransportOptions } from '../api/transport.ts';
import { ApiError } from '../model/errors.ts';
import { quoted } from '../model/visible.ts';
import { reasonOf } from '../read/fileText.ts';
import type { Project } from '../source/project.ts';
import { apiHint } from './apiHint.ts';
import { EXIT } from './exitCodes.ts';
import { type Io, say } from './io.ts';
import { Stop } from './stop.ts';

export interface ConnectFlags {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly caFile?: string;
  readonly timeout: number;
  /** For the whole run, in seconds. */
  readonly deadline?: number;
  /** Requests a minute. */
  readonly rate?: number;
  /** For what is called without credentials: no token is asked for, and none is shown to the server. */
  readonly anonymous?: boolean;
}

/** Connects for as long as `use` runs. Throws a `Stop` where the address or the token is missing or cannot be one. */
export async function withConnection<T>(
  flags: ConnectFlags,
  project: Project,
  io: Io,
  use: (transport: TransportOptions) => Promise<T>,
): Promise<T> {
  const url = serverUrl(flags.url ?? io.env.MESHFORM_URL ?? project.url);
  const token = flags.anonymous ? '' : await tokenFrom(flags, io);
  io.secrets.add(token);
  const ca = flags.caFile === undefined ? undefined : await textOf(flags.caFile, '--ca-file', io);
  const connection: Dispatcher = dispatcher(ca === undefined ? {} : { ca });
  try {
    return await use({
      ...{ url, token, dispatcher: connection, timeout: flags.timeout * 1000 },
      ...(flags.deadline !== undefined && { until: io.now() + flags.deadline * 1000 }),
      ...(flags.rate !== undefined && { interval: 60_000 / flags.rate }),
      ...{ now: io.now, random: io.random, sleep: io.sleep },
      strike: text => io.secrets.strike(text),
      onRetry: (error, pause) => {
        say(io.stderr, `${tried(error)}; trying again in ${(pause / 1000).toFixed(1)} s`);
      },
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new Stop(EXIT.failed, error.message, apiHint(error.details, url), error.details.more);
  } finally {
    await connection.close();
  }
}

// A server that is in trouble may repeat what it was sent, and that may be a secret: its words are not passed on.
function tried({ message, details: { request, status } }: ApiError): string {
  return status === undefined
    ? message
    : `${request.method} ${request.path.replace(/\?.*$/s, '')} was answered ${status}`;
}

function serverUrl(text: string | undefined): string {
  if (text === undefined || text === '') {
    const hint = 'set MESHFORM_URL, give --url, or write `url:` in meshform.yaml';
    throw new Stop(EXIT.usage, 'no server is named', hint);
  }
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Stop(
      EXIT.usage,
      `${quoted(text)} is not a web address`,
      'such as https://api.example.com',
    );
  }
  // People paste the address with or without the path that every call begins with.
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}`;
}

async function tokenFrom(flags: ConnectFlags, io: Io): Promise<string> {
  const token =
    flags.tokenFile === undefined
      ? io.env.MESHFORM_TOKEN
      : await textOf(flags.tokenFile, '--token-file', io);
  if (token === undefined || token.trim() === '') {
    throw new Stop(
      EXIT.usage,
      'no token is given',
      'set MESHFORM_TOKEN, or give --token-file FILE',
    );
  }
  return token.trim();
}

async function textOf(file: string, flag: string, { cwd }: Io): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new Stop(EXIT.usage, `${quoted(file)} of ${flag} cannot be read: ${reasonOf(error)}`);
  }
}
