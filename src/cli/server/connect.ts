// Converts flags and environment to the address of the server and the token. A token is never a command-line argument.
import { resolve } from 'node:path';
import type { Dispatcher } from 'undici';
import { certificateFault } from '../../api/transport/certificates.ts';
import { dispatcher } from '../../api/transport/dispatcher.ts';
import { proxyFault, proxyTo } from '../../api/transport/environmentProxy.ts';
import { newThrottle, type Throttle } from '../../api/transport/throttle.ts';
import type { MadeCall, TransportOptions } from '../../api/transport/transport.ts';
import { ApiError } from '../../model/errors.ts';
import { quoted } from '../../model/text/visible.ts';
import { readSmall, reasonOf } from '../../read/files/fileText.ts';
import { counted } from '../../report/text/summary.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { apiHint } from './apiHint.ts';
import { type ServerUrl, serverOrStop } from './server.ts';

export interface ConnectFlags {
  readonly url?: string;
  readonly tokenFile?: string;
  /** The token, if it was already read. A token file may be a pipe, which can be read only once. */
  readonly token?: string;
  readonly caFile?: string;
  readonly timeout: number;
  /** The time limit of the whole run, in seconds. */
  readonly deadline?: number;
  /** Requests per minute; overrides the project file. */
  readonly rate?: number;
  /** Whether to connect without credentials. No token is then required or sent. */
  readonly anonymous?: boolean;
  /** Whether every request is printed. */
  readonly verbose?: boolean;
  /** The id of the account for every request, if the token reaches several accounts. */
  readonly tenant?: string;
  /** The throttle of all runs with the same token. By default, the run has its own throttle. */
  readonly throttle?: Throttle;
}

/** Connects while `use` runs. Throws a `Stop` if the address or the token is missing or invalid. */
export async function withConnection<T>(
  flags: ConnectFlags,
  project: ServerUrl,
  io: Io,
  use: (transport: TransportOptions) => Promise<T>,
): Promise<T> {
  const url = await serverOrStop(flags.url, project, io);
  const token = flags.anonymous ? '' : await tokenOrStop(flags, io);
  const ca = await caOrStop(flags, io);
  const proxy = proxyOrStop(url, io);
  const connection: Dispatcher = dispatcher(ca === undefined ? {} : { ca });
  const until = flags.deadline === undefined ? undefined : io.now() + flags.deadline * 1000;
  try {
    return await use({
      url,
      token,
      ...(flags.tenant !== undefined && { tenant: flags.tenant }),
      proxy,
      dispatcher: connection,
      timeout: flags.timeout * 1000,
      ...(until !== undefined && { until }),
      throttle:
        limited(flags, project) ??
        newThrottle({ ...throttleFor(flags.rate ?? rateIn(project), io), until }),
      now: io.now,
      random: io.random,
      sleep: io.sleep,
      redact: text => io.secrets.redact(text),
      ...(io.onSkew && { onSkew: io.onSkew }),
      onRetry: retryLines(io),
      ...(flags.verbose && { onCall: callLines(io) }),
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new Stop(EXIT.failed, error.message, apiHint(error.details, url), error.details.more);
  } finally {
    await connection.close();
  }
}

function callLines({ stderr, secrets }: Pick<Io, 'stderr' | 'secrets'>) {
  return ({ method, path, status, milliseconds, tries }: MadeCall): void => {
    const answer = status ?? 'no answer';
    const line = `${method} ${path}: ${answer} in ${Math.round(milliseconds)} ms, ${counted(tries, 'try', 'tries')}`;
    say(stderr, secrets.redact(line));
  };
}

// Reports throttling by a server with a rate limit. Such a server may throttle thousands of
// requests in a run. So throttling is reported once, and again only when the pause doubles.
function retryLines({ stderr }: Pick<Io, 'stderr'>): (error: ApiError, pause: number) => void {
  let longest = 0;
  return (error, pause) => {
    const isLimit = error.details.status === 429;
    if (isLimit && pause < longest * 2) return;
    say(stderr, `${tried(error)}; trying again in ${(pause / 1000).toFixed(1)} s`);
    if (isLimit && longest === 0)
      say(stderr, '  hint: --rate NUMBER sends at most that many requests a minute');
    if (isLimit) longest = Math.max(pause, SHORTEST_PAUSE);
  };
}

/** The shortest reported pause, in milliseconds. Shorter pauses are not noticeable. */
const SHORTEST_PAUSE = 500;

// The rate in the project file that the user named or works in; otherwise the rate in the first
// other project file that sets a rate.
const rateIn = ({ rate, others = [] }: ServerUrl): number | undefined =>
  rate ?? others.find(other => other.rate !== undefined)?.rate;

// If several runs share a throttle, the smallest rate in the files of any of them applies.
function limited(
  { throttle, rate: flag }: Pick<ConnectFlags, 'throttle' | 'rate'>,
  project: ServerUrl,
): Throttle | undefined {
  const rate = flag === undefined ? rateIn(project) : undefined;
  if (rate !== undefined) throttle?.limit(rate);
  return throttle;
}

function throttleFor(rate: number | undefined, { now, random, sleep, stderr }: Io) {
  return {
    now,
    random,
    sleep,
    ...(rate !== undefined && { interval: 60_000 / rate }),
    onLimit: (found: number) => {
      const about = Math.max(1, Math.round(found));
      const flag = `--rate ${about}`;
      say(stderr, `the server allows about ${about} requests per minute`);
      say(stderr, `  hint: ${flag}, or \`rate\` in meshform.yaml, avoids refused requests`);
    },
  };
}

// The attempt as text. The response is not printed, because a failing server may repeat the request
// with its secrets in it.
function tried({ message, details: { request, status } }: ApiError): string {
  return status === undefined
    ? message
    : `${request.method} ${request.path.replace(/\?.*$/s, '')} returned ${status}`;
}

/** The token. Throws a `Stop` if there is none, or if it cannot be sent. */
export async function tokenOrStop(flags: ConnectFlags, io: Io): Promise<string> {
  const token = flags.token ?? (await tokenFrom(flags, io));
  io.secrets.add(token);
  return token;
}

async function tokenFrom({ tokenFile }: ConnectFlags, io: Io): Promise<string> {
  const source = tokenFile === undefined ? 'MESHFORM_TOKEN' : '--token-file';
  const text =
    tokenFile === undefined ? io.env.MESHFORM_TOKEN : await textOf(tokenFile, '--token-file', io);
  const token = text?.trim() ?? '';
  if (token === '') {
    const hint = 'set MESHFORM_TOKEN, or add --token-file FILE';
    throw new Stop(EXIT.usage, 'no token is configured', hint);
  }
  const fault = faultOf(token);
  if (fault === null) return token;
  throw new Stop(
    EXIT.usage,
    `the token of ${source} ${fault}`,
    'a token is one line of ASCII letters, digits and punctuation',
  );
}

// Why a text cannot be sent in a header. The text may be most of a token, so it is not quoted.
function faultOf(token: string): string | null {
  if (/[\r\n]/.test(token)) return 'has more than one line';
  return /^[\x21-\x7e]+$/.test(token)
    ? null
    : 'contains a space or a character that tokens cannot contain';
}

/**
 * The address of the proxy for a server; undefined without a proxy. Throws a `Stop` if a variable
 * contains an invalid proxy.
 */
export function proxyOrStop(url: string, { env }: Pick<Io, 'env'>): string | undefined {
  const fault = proxyFault(env);
  if (fault === null) return proxyTo(url, env)?.address;
  const value = fault.address === undefined ? 'the value' : quoted(fault.address);
  const message = `${value} of ${fault.variable} is not the address of a proxy`;
  throw new Stop(EXIT.usage, message, fault.hint);
}

/** The certificates in `--ca-file`, as PEM text. Throws a `Stop` if the file contains none. */
export async function caOrStop(
  { caFile }: Pick<ConnectFlags, 'caFile'>,
  io: Io,
): Promise<string | undefined> {
  return caFile === undefined ? undefined : certificatesFrom(caFile, io);
}

async function certificatesFrom(file: string, io: Io): Promise<string> {
  const text = await textOf(file, '--ca-file', io);
  const why = certificateFault(text);
  if (why === null) return text;
  const hint = 'a PEM certificate begins with -----BEGIN CERTIFICATE-----';
  throw new Stop(EXIT.usage, `${quoted(file)} of --ca-file ${why}`, hint);
}

const READABLE: Readonly<Record<'--token-file' | '--ca-file', string>> = {
  '--token-file': 'name a file that contains only the token',
  '--ca-file': 'name a file with PEM certificates',
};

async function textOf(file: string, flag: keyof typeof READABLE, { cwd }: Io): Promise<string> {
  try {
    return await readSmall(resolve(cwd, file));
  } catch (error) {
    const message = `${quoted(file)} of ${flag} cannot be read: ${reasonOf(error)}`;
    throw new Stop(EXIT.usage, message, READABLE[flag]);
  }
}
