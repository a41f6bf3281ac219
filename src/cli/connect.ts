// Flags and environment → where the server is and who asks. A token never comes from the command line itself.
import { resolve } from 'node:path';
import type { Dispatcher } from 'undici';
import { certificateFault } from '../api/certificates.ts';
import { dispatcher } from '../api/dispatcher.ts';
import { proxyFault, proxyTo } from '../api/proxy.ts';
import type { TransportOptions } from '../api/transport.ts';
import { ApiError } from '../model/errors.ts';
import { readSmall, reasonOf } from '../read/fileText.ts';
import { apiHint } from './apiHint.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { type ServerUrl, serverOrStop } from './server.ts';
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
  project: ServerUrl,
  io: Io,
  use: (transport: TransportOptions) => Promise<T>,
): Promise<T> {
  const url = serverOrStop(flags.url, project, io);
  const token = flags.anonymous ? '' : await tokenFrom(flags, io);
  io.secrets.add(token);
  const ca = flags.caFile === undefined ? undefined : await certificatesFrom(flags.caFile, io);
  const proxy = proxyOrStop(url, io);
  const connection: Dispatcher = dispatcher(ca === undefined ? {} : { ca });
  try {
    return await use({
      ...{ url, token, proxy, dispatcher: connection, timeout: flags.timeout * 1000 },
      ...(flags.deadline !== undefined && { until: io.now() + flags.deadline * 1000 }),
      ...(flags.rate !== undefined && { interval: 60_000 / flags.rate }),
      ...{ now: io.now, random: io.random, sleep: io.sleep },
      strike: text => io.secrets.strike(text),
      onRetry: (error, pause) => {
        io.stderr.write(`${tried(error)}; trying again in ${(pause / 1000).toFixed(1)} s\n`);
      },
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new Stop(EXIT.failed, error.message, apiHint(error.details, url));
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

async function tokenFrom(flags: ConnectFlags, io: Io): Promise<string> {
  const source = flags.tokenFile === undefined ? 'MESHFORM_TOKEN' : '--token-file';
  const text =
    flags.tokenFile === undefined
      ? io.env.MESHFORM_TOKEN
      : await textOf(flags.tokenFile, '--token-file', io);
  const token = text?.trim() ?? '';
  if (token === '') {
    const hint = 'set MESHFORM_TOKEN, or give --token-file FILE';
    throw new Stop(EXIT.usage, 'no token is given', hint);
  }
  const fault = faultOf(token);
  if (fault === null) return token;
  throw new Stop(
    EXIT.usage,
    `the token of ${source} ${fault}`,
    'a token is one line of plain letters, digits and signs',
  );
}

// What keeps a text from being sent in a header. The text itself may be most of a token, and is not repeated.
function faultOf(token: string): string | null {
  if (/[\r\n]/.test(token)) return 'has more than one line';
  return /^[\x21-\x7e]+$/.test(token) ? null : 'has a blank or a character that no token has';
}

// The address of the proxy on the way; undefined where there is none.
function proxyOrStop(url: string, { env }: Io): string | undefined {
  const fault = proxyFault(env);
  if (fault === null) return proxyTo(url, env)?.address;
  const message = `\`${fault.address}\` of ${fault.variable} is not the address of a proxy`;
  throw new Stop(EXIT.usage, message, fault.hint);
}

async function certificatesFrom(file: string, io: Io): Promise<string> {
  const text = await textOf(file, '--ca-file', io);
  const why = certificateFault(text);
  if (why === null) return text;
  const hint = 'a certificate as PEM begins with -----BEGIN CERTIFICATE-----';
  throw new Stop(EXIT.usage, `\`${file}\` of --ca-file ${why}`, hint);
}

async function textOf(file: string, flag: string, { cwd }: Io): Promise<string> {
  try {
    return await readSmall(resolve(cwd, file));
  } catch (error) {
    throw new Stop(EXIT.usage, `\`${file}\` of ${flag} cannot be read: ${reasonOf(error)}`);
  }
}
